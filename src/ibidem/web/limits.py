"""Limits of one request, and of how many run at once."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ibidem.web.problems import ProblemError

if TYPE_CHECKING:
    from starlette.requests import Request

_DISCARDED = 10
"""Times the size of the largest body that are read before a larger one is refused: a client that still sends when the
connection is closed does not see the answer."""

_BODY_SECONDS = 20.0
"""Seconds until a whole request has to come."""


@dataclass(frozen=True)
class Limits:
    """Limits of a service, each with a clear answer when it is reached.

    Attributes:
        body_bytes: of a request; 413.
        seconds: until an answer is given up; 503. A search ends itself before and says what it left out; other work
            cannot be stopped, and keeps its thread until it ends.
        at_work: requests that search, align or compare at once.
        matches: that a search looks for, the most similar; the answer warns of more.
    """

    body_bytes: int = 4_000_000
    seconds: float = 30.0
    at_work: int = 4
    matches: int = 10_000


async def receive_body(request: "Request", most: int) -> bytes:
    """The body of a request, of so many bytes at most.

    Raises:
        ProblemError: it is too large, or does not come in time.
    """
    body, size = bytearray(), 0
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            async for part in request.stream():
                size += len(part)
                if size <= most:
                    body += part
                elif size > _DISCARDED * most:
                    break
    except TimeoutError:
        raise ProblemError(408, f"the body did not come within {_BODY_SECONDS:g} s", connection="close") from None
    if size > most:
        raise ProblemError(413, f"the body has more than {most:,} bytes", connection="close")
    return bytes(body)


def require_type(request: "Request", expected: str) -> None:
    """Refuse a body of another type: of these two a browser asks whether a page of another site may send it."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != expected:
        raise ProblemError(415, f"the body has to come with the header Content-Type: {expected}")


class RequestThreads:
    """Threads that work for requests, off the event loop, as many as the limits allow."""

    def __init__(self, limits: Limits) -> None:
        self._seconds = limits.seconds
        self._pool = ThreadPoolExecutor(limits.at_work, "ibidem-work")

    async def run(self, request: "Request", function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a function in a thread and return its result; it keeps its thread until it ends, even if nobody waits.

        What has not begun when the client goes away is dropped.

        Raises:
            ProblemError: the time is over.
            ClientDisconnect: the client has gone.
        """
        from starlette.requests import ClientDisconnect

        future = asyncio.get_running_loop().run_in_executor(self._pool, function, *arguments)
        gone = asyncio.ensure_future(_wait_until_gone(request))
        try:
            await asyncio.wait({future, gone}, timeout=self._seconds, return_when=asyncio.FIRST_COMPLETED)
            if future.done():
                return future.result()
            future.cancel()  # if it has not begun
            if gone.done():
                raise ClientDisconnect
        finally:
            gone.cancel()
        detail = f"the answer took longer than {self._seconds:g} s and was given up: ask for less"
        raise ProblemError(503, detail, retry_after="10")

    def close(self) -> None:
        """Start no more work."""
        self._pool.shutdown(wait=False, cancel_futures=True)


async def _wait_until_gone(request: "Request") -> None:
    """Return when the client has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
