"""A connection to Ray is shared by all that need it, and ends with the last of them."""

import signal
import socket
import sys
from types import SimpleNamespace

import pytest

from ibidem.engine.ray_cluster import RayCluster
from ibidem.errors import ClusterError, MissingExtraError, StoreError


class Library(SimpleNamespace):
    """What stands for Ray: it can be connected once at a time."""

    def __init__(self, connected=False, error=None):
        super().__init__(connected=connected, error=error, calls=[])

    def is_initialized(self):
        return self.connected

    def init(self, **options):
        if self.error is not None:
            raise self.error
        assert not self.connected
        self.connected = True
        self.calls.append(options["address"])

    def shutdown(self):
        self.connected = False
        self.calls.append("shutdown")


@pytest.fixture
def library(monkeypatch):
    made = Library()
    monkeypatch.setitem(sys.modules, "ray", made)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    return made


def join(address="auto"):
    return RayCluster(address, "a test", StoreError)


def test_the_connection_ends_with_the_last_that_needs_it(library):
    first, second = join(), join()
    first.leave()
    first.leave()
    assert library.calls == ["auto"]
    third = join()
    second.leave()
    assert library.calls == ["auto"]
    third.leave()
    assert library.calls == ["auto", "shutdown"]
    join().leave()
    assert library.calls == ["auto", "shutdown"] * 2


def test_who_handles_the_end_of_the_process_still_does(library, monkeypatch):
    asked = []
    plain = signal.signal(signal.SIGTERM, lambda *_: asked.append("mine"))
    monkeypatch.setattr(library, "init", lambda **_: signal.signal(signal.SIGTERM, lambda *_: asked.append("Ray's")))
    connection = join()
    try:
        signal.raise_signal(signal.SIGTERM)
    finally:
        connection.leave()
        signal.signal(signal.SIGTERM, plain)
    assert asked == ["mine"]


def test_a_connection_that_the_program_made_stays(library):
    library.connected = True
    cluster = join()
    cluster.leave()
    assert library.calls == []
    assert library.connected


def test_an_address_at_which_nobody_listens_is_refused_before_ray_waits_for_it(library, monkeypatch):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{unused.getsockname()[1]}"
        for address in (place, f"ray://{place}"):
            with pytest.raises(StoreError, match=rf"no Ray cluster answers at '{address}': .*refused; start one"):
                join(address)
        monkeypatch.setenv("RAY_ADDRESS", place)
        with pytest.raises(StoreError, match=r"no Ray cluster answers at 'auto': .*refused"):
            join()
        join("local").leave()
    assert library.calls == ["local", "shutdown"]


def test_where_somebody_listens_ray_is_asked(library):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        place = f"127.0.0.1:{listening.getsockname()[1]}"
        join(place).leave()
    assert library.calls == [place, "shutdown"]


@pytest.mark.parametrize(
    "error",
    [
        ConnectionError("could not find any running Ray instance"),
        RuntimeError("Version mismatch: the cluster was started with another Ray"),
        ValueError("Invalid address format: nonsense"),
    ],
)
def test_what_ray_says_of_a_cluster_that_cannot_be_joined_is_told(library, error):
    library.error = error
    with pytest.raises(ClusterError, match=f"no Ray cluster answers at 'nonsense': {error}; .*'ray start --head'"):
        RayCluster("nonsense", "a test", ClusterError)


def test_without_ray_it_is_said_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"a test needs an optional dependency: pip install 'ibidem\[ray\]'"):
        join()
