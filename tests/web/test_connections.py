"""Connections are bounded in number and in time."""

import resource
import select
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from ibidem.web import connections
from ibidem.web.connections import Bounds, count_affordable
from ibidem.web.indexes.served_index import ServedIndex
from ibidem.web.indexes.server import make_app

from .conftest import running

REQUEST = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"

Connect = Callable[[], socket.socket]


@pytest.fixture
def connect_to(built: Path) -> Iterator[Callable[[Bounds], Connect]]:
    """Starts a service with bounds, and gives a function that connects to it."""
    with ExitStack() as stack:

        def start(bounds: Bounds) -> Connect:
            served = ServedIndex(built)
            stack.callback(served.close)
            address = stack.enter_context(running(make_app([served]), bounds))
            host, port = address.removeprefix("http://").split(":")
            return lambda: stack.enter_context(socket.create_connection((host, int(port)), 20))

        yield start


@contextmanager
def few_descriptors(most: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def read_status(connection: socket.socket) -> int:
    answer = connection.recv(65536)
    return int(answer.split()[1]) if answer else 0


def send_all_again_and_again(connection: socket.socket, data: bytes) -> None:
    while True:
        connection.sendall(data)
        select.select([], [], [], 0.01)


def test_one_connection_too_many_is_refused_until_another_ends(connect_to: Callable[[Bounds], Connect]) -> None:
    connect = connect_to(Bounds(most=2, seconds=20))
    held = [connect(), connect()]
    for each in held:
        each.sendall(REQUEST)
        assert read_status(each) == 200
    refused = connect()
    assert read_status(refused) == 503
    assert refused.recv(1) == b""
    held.pop().close()
    while True:  # until the service has seen that it was closed
        another = connect()
        another.sendall(REQUEST)
        if read_status(another) == 200:
            break


@pytest.mark.parametrize("sent", [b"", b"GET /", REQUEST, REQUEST + b"GET", b"\r\n"])
def test_a_connection_without_a_request_is_closed(connect_to: Callable[[Bounds], Connect], sent: bytes) -> None:
    waiting = connect_to(Bounds(most=9, seconds=0.2))()
    waiting.sendall(sent)
    answer = b""
    while part := waiting.recv(65536):
        answer += part
    assert answer.count(b"HTTP/1.1 200") == sent.count(REQUEST)


def test_a_head_that_comes_byte_by_byte_does_not_keep_a_connection_open(
    connect_to: Callable[[Bounds], Connect],
) -> None:
    slow = connect_to(Bounds(most=9, seconds=0.2))()
    with pytest.raises(OSError, match=r"reset|[Bb]roken"):
        send_all_again_and_again(slow, b"x")


def test_a_request_at_work_is_waited_for(connect_to: Callable[[Bounds], Connect]) -> None:
    connect = connect_to(Bounds(most=9, seconds=0.05))
    for _ in range(3):
        body = b'{"a": {"text": "some words"}, "b": {"text": "other words"}}'
        asking = connect()
        kind = b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
        asking.sendall(b"POST /v1/compare HTTP/1.1\r\nHost: localhost\r\n" + kind)
        asking.settimeout(0.2)
        with pytest.raises(TimeoutError):  # longer than a connection may be idle
            asking.recv(1)
        asking.settimeout(20)
        asking.sendall(body)
        assert read_status(asking) == 200


def test_an_answer_that_is_not_read_is_given_up(connect_to: Callable[[Bounds], Connect]) -> None:
    stuck = connect_to(Bounds(most=9, seconds=0.2))()
    stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    asked = REQUEST.replace(b"/health", b"/openapi.json") * 1000
    with pytest.raises(OSError, match=r"reset|[Bb]roken"):
        send_all_again_and_again(stuck, asked)


@pytest.mark.parametrize("rest", [b"no chunk\r\n", b"1\r\nabc", b"\0"])
def test_a_body_that_is_no_http_after_the_answer_is_no_defect(
    connect_to: Callable[[Bounds], Connect], caplog: pytest.LogCaptureFixture, rest: bytes
) -> None:
    odd = connect_to(Bounds(most=9, seconds=2))()  # closed then, if what came may still become a chunk
    odd.sendall(REQUEST.replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n"))
    assert b'"ok"' in odd.recv(65536) + odd.recv(65536)
    odd.sendall(rest)
    with suppress(ConnectionResetError):
        assert odd.recv(65536) == b""
    assert [each.message for each in caplog.records if each.levelname == "ERROR"] == []


def test_connections_leave_descriptors_for_files() -> None:
    with few_descriptors(1024):
        assert 250 < count_affordable() < 512 - connections.BACKLOG // 4
    with few_descriptors(300):
        assert count_affordable() >= 8
    with few_descriptors(64):
        assert count_affordable() == 8
