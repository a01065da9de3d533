"""The service answers what was asked, and says clearly why it does not."""

import http.client
import json
import threading
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

import ibidem
from ibidem.service import Access, Limits, application
from ibidem.service.answers import Indexes
from ibidem.service.client import Client, ServiceError
from ibidem.service.operations import OPERATIONS

from .conftest import Serve
from .samples import FERRY, SCRIPT

PASSAGE = FERRY[5:95].replace("lanterns", "torches")


def problem(response: httpx.Response) -> tuple[int, str]:
    assert response.headers["content-type"] == "application/problem+json"
    held = response.json()
    assert held["status"] == response.status_code
    return response.status_code, held["detail"]


def test_a_search_gives_what_the_index_gives(client: httpx.Client, built: Path) -> None:
    found = client.post("/v1/search", json={"text": PASSAGE}).json()
    with ibidem.PassageIndex.open(built) as index:
        [expected] = index.search(PASSAGE)
    [match] = found["matches"]
    assert (match["document"], match["start"], match["end"]) == ("ferry", expected.start, expected.end)
    assert match["similarity"] == expected.similarity
    assert match["metadata"] == {"year": 1903}
    assert FERRY[match["start"] : match["end"]] == match["text"]
    assert (found["index"], found["total"], found["cursor"]) == ("letters", 1, None)


def test_a_document_is_aligned_and_traced(client: httpx.Client) -> None:
    text = f"Nobody knew the harbour. {FERRY} And so it was."
    [match] = client.post("/v1/align", json={"text": text}).json()["matches"]
    assert match["document"] == "ferry"
    traced = client.post("/v1/trace", json={"text": text}).json()
    assert "lanterns and blankets" in " ".join(text[span["start"] : span["end"]] for span in traced["spans"])
    assert all(span["documents"] == ["ferry"] and span["evidence"] > 0 for span in traced["spans"])


def test_two_passages_are_compared(client: httpx.Client) -> None:
    sides = {"a": {"text": PASSAGE}, "b": {"document": "ferry", "start": 5, "end": 95}}
    found = client.post("/v1/compare", json=sides).json()
    assert [run[0] for run in found["runs"]].count("changed") == 1
    assert found["b"]["document"] == "ferry"
    assert found["b"]["before"] == FERRY[:5]


def test_a_document_is_read_in_parts(client: httpx.Client) -> None:
    whole = client.get("/v1/documents/ferry").json()
    assert (whole["text"], whole["length"], whole["metadata"]) == (FERRY, len(FERRY), {"year": 1903})
    part = client.get("/v1/documents/ferry", params={"start": 5, "end": 9}).json()
    assert (part["text"], part["start"], part["end"]) == (FERRY[5:9], 5, 9)
    assert client.get("/v1/documents/a%2Fb%20%3Ci%3E").json()["text"] == SCRIPT


@pytest.mark.parametrize(("unit", "width"), [("code points", 1), ("utf-16", 2), ("bytes", 4)])
def test_positions_are_counted_in_the_unit_that_was_asked_for(client: httpx.Client, unit: str, width: int) -> None:
    text = "\U0001f600\U0001f600 " + SCRIPT[42:110]
    [match] = client.post("/v1/search", json={"text": text, "unit": unit, "threshold": 0.7}).json()["matches"]
    plain = client.post("/v1/search", json={"text": text, "threshold": 0.7}).json()["matches"][0]
    assert match["query_start"] - plain["query_start"] == 2 * (width - 1)
    assert match["start"] - plain["start"] == width - 1
    place = {"start": match["start"], "end": match["end"], "unit": unit}
    part = client.get("/v1/documents/a%2Fb%20%3Ci%3E", params=place).json()
    assert part["text"] == plain["text"]
    assert (part["start"], part["end"]) == (match["start"], match["end"])
    assert part["length"] == len(SCRIPT) + width - 1
    sides = {"a": {"text": text}, "b": {"document": "a/b <i>", "start": match["start"], "end": match["end"]}}
    found = client.post("/v1/compare", json={**sides, "unit": unit}).json()
    assert found["b"]["text"] == plain["text"]
    assert found["b"]["start"] == match["start"]
    assert found["runs"][-1][4] == found["b"]["end"] == match["end"]


