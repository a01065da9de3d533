"""The server of the app. It follows the rules of the service, and asks for a secret of its own.

Whoever opens the address that is printed at the start has the secret, which becomes a cookie. Pages of other sites can
neither guess it nor make the browser send it.
"""

import asyncio
import hmac
import secrets
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

import ibidem
from ibidem.web.access import Access
from ibidem.web.application import HEADERS
from ibidem.web.limits import Limits, RequestThreads, receive_body, require_json
from ibidem.web.page_files import list_page_files, read_page_file
from ibidem.web.problems import ProblemError, answer_or_problem, answer_problem
from ibidem.web.projects.importing import add_path
from ibidem.web.projects.projects import Incoming, Mark, Project, Projects, Reading, Role
from ibidem.web.projects.questions import QUESTIONS, AskedQuestion, complete_settings
from ibidem.web.projects.runs import ProjectProcesses, Run, runs_of
from ibidem.web.projects.searching import search_answer
from ibidem.web.projects.showing import AskedReport, list_downloads, make_report, open_download
from ibidem.web.projects.views import read_lines, read_view
from ibidem.web.requests import SearchRequest, read_body

_LIMITS = Limits(seconds=150.0)
_CHUNK_SECONDS = 20.0

_PAGE = list_page_files("index.html")

_Body = TypeVar("_Body")
_Handler = Callable[[Request], Awaitable[Response]]


