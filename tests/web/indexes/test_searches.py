"""A search and an alignment over HTTP give what the index gives."""

from pathlib import Path
from typing import Any

import httpx
import pytest

import ibidem
from ibidem.text import Texts
from ibidem.web.client import Client

from ..conftest import Serve
from ..samples import FERRY, PASSAGE


def test_a_search_gives_what_the_index_gives(client: httpx.Client, built: Path) -> None:
    found = client.post("/v1/search", json={"text": PASSAGE}).json()
    with ibidem.PassageIndex.open(built) as index:
        [expected] = index.search(PASSAGE)
    [match] = found["matches"]
    assert (match["document"], match["start"], match["end"]) == ("ferry", expected.start, expected.end)
    assert match["similarity"] == expected.similarity
    assert match["metadata"] == {"year": 1903}
    assert FERRY[match["start"] : match["end"]] == match["text"]
    assert (found["index"], found["total"]) == ("letters", 1)


def test_the_maximal_passages_are_those_of_the_index(client: httpx.Client, built: Path) -> None:
    asked = {"select": "maximal", "threshold": 0.5}
    found = client.post("/v1/search", json={"text": PASSAGE, **asked}).json()["matches"]
    with ibidem.PassageIndex.open(built) as index:
        expected = index.search(PASSAGE, **asked)
    assert len(expected) > 1
    assert [(match["start"], match["end"]) for match in found] == [(match.start, match.end) for match in expected]


def test_matches_come_with_what_stands_around_them(client: httpx.Client) -> None:
    asked = {"text": FERRY[30:120], "context": 12}
    for path in ("search", "align"):
        [match] = client.post(f"/v1/{path}", json=asked).json()["matches"]
        assert match["before"] == FERRY[match["start"] - 12 : match["start"]]
        assert match["after"] == FERRY[match["end"] : match["end"] + 12]
        assert client.post(f"/v1/{path}", json=asked | {"context": 1001}).status_code == 400
        [bare] = client.post(f"/v1/{path}", json=asked | {"context": 0}).json()["matches"]
        assert bare == match | {"before": "", "after": ""}


def test_a_document_is_aligned(client: httpx.Client) -> None:
    text = f"Nobody knew the harbour. {FERRY} And so it was."
    [match] = client.post("/v1/align", json={"text": text}).json()["matches"]
    assert match["document"] == "ferry"
    assert text[match["query_start"] : match["query_end"]] == FERRY.rstrip(".")


def test_no_more_matches_come_than_were_asked_for(serve: Serve, tmp_path: Path) -> None:
    documents = [ibidem.Document(str(number), f"{FERRY} number {number}") for number in range(7)]
    ibidem.PassageIndex.build(tmp_path / "many.ibidem", documents, min_length=8).close()
    client = serve(path=tmp_path / "many.ibidem")
    first = client.post("/v1/search", json={"text": FERRY, "limit": 3}).json()
    assert (len(first["matches"]), first["total"]) == (3, 7)
    found = Client(str(client.base_url)).search(FERRY)["matches"]
    assert found[:3] == first["matches"]
    assert {match["document"] for match in found} == {str(number) for number in range(7)}
    with ibidem.PassageIndex.open(tmp_path / "many.ibidem") as index:
        index.remove(["3"])
    assert client.post("/v1/search", json={"text": FERRY}).json()["total"] == 6


SHEET = "Compare the two poems of the collection, and say in your own words of which the sea is a part and why."


@pytest.mark.parametrize("path", ["/v1/search", "/v1/align"])
def test_what_a_text_has_of_a_text_to_ignore_counts_as_absent(client: httpx.Client, path: str) -> None:
    sheet = f"🜚 {FERRY}"
    text = f"{FERRY} {SHEET}"
    asked: dict[str, Any] = {"text": text}
    if path == "/v1/search":
        asked |= {"threshold": 0.4}
    plain = client.post(path, json=asked).json()
    assert plain["matches"]
    assert plain["ignored"] == []
    answer = client.post(path, json=asked | {"ignore": ["something else that nobody wrote", sheet]}).json()
    assert answer["matches"] == []
    [ignored] = answer["ignored"]
    assert (ignored["text"], ignored["start"], ignored["text_start"]) == ("1", 0, 2)
    assert ignored["end"] == ignored["text_end"] - 2 == len(FERRY.rstrip("."))


def test_ignored_words_are_not_counted_in_shares(client: httpx.Client) -> None:
    text = f"{FERRY} {SHEET}"
    words = len(ibidem.make_tokenizer("words").encode(Texts.from_strings([FERRY])).ids)
    asked = {"text": text, "shares": True}
    [shared] = client.post("/v1/align", json=asked | {"ignore": [SHEET]}).json()["shares"]
    assert (shared["a_words"] - shared["a_absent"], shared["a_identical"]) == (words, words)


def test_texts_to_ignore_are_no_empty_strings(client: httpx.Client) -> None:
    assert client.post("/v1/search", json={"text": FERRY, "ignore": [""]}).status_code == 400
    assert client.post("/v1/search", json={"text": FERRY, "ignore": ["a"] * 101}).status_code == 400