def test_a_position_inside_of_a_character_is_refused(client: httpx.Client) -> None:
    place = SCRIPT.index("\U0001f600")
    inside = {"start": place + 1, "unit": "utf-16"}
    assert problem(client.get("/v1/documents/a%2Fb%20%3Ci%3E", params=inside))[0] == 422


def test_matches_come_page_by_page_and_as_lines(serve: Serve, tmp_path: Path) -> None:
    documents = [ibidem.Document(str(number), f"{FERRY} number {number}") for number in range(7)]
    ibidem.PassageIndex.build(tmp_path / "many.ibidem", documents, min_length=8).close()
    client = serve(path=tmp_path / "many.ibidem")
    first = client.post("/v1/search", json={"text": FERRY, "limit": 3}).json()
    assert (len(first["matches"]), first["total"]) == (3, 7)
    found = list(Client(str(client.base_url)).search_all(FERRY, limit=3))
    assert {match["document"] for match in found} == {str(number) for number in range(7)}
    lines = client.post("/v1/search", json={"text": FERRY}, headers={"Accept": "application/x-ndjson"})
    assert len([json.loads(line) for line in lines.text.splitlines()]) == 7
    assert "ibidem-cursor" not in lines.headers
    part = client.post("/v1/search", json={"text": FERRY, "limit": 3}, headers={"Accept": "application/x-ndjson"})
    assert part.headers["ibidem-cursor"] == first["cursor"]
    with ibidem.PassageIndex.open(tmp_path / "many.ibidem") as index:
        index.remove(["3"])
    assert client.post("/v1/search", json={"text": FERRY}).json()["total"] == 6
    status, detail = problem(client.post("/v1/search", json={"text": FERRY, "cursor": first["cursor"]}))
    assert status == 409
    assert "was changed since the cursor was given" in detail


@pytest.mark.parametrize(
    ("path", "body", "status", "cause"),
    [
        ("/v1/search", b"", 400, "not what /v1/search takes"),
        ("/v1/search", b"[1]", 400, "Expected `object`"),
        ("/v1/search", b'{"text": "\xff"}', 400, "UTF-8"),
        ("/v1/search", b'{"text": "x", "treshold": 1}', 400, "treshold"),
        ("/v1/search", b'{"text": "x", "threshold": 2}', 400, "<= 1"),
        ("/v1/search", b'{"text": "x", "limit": 1e99}', 400, "limit"),
        ("/v1/search", b'{"text": "!!!"}', 422, "token"),
        ("/v1/search", b'{"text": "x", "index": "../../etc/passwd"}', 404, "no index is called '../../etc/passwd'"),
        ("/v1/search", b'{"text": "some words", "cursor": "nonsense"}', 422, "the cursor is none that"),
        ("/v1/compare", b'{"a": {}, "b": {"text": "x"}}', 422, "either a text or a document"),
        ("/v1/compare", b'{"a": {"text": "x", "end": 9}, "b": {"text": "x"}}', 422, "lies outside"),
        ("/v1/compare", b'{"a": {"document": "none"}, "b": {"text": "x"}}', 404, "no document 'none'"),
    ],
)
def test_what_is_wrong_with_a_request_is_said(
    client: httpx.Client, path: str, body: bytes, status: int, cause: str
) -> None:
    answered, detail = problem(client.post(path, content=body))
    assert answered == status, detail
    assert cause in detail


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "/page/..%2f..%2fpyproject.toml", "/page/report.js", "/v1", "/v1/search/x"]
)
def test_no_other_address_has_anything(client: httpx.Client, path: str) -> None:
    assert problem(client.get(path))[0] == 404


