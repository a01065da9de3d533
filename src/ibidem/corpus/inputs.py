"""The files that a pipeline reads: found once, cut into parts, read part by part, and compared again in the end."""

import os
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import ibidem
from ibidem.corpus.distinct_ids import RepeatedIdError
from ibidem.corpus.failures import Failure, Failures, count_left_out
from ibidem.corpus.faults import fault
from ibidem.corpus.id_register import IdRegister
from ibidem.corpus.listing import list_sides, list_sources
from ibidem.corpus.opening import compression_of, suffix_of
from ibidem.corpus.reading import CountedDocuments
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import LineRange, ReadingProgress, Source, stored_size
from ibidem.remote.storage import is_remote
from ibidem.resources import Resources
from ibidem.store.format import MANIFEST

PART_BYTES = 64 << 20
"""Stored bytes of a part at the least: seconds of work, so that little is lost when the work is interrupted."""

_MANY, _MOST_PART_BYTES = 256, 256 << 20
"""From so many parts on they are larger, up to so many bytes: each task of a step opens what those before it left."""

_OF_LINES = (".jsonl", ".ndjson")
"""Suffixes of files of which each line is a record; one of ``.json`` may be an array."""

_WHITE = b" \t\r\v\f"

_CHUNK = 1 << 22

_LEFT_OUT = "left-out.json"
"""The file beside the output of a task that lists what the task has left out of the input."""

_Path = str | os.PathLike[str]


class InputPart(NamedTuple):
    """Some of the files of an input that one task reads.

    Attributes:
        first: the number of its first source among those of all parts.
        sources: files, and pieces of files, in order.
        skips: whether what cannot be read is left out; if not, it is an error.
        notes: whether to note rows that are left out: those, or rows of repeated ids and null texts.
    """

    first: int
    sources: Sequence[Source]
    columns: Columns
    skips: bool
    notes: bool

    def open(self, resources: Resources, left_out: Failures | None = None) -> CountedDocuments:
        """The documents of the part, in batches.

        Args:
            left_out: where to note what is left out, or what a first reading has left out: these rows are passed over.
        """
        failures = (Failures(skips=self.skips) if left_out is None else left_out) if self.notes else None
        sources = [source._replace(failures=failures) for source in self.sources]
        return CountedDocuments(sources, self.columns, resources.batch_bytes)


