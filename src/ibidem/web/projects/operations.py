"""The operations of ``ibidem app``: projects and their files, questions and their answers."""

import codecs
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Meta

import ibidem
from ibidem.comparison import Comparison
from ibidem.web.indexes.holdings import Holdings
from ibidem.web.indexes.operations import OF_TEXTS
from ibidem.web.indexes.served_index import ServedIndex
from ibidem.web.limits import Limits
from ibidem.web.operations import File, Operation
from ibidem.web.problems import ProblemError
from ibidem.web.projects.processes import ProjectProcesses
from ibidem.web.projects.projects import Incoming, Project, ProjectFile, Projects, Reading, Role
from ibidem.web.projects.questions import QUESTIONS, AskedQuestion, Kind, complete_settings, describe_settings
from ibidem.web.projects.runs import Run, RunInfo, runs_of
from ibidem.web.projects.saving import (
    ProjectRequest,
    ReportRequest,
    RunRequest,
    list_downloads,
    open_download,
    save_report,
)
from ibidem.web.projects.views import read_lines, read_view
from ibidem.web.report.marks import Mark
from ibidem.web.report.view import View
from ibidem.web.requests import Place, Request

_Answer = TypeVar("_Answer")


class Workshop(NamedTuple):
    """What the app has open; ``stop`` ends its server."""

    projects: Projects
    processes: ProjectProcesses
    limits: Limits
    stop: Callable[[], object]


class NoRequest(Request, frozen=True, kw_only=True):
    """Nothing more is asked."""


class NewProject(Request, frozen=True, kw_only=True):
    """A project to be made."""

    name: str


class Upload(ProjectRequest, frozen=True, kw_only=True):
    """A file that is sent, with its name; its role follows from that if none is given."""

    name: str = ""
    role: Role | None = None


class FileRequest(ProjectRequest, frozen=True, kw_only=True):
    """A file of a project."""

    file: str


class ChangedFile(FileRequest, frozen=True, kw_only=True):
    """A file and its new role, or its encoding."""

    role: Role | None = None
    encoding: str | None = None


class NewMark(ProjectRequest, frozen=True, kw_only=True):
    """What a person says of a pair of documents."""

    a: str
    b: str
    mark: Literal["", "to discuss", "looked at", "nothing to discuss", "quotation"] = ""
    note: str = ""


class Question(ProjectRequest, frozen=True, kw_only=True):
    """A question, its settings, and the files by their ids; of an alignment the two in order."""

    kind: Kind
    settings: dict[str, Any] = msgspec.field(default_factory=dict)
    items: list[str] = msgspec.field(default_factory=list)


class LinesRequest(RunRequest, frozen=True, kw_only=True):
    """Some parts of an answer, from ``first`` on."""

    first: Place = 0
    count: Annotated[int, Meta(ge=0, le=1000)] = 1


class DownloadRequest(RunRequest, frozen=True, kw_only=True):
    """A file of an answer."""

    name: str


class ProjectSummary(msgspec.Struct, frozen=True):
    """A project in the list of all."""

    id: str
    name: str
    created: float
    files: int


class ProjectList(msgspec.Struct, frozen=True):
    """All projects, and the questions with the settings that each takes."""

    version: str
    projects: list[ProjectSummary]
    questions: dict[str, dict[str, dict[str, Any]]]


class FileInfo(msgspec.Struct, frozen=True):
    """A file, and what was read of it; ``named`` is an encoding that a person named."""

    id: str
    name: str
    role: Role
    size: int
    named: str | None
    reading: Reading | None


class ProjectInfo(msgspec.Struct, frozen=True):
    """A project; ``reading`` says whether files are being read."""

    id: str
    name: str
    files: list[FileInfo]
    reading: bool
    marks: list[Mark]
    runs: list[RunInfo]


class Done(msgspec.Struct, frozen=True):
    """It was done."""


def _until_removed(work: Callable[..., _Answer]) -> Callable[..., _Answer]:
    """The same work; what another request removes meanwhile is not there."""

    @wraps(work)
    def answer(workshop: Workshop, request: Any) -> _Answer:
        try:
            return work(workshop, request)
        except FileNotFoundError as error:
            raise ProblemError(404, "it was removed meanwhile") from error

    return answer


def list_projects(workshop: Workshop, request: NoRequest) -> ProjectList:
    """All projects."""
    questions = {kind: describe_settings(kind) for kind in QUESTIONS}
    summaries = [
        ProjectSummary(project.id, project.about.name, project.about.created, len(project.shown_items()))
        for project in workshop.projects.list()
    ]
    return ProjectList(ibidem.__version__, summaries, questions)


