"""Runs: a question of a project, the process that answers it, and the answer, in a folder.

=================  ==========================================================================================
``ask.json``       what was asked, and of which files
``lock``           is held by the process that answers, and names it: the system lets go of it however it ends
``progress.json``  how far it is
``error.json``     why there is no answer
``answer``         the answer, whole or not there at all
=================  ==========================================================================================

A run is what its folder says, so it is found again by whoever looks: after the tab was closed, and by another server.
"""

import os
import secrets
import signal
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Literal

import msgspec

from ibidem.system import disk
from ibidem.system.bounds import ran_out_of_time
from ibidem.system.locks import lock as take
from ibidem.system.processes import end_session, start_session
from ibidem.web.problems import ProblemError
from ibidem.web.projects.projects import NamedFolder, Project, Projects, read_json, take_lock, write_json
from ibidem.web.projects.questions import AskedQuestion
from ibidem.web.projects.reading import blame

RunState = Literal["waiting", "running", "failed", "done"]

ANSWER = "answer"

_MOST_TRIES = 3


class Ask(msgspec.Struct, frozen=True):
    """The question of a run.

    Attributes:
        question: with all settings.
        items: the files that it reads, as they were: name, role and key of the reading.
        asked: when.
        seconds, memory: the bounds of its process.
    """

    question: AskedQuestion
    items: list[tuple[str, str, str]]
    asked: float
    seconds: int
    memory: int


class Progress(msgspec.Struct, frozen=True):
    """The progress of a process: the steps that it has begun and when, and how much of the last one is done."""

    steps: list[tuple[str, float]] = []
    done: int = 0
    total: int | None = None


class Run(NamedFolder):
    """A run, by its folder."""

    @property
    def answer(self) -> Path:
        """The folder of the answer."""
        return self.folder / ANSWER

    @property
    def ask(self) -> Ask:
        """The question and its bounds.

        Raises:
            ProblemError: the run is gone.
        """
        ask = read_json(self.folder / "ask.json", Ask)
        if ask is None:
            raise ProblemError(404, "there is no such run")
        return ask

    @property
    def error(self) -> str | None:
        """Why there is no answer."""
        return read_json(self.folder / "error.json", str)

    @property
    def state(self) -> RunState:
        """The state of the run."""
        if self.answer.is_dir():
            return "done"
        if self.error is not None:
            return "failed"
        return "running" if self.process is not None else "waiting"

    @property
    def process(self) -> int | None:
        """The process that answers, if one does."""
        with suppress(OSError, ValueError), (self.folder / "lock").open("r") as lock:
            try:
                take(lock, shared=True, wait=False)
            except BlockingIOError:
                return int(lock.read() or "0") or None
        return None

    def fail(self, why: str) -> None:
        """Record why there is no answer."""
        with suppress(FileNotFoundError):
            write_json(self.folder / "error.json", why)

    def describe(self, downloads: list[str]) -> "RunInfo":
        """Describe the run for the page; ``downloads`` are what can be saved of its answer."""
        ask = self.ask
        progress = read_json(self.folder / "progress.json", Progress) or Progress()
        seconds = time.time() - (progress.steps[0][1] if progress.steps else ask.asked)
        question, files = ask.question, len(ask.items)
        return RunInfo(
            self.id, question.kind, question.settings, files, ask.asked, self.state, self.error, progress, seconds,
            downloads,
        )  # fmt: skip


class RunInfo(msgspec.Struct, frozen=True):
    """A question as the page shows it: how far it is, why it has no answer, and what can be saved of its answer."""

    id: str
    kind: str
    settings: dict[str, Any]
    files: int
    asked: float
    state: RunState
    error: str | None
    progress: Progress
    seconds: float
    downloads: list[str]


def hold(folder: Path) -> IO[str]:
    """Hold the lock of a run, for as long as the process lives.

    Raises:
        ProblemError: another process does.
    """
    lock = take_lock(folder / "lock")
    if lock is None:
        raise ProblemError(409, "another process answers this question")
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock


def runs_of(project: Project) -> list[Run]:
    """The runs of a project, the last first."""
    runs = [Run(run) for run in project.runs.iterdir() if not run.name.startswith(".")]
    return sorted((run for run in runs if (run.folder / "ask.json").exists()), key=lambda run: -run.ask.asked)


