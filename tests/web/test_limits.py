"""Each limit of a service has a clear answer when it is reached."""

import asyncio
import dataclasses
import http.client
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import ClientDisconnect

import ibidem
from ibidem.web.answers import Indexes
from ibidem.web.indexes import server
from ibidem.web.indexes.operations import OPERATIONS
from ibidem.web.limits import Limits, RequestThreads
from ibidem.web.requests import IndexesRequest

from .conftest import JSON_TYPE, Serve, read_problem
from .samples import FERRY, PASSAGE


def test_a_body_that_is_too_large_or_never_ends_is_refused(client: httpx.Client) -> None:
    assert read_problem(client.post("/v1/search", json={"text": "x" * 200_000}))[0] == 413

    def endless() -> Any:
        for _ in range(1000):
            yield b" " * 1000

    assert read_problem(client.post("/v1/search", content=endless(), headers=JSON_TYPE))[0] == 413


def test_a_body_that_comes_too_slowly_is_given_up(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ibidem.web.limits._BODY_SECONDS", 0.2)
    url = client.base_url
    connection = http.client.HTTPConnection(str(url.host), url.port, timeout=240)
    connection.putrequest("POST", "/v1/search")
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Content-Length", "100")
    connection.endheaders(b"{")
    assert connection.getresponse().status == 408
    connection.close()


def test_a_request_that_takes_too_long_is_told(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    held, entered = threading.Event(), threading.Event()

    def block(holdings: Any, request: IndexesRequest) -> Indexes:
        entered.set()
        held.wait(240)
        return Indexes(indexes=[])

    changed = [dataclasses.replace(each, run=block) if each.name == "indexes" else each for each in OPERATIONS]
    monkeypatch.setattr(server, "OPERATIONS", changed)
    client = serve(limits=Limits(seconds=1, at_work=1))
    try:
        status, detail = read_problem(client.get("/v1/indexes"))
        assert entered.is_set()
        assert status == 503
        assert "took longer than 1 s" in detail
        # The work cannot be stopped and keeps its thread.
        assert read_problem(client.get("/v1/indexes"))[0] == 503
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


class Asking:
    """A request of a client that waits until it goes."""

    def __init__(self) -> None:
        self.gone = asyncio.Event()

    async def receive(self) -> dict[str, str]:
        await self.gone.wait()
        return {"type": "http.disconnect"}


def test_what_nobody_waits_for_any_more_is_not_begun() -> None:
    held, begun = threading.Event(), threading.Event()

    async def ask() -> None:
        workers = RequestThreads(Limits(seconds=240, at_work=1))
        first, second = Asking(), Asking()
        working = asyncio.ensure_future(workers.run(first, held.wait, 240))
        waiting = asyncio.ensure_future(workers.run(second, begun.set))
        await asyncio.sleep(0)
        second.gone.set()
        with pytest.raises(ClientDisconnect):
            await waiting
        held.set()
        assert await working
        await workers.run(Asking(), len, "abc")
        workers.close()

    asyncio.run(ask())
    assert not begun.is_set()
