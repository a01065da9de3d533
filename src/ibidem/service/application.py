"""The application: routes, access, limits, and answers. The work itself runs in threads, off the event loop."""

import asyncio
import hmac
import json
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.resources import files
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from ibidem.errors import IbidemError
from ibidem.report.html import MODULES
from ibidem.service import work
from ibidem.service.limits import Limits
from ibidem.service.messages import Health
from ibidem.service.metrics import Metrics
from ibidem.service.operations import OPERATIONS, Operation, describe_api
from ibidem.service.problems import ProblemError, answer_problem
from ibidem.service.served_index import ServedIndex

__all__ = ["make_app"]

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

_PAGE = {
    "/": ("ibidem.service", "index.html", "text/html; charset=utf-8"),
    "/page/search.js": ("ibidem.service", "search.js", "text/javascript; charset=utf-8"),
    "/page/style.css": ("ibidem.report", "style.css", "text/css; charset=utf-8"),
    "/page/search.css": ("ibidem.service", "search.css", "text/css; charset=utf-8"),
    **{f"/page/{name}": ("ibidem.report", name, "text/javascript; charset=utf-8") for name in MODULES[:4]},
}
"""Every file that the page consists of, by its address: no other path reaches the file system."""

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]", "testserver"})

_OPEN = frozenset({"/health", *_PAGE})
"""Addresses that need no token: they tell nothing of the documents."""

_Handler = Callable[[Request], Awaitable[Response]]


def make_app(
    indexes: Sequence[ServedIndex],
    *,
    token: str | None = None,
    hosts: Sequence[str] | None = None,
    limits: Limits = Limits(),  # noqa: B008
) -> Starlette:
    """The ASGI application that serves ``indexes``.

    Args:
        token: what a request must bring as ``Authorization: Bearer``; none if not given.
        hosts: names by which the service is called; those of this machine alone if not given, so that no other page
            that a browser shows can reach it under a name of its own.
    """
    return _Service(indexes, token, hosts, limits).app


