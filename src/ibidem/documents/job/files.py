"""Deduplicating files: kept documents go into files like those that were read, and removed ones are listed.

Everything is written beside the output, in a folder of its name and ``.partial``, and gets its own name at the end.
The data read is kept there until then: if the work is interrupted, the same call resumes from there.

With an index to add to there are two things to change, the index and the output. A note in the folder says that the
addition has begun, the index is changed in one commit, and then the output gets its name. The same call, made again,
sees from the note and the index how far the work came.
"""

import os
import time
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ibidem.arguments import DuplicateIds
from ibidem.corpus.failures import Failures
from ibidem.corpus.opening import LARGEST_LINE
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import ReadingProgress
from ibidem.corpus.writing.output_folder import require_room
from ibidem.documents.choices import Choices
from ibidem.documents.index import DocumentIndex
from ibidem.documents.job.against import hold_index, open_fitting
from ibidem.documents.job.stages import (
    CHOOSE,
    COMPARE,
    READ,
    SUMMARY,
    TEXTS,
    WRITE,
    DedupFileJob,
    has_all_kept,
    read_kept,
)
from ibidem.documents.signatures import Shingler
from ibidem.engine.workplace import hold_workplace, name_aside
from ibidem.jobs.resuming import Resumable, describe_origin
from ibidem.jobs.stage import COMMIT, run_here
from ibidem.jobs.workspace import Memory
from ibidem.options import values_of
from ibidem.resources import Resources
from ibidem.system import disk

_ADDITION = "addition.json"

_READ, _WORK = "read", "work"
"""Folders of the data read, and of the data computed from it."""


class WrittenFiles(NamedTuple):
    """The result of ``deduplicate_files``.

    Attributes:
        summary: what ``summary.json`` holds.
        resumed: whether the input had been read by a call that was interrupted.
        seconds: time taken.
    """

    summary: dict[str, Any]
    resumed: bool
    seconds: float


def deduplicate_files(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    choices: Choices,
    resources: Resources,
    *,
    text: str = "text",
    id: str = "id",
    against: str | os.PathLike[str] | None = None,
    add: bool = False,
    against_only: bool = False,
    max_line: str | int = LARGEST_LINE,
    encoding: str | None = None,
    delimiter: str | None = None,
    include: str | Iterable[str] = (),
    exclude: str | Iterable[str] = (),
    duplicate_ids: DuplicateIds | None = "error",
    progress: ReadingProgress | None = None,
    failures: Failures | None = None,
) -> WrittenFiles:
    """Deduplicate the documents of files into a new folder ``output``.

    It holds ``kept/``, a file of the same name, format, compression and columns for each input; ``removed.jsonl``, the
    removed documents with what they duplicate; ``clusters.csv``; and ``summary.json``.

    Args:
        against: an index of documents; what resembles one of them is removed before the rest is compared.
        add: put what is kept into that index, which is made if there is none.
        against_only: compare documents with that index alone, and not with each other.
        max_line: bytes that a line, or a file of plain text, has at most, such as ``"4G"``.
        encoding: of text files and separated values, as ``ibidem.read`` takes it; tables are kept in UTF-8 then.
        delimiter, include, exclude, duplicate_ids: as ``ibidem.read`` takes them.
        progress: called with the number of bytes in all, and of those that were read.
        failures: collects what is left out because it cannot be read; if not given, that is an error.

    Raises:
        CorpusError: a document cannot be used, an input cannot be read twice or was changed meanwhile, ``output``
            exists, or ``output`` is, contains or lies in an input.
        ConfigurationError: the index was made for other shingles or a higher threshold.
        LockedError: another process writes to this output.
    """
    if against_only and against is None:
        raise ValueError("against_only needs an index to compare with: against")
    started = time.perf_counter()
    output = Path(output)
    columns = Columns.of(text, id, max_line, encoding, delimiter, include, exclude, duplicate_ids)
    job = _DedupOfFiles(paths, output, columns, resources, progress, failures)
    require_room(output, job.sources, job.paths)
    with ExitStack() as stack:
        folder = stack.enter_context(
            hold_workplace(name_aside(output), str(output), lambda place, _: (place / _ADDITION).exists())
        )
        index = None
        if against is not None:
            index = stack.enter_context((hold_index if add else open_fitting)(against, choices))
        job.set_up(choices, folder, index, alone=against_only, adds=add)
        workspace = _compare(job, folder, resources)
        if index is not None and job.generation != index.generation and not has_all_kept(workspace, index):
            # The call was interrupted before it added anything, and another writer came.
            job.generation = index.generation
            workspace = _compare(job, folder, resources)
        run_here([WRITE, COMMIT], workspace, folder / _WORK, resources)
        summary = msgspec.json.decode((output / SUMMARY).read_bytes())
    return WrittenFiles(summary, job.resumed, time.perf_counter() - started)


