"""MCP over HTTP: who may speak, and what is no message."""

import http.client
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from ibidem.web.access import Access
from ibidem.web.agents.http import make_http_app
from ibidem.web.agents.tools import Agents
from ibidem.web.indexes.holdings import Holdings
from ibidem.web.indexes.served_index import ServedIndex
from ibidem.web.indexes.tasks import TaskQueue
from ibidem.web.limits import Limits

from ..conftest import JSON_TYPE, running


@pytest.fixture
def holdings(built: Path) -> Iterator[Holdings]:
    served = ServedIndex(built)
    yield Holdings({served.name: served}, {}, TaskQueue(0), Limits(seconds=20))
    served.close()


def test_an_agent_speaks_over_http_if_it_may(holdings: Holdings) -> None:
    with running(make_http_app(Agents(holdings), Access())) as address:
        ping = {"jsonrpc": "2.0", "id": 5, "method": "ping"}
        assert httpx.post(f"{address}/mcp", json=ping).json() == {"jsonrpc": "2.0", "id": 5, "result": {}}
        told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        assert httpx.post(f"{address}/mcp", json=told).status_code == 202
        asked = httpx.get(f"{address}/mcp")
        assert (asked.status_code, asked.headers["allow"]) == (405, "POST")
        other = httpx.post(f"{address}/mcp", json={}, headers={"Host": "evil.example"})
        assert other.status_code == 421
    with running(make_http_app(Agents(holdings), Access("sesame"))) as address:
        assert httpx.post(f"{address}/mcp", json={}).status_code == 401


def test_what_is_no_message_is_answered_over_http(holdings: Holdings) -> None:
    app = make_http_app(Agents(holdings), Access(), Limits(body_seconds=0.2, body_bytes=100_000))
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
