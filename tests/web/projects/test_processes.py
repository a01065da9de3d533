"""Processes: how they end, and what is left of runs that were cancelled."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ibidem.web.projects.processes import ProjectProcesses
from ibidem.web.projects.projects import Projects
from ibidem.web.projects.questions import AskedQuestion, complete_settings
from ibidem.web.projects.runs import Run, runs_of

from .conftest import MEMORY, SECONDS, bring
from .samples import FILES, write_words

REUSE = AskedQuestion("reuse", complete_settings("reuse", {}))


def wait_until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 240
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)


def wait_for_end(run: Run) -> None:
    wait_until(lambda: run.state in ("done", "failed"))


def test_a_question_whose_server_ended_is_answered_by_the_next(projects: Projects) -> None:
    project = projects.create("one")
    bring(project, FILES)
    first = ProjectProcesses(projects, SECONDS, MEMORY)
    run = first.ask(project, REUSE)
    wait_until(lambda: run.state != "waiting")
    first.close()
    assert run.error is None
    second = ProjectProcesses(projects, SECONDS, MEMORY)
    second.resume()
    wait_for_end(run)
    second.close()
    assert (run.state, run.error) == ("done", None)


def test_a_process_that_was_killed_is_said(projects: Projects) -> None:
    project = projects.create("one")
    bring(project, FILES)
    workers = ProjectProcesses(projects, SECONDS, MEMORY)
    run = workers.ask(project, REUSE)
    wait_until(lambda: run.state != "waiting")
    assert workers._answered is not None, "the answer was there before anyone looked"
    workers._answered[1].kill()
    wait_for_end(run)
    workers.close()
    assert run.error is not None
    assert "SIGKILL" in run.error


def test_runs_that_are_cancelled_at_any_time_leave_nothing(projects: Projects) -> None:
    project = projects.create("one")
    bring(project, FILES)
    workers = ProjectProcesses(projects, SECONDS, MEMORY)
    for progress in (0, 3, 4, 6, 9):  # files and folders that the run has made
        run = workers.ask(project, REUSE)
        wait_until(lambda: run.state == "done" or len(list(run.folder.rglob("*"))) >= progress)  # noqa: B023
        workers.cancel(run)
        assert list(project.runs.iterdir()) == []
    workers.close()
    assert runs_of(project) == []


def test_what_a_kill_left_of_a_run_is_removed(projects: Projects) -> None:
    project = projects.create("one")
    (project.runs / ".0123456789ab").mkdir()
    workers = ProjectProcesses(projects, SECONDS, MEMORY)
    workers.resume()
    workers.close()
    assert list(project.runs.iterdir()) == []


def test_a_run_that_takes_too_long_is_ended(projects: Projects) -> None:
    project = projects.create("one")
    bring(project, {f"{number}.txt": write_words(number, 500_000).encode() for number in range(4)})
    workers = ProjectProcesses(projects, 1, MEMORY)
    run = workers.ask(project, REUSE)
    wait_for_end(run)
    workers.close()
    assert run.error == "it took longer than a question may take"


@pytest.mark.parametrize(
    ("end", "why"),
    [("os.kill(os.getpid(), signal.SIGALRM)", "takes more than 120 s"), ("os._exit(1)", "more memory than a file may")],
)
def test_a_file_that_ends_its_process_is_left_out_and_the_others_are_read(
    projects: Projects, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str, why: str
) -> None:
    """The process that reads is made to end at one file, by a module that it finds before the others."""
    (tmp_path / "deadly.py").write_text(
        "import os, signal\n"
        "from ibidem.web.projects import reading\n"
        "read = reading.read_item\n"
        "def read_item(project, item):\n"
        f"    if item.name == 'a.txt': {end}\n"
        "    read(project, item)\n"
        "def read_items(requests):\n"
        "    reading.read_item = read_item\n"
        "    reading.read_items(requests)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    import deadly  # type: ignore[import-not-found]

    monkeypatch.setattr("ibidem.web.projects.processes.read_items", deadly.read_items)
    project = projects.create("one")
    for name in ("a.txt", "b.txt"):
        project.add(name, [name.encode() + b" words"])
    workers = ProjectProcesses(projects, SECONDS, MEMORY)
    workers.read(project)
    wait_until(lambda: not workers.is_reading(project))
    workers.close()
    a, b = (project.reading(item) for item in project.items())
    assert a is not None
    assert why in a.problem
    assert b is not None
    assert b.words == 3
