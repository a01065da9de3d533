"""Documents are read in parts, and passages compared."""

from pathlib import Path

import httpx

import ibidem

from ..conftest import Serve, read_problem
from ..samples import FERRY, PASSAGE, SCRIPT


def read(client: httpx.Client, name: str, **values: int) -> httpx.Response:
    return client.get("/v1/document", params={"document": name, **values})


def test_two_passages_are_compared(client: httpx.Client) -> None:
    sides = {"a": {"text": PASSAGE}, "b": {"document": "ferry", "start": 5, "end": 95}}
    found = client.post("/v1/compare", json=sides).json()
    assert [run[0] for run in found["runs"]].count("changed") == 1
    assert found["b"]["document"] == "ferry"
    assert found["b"]["before"] == FERRY[:5]


def test_words_weigh_by_how_rare_they_are_in_the_collection(serve: Serve, tmp_path: Path) -> None:
    passage = "the tide came back in over the sand"
    documents = [("tide", passage), *((str(number), "the sand came and came " * 40) for number in range(5))]
    sides = {"a": {"text": "quite another one"}, "b": {"document": "tide"}}
    for tokenizer, heaviest in (("words", "tide"), ("words:2", "sand")):  # of shingles, the two passages are counted
        path = tmp_path / f"{tokenizer[-1]}.ibidem"
        ibidem.PassageIndex.build(path, documents, tokenizer=tokenizer, min_length=4).close()
        only = serve(path=path).post("/v1/compare", json=sides).json()["reasons"]["only_b"]
        weights = {word["text"]: word["weight"] for word in only}
        assert (weights["tide"] > weights["sand"]) == (heaviest == "tide")


def test_a_document_is_read_in_parts(client: httpx.Client) -> None:
    whole = read(client, "ferry").json()
    assert (whole["text"], whole["length"], whole["metadata"]) == (FERRY, len(FERRY), {"year": 1903})
    part = read(client, "ferry", start=5, end=9).json()
    assert (part["text"], part["start"], part["end"]) == (FERRY[5:9], 5, 9)
    assert read(client, "a/b <i>").json()["text"] == SCRIPT


def test_a_passage_outside_of_its_text_is_refused(client: httpx.Client) -> None:
    for start, end in ((0, len(FERRY) + 1), (9, 5)):
        sides = {"a": {"text": PASSAGE}, "b": {"document": "ferry", "start": start, "end": end}}
        status, detail = read_problem(client.post("/v1/compare", json=sides))
        assert status == 422
        assert "lies outside of the text of 'b'" in detail


def test_a_document_whose_name_is_a_path_is_only_looked_up(client: httpx.Client) -> None:
    assert read_problem(read(client, "../../etc/passwd"))[0] == 404
    assert read_problem(read(client, "ferry", start=-1))[0] == 400
    assert read_problem(read(client, "ferry", stat=1))[0] == 400


def test_a_passage_comes_with_its_place_in_the_original(serve: Serve, tmp_path: Path) -> None:
    text = f"\U0001f600 A title.\n{FERRY}"
    rows = [[0, 11, "3", "page"], [11, len(text), "4", "page"], [11, 60, "1", "line"]]
    path = tmp_path / "scan.ibidem"
    scan = ibidem.Document("scan", text, {"year": 1903, "locators": rows})
    ibidem.PassageIndex.build(path, [scan], min_length=8).close()
    client = serve(path=path)
    for address in ("/v1/search", "/v1/align"):
        asked = {"text": PASSAGE} | ({"threshold": 0.7} if address == "/v1/search" else {})
        [match] = client.post(address, json=asked).json()["matches"]
        assert (match["locator"], match["metadata"]) == ("page 4, line 1", {"year": 1903})
    side = {"document": "scan", "start": match["start"], "end": match["end"]}
    found = client.post("/v1/compare", json={"a": {"text": PASSAGE}, "b": side}).json()
    assert found["b"]["locators"] == [[match["start"], match["end"], "page 4, line 1"]]
    whole = read(client, "scan").json()
    assert (whole["locator"], whole["metadata"]) == ("pages 3 to 4", {"year": 1903})
