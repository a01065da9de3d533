"""Runs: a question of a project and its answer in a folder, and the processes that read files and answer questions.

=================  ==========================================================================================
``ask.json``       what was asked, and of which files
``progress.json``  how far the answer is
``error.json``     why there is no answer
``answer``         the answer, whole or not there at all
=================  ==========================================================================================

A run is what its folder says. Its process ends with the server, and the next server begins the answer again.
"""

import multiprocessing
import secrets
import signal
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, Literal

import msgspec

from ibidem.system import disk
from ibidem.system.bounds import ran_out_of_time
from ibidem.web.problems import ProblemError
from ibidem.web.projects.projects import NamedFolder, Project, ProjectFile, Projects, Reading, read_json, write_json
from ibidem.web.projects.questions import AskedQuestion
from ibidem.web.projects.reading import SECONDS, read_items

RunState = Literal["waiting", "running", "failed", "done"]

_PROCESSES = multiprocessing.get_context("spawn")


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


class Run(NamedFolder):
    """A run, by its folder."""

    @property
    def answer(self) -> Path:
        """The folder of the answer."""
        return self.folder / "answer"

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
        return "running" if (self.folder / "progress.json").exists() else "waiting"

    def fail(self, why: str) -> None:
        """Record why there is no answer."""
        with suppress(FileNotFoundError):
            write_json(self.folder / "error.json", why)

    def describe(self, downloads: list[str]) -> RunInfo:
        """Describe the run for the page; ``downloads`` are what can be saved of its answer."""
        ask = self.ask
        progress = read_json(self.folder / "progress.json", Progress) or Progress()
        seconds = time.time() - (progress.steps[0][1] if progress.steps else ask.asked)
        question, files = ask.question, len(ask.items)
        return RunInfo(
            self.id, question.kind, question.settings, files, ask.asked, self.state, self.error, progress, seconds,
            downloads,
        )  # fmt: skip


def runs_of(project: Project) -> list[Run]:
    """The runs of a project, the last first."""
    runs = [Run(run) for run in project.runs.iterdir() if not run.name.startswith(".")]
    return sorted((run for run in runs if (run.folder / "ask.json").exists()), key=lambda run: -run.ask.asked)


class ProjectProcesses:
    """Has a process that reads files, one after another, and one for the question whose turn it is."""

    def __init__(self, projects: Projects, seconds: int, memory: int) -> None:
        self._projects, self._seconds, self._memory = projects, seconds, memory
        self._answering, self._reading = (ThreadPoolExecutor(1, f"ibidem-{name}") for name in ("runs", "files"))
        self._changing = threading.Lock()
        self._answered: tuple[Run, SpawnProcess] | None = None
        self._reader: tuple[SpawnProcess, Connection] | None = None
        self._unread: Counter[Path] = Counter()
        self._closed = False

    def resume(self) -> None:
        """Do what an earlier server left: unread files, unanswered runs, folders to be removed."""
        for project in self._projects.list():
            project.remove_partial()
            for path in project.runs.glob(".*"):
                disk.remove_tree(path)
            self.read(project)
            for run in reversed(runs_of(project)):
                if run.state in ("waiting", "running"):
                    disk.remove(run.folder / "progress.json")
                    self._answering.submit(self._answer, run)

    def close(self) -> None:
        """End all processes."""
        with self._changing:
            self._closed = True
            if self._answered is not None:
                self._answered[1].kill()
            if self._reader is not None:
                self._reader[0].kill()
        for pool in (self._answering, self._reading):
            pool.shutdown(cancel_futures=True)

    def read(self, project: Project) -> None:
        """Start reading the files of a project that were not read."""
        with self._changing:
            self._unread[project.folder] += 1
        self._reading.submit(self._read, project)

    def is_reading(self, project: Project) -> bool:
        """Whether files of a project are being read."""
        return self._unread[project.folder] > 0

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
        self._answering.submit(self._answer, run)
        return run

    def cancel(self, run: Run) -> None:
        """End a run and remove all of it."""
        aside = run.folder.with_name(f".{run.id}")
        with self._changing:
            with suppress(FileNotFoundError):
                disk.rename(run.folder, aside)
            process = None if self._answered is None or self._answered[0].folder != run.folder else self._answered[1]
        if process is not None:
            process.kill()
            process.join()
        if aside.exists():
            disk.remove_tree(aside)

    def _answer(self, run: Run) -> None:
        """Have a run answered, and wait until its process has ended."""
        from ibidem.web.projects.answering import answer_run

        process = _PROCESSES.Process(target=answer_run, args=(run.folder,), daemon=True)
        with self._changing:
            if self._closed or not run.folder.exists():
                return
            process.start()
            self._answered = run, process
        process.join()
        with self._changing:
            self._answered = None
            if process.exitcode and not self._closed:
                run.fail(_describe_end(process.exitcode))

    def _read(self, project: Project) -> None:
        while (item := next(project.unread(), None)) is not None and not self._closed:
            try:
                self._read_file(project, item)
            except OSError:  # the project was removed
                break
        with self._changing:
            self._unread[project.folder] -= 1

    def _read_file(self, project: Project, item: ProjectFile) -> None:
        """Have a file read; one that ends the process is left out."""
        with self._changing:
            if self._reader is None:
                here, there = _PROCESSES.Pipe()
                process = _PROCESSES.Process(target=read_items, args=(there,), daemon=True)
                process.start()
                there.close()
                self._reader = process, here
            process, here = self._reader
        try:
            here.send((project.folder, item))
            here.recv()
        except (EOFError, ConnectionError):
            process.join()
            self._reader = None
            if not self._closed:
                late = f"reading it takes more than {SECONDS} s"
                why = (
                    late
                    if ran_out_of_time(process.exitcode)
                    else "damaged, or it takes more memory than a file may take"
                )
                write_json(project.reading_path(item.key, ".json"), Reading("left out", why))


def _describe_end(status: int) -> str:
    if ran_out_of_time(status):
        return "it took longer than a question may take"
    if status < 0:
        return f"its process was ended ({signal.Signals(-status).name}): it may have needed more memory than there is"
    return "its process ended without an answer"
