"""The client sends what it was given as it is, and says why it has no answer."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from ibidem.errors import IbidemError
from ibidem.service.client import Client, ServiceError

Sent = list[tuple[str, str, str | None, bytes]]


class Recorder(HTTPServer):
    """Keeps requests, and answers each with the next of ``answers``."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.sent: Sent = []
        self.answers: list[tuple[int, bytes]] = []


class Answering(BaseHTTPRequestHandler):
    """Answers for a recorder."""

    server: Recorder

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        self.server.sent.append((self.command, self.path, self.headers["authorization"], body))
        status, answer = self.server.answers.pop(0)
        self.send_response(status)
        self.end_headers()
        self.wfile.write(answer)

    do_POST = do_GET

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    with Recorder() as opened:
        thread = threading.Thread(target=opened.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield opened
        opened.shutdown()
        thread.join(20)


def client_of(recorder: Recorder, token: str | None = None) -> Client:
    return Client(f"http://127.0.0.1:{recorder.server_address[1]}/", token=token, seconds=20)


def test_a_name_with_any_sign_is_one_part_of_the_address(recorder: Recorder) -> None:
    recorder.answers = [(200, b"{}")]
    client_of(recorder).document("a/b ü?#", start=3, unit="utf-16")
    [(method, address, _, body)] = recorder.sent
    parts = urlsplit(address)
    assert (method, body) == ("GET", b"")
    assert unquote(parts.path.removeprefix("/v1/documents/")) == "a/b ü?#"
    assert parts.path.count("/") == 3
    assert parse_qs(parts.query) == {"start": ["3"], "unit": ["utf-16"]}


def test_what_is_true_is_written_as_json_writes_it(recorder: Recorder) -> None:
    recorder.answers = [(200, b"{}")]
    client_of(recorder).clusters(boilerplate=False)
    assert urlsplit(recorder.sent[0][1]).query == "boilerplate=false"


def test_a_text_comes_as_json_with_the_token(recorder: Recorder) -> None:
    recorder.answers = [(200, b'{"matches": []}'), (200, b'{"matches": []}')]
    assert client_of(recorder, "sesame").search("\ud800 ü", threshold=0.7) == {"matches": []}
    client_of(recorder).search("x")
    (method, address, token, body), (_, _, none, _) = recorder.sent
    assert (method, address, token, none) == ("POST", "/v1/search", "Bearer sesame", None)
    assert json.loads(body) == {"text": "\ud800 ü", "threshold": 0.7}


def test_all_matches_are_asked_for_page_by_page(recorder: Recorder) -> None:
    pages = [{"matches": [1, 2], "cursor": "more"}, {"matches": [], "cursor": "yet more"}, {"matches": [3]}]
    recorder.answers = [(200, json.dumps({"cursor": None} | page).encode()) for page in pages]
    assert list(client_of(recorder).search_all("x", limit=2)) == [1, 2, 3]
    cursors = [json.loads(body)["cursor"] for _, _, _, body in recorder.sent]
    assert cursors == [None, "more", "yet more"]


def test_a_task_is_asked_for_until_it_has_ended(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ibidem.service.client.time.sleep", lambda seconds: None)
    states = ["waiting", "running", "failed"]
    recorder.answers = [(200, json.dumps({"id": "7", "state": state}).encode()) for state in states]
    assert client_of(recorder).wait({"id": "7", "state": "waiting"}) == {"id": "7", "state": "failed"}
    assert [address for _, address, _, _ in recorder.sent] == ["/v1/tasks/7"] * 3


@pytest.mark.parametrize(
    ("body", "detail"),
    [(b'{"detail": "no such index"}', "no such index"), (b"<h1>Bad gateway</h1>", "<h1>Bad"), (b"[]", r"\[\]")],
)
def test_no_answer_is_an_error_with_the_status_and_the_cause(recorder: Recorder, body: bytes, detail: str) -> None:
    recorder.answers = [(502, body)]
    with pytest.raises(ServiceError, match=f"502: {detail}") as raised:
        client_of(recorder).indexes()
    assert raised.value.status == 502


def test_a_service_that_is_not_there_is_named() -> None:
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        address = f"http://127.0.0.1:{server.server_address[1]}"
    with pytest.raises(IbidemError, match=f"{address}: no answer"):
        Client(address, seconds=5).indexes()
