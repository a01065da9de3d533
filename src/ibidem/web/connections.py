"""Connections of a service: how many there may be, and how long one may be open without a request."""

import logging
from dataclasses import dataclass
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from ibidem.system.bounds import count_files

BACKLOG = 256
"""Connections that may wait to be accepted. So many may be accepted at once, too."""

_MOST = 1000
"""Connections that are open at once, however many descriptors there are."""

_FEWEST = 8
"""Connections that may be open even if there are hardly any descriptors."""

_LEAST_RATE = 1000
"""Bytes of an answer that have to be read in a second."""

_REFUSAL = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

_log = logging.getLogger("ibidem.web")


@dataclass(frozen=True)
class Bounds:
    """Bounds of the connections of a service.

    Attributes:
        most: connections that are open at once; one more is answered 503 and closed.
        seconds: until a connection without a request is closed, and one whose answer is not read.
    """

    most: int
    seconds: float


def count_affordable() -> int:
    """Connections that leave half of the free descriptors to indexes and their files."""
    open_files, limit = count_files()
    return _MOST if limit is None else max(_FEWEST, min(_MOST, (limit - open_files - BACKLOG) // 2))


class Connection(H11Protocol):
    """A connection that is closed when it costs more than it should."""

    def __init__(self, bounds: Bounds, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._bounds = bounds
        self._idle: Any = None
        self._unread: Any = None

    def connection_made(self, transport: Any) -> None:
        """Accept a connection, or refuse it if too many are open."""
        super().connection_made(transport)
        if len(self.connections) > self._bounds.most:
            _log.warning("%d connections are open, which is the most: others are refused", self._bounds.most)
            transport.write(_REFUSAL)
            transport.close()
        else:
            self._wait_for_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self._stop_waiting()
        if self._unread is not None:
            self._unread.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read a part of a request. The time limit for a request runs until its whole head has come."""
        try:
            super().data_received(data)
        except h11.LocalProtocolError:  # what came after a request is no HTTP, and the answer has begun
            self.transport.abort()
        if self._has_request():
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """Wait for the next request, if it has not come already."""
        super().on_response_complete()
        self._stop_waiting()
        if not self._has_request():
            self._wait_for_request()

    def pause_writing(self) -> None:
        """Begin to check how fast the client reads the answer."""
        super().pause_writing()
        self._watch_reader(None)

    def resume_writing(self) -> None:
        """Stop the check: the client has caught up."""
        super().resume_writing()
        self._unread.cancel()

    def _should_upgrade(self) -> bool:
        """Ignore requests for other protocols, without a line in the log."""
        return False

    def _has_request(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _wait_for_request(self) -> None:
        self._idle = self.loop.call_later(self._bounds.seconds, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._idle is not None:
            self._idle.cancel()

    def _watch_reader(self, before: int | None) -> None:
        """Abort the connection if the client has read too little of the answer since the last check."""
        unread = self.transport.get_write_buffer_size()
        if before is not None and before - unread < _LEAST_RATE * self._bounds.seconds:
            self.transport.abort()
        else:
            self._unread = self.loop.call_later(self._bounds.seconds, self._watch_reader, unread)
