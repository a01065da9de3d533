"""The processes that read the files of projects and answer their questions.

They end with the server, and the next server begins again what they had not done.
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

from ibidem.system import disk
from ibidem.system.bounds import ran_out_of_time
from ibidem.web.projects.answering import answer_run
from ibidem.web.projects.projects import Project, ProjectFile, Projects, Reading, write_json
from ibidem.web.projects.questions import AskedQuestion
from ibidem.web.projects.reading import SECONDS, read_items
from ibidem.web.projects.runs import Ask, Run, runs_of

_PROCESSES = multiprocessing.get_context("spawn")


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
