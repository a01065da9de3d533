"""Limits of one request, and of how many run at once."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ibidem.web.problems import ProblemError

if TYPE_CHECKING:
    from starlette.requests import Request

_DISCARDED = 10
"""Times the size of the largest body that are read before a larger one is refused: a client that still sends when the
connection is closed does not see the answer."""


_PART_SECONDS = 20.0
"""Seconds until the next part of a file has to come."""


@dataclass(frozen=True)
class Limits:
    """Limits of a service, each with a clear answer when it is reached.

    Attributes:
        body_bytes: of a request; 413.
        body_seconds: until a whole request has come; 408.
        seconds: until an answer is given up; 503. A search ends itself before and says what it left out; other work
            cannot be stopped, and keeps its place until it ends.
        at_work: requests that search, align or compare at once.
        waiting: requests that wait for a place; 429 for one more.
        matches: that a search looks for, the most similar; the answer warns of more.
        tasks: that may wait; 429 for one more.
    """

    body_bytes: int = 4_000_000
    body_seconds: float = 20.0
    seconds: float = 30.0
    at_work: int = 4
    waiting: int = 64
    matches: int = 10_000
    tasks: int = 16


async def receive_body(request: "Request", limits: Limits) -> bytes:
    """The body of a request.

    Raises:
        ProblemError: it is too large, or does not come in time.
    """

    async def read() -> bytes:
        body, size = bytearray(), 0
        async for part in request.stream():
            size += len(part)
            if size <= limits.body_bytes:
                body += part
            elif size > _DISCARDED * limits.body_bytes:
                break
        if size > limits.body_bytes:
            raise ProblemError(413, f"the body has more than {limits.body_bytes:,} bytes", connection="close")
        return bytes(body)

    try:
        return await asyncio.wait_for(read(), limits.body_seconds)
    except TimeoutError:
        seconds = limits.body_seconds
        raise ProblemError(408, f"the body did not come within {seconds:g} s", connection="close") from None


async def receive_parts(request: "Request") -> AsyncIterator[bytes]:
    """The parts of a file as they come, of any number and size.

    Raises:
        ProblemError: they do not come.
    """
    parts = aiter(request.stream())
    while True:
        try:
            part = await asyncio.wait_for(anext(parts, None), _PART_SECONDS)
        except TimeoutError:
            raise ProblemError(408, "the file did not come to its end", connection="close") from None
        if part is None:
            return
        yield part


def require_type(request: "Request", expected: str) -> None:
    """Refuse a body of another type: of these two a browser asks whether a page of another site may send it."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != expected:
        raise ProblemError(415, f"the body has to come with the header Content-Type: {expected}")


class RequestThreads:
    """Threads that work for requests, off the event loop, as many as the limits allow."""

    def __init__(self, limits: Limits, name: str = "ibidem-work") -> None:
        self._limits = limits
        self._pool = ThreadPoolExecutor(limits.at_work, name)
        self._running, self._lock = 0, threading.Lock()

    @property
    def at_work(self) -> int:
        """Requests that have a thread."""
        return min(self._running, self._limits.at_work)

    @property
    def waiting(self) -> int:
        """Requests that wait for one."""
        return self._running - self.at_work

    async def run(self, request: "Request", function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a function in a thread and return its result; it occupies its place until it ends, even if nobody waits.

        What has not begun when the client goes away is dropped.

        Raises:
            ProblemError: too many wait, or the time is over.
            ClientDisconnect: the client has gone.
        """
        from starlette.requests import ClientDisconnect

        job = self._submit(function, *arguments)
        future = asyncio.wrap_future(job)
        gone = asyncio.ensure_future(_wait_until_gone(request))
        try:
            await asyncio.wait({future, gone}, timeout=self._limits.seconds, return_when=asyncio.FIRST_COMPLETED)
            if future.done():
                return future.result()
            job.cancel()  # if it has not begun
            if gone.done():
                raise ClientDisconnect
        finally:
            gone.cancel()
        raise self._is_late()

    def wait(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The same without an event loop, for a client of whom nobody knows whether it is there.

        Raises:
            ProblemError: too many wait, or the time is over.
        """
        job = self._submit(function, *arguments)
        try:
            return job.result(self._limits.seconds)
        except TimeoutError:
            job.cancel()
            raise self._is_late() from None

    def close(self) -> None:
        """Start no more work."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        with self._lock:
            if self._running >= self._limits.at_work + self._limits.waiting:
                raise ProblemError(429, "too many requests are waiting: try again", retry_after="1")
            self._running += 1
        job = self._pool.submit(function, *arguments)
        job.add_done_callback(self._release)
        return job

    def _release(self, job: "Future[Any]") -> None:
        with self._lock:
            self._running -= 1
        if not job.cancelled():
            job.exception()  # whoever waited has it; of one given up nobody else would ask

    def _is_late(self) -> ProblemError:
        detail = f"the answer took longer than {self._limits.seconds:g} s and was given up: ask for less"
        return ProblemError(503, detail, retry_after="10")


async def _wait_until_gone(request: "Request") -> None:
    """Return when the client has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
