"""Pairs and clusters of a reuse folder: in order, by page, with their texts, whatever the format of the folder."""

from pathlib import Path
from typing import Any

import httpx
import pytest

import ibidem
from ibidem.reuse.find import find_reuse
from ibidem.reuse.outputs.folder import write_reuse
from ibidem.web.client import Client
from ibidem.web.indexes.served_reuse import ServedReuse

from ..conftest import Serve
from ..samples import REUSED

TEXTS = {document.id: document.text for document in REUSED}


def test_pairs_come_with_their_texts_furthest_beyond_chance_first(client: httpx.Client) -> None:
    found = client.get("/v1/pairs").json()
    assert (found["reuse"], found["total"], found["cursor"]) == ("songs", 3, None)
    assert {frozenset((pair["a"], pair["b"])) for pair in found["pairs"]} == {
        frozenset(two) for two in (("gray", "letter"), ("gray", "reader"), ("letter", "reader"))
    }
    evidence = [pair["evidence"] for pair in found["pairs"]]
    assert evidence == sorted(evidence, reverse=True)
    for pair in found["pairs"]:
        for side in "ab":
            assert pair[f"{side}_text"] == TEXTS[pair[side]][pair[f"{side}_start"] : pair[f"{side}_end"]]


def test_pairs_are_chosen_by_document_similarity_and_kind(client: httpx.Client) -> None:
    def total(**asked: Any) -> int:
        return int(client.get("/v1/pairs", params=asked).json()["total"])

    assert total(document="gray") == 2
    assert total(document="gray", other="reader") == 1
    assert total(document="recipe") == total(kind="summary") == 0
    similar = sorted(pair["similarity"] for pair in client.get("/v1/pairs").json()["pairs"])
    assert total(threshold=similar[1]) == 2


def test_pairs_that_were_left_out_come_with_their_reasons(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "songs.reuse").mkdir()
    with pytest.warns(UserWarning, match="left out for one reason"):
        found = find_reuse(REUSED, min_pair_length=8, ignore=[("sheet", TEXTS["gray"])], texts=True)
    write_reuse(found, tmp_path / "songs.reuse")
    served = serve(reuse=[ServedReuse(tmp_path / "songs.reuse")])
    [about] = served.get("/v1/indexes").json()["reuse"]
    left_out = served.get("/v1/pairs", params={"left_out": True}).json()
    rows = found.left_out.to_pylist()
    assert about["left_out"] == left_out["total"] == len(rows) > 0
    expected = {(row["reason"], row["a"], row["b"], row["a_start"], row["a_text"]) for row in rows}
    assert {
        tuple(pair[name] for name in ("reason", "a", "b", "a_start", "a_text")) for pair in left_out["pairs"]
    } == expected


def test_pairs_of_documents_say_how_many_words_they_share(client: httpx.Client) -> None:
    found = client.get("/v1/document-pairs").json()
    expected = {(row["a"], row["b"]): row for row in find_reuse(REUSED, min_pair_length=8).document_pairs.to_pylist()}
    assert found["total"] == len(expected) == 3
    for pair in found["pairs"]:
        row = expected[pair["a"], pair["b"]]
        for side, other in ("ab", "ba"):
            shares = pair[f"{side}_shares"]
            assert {name: shares[name] for name in ("words", "identical", "identical_share")} == {
                name: row[f"{side}_{name}"] for name in ("words", "identical", "identical_share")
            }
            assert f"are in {pair[other]}, too, in runs of five or more" in shares["reading"]
    assert client.get("/v1/document-pairs", params={"document": "gray", "other": "reader"}).json()["total"] == 1
    assert Client(str(client.base_url)).document_pairs(document="recipe")["pairs"] == []


def test_clusters_have_their_witnesses(client: httpx.Client) -> None:
    [cluster] = client.get("/v1/clusters").json()["clusters"]
    assert (cluster["size"], cluster["documents"]) == (3, 3)
    assert "the knell of" in cluster["text"]
    found = client.get(f"/v1/clusters/{cluster['cluster']}").json()
    assert found["cluster"] == cluster
    assert [each["document"] for each in found["witnesses"]] == ["gray", "letter", "reader"]
    assert [each["date"] for each in found["witnesses"]] == [1751, 1790, 1860]
    assert found["witnesses"][1]["source"] == "gray"
    assert all(each["index"] == "songs" for each in found["witnesses"])
    assert client.get("/v1/clusters", params={"documents": 4}).json()["total"] == 0
    assert client.get("/v1/clusters", params={"document": "gray", "boilerplate": "false"}).json()["total"] == 1
    assert client.get("/v1/clusters", params={"document": "recipe"}).json()["total"] == 0
    assert client.get("/v1/clusters/none").status_code == 404


