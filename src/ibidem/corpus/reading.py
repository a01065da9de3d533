"""From the paths that a user gives to a stream of batches."""

import warnings
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from ibidem.arguments import DuplicateIds, OnError, require_choice
from ibidem.corpus.failures import Failures
from ibidem.corpus.formats import read_source
from ibidem.corpus.id_register import IdRegister
from ibidem.corpus.listing import list_sources
from ibidem.corpus.opening import LARGEST_LINE
from ibidem.corpus.rows import DEFAULT_ID, Columns, join_small_batches
from ibidem.corpus.sources import Path, ReadingProgress, Source

if TYPE_CHECKING:
    from ibidem.text import Documents

_NAMED = 20
"""Faults that a warning names."""


def read(
    paths: Path | Iterable[Path],
    *,
    text: str = "text",
    id: str = DEFAULT_ID,
    max_line: str | int = LARGEST_LINE,
    encoding: str | None = None,
    delimiter: str | None = None,
    include: str | Iterable[str] = (),
    exclude: str | Iterable[str] = (),
    pages: bool = False,
    duplicate_ids: DuplicateIds | None = None,
    batch_bytes: int = 8 << 20,
    progress: ReadingProgress | None = None,
    on_error: OnError = "stop",
    failures: Failures | None = None,
) -> Iterator["Documents"]:
    """The documents of files, folders, globs, URLs or standard input (``"-"``), in batches of about ``batch_bytes``.

    The order is that of the paths; folders and globs are sorted. Every column but the id and the text goes into the
    metadata. An id is a string or an integer, and not empty. Where no column ``id`` exists, and no other was named, the
    id is ``name:row``, rows counted from 0, ``name`` being the path as given, or relative to the folder given; if two
    files had one name, to the folder that holds all that is given. Whether ids are unique is not checked unless
    ``duplicate_ids`` asks for it.

    That every path exists is checked at once; the rest is read as the batches are asked for.

    Args:
        text: the column that holds the text.
        id: the column that holds the id.
        max_line: bytes that a line, or a file of plain text, has at most, such as ``"4G"``.
        encoding: of text files, web pages and separated values, such as ``"cp1252"``; found out if not given.
        delimiter: of separated values, such as ``";"`` or ``"tab"``; found out if not given.
        include, exclude: patterns such as ``"*.txt"`` or ``"letters/*"`` of the files of folders that are read, or are
            not; a file that is named by itself is read whatever they say.
        pages: whether the files of a folder are the pages of one document, in the order of the numbers in their names:
            text, ALTO, PAGE and the like, not tables and archives. Its id is the path of the folder.
        duplicate_ids: what becomes of a document whose id an earlier one has: ``"number"`` puts a number behind its id,
            ``"first"`` leaves it out, ``"error"`` is an error that names both places.
        batch_bytes: a batch is closed at this size, so one longer document makes a batch of its own.
        progress: receives the number of bytes in all, and of those that were read.
        on_error: ``"skip"`` leaves out rows that cannot be read, and files from where they cannot be.
        failures: collects what is left out, as by ``"skip"``; without them one warning says it at the end.

    Raises:
        CorpusError: the input cannot be used, and ``on_error`` is ``"stop"``, or a path does not exist; the message
            names the file, the line or row, the column and the cause.
        MissingExtraError: a path is a URL and fsspec, or its backend for the scheme, is not installed.
    """
    columns = Columns.of(text, id, max_line, encoding, delimiter, include, exclude, duplicate_ids, pages=pages)
    if batch_bytes < 1:
        raise ValueError(f"batch_bytes is {batch_bytes}; it must be at least 1")
    require_choice("on_error", on_error, OnError)
    skips = on_error == "skip" or failures is not None
    collected_failures = Failures() if failures is None else failures
    files = list_sources(paths, progress, collected_failures if skips else None, choice=columns.choice)
    register = IdRegister.of(columns)
    sources = [file._replace(ids=register) for file in files]
    batches = iter(CountedDocuments(sources, columns, batch_bytes))
    return _warn_at_end(batches, collected_failures) if skips and failures is None else batches


def _warn_at_end(batches: Iterator["Documents"], failures: Failures) -> Iterator["Documents"]:
    yield from batches
    if failures:
        causes = "; ".join(failure.message for failure in islice(failures, _NAMED))
        others = f"; and {len(failures) - _NAMED} more" if len(failures) > _NAMED else ""
        warnings.warn(f"left out of the input: {causes}{others}", stacklevel=2)


class CountedDocuments:
    """The documents of files that are known already, as ``read`` gives them, and how many each file had.

    Attributes:
        counts: documents of each file that was read to its end.
    """

    def __init__(self, files: list[Source], columns: Columns, batch_bytes: int = 8 << 20) -> None:
        self.files, self.columns, self.batch_bytes = files, columns, batch_bytes
        self.counts: list[int] = []

    def __iter__(self) -> Iterator["Documents"]:
        self.counts = []
        return join_small_batches(self._batches(), self.batch_bytes)

    def _batches(self) -> Iterator["Documents"]:
        for file in self.files:
            count = 0
            for batch in read_source(file, self.columns, self.batch_bytes):
                count += len(batch.ids)
                yield batch
            self.counts.append(count)
