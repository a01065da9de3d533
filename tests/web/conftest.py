"""An index, and its service on a free port of this machine, in a thread that ends with the tests."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
import uvicorn

import ibidem
from ibidem.web.indexes.served_index import ServedIndex
from ibidem.web.indexes.server import make_app
from ibidem.web.limits import Limits

from ..browser import chromium
from .samples import DOCUMENTS, EVALS, REUSED

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Serve = Callable[..., Any]

JSON_TYPE = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """A browser for the tests of a module; no longer, as ``asyncio.run`` refuses to run beside its loop."""
    with chromium() as launched:
        yield launched


def read_problem(response: httpx.Response) -> tuple[int, str]:
    """Status and detail of an answer that says why there is none."""
    assert response.headers["content-type"] == "application/problem+json"
    held = response.json()
    assert held["status"] == response.status_code
    return response.status_code, held["detail"]


def serving(indexes: list[ServedIndex], **options: Any) -> AbstractContextManager[str]:
    """The address of a running service."""
    return running(make_app(indexes, **options))


@contextmanager
def running(app: Any) -> Iterator[str]:
    """The address of an application."""
    config = uvicorn.Config(app, port=0, log_level="critical", lifespan="on", http="h11")
    config.load()
    socket = config.bind_socket()
    socket.listen(128)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [socket]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{socket.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(30)
        socket.close()


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("served") / "letters.ibidem"
    ibidem.PassageIndex.build(path, DOCUMENTS, min_length=8).close()
    served = ServedIndex(path)
    served.warm()  # no request waits for kernels to compile, which can take longer than an answer may
    served.close()
    return path


@pytest.fixture(scope="session")
def songs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of documents of which three share a passage."""
    path = tmp_path_factory.mktemp("songs") / "songs.ibidem"
    ibidem.PassageIndex.build(path, REUSED, min_length=8).close()
    return path


@pytest.fixture(scope="session")
def address(built: Path, songs: Path) -> Iterator[str]:
    indexes = [ServedIndex(built), ServedIndex(songs)]
    options: dict[str, Any] = {"evals": ibidem.EvalIndex(EVALS, DOCUMENTS), "limits": Limits(body_bytes=100_000)}
    with serving(indexes, **options) as started:
        yield started
    for served in indexes:
        served.close()


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=240) as opened:
        yield opened


@pytest.fixture
def serve(built: Path) -> Iterator[Serve]:
    """Starts a service with options of the test's own, and gives a client of it."""
    from contextlib import ExitStack

    with ExitStack() as stack:

        def start(**options: Any) -> httpx.Client:
            paths = options.pop("paths", [options.pop("path", built)])
            served = [ServedIndex(path) for path in paths]
            for each in served:
                stack.callback(each.close)
            started = stack.enter_context(serving(served, **options))
            return stack.enter_context(httpx.Client(base_url=started, timeout=240))

        yield start
