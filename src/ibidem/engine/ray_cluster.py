"""The connection of this process to a Ray cluster, for all that need it at a time.

Ray knows one connection of a process. It ends with the last that needs it. A connection that the program made itself is
used as it is, and stays.
"""

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ibidem.errors import IbidemError, MissingExtraError

# In which a cluster takes a connection. Ray itself asks for minutes.
_ANSWER_SECONDS = 10.0

_QUIET = "WARNING"


class _Connection:
    """The cluster that this process has connected to."""

    lock = threading.Lock()
    users = 0


class RayCluster:
    """A cluster that this process belongs to until it has left.

    Attributes:
        ray: the library.
    """

    def __init__(self, address: str, feature: str, fault: type[IbidemError]) -> None:
        """Join the cluster.

        Args:
            address: as ``ray.init`` takes it; ``"local"`` starts a cluster on this machine.
            feature: what needs it, for the message.
            fault: what is raised if no cluster answers.

        Raises:
            MissingExtraError: Ray is not installed.
        """
        try:
            import ray
        except ImportError as error:
            raise MissingExtraError(feature, "ray") from error
        self.ray: Any = ray
        with _Connection.lock:
            self._is_counted = _Connection.users > 0 or not ray.is_initialized()
            if not ray.is_initialized():
                _connect(ray, address, fault)
            _Connection.users += self._is_counted

    def leave(self) -> None:
        """End the connection if nobody else needs it, and the cluster if it was started for this process."""
        with _Connection.lock:
            if not self._is_counted:
                return
            self._is_counted = False
            _Connection.users -= 1
            if not _Connection.users:
                self.ray.shutdown()


def _connect(ray: Any, address: str, fault: type[IbidemError]) -> None:
    dashboard = False if address == "local" else None
    try:
        _require_answer(_find_place(address))
        with _keep_handler():
            ray.init(address=address, include_dashboard=dashboard, log_to_driver=False, logging_level=_QUIET)
    except (OSError, RuntimeError, ValueError) as error:
        raise fault(
            f"no Ray cluster answers at {address!r}: {error}; start one with 'ray start --head', give the HOST:PORT "
            "of one, or 'local' for one of this machine alone"
        ) from error


@contextmanager
def _keep_handler() -> Iterator[None]:
    """Leave SIGTERM to who handles it already; Ray would end the process and say nothing of the work that it leaves."""
    handler = signal.getsignal(signal.SIGTERM)
    yield
    if callable(handler) and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, handler)


def _find_place(address: str) -> str:
    """The host and port of a cluster, or a word by which Ray finds one; Ray, too, takes the variable first."""
    return address if address == "local" else os.environ.get("RAY_ADDRESS") or address


def _require_answer(place: str) -> None:
    """Refuse a host and port at which nobody listens."""
    host, _, port = place.rpartition("://")[2].rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host, int(port)), _ANSWER_SECONDS).close()