def quit_app(workshop: Workshop, request: NoRequest) -> Done:
    """End the server; the process of a question continues."""
    workshop.stop()
    return Done()


def create_project(workshop: Workshop, request: NewProject) -> ProjectInfo:
    """Make a project."""
    return _describe(workshop, workshop.projects.create(request.name))


def read_project(workshop: Workshop, request: ProjectRequest) -> ProjectInfo:
    """A project with its files, marks and questions."""
    return _describe(workshop, workshop.projects.open(request.project))


def remove_project(workshop: Workshop, request: ProjectRequest) -> Done:
    """Remove a project with all that it holds."""
    project = workshop.projects.open(request.project)
    for run in runs_of(project):
        workshop.processes.cancel(run)
    workshop.projects.remove(project)
    return Done()


async def upload(workshop: Workshop, request: Upload, parts: AsyncIterator[bytes]) -> FileInfo:
    """Take in a file, whose bytes go to the disk as they come."""
    project = workshop.projects.open(request.project)
    try:
        incoming = Incoming(project)
        try:
            async for part in parts:
                incoming.write(part)
            item = incoming.finish(request.name, request.role)
        finally:
            incoming.close()
    except FileNotFoundError as error:
        raise ProblemError(404, "the project was removed meanwhile", connection="close") from error
    workshop.processes.read(project)
    return _describe_file(project, item)


def change_file(workshop: Workshop, request: ChangedFile) -> ProjectInfo:
    """Give a file another role or encoding."""
    project = workshop.projects.open(request.project)
    item = project.item(request.file)
    if request.role is not None:
        item = msgspec.structs.replace(item, role=request.role, is_given=True)
    if request.encoding is not None:
        item = msgspec.structs.replace(item, encoding=_find_encoding(request.encoding))
    project.put(item)
    workshop.processes.read(project)
    return _describe(workshop, project)


def remove_file(workshop: Workshop, request: FileRequest) -> ProjectInfo:
    """Take a file out of a project; answers that were found with it are found again without it."""
    project = workshop.projects.open(request.project)
    item = project.item(request.file)
    project.remove(item)
    for run in reversed(runs_of(project)):
        if item.name in (name for name, _, _ in run.ask.items):
            question = run.ask.question
            workshop.processes.cancel(run)
            if item.id not in question.items and project.shown_items():
                workshop.processes.ask(project, question)
    return _describe(workshop, project)


def mark(workshop: Workshop, request: NewMark) -> list[Mark]:
    """Say something of a pair of documents."""
    project = workshop.projects.open(request.project)
    project.put_mark(Mark(request.a, request.b, request.mark, request.note))
    return project.marks()


def ask(workshop: Workshop, request: Question) -> RunInfo:
    """Ask a question."""
    project = workshop.projects.open(request.project)
    settings = complete_settings(request.kind, request.settings)
    return workshop.processes.ask(project, AskedQuestion(request.kind, settings, request.items)).describe([])


def read_run(workshop: Workshop, request: RunRequest) -> RunInfo:
    """How far a question is, and what can be saved of its answer."""
    run = _find_run(workshop, request)
    return run.describe(list_downloads(run.answer) if run.state == "done" else [])


def cancel(workshop: Workshop, request: RunRequest) -> Done:
    """End a question, or remove its answer."""
    workshop.processes.cancel(_find_run(workshop, request))
    return Done()


def read_answer(workshop: Workshop, request: RunRequest) -> msgspec.Raw:
    """All that the page shows of an answer but comparisons and texts."""
    return msgspec.Raw(read_view(_find_answer(workshop, request)))


def list_comparisons(workshop: Workshop, request: LinesRequest) -> msgspec.Raw:
    """Passages of an answer word by word."""
    return msgspec.Raw(read_lines(_find_answer(workshop, request) / "comparisons", request.first, request.count))


def list_texts(workshop: Workshop, request: LinesRequest) -> msgspec.Raw:
    """Texts of documents of an answer."""
    return msgspec.Raw(read_lines(_find_answer(workshop, request) / "documents", request.first, request.count))


def download(workshop: Workshop, request: DownloadRequest) -> File:
    """A file of an answer, for other programs."""
    answer = _find_answer(workshop, request)
    return open_download(answer, request.name, workshop.projects.open(request.project).marks())


