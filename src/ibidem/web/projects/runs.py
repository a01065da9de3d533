"""Runs: a question of a project and its answer, in a folder.

=================  ==========================================================================================
``ask.json``       what was asked, and of which files
``progress.json``  how far the answer is
``error.json``     why there is no answer
``answer``         the answer, whole or not there at all
=================  ==========================================================================================

A run is what its folder says.
"""

import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import msgspec

from ibidem.web.problems import ProblemError
from ibidem.web.projects.projects import NamedFolder, Project, read_json, write_json
from ibidem.web.projects.questions import AskedQuestion

RunState = Literal["waiting", "running", "failed", "done"]


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
