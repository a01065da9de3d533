"""The service answers what was asked, and says clearly why it does not."""

import socket
from pathlib import Path

import httpx
import pytest

import ibidem
from ibidem.web.access import Access
from ibidem.web.client import Client, ServiceError

from ..conftest import JSON_TYPE, Serve, read_problem
from ..samples import FERRY


@pytest.mark.parametrize(
    ("path", "body", "status", "cause"),
    [
        ("/v1/search", b"", 400, "this is not what is asked for"),
        ("/v1/search", b"[1]", 400, "Expected `object`"),
        ("/v1/search", b'{"text": "\xff"}', 400, "UTF-8"),
        ("/v1/search", b'{"text": "x", "treshold": 1}', 400, "treshold"),
        ("/v1/search", b'{"text": "x", "threshold": 2}', 400, "<= 1"),
        ("/v1/search", b'{"text": "x", "limit": 1e99}', 400, "limit"),
        ("/v1/search", b'{"text": "!!!"}', 422, "token"),
        ("/v1/search", b'{"text": "x", "index": "../../etc/passwd"}', 404, "no index is called '../../etc/passwd'"),
        ("/v1/compare", b'{"a": {}, "b": {}}', 400, "either a text or a document"),
        ("/v1/compare", b'{"a": {"text": "x", "document": "y"}, "b": {"text": "x"}}', 400, "either a text or"),
        ("/v1/compare", b'{"a": {"text": "x", "end": 9}, "b": {"text": "x"}}', 422, "lies outside"),
        ("/v1/compare", b'{"a": {"document": "none"}, "b": {"text": "x"}}', 404, "no document 'none'"),
    ],
)
def test_what_is_wrong_with_a_request_is_said(
    client: httpx.Client, path: str, body: bytes, status: int, cause: str
) -> None:
    answered, detail = read_problem(client.post(path, content=body, headers=JSON_TYPE))
    assert answered == status, detail
    assert cause in detail


def test_a_service_cannot_be_ended_by_a_request(client: httpx.Client) -> None:
    assert client.post("/v1/quit", json={}).status_code == 404


@pytest.mark.parametrize("path", ["/etc/passwd", "/page/..%2f..%2fpyproject.toml", "/v1", "/v1/search/x"])
def test_no_other_address_has_anything(client: httpx.Client, path: str) -> None:
    assert read_problem(client.get(path))[0] == 404


def test_a_document_may_have_any_name(serve: Serve, tmp_path: Path) -> None:
    name = "two\nlines/\u2028\x00"
    ibidem.PassageIndex.build(tmp_path / "x.ibidem", [(name, FERRY)], min_length=8).close()
    client = serve(path=tmp_path / "x.ibidem")
    assert client.get("/v1/document", params={"document": name}).json()["text"] == FERRY
    assert read_problem(client.get("/none%0Asuch"))[0] == 404


def test_a_method_that_an_address_does_not_take_is_told(client: httpx.Client) -> None:
    response = client.get("/v1/search")
    assert read_problem(response)[0] == 405
    assert response.headers["allow"] == "POST"


def test_with_a_token_only_who_has_it_is_answered(serve: Serve) -> None:
    client = serve(access=Access("sésame"))
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "sesame"}):
        assert read_problem(client.get("/v1/indexes", headers=headers))[0] == 401
        assert read_problem(client.get("/metrics", headers=headers))[0] == 401
    assert client.get("/health").status_code == client.get("/").status_code == 200
    client = serve(access=Access("sesame"))
    assert client.get("/v1/indexes", headers={"Authorization": "Bearer sesame"}).status_code == 200
    called = Client(str(client.base_url), token="sesame")
    assert called.indexes()["indexes"][0]["documents"] == 3
    with pytest.raises(ServiceError, match="401: a token is needed"):
        Client(str(client.base_url)).search("x")


def test_a_name_that_is_not_this_machines_is_refused(client: httpx.Client, serve: Serve) -> None:
    assert read_problem(client.get("/health", headers={"Host": "evil.example"}))[0] == 421
    for name in ("LOCALHOST", "localhost.", "LocalHost.:8000", "[::1]:8000"):
        assert client.get("/health", headers={"Host": name}).status_code == 200
    for name in (
        "localhost..",
        "localhost.evil.example",
        "evil.localhost",
        ".",
        "",
        "localhost:80@evil.example",
        "user@localhost",
        "user:x@localhost:80",
    ):
        assert client.get("/health", headers={"Host": name}).status_code == 421
    named = serve(access=Access(hosts=["Texts.example"]))
    assert named.get("/health", headers={"Host": "texts.EXAMPLE."}).status_code == 200
    assert named.get("/health", headers={"Host": "texts.example:8000"}).status_code == 200
    assert read_problem(named.get("/health", headers={"Host": "127.0.0.1"}))[0] == 421


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "", None])
def test_a_body_that_is_not_said_to_be_json_is_refused(client: httpx.Client, kind: str | None) -> None:
    headers = {} if kind is None else {"Content-Type": kind}
    status, detail = read_problem(client.post("/v1/search", content=b'{"text": "some words"}', headers=headers))
    assert status == 415
    assert "Content-Type: application/json" in detail


def test_json_may_be_said_with_a_charset(client: httpx.Client) -> None:
    headers = {"Content-Type": "Application/JSON ; charset=utf-8"}
    assert client.post("/v1/search", content=b'{"text": "some words"}', headers=headers).status_code == 200


@pytest.mark.parametrize("line", ["TRACE /health", "FOO /health", "get /health", "OPTIONS *", "GET *", "CONNECT x:1"])
def test_an_odd_method_or_address_is_refused_like_any_other_request(client: httpx.Client, line: str) -> None:
    with socket.create_connection((client.base_url.host, client.base_url.port or 0), 20) as odd:
        odd.sendall(f"{line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while part := odd.recv(65536):
            answer += part
    assert answer.split()[1] in (b"404", b"405")
    assert b"405" not in answer.split()[1:2] or b"\nallow: GET, HEAD\r" in answer.lower().replace(
        b"get, head", b"GET, HEAD"
    )
    assert b"application/problem+json" in answer
    assert b"content-security-policy" in answer.lower()


def test_what_was_sent_is_not_sent_back_at_length(client: httpx.Client) -> None:
    status, detail = read_problem(client.post("/v1/search", json={"k" * 90_000: 1}))
    assert status == 400
    assert len(detail) < 3000