def report(workshop: Workshop, request: ReportRequest) -> File:
    """A report of an answer as one file, or the key of its numbers."""
    answer = _find_answer(workshop, request)
    marks = workshop.projects.open(request.project).marks() if request.marks else []
    return save_report(answer, request, marks)


def _of_answer(operation: Operation) -> Operation:
    """An operation of texts, asked of the index of an answer."""
    kind = operation.takes
    asked = msgspec.defstruct(
        f"Answer{kind.__name__}",
        [("project", str), ("run", str)],
        bases=(kind,),
        namespace={"__doc__": kind.__doc__},
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )

    def run(workshop: Workshop, request: Any) -> Any:
        index = ServedIndex(_find_answer(workshop, request) / "texts.ibidem")
        try:
            return operation.run(Holdings({index.name: index}, workshop.limits), request)
        finally:
            index.close()

    run.__annotations__ |= {"request": asked, "return": operation.gives}
    path = f"{_RUN}/{operation.name}"
    return Operation("POST", path, f"answer_{operation.name}", operation.summary, run)


def _describe(workshop: Workshop, project: Project) -> ProjectInfo:
    return ProjectInfo(
        project.id,
        project.about.name,
        [_describe_file(project, item) for item in project.items()],
        workshop.processes.is_reading(project),
        project.marks(),
        [run.describe([]) for run in runs_of(project)],
    )


def _describe_file(project: Project, item: ProjectFile) -> FileInfo:
    return FileInfo(item.id, item.name, item.role, item.size, item.encoding, project.reading(item))


def _find_run(workshop: Workshop, request: Any) -> Run:
    for run in runs_of(workshop.projects.open(request.project)):
        if run.id == request.run:
            return run
    raise ProblemError(404, "there is no such run")


def _find_answer(workshop: Workshop, request: Any) -> Path:
    run = _find_run(workshop, request)
    if run.state != "done":
        raise ProblemError(409, "there is no answer yet")
    return run.answer


def _find_encoding(name: str) -> str | None:
    """An encoding by its name; none for an empty one.

    Raises:
        ProblemError: Python knows none of this name.
    """
    if not name:
        return None
    try:
        return codecs.lookup(name).name
    except (LookupError, ValueError):
        raise ProblemError(422, f"there is no encoding {name!r}; name one such as cp1252") from None


_PROJECT = "/v1/projects/{project}"
_FILE = f"{_PROJECT}/files/{{file}}"
_RUN = f"{_PROJECT}/runs/{{run}}"

_DECLARED = (
    Operation("GET", "/v1/projects", "projects", "All projects", list_projects),
    Operation("POST", "/v1/projects", "create_project", "Make a project", create_project),
    Operation("POST", "/v1/quit", "quit", "End the app", quit_app),
    Operation("GET", _PROJECT, "project", "A project", read_project),
    Operation("DELETE", _PROJECT, "remove_project", "Remove a project with all that it holds", remove_project),
    Operation("PUT", _FILE, "change_file", "Give a file another role or encoding", change_file),
    Operation("DELETE", _FILE, "remove_file", "Take a file out of a project", remove_file),
    Operation("PUT", f"{_PROJECT}/marks", "mark", "Say something of a pair of documents", mark),
    Operation("POST", f"{_PROJECT}/runs", "ask", "Ask a question", ask),
    Operation("GET", _RUN, "run", "How far a question is", read_run),
    Operation("DELETE", _RUN, "cancel", "End a question, or remove its answer", cancel),
    Operation("GET", f"{_RUN}/view", "view", "What the page shows of an answer", read_answer, gives_raw=View),
    Operation(
        "GET", f"{_RUN}/comparisons", "comparisons", "Passages of an answer word by word", list_comparisons,
        gives_raw=list[Comparison],
    ),
    Operation("GET", f"{_RUN}/texts", "texts", "Texts of an answer", list_texts, gives_raw=list[str]),
    Operation("GET", f"{_RUN}/files/{{name}}", "download", "A file of an answer", download),
    Operation("POST", f"{_RUN}/report", "report", "A report of an answer", report),
)  # fmt: skip

OPERATIONS = (
    *(replace(operation, run=_until_removed(operation.run)) for operation in _DECLARED),
    Operation(
        "POST", f"{_PROJECT}/files", "upload", "Take in a file", upload, takes_bytes=True,
    ),
    *(_of_answer(operation) for operation in OF_TEXTS),
)  # fmt: skip