def test_a_document_whose_name_is_a_path_is_only_looked_up(client: httpx.Client) -> None:
    assert problem(client.get("/v1/documents/..%2F..%2Fetc%2Fpasswd"))[0] == 404
    assert problem(client.get("/v1/documents/ferry", params={"start": "-1"}))[0] == 400
    assert problem(client.get("/v1/documents/ferry?start=1&start=2"))[0] == 400
    assert problem(client.get("/v1/documents/ferry", params={"stat": "1"}))[0] == 400


def test_an_address_may_hold_any_character(serve: Serve, tmp_path: Path) -> None:
    name = "two\nlines/\u2028\x00"
    ibidem.PassageIndex.build(tmp_path / "x.ibidem", [(name, FERRY)], min_length=8).close()
    client = serve(path=tmp_path / "x.ibidem")
    assert client.get(f"/v1/documents/{quote(name, safe='')}").json()["text"] == FERRY
    assert problem(client.get("/none%0Asuch"))[0] == 404


def test_a_method_that_an_address_does_not_take_is_told(client: httpx.Client) -> None:
    response = client.get("/v1/search")
    assert problem(response)[0] == 405
    assert response.headers["allow"] == "POST"


def test_a_body_that_is_too_large_or_never_ends_is_refused(client: httpx.Client) -> None:
    assert problem(client.post("/v1/search", json={"text": "x" * 200_000}))[0] == 413

    def endless() -> Any:
        for _ in range(1000):
            yield b" " * 1000

    assert problem(client.post("/v1/search", content=endless()))[0] == 413


def test_a_body_that_comes_too_slowly_is_given_up(serve: Serve) -> None:
    client = serve(limits=Limits(body_seconds=0.2))
    url = client.base_url
    connection = http.client.HTTPConnection(str(url.host), url.port, timeout=20)
    connection.putrequest("POST", "/v1/search")
    connection.putheader("Content-Length", "100")
    connection.endheaders(b"{")
    assert connection.getresponse().status == 408
    connection.close()


