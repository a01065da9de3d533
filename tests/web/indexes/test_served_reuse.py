"""The tables of a reuse folder in the order of their weight, read again when the folder is replaced."""

from collections import defaultdict
from pathlib import Path

import pytest

from ibidem.errors import CorpusError
from ibidem.reuse.find import find_reuse
from ibidem.reuse.outputs.folder import write_reuse
from ibidem.web.indexes.served_reuse import ServedReuse

from ..conftest import Serve
from ..samples import REUSED


def test_clusters_have_the_passages_of_the_table(reused: Path) -> None:
    findings = ServedReuse(reused).findings
    expected = defaultdict(list)
    for row in findings.passages.to_pylist():
        expected[row["cluster"]].append(row)
    assert {name: findings.witnesses(name).to_pylist() for name in expected} == expected
    assert findings.witnesses("none").num_rows == 0
    for document in ("gray", "recipe"):
        names = {name for name, rows in expected.items() if any(row["document"] == document for row in rows)}
        assert findings.clusters_of(document) == names
    assert len(findings.clusters_of("gray")) == 1


def test_clusters_that_most_documents_hold_come_first_and_boilerplate_last(tmp_path: Path) -> None:
    def words(name: str, count: int) -> str:
        return " ".join(f"{name}{number}" for number in range(count))

    others = [f"{letter}{mark}" for letter in "defghijklm" for mark in "ruvwxyz"]
    quoted = {"a": "pq", "b": "pq", "c": "q"} | dict.fromkeys(others, "")
    documents = [
        (id, " ".join([words("head", 30), *(f"{words(f'{id}{part}', 60)} {words(part, 30)}" for part in parts), tail]))
        for id, parts in quoted.items()
        for tail in [words(id, 70)]
    ]
    (tmp_path / "x.reuse").mkdir()
    write_reuse(find_reuse(documents, min_pair_length=8), tmp_path / "x.reuse")
    clusters = ServedReuse(tmp_path / "x.reuse").findings.clusters.to_pylist()
    assert [(row["documents"], row["boilerplate"]) for row in clusters] == [(3, None), (2, None), (73, "frequent")]


@pytest.mark.parametrize(("folder", "name"), [("songs.reuse", "songs"), ("songs", "songs")])
def test_a_result_is_named_by_its_folder_without_the_suffix(tmp_path: Path, folder: str, name: str) -> None:
    (tmp_path / folder).mkdir()
    write_reuse(find_reuse(REUSED[3:]), tmp_path / folder)
    assert ServedReuse(tmp_path / folder).name == name
    assert ServedReuse(tmp_path / folder, "other").name == "other"
    assert ServedReuse(tmp_path / folder).findings.counts == {
        "documents": 1,
        "pairs": 0,
        "passages": 0,
        "clusters": 0,
        "left_out": 0,
    }


def test_a_folder_that_reuse_did_not_write_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"it has no summary\.json"):
        ServedReuse(tmp_path)


def test_findings_that_are_replaced_are_read_again_and_those_that_are_gone_are_told(
    serve: Serve, tmp_path: Path
) -> None:
    for name, documents in (("first", REUSED), ("second", REUSED[:2])):
        (tmp_path / name).mkdir()
        write_reuse(find_reuse(documents, min_pair_length=8), tmp_path / name)
    folder = tmp_path / "x.reuse"
    (tmp_path / "first").rename(folder)
    client = serve(reuse=[ServedReuse(folder)])
    cursor = client.get("/v1/pairs", params={"limit": 1}).json()["cursor"]
    folder.rename(tmp_path / "old")
    assert client.get("/v1/pairs").status_code == 503
    (tmp_path / "second").rename(folder)
    assert client.get("/v1/pairs").json()["total"] == 1
    assert client.get("/v1/pairs", params={"cursor": cursor}).status_code == 409
