"""What an agent can do, called by the client of the protocol's own SDK."""

import asyncio
import http.client
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client

import ibidem
from ibidem.web.access import Access
from ibidem.web.agents.tools import make_http_app, make_server
from ibidem.web.indexes import searches
from ibidem.web.indexes.holdings import Holdings
from ibidem.web.indexes.served_index import ServedIndex
from ibidem.web.indexes.tasks import TaskQueue
from ibidem.web.limits import Limits

from ..conftest import JSON_TYPE, running
from ..samples import DOCUMENTS, EVALS, FERRY, PASSAGE

TOOLS = {"search_passages", "align_texts", "trace_text", "get_passage"}


@pytest.fixture
def holdings(built: Path) -> Iterator[Holdings]:
    served = ServedIndex(built)
    yield Holdings({served.name: served}, {}, TaskQueue(0), Limits(seconds=20))
    served.close()


def call(place: Any, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    """What the tools answer, one after another, in one session."""

    async def ask() -> list[Any]:
        async with Client(place, read_timeout_seconds=60) as client:
            return [await client.call_tool(name, arguments) for name, arguments in calls]

    return asyncio.run(ask())


def test_a_passage_is_found_aligned_traced_and_read(holdings: Holdings) -> None:
    text = f"Nobody knew the harbour. {FERRY} And so it was."
    found, aligned, traced, read = call(
        make_server(holdings),
        ("search_passages", {"text": PASSAGE}),
        ("align_texts", {"a": text, "b": FERRY.replace("lanterns", "torches")}),
        ("trace_text", {"text": text}),
        ("get_passage", {"document": "ferry", "start": 5, "end": 95}),
    )
    [match] = found.structured_content["matches"]
    assert match["document"] == "ferry"
    assert FERRY[match["start"] : match["end"]] == match["text"]
    [pair] = aligned.structured_content["pairs"]
    assert {"kind": "changed", "a": "lanterns", "b": "torches"} in pair["differences"]
    spans = traced.structured_content["spans"]
    assert "lanterns and blankets" in " ".join(text[span["start"] : span["end"]] for span in spans)
    assert read.structured_content["text"] == FERRY[5:95]
    assert read.structured_content["metadata"] == {"year": 1903}


def test_an_agent_names_texts_to_ignore(holdings: Holdings) -> None:
    text, ignore = f"Nobody knew the harbour. {FERRY}", [FERRY]
    found, aligned, traced = call(
        make_server(holdings),
        ("search_passages", {"text": text, "ignore": ignore, "threshold": 0.4}),
        ("align_texts", {"a": text, "b": FERRY, "ignore": ignore}),
        ("trace_text", {"text": text, "ignore": ignore}),
    )
    assert found.structured_content["matches"] == aligned.structured_content["pairs"] == []
    assert traced.structured_content["spans"] == []
    for answer, sides in ((found, 1), (aligned, 2), (traced, 1)):
        ignored = answer.structured_content["ignored"]
        assert len(ignored) == sides
        assert (ignored[0]["text"], text[ignored[0]["start"] : ignored[0]["end"]]) == (0, FERRY.rstrip("."))


def test_the_items_that_a_text_holds_are_named_with_their_places(holdings: Holdings) -> None:
    gate = ibidem.EvalIndex(EVALS, DOCUMENTS)
    question = gate.detector.items[0].question
    text = f"A quiz. {question} Good luck."
    for held in (holdings._replace(evals=gate), Holdings({}, {}, TaskQueue(0), Limits(seconds=20), gate)):
        [found] = call(make_server(held), ("find_test_items", {"text": text}))
        [leak] = found.structured_content["leaks"]
        assert text[leak["start"] : leak["end"]] == leak["text"] == question.rstrip("?")
        assert (leak["eval_key"], leak["part"], leak["kind"]) == ("evals", "question", "leak")


def test_tools_are_there_for_what_is_served(holdings: Holdings) -> None:
    gate = ibidem.EvalIndex(EVALS, DOCUMENTS)

    async def names(held: Holdings) -> set[str]:
        async with Client(make_server(held)) as client:
            return {tool.name for tool in (await client.list_tools()).tools}

    assert asyncio.run(names(holdings)) == TOOLS
    assert asyncio.run(names(holdings._replace(evals=gate))) == TOOLS | {"find_test_items"}
    alone = Holdings({}, {}, TaskQueue(0), Limits(seconds=20), gate)
    assert asyncio.run(names(alone)) == {"align_texts", "find_test_items"}


@pytest.mark.parametrize(
    ("tool", "arguments", "cause"),
    [
        ("search_passages", {"text": "!!!"}, "token"),
        ("search_passages", {"text": PASSAGE, "index": "none"}, "no index is called 'none'"),
        ("get_passage", {"document": "../../etc/passwd"}, "no document"),
        ("search_passages", {"text": PASSAGE, "threshold": 2}, "less than or equal to 1"),
    ],
)
def test_what_is_wrong_is_said_to_the_agent(
    holdings: Holdings, tool: str, arguments: dict[str, Any], cause: str
) -> None:
    [answer] = call(make_server(holdings), (tool, arguments))
    assert answer.is_error
    assert cause in answer.content[0].text


def test_too_many_calls_at_once_are_told(holdings: Holdings, monkeypatch: pytest.MonkeyPatch) -> None:
    held, entered = threading.Event(), threading.Event()

    def block(holdings: Holdings, request: object) -> dict[str, int]:
        entered.set()
        held.wait(20)
        return {"total": 0}

    monkeypatch.setattr(searches, "search", block)
    limited = holdings._replace(limits=Limits(at_work=1, waiting=0))

    async def ask() -> list[Any]:
        async with Client(make_server(limited), read_timeout_seconds=60) as client:
            first = asyncio.ensure_future(client.call_tool("search_passages", {"text": PASSAGE}))
            await asyncio.to_thread(entered.wait, 20)
            second = await client.call_tool("search_passages", {"text": PASSAGE})
            held.set()
            return [await first, second]

    first, second = asyncio.run(ask())
    assert first.structured_content == {"total": 0}
    assert second.is_error
    assert "too many requests are waiting: try again" in second.content[0].text


def test_the_tools_say_what_they_do_and_that_they_only_read(holdings: Holdings) -> None:
    async def ask() -> Any:
        async with Client(make_server(holdings)) as client:
            return (await client.list_tools()).tools, client.instructions

    tools, instructions = asyncio.run(ask())
    assert {tool.name for tool in tools} == TOOLS
    assert all(tool.description and tool.annotations.read_only_hint for tool in tools)
    assert "letters" in instructions


def test_an_agent_speaks_over_http_if_it_may(holdings: Holdings) -> None:
    with running(make_http_app(make_server(holdings), Access())) as address:
        [found] = call(f"{address}/mcp", ("search_passages", {"text": PASSAGE}))
        assert found.structured_content["matches"][0]["document"] == "ferry"
        other = httpx.post(f"{address}/mcp", json={}, headers={"Host": "evil.example"})
        assert other.status_code == 421
    with running(make_http_app(make_server(holdings), Access("sesame"))) as address:
        assert httpx.post(f"{address}/mcp", json={}).status_code == 401


def test_what_is_no_message_is_answered_over_http(holdings: Holdings) -> None:
    app = make_http_app(make_server(holdings), Access(), Limits(body_seconds=0.2, body_bytes=100_000))
    with running(app) as address, httpx.Client(base_url=address, timeout=60) as client:
        accept = {"Accept": "application/json, text/event-stream"}
        for body, code in ((b"{", -32700), (b"\xff", -32700), (b"[]", -32600), (b'{"id": 1}', -32600)):
            answer = client.post("/mcp", content=body, headers=JSON_TYPE | accept)
            assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)
        assert client.post("/mcp", content=b"{}", headers=accept).status_code == 415
        assert client.post("/mcp", content=b" " * 200_000, headers=JSON_TYPE | accept).status_code == 413
        foreign = {"Origin": "https://evil.example"}
        assert client.post("/mcp", content=b"{}", headers=JSON_TYPE | accept | foreign).status_code == 403
        late = http.client.HTTPConnection(client.base_url.host, client.base_url.port, timeout=60)
        late.putrequest("POST", "/mcp")
        for name, value in (JSON_TYPE | accept | {"Content-Length": "100"}).items():
            late.putheader(name, value)
        late.endheaders(b"{")
        assert late.getresponse().status == 408
        late.close()


def test_half_of_a_surrogate_pair_in_a_document_or_a_call_is_replaced(tmp_path: Path) -> None:
    name = "half \ud800"
    ibidem.PassageIndex.build(tmp_path / "x.ibidem", [(name, f"{FERRY} \ud83d and so on")], min_length=8).close()
    served = ServedIndex(tmp_path / "x.ibidem")
    server = make_server(Holdings({served.name: served}, {}, TaskQueue(0), Limits(seconds=20)))
    found, aligned, wrong = call(
        server,
        ("search_passages", {"text": PASSAGE}),
        ("align_texts", {"a": f"{FERRY} \ufffd", "b": f"{FERRY} \ufffd"}),
        ("get_passage", {"document": "none"}),
    )
    served.close()
    assert found.structured_content["matches"][0]["document"] == "half \ufffd"
    assert aligned.structured_content["total"] == 1
    assert wrong.is_error
