"""Runs: their states, their ends, and what is left of those that were cancelled."""

import os
import signal
import time
from contextlib import suppress

import pytest

from ibidem.web.problems import ProblemError
from ibidem.web.projects.projects import Project, Projects, write_json
from ibidem.web.projects.questions import AskedQuestion, complete_settings
from ibidem.web.projects.runs import Ask, ProjectProcesses, Run, _wait_for, hold, runs_of

from .conftest import MEMORY, SECONDS, bring
from .samples import FILES, write_words

REUSE = AskedQuestion("reuse", complete_settings("reuse", {}))


def make_run(project: Project, question: AskedQuestion = REUSE) -> Run:
    run = Run(project.runs / "0123456789ab")
    run.folder.mkdir()
    items = [(item.name, item.role, item.key) for item in project.items()]
    write_json(run.folder / "ask.json", Ask(question, items, time.time(), SECONDS, MEMORY))
    return run


def wait_until(run: Run, *states: str) -> None:
    until = time.monotonic() + 240
    while run.state not in states:
        assert time.monotonic() < until
        time.sleep(0.05)


def wait_until_gone(group: int) -> None:
    """Wait until the server has collected the status of a process that was ended, and its group is no more."""
    until = time.monotonic() + 240
    with suppress(ProcessLookupError):
        while time.monotonic() < until:
            os.killpg(group, 0)
            time.sleep(0.05)
        pytest.fail(f"process group {group} is still there")


def test_a_run_is_what_its_folder_says(project: Project) -> None:
    run = make_run(project)
    assert run.state == "waiting"
    lock = hold(run.folder)
    assert (run.state, run.process) == ("running", os.getpid())
    with pytest.raises(ProblemError):
        hold(run.folder)
    lock.close()
    run.fail("no words")
    assert (run.state, run.error) == ("failed", "no words")
    run.answer.mkdir()
    assert run.state == "done"


def test_a_question_is_answered_and_found_by_another_server(projects: Projects) -> None:
    """The first server ends while the process answers; the second waits for the same process."""
    project = projects.create("one")
    bring(project, FILES)
    first = ProjectProcesses(projects, SECONDS, MEMORY)
    run = first.ask(project, REUSE)
    wait_until(run, "running", "done")
    first.close()
    second = ProjectProcesses(projects, SECONDS, MEMORY)
    second.resume()
    wait_until(run, "done", "failed")
    assert (run.state, run.error) == ("done", None)
    second.close()
    _wait_for(run)  # the answer is there before the scratch folder is gone
    assert not (run.folder / "scratch").exists()


def test_a_process_that_was_killed_is_said_and_one_whose_server_was_killed_too_begins_again(projects: Projects) -> None:
    project = projects.create("one")
    bring(project, FILES)
    workers = ProjectProcesses(projects, SECONDS, MEMORY)
    run = workers.ask(project, REUSE)
    wait_until(run, "running", "done")
    assert run.process is not None, "the answer was there before anyone looked"
    os.killpg(run.process, signal.SIGKILL)
    wait_until(run, "failed")
    assert run.error is not None
    assert "SIGKILL" in run.error
    (run.folder / "error.json").unlink()  # as if the server had not lived to write it
    workers.resume()
    wait_until(run, "done", "failed")
    assert run.error is None
    workers.close()


def test_runs_that_are_cancelled_at_any_time_leave_nothing(projects: Projects) -> None:
    project = projects.create("one")
    bring(project, FILES)
    workers = ProjectProcesses(projects, SECONDS, MEMORY)
    for progress in (0, 3, 4, 6, 9):  # files and folders that the run has made
        run = workers.ask(project, REUSE)
        until = time.monotonic() + 240
        while run.state in ("waiting", "running") and len(list(run.folder.rglob("*"))) < progress:
            assert time.monotonic() < until
            time.sleep(0.01)
        process = run.process
        workers.cancel(run)
        assert list(project.runs.iterdir()) == []
        if process is not None:
            wait_until_gone(process)
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
    wait_until(run, "failed", "done")
    assert run.error == "it took longer than a question may take"
    workers.close()