def test_findings_come_page_by_page_and_as_lines(client: httpx.Client) -> None:
    called = Client(str(client.base_url))
    first = called.pairs(limit=2)
    rest = called.pairs(limit=2, cursor=first["cursor"])
    assert first["pairs"] + rest["pairs"] == called.pairs()["pairs"]
    assert rest["cursor"] is None
    lines = client.get("/v1/pairs", params={"limit": 2}, headers={"Accept": "application/x-ndjson"})
    assert len(lines.text.splitlines()) == 2
    assert lines.headers["ibidem-cursor"] == first["cursor"]
    [cluster] = called.clusters(boilerplate=False)["clusters"]
    assert called.cluster(cluster["cluster"], limit=1)["cursor"] is not None


def test_positions_of_findings_are_counted_in_any_unit(client: httpx.Client) -> None:
    plain, wide = (
        client.get("/v1/pairs", params={"document": "gray", "unit": unit}).json()["pairs"][0]
        for unit in ("code points", "utf-16")
    )
    assert wide["a_start"] - plain["a_start"] == 1
    assert wide["b_start"] == plain["b_start"]


@pytest.mark.parametrize("format", ["parquet", "jsonl", "csv"])
@pytest.mark.parametrize("texts", [False, True])
def test_a_folder_of_any_format_is_served_without_an_index(
    serve: Serve, client: httpx.Client, tmp_path: Path, format: str, texts: bool
) -> None:
    folder = tmp_path / "songs.reuse"
    folder.mkdir()
    write_reuse(find_reuse(REUSED, date="year", min_pair_length=8, texts=texts), folder, format)
    served = serve(reuse=[ServedReuse(folder)])
    for path in ("/v1/pairs", "/v1/clusters"):
        given, expected = (each.get(path).json() for each in (served, client))
        for row in (*given.get("pairs", ()), *given.get("clusters", ())):
            assert row.pop("a_text", None) is None or texts
            row.pop("b_text", None)
            row.pop("text", None)
        for row in (*expected.get("pairs", ()), *expected.get("clusters", ())):
            for name in ("a_text", "b_text", "text"):
                row.pop(name, None)
        assert given == expected
    response = served.get("/v1/pairs", params={"unit": "bytes"})
    assert response.status_code == 422
    assert "no served index has the document" in response.json()["detail"]


def test_findings_of_nothing_are_served(serve: Serve, tmp_path: Path) -> None:
    for format in ("parquet", "jsonl", "csv"):
        folder = tmp_path / format
        folder.mkdir()
        write_reuse(find_reuse(REUSED[3:]), folder, format)
        served = serve(reuse=[ServedReuse(folder)])
        assert served.get("/v1/pairs").json()["total"] == served.get("/v1/clusters").json()["total"] == 0


def test_pairs_and_clusters_come_with_their_places_in_the_originals(serve: Serve, tmp_path: Path) -> None:
    located = [
        ibidem.Document(each.id, each.text, {"locators": [[0, len(each.text), each.id, "page"]]}) for each in REUSED
    ]
    folder = tmp_path / "songs.reuse"
    folder.mkdir()
    write_reuse(find_reuse(located, min_pair_length=8), folder, "jsonl")
    client = serve(reuse=[ServedReuse(folder)])
    for pair in client.get("/v1/pairs").json()["pairs"]:
        assert (pair["a_locator"], pair["b_locator"]) == (f"page {pair['a']}", f"page {pair['b']}")
    [cluster] = client.get("/v1/clusters").json()["clusters"]
    assert cluster["central_locator"] == f"page {cluster['central']}"
    for witness in client.get(f"/v1/clusters/{cluster['cluster']}").json()["witnesses"]:
        assert witness["locator"] == f"page {witness['document']}"
