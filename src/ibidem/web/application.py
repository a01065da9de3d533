"""The application: routes, and the answers of operations. The work itself runs in threads, off the event loop."""

import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ibidem.contamination.eval_index import EvalIndex
from ibidem.text.json_values import encode_json
from ibidem.web.access import Access, Right
from ibidem.web.answers import Health
from ibidem.web.indexes.holdings import Holdings
from ibidem.web.indexes.served_index import ServedIndex
from ibidem.web.indexes.served_reuse import ServedReuse
from ibidem.web.indexes.tasks import TaskQueue
from ibidem.web.limits import Limits, RequestThreads, receive_body, require_json
from ibidem.web.metrics import Metrics
from ibidem.web.openapi import describe_api
from ibidem.web.operations import OPERATIONS, Operation
from ibidem.web.page_files import list_page_files, read_page_file
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

_PAGE = list_page_files("indexes.html")

_MOST_PARAMETERS = 32
"""Fields of a query; no request has half as many."""

_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


class _Anything(Convertor[str]):
    """A part of an address that may hold any character, such as the name of a document with a line break in it."""

    regex = r"[\s\S]*"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("anything", _Anything())

_Handler = Callable[[Request], Awaitable[Response]]


def make_app(
    indexes: Sequence[ServedIndex],
    *,
    reuse: Sequence[ServedReuse] = (),
    evals: EvalIndex | None = None,
    access: Access = Access(),  # noqa: B008
    limits: Limits = Limits(),  # noqa: B008
) -> Starlette:
    """The ASGI application that serves ``indexes``, the findings of ``ibidem reuse``, and a gate with ``evals``."""
    return _Service(indexes, reuse, evals, access, limits).app


class _Service:
    """The state of a running service."""

    def __init__(
        self,
        indexes: Sequence[ServedIndex],
        reuse: Sequence[ServedReuse],
        evals: EvalIndex | None,
        access: Access,
        limits: Limits,
    ) -> None:
        by_name = {entry.name: entry for entry in indexes}, {entry.name: entry for entry in reuse}
        if (len(by_name[0]), len(by_name[1])) != (len(indexes), len(reuse)):
            raise ValueError("two folders that are served have the same name: rename one")
        self._holdings = Holdings(*by_name, TaskQueue(limits.tasks), limits, evals)
        self._access, self._limits = access, limits
        self._workers = RequestThreads(limits)
        self._metrics = Metrics()
        routes = [
            *(self._operation_route(entry) for entry in OPERATIONS),
            self._route("/health", "health", self._health, "open"),
            self._route("/metrics", "metrics", self._measure),
            self._route("/openapi.json", "openapi", self._openapi),
            *(self._route(path, "page", self._page, "open") for path in _PAGE),
            self._route("/{path:anything}", "nothing", self._nothing),
        ]
        self.app = Starlette(
            routes=routes, lifespan=self._lifespan, exception_handlers={HTTPException: self._refuse_odd}
        )

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        yield
        self._holdings.tasks.close()
        self._workers.close()

    def _operation_route(self, operation: Operation) -> Route:
        path = operation.path.replace("}", ":anything}")
        handler = partial(self._operate, operation)
        return self._route(path, operation.name, handler, operation.right, operation.method)

    def _route(self, path: str, name: str, handler: _Handler, right: Right = "read", method: str = "GET") -> Route:
        async def answer(request: Request) -> Response:
            start = time.perf_counter()
            response = await answer_or_problem(self._admit(request, handler, right, method))
            response.headers.update(HEADERS)
            self._share(request, response)
            self._metrics.count(name, response.status_code, time.perf_counter() - start)
            return response

        return Route(path, answer, methods=_METHODS, name=name)

    async def _admit(self, request: Request, handler: _Handler, right: Right, method: str) -> Response:
        """The answer of a handler to a request that has the right to it, and a method that it takes."""
        if request.method == "OPTIONS" and self._access.allowed_origin(request):
            self._access.admit(request, "open")
            return Response(status_code=204)
        self._access.admit(request, right)
        if request.method not in (method, "HEAD" if method == "GET" else method):
            raise ProblemError(405, f"{request.url.path} takes {method}", allow=method)
        return await handler(request)

    async def _refuse_odd(self, request: Request, error: Exception) -> Response:
        """The answer to a request that no route takes, because of its method or its address."""
        assert isinstance(error, HTTPException)
        detail = "this is no address" if error.status_code == 404 else f"no address takes {request.method}"
        response = answer_problem(ProblemError(error.status_code, detail))
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
        if operation.method == "POST":
            require_json(request)
            answer = await self._workers.run(self._answer_body, operation, await receive_body(request, self._limits))
        else:
            parameters: Any = read_query(_parameters(request), operation.takes)
            answer = await self._workers.run(operation.run, self._holdings, parameters)
        if operation.rows is not None and "application/x-ndjson" in request.headers.get("accept", ""):
            return _lines(getattr(answer, operation.rows), getattr(answer, "cursor", None))
        location = f"/v1/tasks/{answer.id}" if operation.status == 202 else None
        return _json(answer, operation.status, location)

    def _answer_body(self, operation: Operation, body: bytes) -> Any:
        return operation.run(self._holdings, read_body(body, operation.takes))

    async def _health(self, request: Request) -> Response:
        return _json(Health())

    async def _measure(self, request: Request) -> Response:
        text = self._metrics.text(self._workers.at_work, self._workers.waiting)
        return Response(text, 200, None, "text/plain; version=0.0.4")

    async def _openapi(self, request: Request) -> Response:
        return _json(describe_api())

    async def _page(self, request: Request) -> Response:
        name, kind = _PAGE[request.url.path]
        return Response(read_page_file(name), 200, None, kind)

    async def _nothing(self, request: Request) -> Response:
        raise ProblemError(404, "there is nothing at this address; /openapi.json lists the addresses")


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
    return Response(encode_json(value), status, headers, "application/json")


def _lines(rows: Sequence[Any], cursor: str | None) -> Response:
    """A line for each row; the cursor of the next page, if there is one, is a header."""
    headers = None if cursor is None else {"Ibidem-Cursor": cursor}
    return Response(b"".join(encode_json(row) + b"\n" for row in rows), 200, headers, "application/x-ndjson")
