"""How the tasks of a plan read the input, and what they leave out of it.

A task notes what it leaves out beside its output. The note outlives the output, so every rank that comes to the end of
the plan, also one that had nothing left to do, knows what is not in the result.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ibidem.arguments import OnError
from ibidem.corpus.failures import Failure, Failures, require_on_error
from ibidem.corpus.opening import LARGEST_LINE
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.jobs.plan import Shard
from ibidem.jobs.shards import require_unchanged, sources_of
from ibidem.jobs.stage import stages_of
from ibidem.jobs.workspace import LEFT_OUT_FILE, Workspace


class InputSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How the input of a plan is read; a part of the settings of every plan.

    Attributes:
        text, id: the columns of the input that hold the texts and the ids.
        max_line: bytes that a line of the input, or a file of plain text, has at most.
        encoding: of text files and separated values, if it was named.
        on_error: what becomes of rows and files that cannot be read.
        left_out: files that could not be read when the plan was made.
        passed_over: how many files of folders hold no text, by what they are.
    """

    text: str = "text"
    id: str = "id"
    max_line: int = LARGEST_LINE
    encoding: str | None = None
    on_error: OnError = "stop"
    left_out: tuple[Failure, ...] = ()
    passed_over: dict[str, int] = {}

    @classmethod
    def from_arguments(
        cls, text: str, id: str, max_line: str | int, on_error: OnError, encoding: str | None = None
    ) -> "InputSettings":
        """Those of a call; see ``ibidem.corpus.read``.

        Raises:
            ValueError: an argument is out of its range.
        """
        require_on_error(on_error)
        return cls(**Columns.of(text, id, max_line, encoding)._asdict(), on_error=on_error)

    @property
    def columns(self) -> Columns:
        """How the input is read."""
        return Columns(self.text, self.id, self.max_line, self.encoding)

    def make_failures(self) -> Failures | None:
        """Where to note what is left out, if anything may be."""
        return Failures() if self.on_error == "skip" else None

    def describe(self, failures: Failures | None, passed_over: Mapping[str, int]) -> dict[str, Any]:
        """The settings by name, with the files that could not be read, or hold no text, when the plan was made."""
        input_files = {"left_out": tuple(failures or ()), "passed_over": dict(sorted(passed_over.items()))}
        return msgspec.structs.asdict(self) | input_files


def open_shards(shards: Sequence[Shard], failures: Failures | None, encoding: str | None = None) -> list[Source]:
    """The shards as the readers of collections take them, unchanged since the plan was made.

    ``encoding`` is what the plan names, for those who write rows again.

    Raises:
        CorpusError: one is gone or cannot be read.
        PlanError: one has changed.
    """
    require_unchanged(shards)
    return [each._replace(encoding=encoding) for each in sources_of(shards, failures)]


def write_failures(folder: Path, failures: Failures | None) -> None:
    """Note what a task has left out beside its output in ``folder``."""
    if failures:
        (folder / LEFT_OUT_FILE).write_bytes(msgspec.json.encode(list(failures)))


def read_failures(workspace: Workspace, part: int) -> Failures | None:
    """The rows and files that the task of a part has left out; ``None`` if none may be."""
    if workspace.plan.read_settings(InputSettings).on_error == "stop":
        return None
    return Failures(_read_note(workspace.output(stages_of(workspace)[0].name, part)))


def recall_failures(folder: Path, failures: Failures | None) -> None:
    """Add to ``failures`` what the output in a folder has left out."""
    if failures is not None:
        failures.recall(_read_note(folder))


def _read_note(folder: Path) -> list[Failure]:
    note = folder / LEFT_OUT_FILE
    return msgspec.json.decode(note.read_bytes(), type=list[Failure]) if note.exists() else []


def join_failures(workspace: Workspace) -> Failures | None:
    """The rows and files that all parts have left out, in the order of the input; ``None`` if none may be."""
    settings = workspace.plan.read_settings(InputSettings)
    if settings.on_error == "stop":
        return None
    parts = range(len(workspace.plan.parts))
    return Failures([*settings.left_out, *(each for part in parts for each in read_failures(workspace, part) or ())])