class ProjectProcesses:
    """Starts the processes of projects: one that reads files for each project, and one run at a time."""

    def __init__(self, projects: Projects, seconds: int, memory: int) -> None:
        self._projects, self._seconds, self._memory = projects, seconds, memory
        self._changed = threading.Condition()
        self._readers: dict[Path, subprocess.Popen[bytes]] = {}
        self._waiting: list[Run] = []
        self._closed = False
        threading.Thread(target=self._answer_all, name="ibidem-runs", daemon=True).start()

    def resume(self) -> None:
        """Resume what an earlier server left: unread files, unanswered runs, folders to be removed."""
        for project in self._projects.list():
            project.remove_partial()
            for path in project.runs.glob(".*"):
                disk.remove_tree(path)
            if next(project.unread(), None) is not None:
                self.read(project)
            for run in reversed(runs_of(project)):
                if run.state in ("waiting", "running"):
                    self._put(run)

    def close(self) -> None:
        """Start no more processes; those that run continue."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def read(self, project: Project) -> None:
        """Start reading the files of a project, unless that is running already."""
        with self._changed:
            if project.folder in self._readers:
                return
            self._readers[project.folder] = self._start_reader(project)
        threading.Thread(target=self._watch_reader, args=(project,), name="ibidem-reader", daemon=True).start()

    def ask(self, project: Project, question: AskedQuestion) -> Run:
        """Create the run of a question, and queue it."""
        files = [project.item(id) for id in question.items] if question.items else project.shown_items()
        items = [(item.name, item.role, item.key) for item in files if item.role != "metadata"]
        tables = [(item.name, item.role, item.key) for item in project.items() if item.role == "metadata"]
        aside = project.runs / f".{secrets.token_hex(6)}"
        aside.mkdir()
        ask = Ask(question, [*items, *tables], time.time(), self._seconds, self._memory)
        write_json(aside / "ask.json", ask)
        run = Run(project.runs / secrets.token_hex(6))
        disk.rename(aside, run.folder)
        self._put(run)
        return run

    def cancel(self, run: Run) -> None:
        """End a run and remove all of it."""
        with self._changed:
            self._waiting = [other for other in self._waiting if other.folder != run.folder]
        aside = run.folder.with_name(f".{run.id}")
        process = run.process
        with suppress(FileNotFoundError):
            disk.rename(run.folder, aside)
        if process is not None:
            end_session(process)
            _wait_for(Run(aside))
        for _ in range(3):  # its last file may come while it ends
            with suppress(OSError):
                disk.remove_tree(aside)
                return

    def _put(self, run: Run) -> None:
        with self._changed:
            self._waiting.append(run)
            self._changed.notify_all()

    def _answer_all(self) -> None:
        while True:
            with self._changed:
                while not self._waiting and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                run = self._waiting.pop(0)
            self._answer(run)

    def _answer(self, run: Run) -> None:
        """Wait until a run has ended, which may have been begun by another server."""
        for _ in range(_MOST_TRIES):
            if run.process is not None:
                _wait_for(run)
            if run.state != "waiting" or self._closed:
                return
            try:
                process = _start("ibidem.web.projects.answering", run.folder, run.folder / "log")
            except FileNotFoundError:
                return  # it was cancelled
            status = process.wait()
            if run.state == "waiting" and status != 0:
                run.fail(_describe_end(status))

    def _start_reader(self, project: Project) -> "subprocess.Popen[bytes]":
        return _start("ibidem.web.projects.reading", project.folder, project.folder / "readings" / ".log")

    def _watch_reader(self, project: Project) -> None:
        """Wait for the process that reads; start it again as long as there is something that it can read."""
        while True:
            status = self._readers[project.folder].wait()
            with self._changed:
                is_gone = not project.exists()
                is_done = is_gone or self._closed or next(project.unread(), None) is None
                if is_done or (status != 0 and not blame(project, status)):
                    del self._readers[project.folder]
                    return
                self._readers[project.folder] = self._start_reader(project)

    def is_reading(self, project: Project) -> bool:
        """Whether files of a project are being read."""
        return project.folder in self._readers


def _start(module: str, folder: Path, log: Path) -> "subprocess.Popen[bytes]":
    """Start a process in a session of its own, so that it continues when the server ends."""
    with log.open("ab") as out:
        return start_session(["-m", module, str(folder)], out)


def _wait_for(run: Run) -> None:
    """Return when no process answers a run."""
    with suppress(FileNotFoundError), (run.folder / "lock").open("r") as lock:
        take(lock, shared=True)


def _describe_end(status: int) -> str:
    if ran_out_of_time(status):
        return "it took longer than a question may take"
    if status < 0:
        return f"its process was ended ({signal.Signals(-status).name}): it may have needed more memory than there is"
    return "its process ended without an answer; the log has more"