class _Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request; unknown fields are refused."""


class _Named(_Request, frozen=True):
    name: str


class _Changed(_Request, frozen=True):
    role: Role | None = None
    encoding: str | None = None


class _Path(_Request, frozen=True):
    path: str
    role: Role | None = None


def make_app(projects: Projects, workers: ProjectProcesses, secret: str) -> Starlette:
    """The ASGI application."""
    return _App(projects, workers, secret).app


class _App:
    """The state of a running server."""

    def __init__(self, projects: Projects, workers: ProjectProcesses, secret: str) -> None:
        self._projects, self._workers, self._secret = projects, workers, secret
        self._access, self._threads = Access(), RequestThreads(_LIMITS)
        project, run = "/v1/projects/{project}", "/v1/projects/{project}/runs/{run}"
        json = self._json
        routes: list[Route] = [
            self._route("/v1/projects", GET=json(self._list), POST=json(self._create, _Named)),
            self._route(project, GET=json(self._show), PUT=json(self._rename, _Named), DELETE=json(self._remove)),
            self._route(f"{project}/files", POST=self._upload),
            self._route(f"{project}/paths", POST=json(self._add_path, _Path)),
            self._route(f"{project}/files/{{file}}", PUT=json(self._change, _Changed), DELETE=json(self._drop)),
            self._route(f"{project}/marks", PUT=json(self._mark, Mark)),
            self._route(f"{project}/runs", POST=json(self._ask, AskedQuestion)),
            self._route(run, GET=json(self._show_run), DELETE=json(self._cancel)),
            self._route(f"{run}/view", GET=self._view),
            self._route(f"{run}/comparisons", GET=partial(self._lines, "comparisons")),
            self._route(f"{run}/documents", GET=partial(self._lines, "documents")),
            self._route(f"{run}/search", POST=json(self._search, SearchRequest)),
            self._route(f"{run}/files/{{name}}", GET=self._download),
            self._route(f"{run}/report", POST=self._report),
            *(self._route(path, GET=self._page) for path in _PAGE),
        ]
        refuse: Any = self._refuse_odd
        self.app = Starlette(routes=routes, lifespan=self._lifespan, exception_handlers={HTTPException: refuse})

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        await asyncio.to_thread(self._workers.resume)
        yield
        self._workers.close()
        self._threads.close()

    def _route(self, path: str, **handlers: _Handler) -> Route:
        async def answer(request: Request) -> Response:
            response = await answer_or_problem(self._admit(request, handlers))
            response.headers.update(HEADERS)
            return response

        return Route(path, answer, methods=["GET", "HEAD", "POST", "PUT", "DELETE"])

    async def _admit(self, request: Request, handlers: dict[str, _Handler]) -> Response:
        """The answer of a handler to a request that has the secret, and a method that it takes."""
        is_page = request.url.path == "/"
        self._access.admit(request, "open" if is_page else "read")
        if is_page and "key" in request.query_params:
            return self._let_in(request)
        if not self._is_secret(request.cookies.get(_cookie_of(request), "")):
            raise ProblemError(401, "open the address that ibidem app has printed: it has the secret")
        handler = handlers.get("GET" if request.method == "HEAD" else request.method)
        if handler is None:
            raise ProblemError(405, f"{request.url.path} takes {', '.join(handlers)}", allow=", ".join(handlers))
        return await handler(request)

    def _let_in(self, request: Request) -> Response:
        """Move the secret from the address into a cookie, so that no history and no screenshot shows it."""
        if not self._is_secret(request.query_params["key"]):
            raise ProblemError(401, "this is not the secret of this server: open the address that it has printed")
        response = RedirectResponse("/", 303)
        response.set_cookie(_cookie_of(request), self._secret, httponly=True, samesite="strict")
        return response

    def _is_secret(self, secret: str) -> bool:
        return hmac.compare_digest(secret.encode("utf-8", "replace"), self._secret.encode())

    async def _refuse_odd(self, request: Request, error: HTTPException) -> Response:
        response = answer_problem(ProblemError(error.status_code, "nothing is at this address"))
        response.headers.update(HEADERS)
        return response

    def _json(self, work: Callable[..., Any], takes: type[Any] | None = None) -> _Handler:
        """A handler that does its work in a thread: with the parts of the address, and the body if it takes one."""

        async def handle(request: Request) -> Response:
            arguments = [request.path_params[name] for name in request.path_params]
            if takes is not None:
                require_json(request)
                arguments.append(read_body(await receive_body(request, _LIMITS), takes))
            answer = await self._threads.run(work, *arguments)
            return Response(msgspec.json.encode(answer), 200, None, "application/json")

        return handle

    def _list(self) -> dict[str, Any]:
        return {
            "version": ibidem.__version__,
            "projects": [_describe_project(project) for project in self._projects.list()],
            "questions": {
                kind: {name: setting._asdict() for name, setting in settings.items()}
                for kind, settings in QUESTIONS.items()
            },
        }

    def _create(self, request: _Named) -> dict[str, Any]:
        return self._describe(self._projects.create(request.name))

    def _show(self, project: str) -> dict[str, Any]:
        return self._describe(self._projects.open(project))

    def _rename(self, project: str, request: _Named) -> dict[str, Any]:
        project_to_rename = self._projects.open(project)
        project_to_rename.rename(request.name)
        return self._describe(project_to_rename)

    def _remove(self, project: str) -> dict[str, Any]:
        project_to_remove = self._projects.open(project)
        for run in runs_of(project_to_remove):
            self._workers.cancel(run)
        self._projects.remove(project_to_remove)
        return {}

    def _describe(self, project: Project) -> dict[str, Any]:
        return {
            "id": project.id,
            "name": project.about.name,
            "files": [_describe_item(project, item) for item in project.items()],
            "reading": self._workers.is_reading(project),
            "marks": project.marks(),
            "runs": [run.describe() for run in runs_of(project)],
        }

    async def _upload(self, request: Request) -> Response:
        """Take in a file, whose name and role are in the address; its bytes go to the disk as they come."""
        project = self._projects.open(request.path_params["project"])
        if request.headers.get("content-type", "") != "application/octet-stream":
            raise ProblemError(415, "the bytes of a file have to come with Content-Type: application/octet-stream")
        role = request.query_params.get("role") or None
        incoming = Incoming(project)
        try:
            parts = aiter(request.stream())
            while (part := await _next_part(parts)) is not None:
                incoming.write(part)
            item = incoming.finish(request.query_params.get("name", ""), msgspec.convert(role, Role | None))
        finally:
            incoming.close()
        self._workers.read(project)
        return Response(msgspec.json.encode(_describe_item(project, item)), 201, None, "application/json")

    def _add_path(self, id: str, request: _Path) -> dict[str, Any]:
        project = self._projects.open(id)
        add_path(project, request.path, request.role)
        self._workers.read(project)
        return self._describe(project)

    def _change(self, id: str, file: str, request: _Changed) -> dict[str, Any]:
        project = self._projects.open(id)
        item = project.item(file)
        if request.role is not None:
            item = msgspec.structs.replace(item, role=request.role, is_given=True)
        if request.encoding is not None:
            item = msgspec.structs.replace(item, encoding=_encoding(request.encoding))
        project.put(item)
        self._workers.read(project)
        return self._describe(project)

    def _drop(self, id: str, file: str) -> dict[str, Any]:
        project = self._projects.open(id)
        project.remove(project.item(file))
        return self._describe(project)

    def _mark(self, id: str, mark: Mark) -> list[Mark]:
        project = self._projects.open(id)
        project.put_mark(mark)
        return project.marks()

    def _ask(self, id: str, question: AskedQuestion) -> dict[str, Any]:
        project = self._projects.open(id)
        settings = complete_settings(question.kind, question.settings)
        return self._workers.ask(project, msgspec.structs.replace(question, settings=settings)).describe()

    def _run(self, project: str, run: str) -> Run:
        for candidate in runs_of(self._projects.open(project)):
            if candidate.id == run:
                return candidate
        raise ProblemError(404, "there is no such run")

    def _answer(self, project: str, run: str) -> Path:
        asked_run = self._run(project, run)
        if asked_run.state != "done":
            raise ProblemError(409, "there is no answer yet")
        return asked_run.answer

    def _show_run(self, project: str, run: str) -> dict[str, Any]:
        asked_run = self._run(project, run)
        downloads = list_downloads(asked_run.answer) if asked_run.state == "done" else []
        return {**asked_run.describe(), "downloads": downloads}

    def _cancel(self, project: str, run: str) -> dict[str, Any]:
        self._workers.cancel(self._run(project, run))
        return {}

    async def _view(self, request: Request) -> Response:
        answer = self._answer(**request.path_params)
        return Response(await self._threads.run(read_view, answer), 200, None, "application/json")

    async def _lines(self, name: str, request: Request) -> Response:
        answer = self._answer(**request.path_params)
        first, count = (int(request.query_params.get(parameter, "0")) for parameter in ("first", "count"))
        return Response(await self._threads.run(read_lines, answer / name, first, count), 200, None, "application/json")

    def _search(self, project: str, run: str, request: SearchRequest) -> Any:
        return search_answer(self._answer(project, run), request, _LIMITS)

    async def _download(self, request: Request) -> Response:
        name = request.path_params["name"]
        answer = self._answer(request.path_params["project"], request.path_params["run"])
        marks = self._projects.open(request.path_params["project"]).marks()
        data, kind = await self._threads.run(open_download, answer, name, marks)
        return _attach(data, name, kind)

    async def _report(self, request: Request) -> Response:
        require_json(request)
        report_request = read_body(await receive_body(request, _LIMITS), AskedReport)
        answer = self._answer(**request.path_params)
        marks = self._projects.open(request.path_params["project"]).marks() if report_request.marks else []
        with tempfile.TemporaryDirectory(prefix="ibidem-app-") as folder:
            report, key = await self._threads.run(make_report, answer, Path(folder), report_request, marks)
        if report_request.key:
            return _attach(key, "key.csv", "text/csv; charset=utf-8")
        return _attach(report, "report.html", "application/octet-stream")

    async def _page(self, request: Request) -> Response:
        name, kind = _PAGE[request.url.path]
        return Response(read_page_file(name), 200, None, kind)


def _cookie_of(request: Request) -> str:
    """The name of the cookie; cookies of one host are sent to all its ports."""
    return f"ibidem-{request.url.port or 80}"


def _describe_project(project: Project) -> dict[str, Any]:
    about = project.about
    return {"id": project.id, "name": about.name, "created": about.created, "files": len(project.shown_items())}


def _describe_item(project: Project, item: Any) -> dict[str, Any]:
    reading: Reading | None = project.reading(item)
    return {
        "id": item.id,
        "name": item.name,
        "role": item.role,
        "size": item.size,
        "named": item.encoding,
        "reading": reading,
    }


async def _next_part(parts: AsyncIterator[bytes]) -> bytes | None:
    """The next bytes of a body, none at its end.

    Raises:
        ProblemError: they do not come.
    """
    try:
        return await asyncio.wait_for(anext(parts, None), _CHUNK_SECONDS)
    except TimeoutError:
        raise ProblemError(408, "the file did not come to its end", connection="close") from None


def _encoding(name: str) -> str | None:
    """An encoding by its name; none for an empty one.

    Raises:
        ProblemError: Python knows none of this name.
    """
    import codecs

    if not name:
        return None
    try:
        return codecs.lookup(name).name
    except LookupError:
        raise ProblemError(422, f"there is no encoding {name!r}; name one such as cp1252") from None


def _attach(data: bytes, name: str, kind: str) -> Response:
    """A file to be saved."""
    return Response(data, 200, {"Content-Disposition": f"attachment; filename*=utf-8''{quote(name)}"}, kind)


def make_secret() -> str:
    """Make a secret that cannot be guessed."""
    return secrets.token_urlsafe(24)