def test_too_many_requests_and_too_long_ones_are_told(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    held, entered = threading.Event(), threading.Event()

    def block(holdings: Any, request: Any) -> Indexes:
        entered.set()
        held.wait(20)
        return Indexes(indexes=[])

    changed = [each._replace(run=block) if each.name == "indexes" else each for each in OPERATIONS]
    monkeypatch.setattr(application, "OPERATIONS", changed)
    client = serve(limits=Limits(seconds=0.3, at_work=1, waiting=0))
    try:
        status, detail = problem(client.get("/v1/indexes"))
        assert entered.is_set()
        assert status == 503
        assert "took longer than 0.3 s" in detail
        # The work cannot be stopped and keeps its place.
        assert problem(client.get("/v1/indexes"))[0] == 429
        assert client.get("/health").json() == {"status": "ok"}
    finally:
        held.set()


def test_what_a_search_leaves_out_is_told_in_the_answer(serve: Serve, tmp_path: Path) -> None:
    documents = [ibidem.Document(str(number), f"{FERRY} number {number}") for number in range(7)]
    ibidem.PassageIndex.build(tmp_path / "many.ibidem", documents, min_length=8).close()
    client = serve(path=tmp_path / "many.ibidem", limits=Limits(matches=4))
    found = client.post("/v1/search", json={"text": FERRY}).json()
    assert len(found["matches"]) == found["total"] == 4
    [warned] = found["warnings"]
    assert "more than 4 passages are similar" in warned
    short = client.post("/v1/search", json={"text": "When the ferry came in"}).json()
    assert "this index holds passages of 8 or more" in short["warnings"][0]
    assert serve().post("/v1/search", json={"text": PASSAGE, "seconds": 5}).json()["warnings"] == []


def test_an_index_that_is_damaged_is_told_and_opened_again(serve: Serve, tmp_path: Path) -> None:
    path = tmp_path / "x.ibidem"
    numbers = " ".join(f"number{each}" for each in range(20_000))  # a file of this size is mapped and not read
    ibidem.PassageIndex.build(path, [("ferry", FERRY), ("numbers", numbers)], min_length=8).close()
    client = serve(path=path)
    assert client.post("/v1/search", json={"text": FERRY}).json()["total"] == 1
    text = next(path.rglob("text.npy"))
    whole = text.read_bytes()
    with text.open("r+b") as file:
        file.truncate(len(whole) - 5)
    for asked in ({"text": FERRY}, {"text": FERRY, "threshold": 0.9}):
        response = client.post("/v1/search", json=asked)
        status, detail = problem(response)
        assert status == 503
        assert "the index 'x' cannot be read" in detail
        assert str(tmp_path) not in detail
        assert response.headers["retry-after"] == "10"
    text.write_bytes(whole)
    assert client.post("/v1/search", json={"text": FERRY}).json()["total"] == 1
    moved = path.rename(tmp_path / "y.ibidem")
    assert problem(client.post("/v1/search", json={"text": FERRY}))[0] == 503
    moved.rename(path)
    assert client.post("/v1/search", json={"text": FERRY}).json()["total"] == 1


def test_with_a_token_only_who_has_it_is_answered(serve: Serve) -> None:
    client = serve(access=Access("sésame"))
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "sesame"}):
        assert problem(client.get("/v1/indexes", headers=headers))[0] == 401
        assert problem(client.get("/metrics", headers=headers))[0] == 401
    assert client.get("/health").status_code == client.get("/").status_code == 200
    client = serve(access=Access("sesame"))
    assert client.get("/v1/indexes", headers={"Authorization": "Bearer sesame"}).status_code == 200
    called = Client(str(client.base_url), token="sesame")
    assert called.indexes()[0]["documents"] == 3
    with pytest.raises(ServiceError, match="401: a token is needed"):
        Client(str(client.base_url)).search("x")


def test_a_name_that_is_not_this_machines_is_refused(client: httpx.Client, serve: Serve) -> None:
    assert problem(client.get("/health", headers={"Host": "evil.example"}))[0] == 421
    named = serve(access=Access(hosts=["texts.example"]))
    assert named.get("/health", headers={"Host": "texts.example:8000"}).status_code == 200
    assert problem(named.get("/health", headers={"Host": "127.0.0.1"}))[0] == 421


def test_no_other_page_may_read_an_answer(client: httpx.Client) -> None:
    response = client.get("/health", headers={"Origin": "https://evil.example"})
    assert "access-control-allow-origin" not in response.headers
    assert "default-src 'none'" in response.headers["content-security-policy"]
    assert response.headers["x-content-type-options"] == "nosniff"


def test_readers_follow_commits_without_a_restart(serve: Serve, tmp_path: Path) -> None:
    with ibidem.PassageIndex.build(tmp_path / "x.ibidem", [("ferry", FERRY)], min_length=8) as index:
        client = serve(path=tmp_path / "x.ibidem")
        assert client.post("/v1/search", json={"text": FERRY}).json()["total"] == 1
        index.add([("again", FERRY)])
        assert client.post("/v1/search", json={"text": FERRY}).json()["total"] == 2
    assert client.get("/v1/indexes").json()["indexes"][0]["documents"] == 2


def test_the_numbers_count_what_was_answered(serve: Serve) -> None:
    client = serve()
    client.post("/v1/search", json={"text": PASSAGE})
    client.post("/v1/search", json={})
    numbers = client.get("/metrics").text
    assert 'ibidem_answers_total{operation="search",status="200"} 1' in numbers
    assert 'ibidem_answers_total{operation="search",status="400"} 1' in numbers
    assert 'ibidem_answer_seconds_count{operation="search"} 2' in numbers
    assert "ibidem_at_work 0" in numbers
