"""A file to be read, or a piece of one, and how far the reading of files is."""

import os
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, NamedTuple, Protocol

from ibidem.corpus.failures import Failures
from ibidem.remote.storage import is_remote

if TYPE_CHECKING:
    from ibidem.text import Documents

STANDARD_INPUT = "standard input"

Path = str | os.PathLike[str]


class LineRange(NamedTuple):
    """A part of a file of lines: bytes ``begin`` to ``end``, whole lines; the first of them has the number ``line``.

    ``row`` is how many of the lines before are not blank.
    """

    begin: int
    end: int
    line: int
    row: int


class ReadingProgress:
    """Counts the stored bytes of files that are read one after another.

    Attributes:
        total: bytes of all files; ``None`` until they are known, and if one of them is a pipe or a URL.
        passed_over: how many files of folders hold no text, by what they are.
    """

    def __init__(self) -> None:
        self.total: int | None = None
        self.passed_over: Counter[str] = Counter()
        self._unknown = False
        self._read = self._begin = 0
        self._open: IO[bytes] | None = None

    def __reduce__(self) -> tuple[type["ReadingProgress"], tuple[()]]:
        """A copy in another process counts for itself."""
        return ReadingProgress, ()

    def expect(self, sizes: Sequence[int | None]) -> None:
        """Learn how many bytes each of some more files has; ``None`` for one of which that is not known."""
        self._unknown |= None in sizes
        size_known = sum(size for size in sizes if size is not None)
        self.total = None if self._unknown else (self.total or 0) + size_known

    @contextmanager
    def follow(self, stream: IO[bytes], piece: LineRange | None = None) -> Iterator[None]:
        """Count what is read of a file, or of a piece of it, while it is open, and all of it afterwards."""
        begin, end = (0, os.fstat(stream.fileno()).st_size) if piece is None else piece[:2]
        self._open, self._begin = stream, begin
        try:
            yield
        finally:
            self._open = None
            self._read += end - begin

    def done(self) -> int:
        """Bytes that were read."""
        # A decompressor closes the file that it has read to its end.
        if self._open is None or self._open.closed:
            return self._read
        return self._read + max(0, self._open.tell() - self._begin)


class IdFilter(Protocol):
    """Sees to it that no two documents of a run have one id: see ``ibidem.corpus.id_register``."""

    def filter(self, source: "Source", batches: "Iterable[Documents]") -> "Iterator[Documents]":
        """The documents of a source under distinct ids."""


class Source(NamedTuple):
    """One file to be read, or a piece of one.

    ``path`` opens it and is in errors; ``name`` is in ids: the path as given, or relative to the folder given.
    ``progress`` receives how far the reading is, ``failures`` what is left out; ``ids`` see to it that no two documents
    have one id.
    ``encoding`` and ``delimiter`` are those of its text, if they were named, for those who write the rows of a table
    again: in UTF-8.
    Once ``stopped`` is set, reading a file of this machine raises ``concurrent.futures.CancelledError``.
    ``is_index`` says that it is the folder of an index, whose documents are read.
    ``pages`` are the files of a folder that are one document, in order; ``path`` is the folder.
    """

    path: str
    name: str
    is_pipe: bool = False
    progress: ReadingProgress | None = None
    piece: LineRange | None = None
    stopped: threading.Event | None = None
    failures: Failures | None = None
    encoding: str | None = None
    delimiter: str | None = None
    is_index: bool = False
    ids: IdFilter | None = None
    pages: tuple["Source", ...] = ()

    @property
    def skips(self) -> bool:
        """Whether what cannot be read is left out; if not, it is an error."""
        return self.failures is not None and self.failures.skips

    @property
    def begin(self) -> int:
        """The byte at which what is read of the file begins."""
        return self.piece.begin if self.piece else 0

    @property
    def lines_before(self) -> int:
        """Lines of the file before the piece that is read."""
        return self.piece.line - 1 if self.piece else 0

    @property
    def rows_before(self) -> int:
        """Lines before the piece that are not blank."""
        return self.piece.row if self.piece else 0


def stored_size(source: Source) -> int | None:
    """Bytes of a file as it is stored; ``None`` for a pipe, a URL, an index, and what has no readable state."""
    if source.is_pipe or source.is_index or is_remote(source.path):
        return None
    if source.pages:
        sizes = [stored_size(page) for page in source.pages]
        return None if None in sizes else sum(size or 0 for size in sizes)
    try:
        return os.stat(source.path).st_size
    except OSError:
        return None  # reading says what is wrong with it
