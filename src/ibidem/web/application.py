"""The server: routes of operations and of the page. The work itself runs in threads, off the event loop."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any
from urllib.parse import quote

import msgspec
from starlette.applications import Starlette
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from ibidem.text.json_values import encode_json
from ibidem.web.access import Access, Right
from ibidem.web.answers import Health
from ibidem.web.limits import Limits, RequestThreads, receive_body, receive_parts, require_type
from ibidem.web.metrics import Metrics
from ibidem.web.openapi import describe_api
from ibidem.web.operations import File, Operation, list_requests
from ibidem.web.page_files import list_page_files, read_frame, read_page_file
from ibidem.web.problems import ProblemError, answer_or_problem, answer_problem
from ibidem.web.requests import read_body, read_query

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

_MOST_PARAMETERS = 32
"""Fields of a query; no request has half as many."""


class _Anything(Convertor[str]):
    """A part of an address that may hold any character, such as the name of a document with a line break in it."""

    regex = r"[\s\S]*"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("anything", _Anything())

_Handler = Callable[[Request], Awaitable[Response]]


class _Handlers:
    """What answers the requests to one address, by their methods; every method leads here."""

    def __init__(self, answer: Callable[[Request], Awaitable[Response]]) -> None:
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._answer(Request(scope, receive))
        await response(scope, receive, send)


class Application:
    """A running server.

    Args:
        operations: what is answered.
        served: what each of them takes beside its request.
        entry: the module of the page that is loaded first.
        enter: answers a request for the page that is to be let in, and no other.
        begin, end: are called, in a thread, when the server begins and when it ends.
    """

    def __init__(
        self,
        operations: Sequence[Operation],
        served: Any,
        entry: str,
        *,
        access: Access,
        limits: Limits,
        enter: Callable[[Request], Response | None] = lambda request: None,
        begin: Callable[[], None] = lambda: None,
        end: Callable[[], None] = lambda: None,
    ) -> None:
        self._operations, self._served, self._entry = operations, served, entry
        self._access, self._limits, self._enter, self._begin, self._end = access, limits, enter, begin, end
        self._workers, self._metrics = RequestThreads(limits), Metrics()
        addresses: dict[str, dict[str, tuple[str, Right, _Handler]]] = {}
        for operation in operations:
            handler = (operation.name, operation.right, partial(self._operate, operation))
            addresses.setdefault(operation.path, {})[operation.method] = handler
        routes = [
            *(self._route(path.replace("}", ":anything}"), addresses[path]) for path in sorted(addresses, key=_depth)),
            self._route("/health", {"GET": ("health", "open", self._health)}),
            self._route("/metrics", {"GET": ("metrics", "read", self._measure)}),
            self._route("/openapi.json", {"GET": ("openapi", "read", self._describe)}),
            self._route("/page/requests.json", {"GET": ("page", "open", self._list_requests)}),
            *(self._route(path, {"GET": ("page", "open", self._page)}) for path in ("/", *list_page_files())),
            self._route("/{path:anything}", {}),
        ]
        odd: Any = self._refuse_odd
        self.app = Starlette(routes=routes, lifespan=self._lifespan, exception_handlers={HTTPException: odd})

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        await asyncio.to_thread(self._begin)
        yield
        self._end()
        self._workers.close()

    def _route(self, path: str, handlers: Mapping[str, tuple[str, Right, _Handler]]) -> Route:
        name = next((name for name, _, _ in handlers.values()), "nothing")

        async def answer(request: Request) -> Response:
            start = time.perf_counter()
            response = await answer_or_problem(self._admit(request, handlers))
            response.headers.update(HEADERS)
            self._share(request, response)
            method = "GET" if request.method == "HEAD" else request.method
            operation = handlers[method][0] if method in handlers else name
            self._metrics.count(operation, response.status_code, time.perf_counter() - start)
            return response

        return Route(path, _Handlers(answer), name=name)

    async def _admit(self, request: Request, handlers: Mapping[str, tuple[str, Right, _Handler]]) -> Response:
        """The answer of a handler to a request that has the right to it, and a method that it takes."""
        if request.method == "OPTIONS" and self._access.allowed_origin(request):
            self._access.admit(request, "open")
            return Response(status_code=204)
        if not handlers:
            self._access.admit(request, "read")
            raise ProblemError(404, "there is nothing at this address; /openapi.json lists the addresses")
        method = "GET" if request.method == "HEAD" else request.method
        _, right, handler = handlers.get(method) or next(iter(handlers.values()))
        self._access.admit(request, right)
        if method not in handlers:
            methods = ", ".join([*handlers, *(["HEAD"] if "GET" in handlers else [])])
            raise ProblemError(405, f"{request.url.path} takes {methods}", allow=methods)
        return await handler(request)

    async def _refuse_odd(self, request: Request, error: HTTPException) -> Response:
        """The answer to a request whose address is none, such as ``*``."""
        response = answer_problem(ProblemError(error.status_code, "this is no address"))
        response.headers.update(HEADERS)
        return response

    def _share(self, request: Request, response: Response) -> None:
        """Let a page of an allowed origin read the answer."""
        origin = self._access.allowed_origin(request)
        if origin is not None:
            response.headers["Access-Control-Allow-Origin"] = origin
            response.headers["Access-Control-Allow-Methods"] = "GET, POST"
            response.headers["Access-Control-Allow-Headers"] = "Authorization, Content-Type, Accept"
            response.headers["Access-Control-Expose-Headers"] = "Ibidem-Cursor, Location, Retry-After"
            response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
            response.headers["Vary"] = "Origin"

    async def _operate(self, operation: Operation, request: Request) -> Response:
        if operation.takes_bytes:
            require_type(request, "application/octet-stream")
            asked = read_query(_parameters(request), operation.takes)
            answer = await operation.run(self._served, asked, receive_parts(request))
        elif operation.has_query:
            asked = read_query(_parameters(request), operation.takes)
            answer = await self._workers.run(request, operation.run, self._served, asked)
        else:
            require_type(request, "application/json")
            body = await receive_body(request, self._limits)
            answer = await self._workers.run(request, self._answer_body, operation, body, request.path_params)
        if isinstance(answer, File):
            attached = {"Content-Disposition": f"attachment; filename*=utf-8''{quote(answer.name)}"}
            return Response(answer.data, operation.status, attached, answer.kind)
        if operation.rows is not None and "application/x-ndjson" in request.headers.get("accept", ""):
            return _lines(getattr(answer, operation.rows), getattr(answer, "cursor", None))
        location = f"/v1/tasks/{answer.id}" if operation.status == 202 else None
        return _json(answer, operation.status, location)

    def _answer_body(self, operation: Operation, body: bytes, path: Mapping[str, str]) -> Any:
        return operation.run(self._served, read_body(body, operation.takes, path))

    async def _health(self, request: Request) -> Response:
        return _json(Health())

    async def _measure(self, request: Request) -> Response:
        text = self._metrics.text(self._workers.at_work, self._workers.waiting)
        return Response(text, 200, None, "text/plain; version=0.0.4")

    async def _describe(self, request: Request) -> Response:
        return _json(describe_api(self._operations))

    async def _list_requests(self, request: Request) -> Response:
        return _json(list_requests(self._operations))

    async def _page(self, request: Request) -> Response:
        if request.url.path == "/":
            return self._enter(request) or Response(read_frame(self._entry), 200, None, "text/html; charset=utf-8")
        name, kind = list_page_files()[request.url.path]
        return Response(read_page_file(name), 200, None, kind)


def _depth(path: str) -> int:
    """A key by which deeper paths come first: a part of an address may hold slashes."""
    return -path.count("/")


def _parameters(request: Request) -> dict[str, str]:
    """The values in the address: in its path, and in its query, where each name occurs once."""
    if request.scope["query_string"].count(b"&") >= _MOST_PARAMETERS:
        raise ProblemError(400, f"the query has more than {_MOST_PARAMETERS} fields")
    names = Counter([*request.path_params, *(name for name, _ in request.query_params.multi_items())])
    if twice := [name for name, times in names.items() if times > 1]:
        raise ProblemError(400, f"the query says {twice[0]!r} twice")
    return {**request.path_params, **request.query_params}


def _json(value: Any, status: int = 200, location: str | None = None) -> Response:
    headers = None if location is None else {"Location": location}
    data = bytes(value) if isinstance(value, msgspec.Raw) else encode_json(value)
    return Response(data, status, headers, "application/json")


def _lines(rows: Sequence[Any], cursor: str | None) -> Response:
    """A line for each row; the cursor of the next page, if there is one, is a header."""
    headers = None if cursor is None else {"Ibidem-Cursor": cursor}
    return Response(b"".join(encode_json(row) + b"\n" for row in rows), 200, headers, "application/x-ndjson")