def _compare(job: "_DedupOfFiles", folder: Path, resources: Resources) -> Memory:
    """Read, compare and choose; if the work is interrupted, the data read stays."""
    workspace, left = Memory(job), Resumable(folder / _READ, job.describe_origin(job.generation).encode())
    left.do_task(workspace, READ, resources)
    job.resumed = bool(left.resumed)
    run_here([TEXTS, COMPARE, CHOOSE], workspace, disk.make_empty(folder / _WORK), resources)
    return workspace


class _Addition(msgspec.Struct, frozen=True):
    """The note that documents are about to be added to the index: what they come from, and the index's generation."""

    origin: str
    generation: int

    @classmethod
    def read(cls, folder: Path) -> "_Addition | None":
        try:
            return msgspec.json.decode((folder / _ADDITION).read_bytes(), type=cls)
        except (FileNotFoundError, msgspec.DecodeError):
            return None

    def write(self, folder: Path) -> None:
        disk.write_file(folder / _ADDITION, msgspec.json.encode(self))
        disk.sync_folder(folder)


class _DedupOfFiles(DedupFileJob):
    """The deduplication of files by one process.

    Attributes:
        generation: that of the index when documents were compared with it.
        resumed: whether the input had been read by a call that was interrupted.
    """

    generation: int | None
    resumed: bool = False

    def set_up(self, choices: Choices, place: Path, index: DocumentIndex | None, *, alone: bool, adds: bool) -> None:
        """Take what is asked for; resume an addition that an interrupted call of the same work began."""
        self.choices, self._place, self._index, self.alone, self.adds = choices, place, index, alone, adds
        self.generation = None if index is None else index.generation
        if adds and index is not None and self.ids is not None and self.ids.policy == "number":
            self.ids.add_known(index.ids())
        addition = _Addition.read(place) if adds else None
        if addition is not None and addition.origin == self.describe_origin(addition.generation):
            self.generation = addition.generation  # what was read and compared is that of the call which added
        else:
            disk.remove(place / _ADDITION)

    def open_index(self) -> DocumentIndex | None:
        """The index that is locked if documents are added to it."""
        return self._index

    def add_kept(self, workspace: Memory, resources: Resources) -> None:
        """Add the kept documents to the index, if that is requested and was not done by a call that was interrupted."""
        index = self._index
        if index is not None and self.adds and not (self.resumed and has_all_kept(workspace, index)):
            _Addition(self.describe_origin(index.generation), index.generation).write(self._place)
            index.add(read_kept(workspace, resources), memory=resources.memory, threads=resources.workers)

    def describe_origin(self, generation: int | None) -> str:
        """All that the digests depend on: the program, the choices, the files as they are, the index's generation."""
        facts = values_of(self.choices) | {"shingle": Shingler(self.choices.shingle).config}
        against = None if self._index is None else (os.path.abspath(self._index.path), generation)
        return describe_origin(self.reading, facts, against, self.alone, self.failures is not None).decode()