class Inputs:
    """The files of a pipeline.

    Attributes:
        paths: those that name the files.
        sources: all files, in order.
        columns: how they are read.
        failures: what is left out, once it is gathered; ``None`` if that would have been an error.
        passed_over: how many files of folders hold no text, by what they are.
    """

    def __init__(
        self,
        paths: _Path | Iterable[_Path],
        columns: Columns,
        *,
        progress: ReadingProgress | None = None,
        failures: Failures | None = None,
        indexes: bool = False,
        found: list[Source] | None = None,
    ) -> None:
        """Find the files that the paths name.

        Args:
            indexes: whether a path may be that of an index.
            failures: collects what is left out because it cannot be read; if not given, that is an error.
            found: the files, if those of several collections were found together.

        Raises:
            CorpusError: a path does not exist.
        """
        self.paths = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
        progress = progress or ReadingProgress()
        if found is None:
            found = list_sources(self.paths, progress, failures, indexes=indexes, choice=columns.choice)
        self.failures = Failures(skips=False) if failures is None and columns.leaves_out else failures
        self._null_rows_kept = 0
        self.sources = [
            source._replace(failures=None, encoding=columns.encoding, delimiter=columns.delimiter) for source in found
        ]
        self.columns, self.passed_over = columns, progress.passed_over
        self._states = self._read_states()

    @classmethod
    def of_sides(
        cls,
        sides: Iterable[Iterable[_Path]],
        columns: Columns,
        *,
        progress: ReadingProgress | None = None,
        failures: Failures | None = None,
        indexes: bool = False,
    ) -> list["Inputs"]:
        """The files of several collections that are compared, whose ids must differ."""
        progress = progress or ReadingProgress()
        path_lists = [list(paths) for paths in sides]
        found = list_sides(path_lists, progress, failures, indexes=indexes, choice=columns.choice)
        return [
            cls(paths, columns, progress=progress, failures=failures, found=sources)
            for paths, sources in zip(path_lists, found, strict=True)
        ]

    def cut(self, part_bytes: int | None = None, whole: Collection[str] = ()) -> list[InputPart]:
        """Cut the input into parts of about so many stored bytes, if given; the same input has the same parts.

        A file of JSON lines that is larger than one part is cut between lines; others are read whole.

        Args:
            whole: the paths of files that are not cut in any case.
        """
        total = sum(stored_size(source) or 0 for source in self.sources)
        most = part_bytes or max(PART_BYTES, min(total // _MANY, _MOST_PART_BYTES))
        pieces = [
            piece
            for source in self.sources
            for piece in ([_Piece(source, 0)] if source.path in whole else _cut_file(source, most))
        ]
        bounds = _bound_parts([piece.size for piece in pieces], most)
        notes = self.failures is not None
        return [
            InputPart(low, [piece.source for piece in pieces[low:high]], self.columns, self._skips, notes)
            for low, high in pairwise(bounds)
        ]

    @property
    def _skips(self) -> bool:
        return self.failures is not None and self.failures.skips

    @property
    def settles_ids(self) -> bool:
        """Whether documents of repeated ids are no error, so that ``settle_ids`` says what becomes of them."""
        return _must_settle(self.columns, skips=self._skips)

    def describe(self) -> dict[str, Any]:
        """All that the documents depend on: the program, the files as they are, and how they are read."""
        return {
            "version": ibidem.__version__,
            "files": [(source.path, source.name, *read_state(source)) for source in self.sources],
            "columns": self.columns,
            "skips": self._skips,
        }

    def require_unchanged(self) -> None:
        """Refuse a result of files that were changed while they were read.

        Raises:
            CorpusError: names the first.
        """
        for path, state in self._read_states().items():
            if state != self._states[path]:
                raise fault(path, "it was changed while it was read: run the command again")

    def gather_failures(self, read: Iterable[Path]) -> None:
        """Take in what the tasks that read the parts have left out, each as it noted that in its folder."""
        if self.failures is not None:
            noted = [failure for folder in read for failure in read_left_out(folder)]
            self.failures.recall([failure for failure in noted if not failure.is_kept])
            self._null_rows_kept = sum(failure.is_kept for failure in noted)

    def count_left_out(self) -> dict[str, Any]:
        """The counts of what is not in the result, as every ``summary.json`` names them."""
        return count_left_out(self.failures) | {"files_passed_over": dict(sorted(self.passed_over.items()))}

    def count_rows_outside(self) -> dict[str, Any]:
        """The counts of the rows that are no documents, for the ``summary.json`` of what writes rows."""
        return {"null_rows_kept": self._null_rows_kept} | self.count_left_out()

    def _read_states(self) -> Mapping[str, tuple[int, int]]:
        """The states of the files that can be read twice, and compared in the end."""
        files = (source for source in self.sources if not (is_remote(source.path) or source.is_pipe))
        return {source.path: read_state(source) for source in files}


def settle_ids(parts: Sequence[InputPart], resources: Resources, taken_ids: Iterable[str] = ()) -> list[InputPart]:
    """The parts of an input, whose tasks know what becomes of documents of repeated ids, or of ``taken_ids``.

    No task sees all ids, so the documents are read once more, unless a repeated id is an error: then the ids that the
    tasks have read are compared, and ``locate_repeats`` says where they are.
    """
    if not parts or not _must_settle(parts[0].columns, skips=parts[0].skips):
        return list(parts)
    register = IdRegister.of(parts[0].columns)
    assert register is not None
    register.add_known(taken_ids)
    _read_all(parts, register, resources)
    return [
        part._replace(sources=[source._replace(ids=register.settle(source)) for source in part.sources])
        for part in parts
    ]


def _must_settle(columns: Columns, *, skips: bool) -> bool:
    return columns.duplicate_ids is not None and (columns.duplicate_ids != "error" or skips)


@contextmanager
def locate_repeats(parts: Sequence[InputPart], resources: Resources) -> Iterator[None]:
    """Name the files and lines of two documents of one id where the error of the block names their numbers alone."""
    try:
        yield
    except RepeatedIdError:
        _read_all(parts, IdRegister("error"), resources)
        raise


def _read_all(parts: Sequence[InputPart], register: IdRegister, resources: Resources) -> None:
    """Register the ids of all documents, in order."""
    for part in parts:
        sources = [source._replace(ids=register, progress=None) for source in part.sources]
        for _ in part._replace(sources=sources).open(resources):
            pass


def read_state(file: Source) -> tuple[int, int]:
    """The size of a file and when it was changed; a pipe and a file at a URL count as always changed."""
    if file.is_pipe or is_remote(file.path):
        return (0, time.time_ns())
    if file.pages:
        states = [read_state(page) for page in file.pages]
        return sum(size for size, _ in states), sum(changed for _, changed in states)
    status = os.stat(os.path.join(file.path, MANIFEST) if file.is_index else file.path)
    return status.st_size, status.st_mtime_ns


def note_left_out(folder: Path, failures: Failures | None) -> None:
    """Note what a task has left out of the input in the folder of its output."""
    if failures:
        (folder / _LEFT_OUT).write_bytes(msgspec.json.encode(list(failures)))


def read_left_out(folder: Path) -> Failures:
    """What a task has left out, as it has noted it."""
    note = folder / _LEFT_OUT
    return Failures(msgspec.json.decode(note.read_bytes(), type=list[Failure]) if note.exists() else [])


class _Piece(NamedTuple):
    source: Source
    size: int


def _cut_file(source: Source, most: int) -> Iterator[_Piece]:
    size = stored_size(source) or 0
    if source.pages or size <= most or suffix_of(source.path) not in _OF_LINES or compression_of(source.path):
        yield _Piece(source, size)
        return
    begin, line, row = 0, 1, 0
    with open(source.path, "rb") as stream:
        while begin < size:
            lines, blank = _pass_lines(stream, most)
            end = stream.tell()
            if end == begin:
                return  # it was cut meanwhile, which is noticed in the end
            yield _Piece(source._replace(piece=LineRange(begin, end, line, row)), end - begin)
            begin, line, row = end, line + lines, row + lines - blank


def _pass_lines(stream: Any, most: int) -> tuple[int, int]:
    """Read ``most`` bytes and the rest of the line in which they end; return how many lines end there, how many blank.

    >>> import io
    >>> _pass_lines(io.BytesIO(b"one\\n\\n \\r\\ntwo\\nthree\\n"), 12)
    (4, 2)
    """
    lines, blank, begun, last = 0, 0, b"", b""
    while most > 0 or last != b"\n":
        chunk = stream.read(min(_CHUNK, most)) if most > 0 else stream.readline(_CHUNK)
        if not chunk:
            break
        ended = (begun + chunk.translate(None, _WHITE)).split(b"\n")
        lines, blank = lines + len(ended) - 1, blank + ended[:-1].count(b"")
        begun, last, most = ended[-1][:1], chunk[-1:], most - len(chunk)
    return lines, blank


def _bound_parts(sizes: Sequence[int], most: int) -> list[int]:
    """Where runs of sources begin of about ``most`` bytes each, and the end of the last one."""
    bounds, size = [0], 0
    for number, each in enumerate(sizes):
        if size and size + each > most:
            bounds.append(number)
            size = 0
        size += each
    return [*bounds, len(sizes)]
