"""The server: routes of operations and of the page. The work itself runs in threads, off the event loop."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any
from urllib.parse import quote

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ibidem.text.json_values import encode_json
from ibidem.web.access import Access
from ibidem.web.answers import Health
from ibidem.web.limits import Limits, RequestThreads, receive_body, require_type
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

_Handler = Callable[[Request], Awaitable[Response]]


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
        addresses: dict[str, dict[str, tuple[str, _Handler]]] = {}
        for operation in operations:
            handler = operation.name, partial(self._operate, operation)
            addresses.setdefault(operation.path, {})[operation.method] = handler
        routes = [self._route(path, handlers) for path, handlers in addresses.items()]
        routes += [
            self._route("/metrics", {"GET": ("metrics", self._measure)}),
            self._route("/openapi.json", {"GET": ("openapi", self._describe)}),
            self._route("/health", {"GET": ("health", self._health)}, is_open=True),
            self._route("/page/requests.json", {"GET": ("page", self._list_requests)}, is_open=True),
            *(self._route(path, {"GET": ("page", self._page)}, is_open=True) for path in ("/", *list_page_files())),
        ]
        refuse: Any = self._refuse
        self.app = Starlette(routes=routes, lifespan=self._lifespan, exception_handlers={HTTPException: refuse})

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        await asyncio.to_thread(self._begin)
        yield
        self._end()
        self._workers.close()

    def _route(self, path: str, handlers: Mapping[str, tuple[str, _Handler]], *, is_open: bool = False) -> Route:
        """The route to one address, by its methods; what is open needs no token."""

        async def answer(request: Request) -> Response:
            start = time.perf_counter()
            name, handler = handlers["GET" if request.method == "HEAD" else request.method]
            response = await answer_or_problem(admit(request, handler))
            response.headers.update(HEADERS)
            self._metrics.count(name, response.status_code, time.perf_counter() - start)
            return response

        async def admit(request: Request, handler: _Handler) -> Response:
            self._access.admit(request, is_open=is_open)
            return await handler(request)

        return Route(path, answer, methods=[*handlers])

    async def _refuse(self, request: Request, error: HTTPException) -> Response:
        """The answer to a request for an address that is none, or by a method that it does not take."""
        detail, headers = "there is nothing at this address; /openapi.json lists the addresses", {}
        if error.status_code == 405:
            methods = ", ".join(sorted((error.headers or {})["Allow"].split(", ")))  # Starlette has a set of them
            detail, headers = f"{request.url.path} takes {methods}", {"allow": methods}
        response = answer_problem(ProblemError(error.status_code, detail, **headers))
        response.headers.update(HEADERS)
        return response

    async def _operate(self, operation: Operation, request: Request) -> Response:
        if operation.takes_bytes:
            require_type(request, "application/octet-stream")
            asked = read_query(_parameters(request), operation.takes)
            answer = await operation.run(self._served, asked, request.stream())
        elif operation.has_query:
            asked = read_query(_parameters(request), operation.takes)
            answer = await self._workers.run(request, operation.run, self._served, asked)
        else:
            require_type(request, "application/json")
            body = await receive_body(request, self._limits.body_bytes)
            answer = await self._workers.run(request, self._answer_body, operation, body, request.path_params)
        if isinstance(answer, File):
            attached = {"Content-Disposition": f"attachment; filename*=utf-8''{quote(answer.name)}"}
            return Response(answer.data, 200, attached, answer.kind)
        return _json(answer)

    def _answer_body(self, operation: Operation, body: bytes, path: Mapping[str, str]) -> Any:
        return operation.run(self._served, read_body(body, operation.takes, path))

    async def _health(self, request: Request) -> Response:
        return _json(Health())

    async def _measure(self, request: Request) -> Response:
        return Response(self._metrics.text(), 200, None, "text/plain; version=0.0.4")

    async def _describe(self, request: Request) -> Response:
        return _json(describe_api(self._operations))

    async def _list_requests(self, request: Request) -> Response:
        return _json(list_requests(self._operations))

    async def _page(self, request: Request) -> Response:
        if request.url.path == "/":
            return self._enter(request) or Response(read_frame(self._entry), 200, None, "text/html; charset=utf-8")
        name, kind = list_page_files()[request.url.path]
        return Response(read_page_file(name), 200, None, kind)


def _parameters(request: Request) -> dict[str, str]:
    """The values in the address: in its query, and in its path."""
    return {**request.query_params, **request.path_params}


def _json(value: Any) -> Response:
    data = bytes(value) if isinstance(value, msgspec.Raw) else encode_json(value)
    return Response(data, 200, None, "application/json")
