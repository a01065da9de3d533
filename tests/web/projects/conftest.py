"""A project of a class, what was answered about it, and a server that has it open."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from ibidem.web.projects.answering import answer
from ibidem.web.projects.processes import ProjectProcesses
from ibidem.web.projects.projects import Project, Projects
from ibidem.web.projects.questions import AskedQuestion, complete_settings
from ibidem.web.projects.reading import read_item
from ibidem.web.projects.runs import Ask, Run
from ibidem.web.projects.server import make_app

from ..conftest import running
from .samples import AUTHORS, FILES

SECRET = "only the owner knows it"
SECONDS, MEMORY = 300, 1 << 29


def bring(project: Project, files: dict[str, bytes]) -> None:
    """Take files in, and read them in this process."""
    for name, data in files.items():
        project.add(name, [data])
    read_all(project)


def read_all(project: Project) -> None:
    """Read all files that were not read, and those that come out of them, in this process."""
    while (item := next(project.unread(), None)) is not None:
        read_item(project, item)


def answer_here(project: Project, kind: Any, items: list[str] | None = None, **settings: Any) -> Run:
    """The run that answers a question, in this process."""
    chosen = [project.item(id) for id in items] if items else project.items()
    question = AskedQuestion(kind, complete_settings(kind, settings))
    ask = Ask(question, [(each.name, each.role, each.key) for each in chosen], time.time(), SECONDS, MEMORY)
    run = Run(project.runs / f"{len(list(project.runs.iterdir())):012x}")
    (run.folder / "scratch").mkdir(parents=True)
    from ibidem.web.projects.projects import write_json

    write_json(run.folder / "ask.json", ask)
    answer(run, ask, run.folder / "scratch")
    return run


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty project."""
    return Projects(tmp_path / "projects").create("Class 9b")


@pytest.fixture(scope="session")
def school(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project of a class whose files were read."""
    project = Projects(tmp_path_factory.mktemp("app") / "projects").create("Class 9b")
    bring(project, FILES | {"class/authors.csv": AUTHORS.encode()})
    return project


@pytest.fixture(scope="session")
def answered(school: Project) -> Run:
    """Which texts share passages."""
    return answer_here(school, "reuse")


@pytest.fixture
def projects(tmp_path: Path) -> Projects:
    """A folder of projects."""
    return Projects(tmp_path / "projects")


@pytest.fixture
def workers(projects: Projects) -> Iterator[ProjectProcesses]:
    """What starts processes for them."""
    started = ProjectProcesses(projects, SECONDS, MEMORY)
    yield started
    started.close()


@pytest.fixture
def address(projects: Projects, workers: ProjectProcesses) -> Iterator[str]:
    """A server of these projects."""
    with running(make_app(projects, workers, SECRET)) as started:
        yield started


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    """Who has the secret."""
    with httpx.Client(base_url=address, timeout=240, follow_redirects=True) as opened:
        assert opened.get("/", params={"key": SECRET}).status_code == 200
        yield opened


def wait_for(client: httpx.Client, path: str, done: Any, seconds: float = 240) -> Any:
    """What an address says once ``done`` holds of it."""
    until = time.monotonic() + seconds
    while not done(held := client.get(path).json()):
        assert time.monotonic() < until, held
        time.sleep(0.1)
    return held


@pytest.fixture(scope="session")
def answers(school: Project, answered: Run) -> Iterator[str]:
    """The address of a server of the school, without its secret, and of its answered question."""
    projects = Projects(school.folder.parent)
    workers = ProjectProcesses(projects, SECONDS, MEMORY)
    with running(make_app(projects, workers, SECRET)) as address:
        yield f"{address}/#p={school.id}&run={answered.id}"
    workers.close()
