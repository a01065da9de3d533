"""From the paths that a user gives to a stream of batches."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ibidem.corpus.formats import format_of
from ibidem.corpus.opening import LARGEST_LINE
from ibidem.corpus.rows import DEFAULT_ID, Columns, join_small_batches
from ibidem.corpus.sources import Path, ReadingProgress, Source, list_sources

if TYPE_CHECKING:
    from ibidem.text import Documents


def read(
    paths: Path | Iterable[Path],
    *,
    text: str = "text",
    id: str = DEFAULT_ID,
    max_line: str | int = LARGEST_LINE,
    batch_bytes: int = 8 << 20,
    progress: ReadingProgress | None = None,
) -> Iterator["Documents"]:
    """The documents of files, folders, globs, URLs or standard input (``"-"``), in batches of about ``batch_bytes``.

    The order is that of the paths; folders and globs are sorted. Every column but the id and the text goes into the
    metadata. An id is a string or an integer, and not empty. Where no column ``id`` exists, and no other was
    named, the id is ``name:line`` for JSON lines and ``name:row`` for tables, ``name`` being the path as given,
    or relative to the folder given. Whether ids are unique is not checked here.

    That every path exists is checked at once; the rest is read as the batches are asked for.

    Args:
        text: the column that holds the text.
        id: the column that holds the id.
        max_line: bytes that a line, or a file of plain text, has at most, such as ``"4G"``.
        batch_bytes: a batch is closed at this size, so one longer document makes a batch of its own.
        progress: told how many bytes there are and were read.

    Raises:
        CorpusError: the input cannot be used; the message names the file, the line or row, the column and the cause.
        MissingExtraError: a path is a URL and fsspec, or its backend for the scheme, is not installed.
    """
    columns = Columns.of(text, id, max_line)
    if batch_bytes < 1:
        raise ValueError(f"batch_bytes is {batch_bytes}; it must be at least 1")
    return read_sources(list_sources(paths, progress), columns, batch_bytes)


def read_sources(files: list[Source], columns: Columns, batch_bytes: int = 8 << 20) -> Iterator["Documents"]:
    """As ``read``, of files that are known already."""
    return join_small_batches(_batches(files, columns, batch_bytes), batch_bytes)


def _batches(files: list[Source], columns: Columns, batch_bytes: int) -> Iterator["Documents"]:
    for file in files:
        yield from format_of(file).read(file, columns, batch_bytes)