class _Service:
    """The state of a running service."""

    def __init__(
        self, indexes: Sequence[ServedIndex], token: str | None, hosts: Sequence[str] | None, limits: Limits
    ) -> None:
        self._served = {each.name: each for each in indexes}
        if len(self._served) != len(indexes):
            raise ValueError("two indexes have the same name: rename the folder of one")
        self._token, self._limits = token, limits
        self._hosts = _LOOPBACK if hosts is None else frozenset(hosts)
        self._pool = ThreadPoolExecutor(limits.at_work, "ibidem-work")
        self._running = 0
        self._metrics = Metrics()
        routes = [
            *(self._route(each.path, each.name, partial(self._operate, each), "POST") for each in OPERATIONS),
            self._route("/v1/documents/{document:path}", "document", self._read_document),
            self._route("/v1/indexes", "indexes", self._describe),
            self._route("/health", "health", self._health),
            self._route("/metrics", "metrics", self._measure),
            self._route("/openapi.json", "openapi", self._openapi),
            *(self._route(path, "page", self._page) for path in _PAGE),
            self._route("/{path:path}", "nothing", self._nothing),
        ]
        self.app = Starlette(routes=routes)

    def _route(self, path: str, name: str, handler: _Handler, method: str = "GET") -> Route:
        async def answer(request: Request) -> Response:
            started = time.perf_counter()
            response = await self._guard(request, handler, method)
            response.headers.update(_HEADERS)
            self._metrics.count(name, response.status_code, time.perf_counter() - started)
            return response

        methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        return Route(path, answer, methods=methods, name=name)

    async def _guard(self, request: Request, handler: _Handler, method: str) -> Response:
        """The answer, or the problem that there is instead of one."""
        try:
            self._admit(request, method)
            return await handler(request)
        except ProblemError as problem:
            return answer_problem(problem)
        except ClientDisconnect:
            return Response(status_code=400)
        except (ValueError, IbidemError) as error:
            return answer_problem(ProblemError(422, str(error)))

    def _admit(self, request: Request, method: str) -> None:
        host = request.headers.get("host", "")
        name = host.rpartition(":")[0] if ":" in host.rpartition("]")[2] else host
        if name not in self._hosts:
            raise ProblemError(421, "the service is not known by this host name; name it with --allow-host")
        if request.method not in (method, "HEAD" if method == "GET" else method):
            raise ProblemError(405, f"{request.url.path} takes {method}", allow=method)
        if self._token is None or request.url.path in _OPEN:
            return
        given = request.headers.get("authorization", "")
        if not hmac.compare_digest(given.encode("utf-8", "replace"), f"Bearer {self._token}".encode()):
            raise ProblemError(401, "a token is needed: Authorization: Bearer TOKEN", www_authenticate="Bearer")

    async def _operate(self, operation: Operation, request: Request) -> Response:
        try:
            asked: Any = msgspec.json.decode(await self._body(request), type=operation.takes)
        except msgspec.DecodeError as error:
            raise ProblemError(400, f"the body is not what {operation.path} takes: {error}") from error
        except UnicodeError as error:
            raise ProblemError(400, "the body is not UTF-8") from error
        answer = await self._work(operation.run, self._served, asked)
        if "application/x-ndjson" in request.headers.get("accept", "") and hasattr(answer, "matches"):
            return Response(
                b"".join(_encode(each) + b"\n" for each in answer.matches), 200, None, "application/x-ndjson"
            )
        return _json(answer)

    async def _read_document(self, request: Request) -> Response:
        start, end = (_place(request, name) for name in ("start", "end"))
        name, index = request.path_params["document"], request.query_params.get("index")
        return _json(await self._work(work.read_document, self._served, index, name, start or 0, end))

    async def _describe(self, request: Request) -> Response:
        return _json(await self._work(work.describe, self._served))

    async def _health(self, request: Request) -> Response:
        return _json(Health())

    async def _measure(self, request: Request) -> Response:
        at_work = min(self._running, self._limits.at_work)
        text = self._metrics.text(at_work, self._running - at_work)
        return Response(text, 200, None, "text/plain; version=0.0.4")

    async def _openapi(self, request: Request) -> Response:
        return _json(describe_api())

    async def _page(self, request: Request) -> Response:
        package, name, kind = _PAGE[request.url.path]
        return Response(files(package).joinpath("page", name).read_bytes(), 200, None, kind)

    async def _nothing(self, request: Request) -> Response:
        raise ProblemError(404, "nothing stands at this address; see /openapi.json")

    async def _body(self, request: Request) -> bytes:
        """The body, if it is not too large and comes in time."""
        most = self._limits.body_bytes

        async def read() -> bytes:
            body = bytearray()
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise ProblemError(413, f"the body has more than {most:,} bytes", connection="close")
            return bytes(body)

        try:
            return await asyncio.wait_for(read(), self._limits.body_seconds)
        except TimeoutError:
            seconds = self._limits.body_seconds
            raise ProblemError(408, f"the body did not come within {seconds:g} s", connection="close") from None

    async def _work(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The result of a function, in a thread; it keeps its place until it ends, even if nobody waits any more."""
        if self._running >= self._limits.at_work + self._limits.waiting:
            raise ProblemError(429, "too many requests are waiting: try again", retry_after="1")
        self._running += 1
        future = asyncio.get_running_loop().run_in_executor(self._pool, function, *arguments)
        future.add_done_callback(self._release)
        try:
            return await asyncio.wait_for(asyncio.shield(future), self._limits.seconds)
        except TimeoutError:
            detail = f"the answer took longer than {self._limits.seconds:g} s and was given up: ask for less"
            raise ProblemError(503, detail, retry_after="10") from None

    def _release(self, future: "asyncio.Future[Any]") -> None:
        self._running -= 1
        if not future.cancelled():
            future.exception()  # whoever waited has it; of one given up nobody else would ask


def _place(request: Request, name: str) -> int | None:
    given = request.query_params.get(name)
    if given is None:
        return None
    if not (given.isascii() and given.isdigit() and len(given) <= 12):
        raise ProblemError(422, f"{name} is a number of characters, not {given[:40]!r}")
    return int(given)


def _json(value: Any) -> Response:
    return Response(_encode(value), 200, None, "application/json")


def _encode(value: Any) -> bytes:
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:  # a lone surrogate has no UTF-8; JSON can say it as an escape
        return json.dumps(msgspec.to_builtins(value)).encode("ascii")
