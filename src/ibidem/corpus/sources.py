"""From what a user names (files, folders, globs, a pipe, URLs) to the files to be read, in a fixed order.

A file may know a :class:`ReadingProgress`, to which the bytes read are reported.
"""

import glob
import os
import stat
import threading
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from typing import IO, NamedTuple

from ibidem.corpus.compression import COMPRESSIONS
from ibidem.corpus.failures import Failures
from ibidem.corpus.faults import fault, system_cause
from ibidem.corpus.readers.registry import HEAD, NOT_TEXT, describe_passed_over, find_no_text
from ibidem.counts import format_count
from ibidem.errors import CorpusError, IbidemError, StoreError
from ibidem.remote.storage import is_remote, list_files

STANDARD_INPUT = "standard input"

TABLES = (".jsonl", ".ndjson", ".json", ".parquet", ".pq", ".arrow", ".feather", ".ipc", ".csv", ".tsv", ".tab")
"""Suffixes of files whose rows are documents: they are tables whatever their bytes look like."""

Path = str | os.PathLike[str]


class LineRange(NamedTuple):
    """A part of a file of lines: bytes ``begin`` to ``end``, whole lines; the first of them has the number ``line``."""

    begin: int
    end: int
    line: int


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


class Source(NamedTuple):
    """One file to be read, or a piece of one.

    ``path`` opens it and is in errors; ``name`` is in ids: the path as given, or relative to the folder given.
    ``progress`` receives how far the reading is, ``failures`` what is left out; without the latter a fault ends it.
    ``encoding`` and ``delimiter`` are those of its text, if they were named, for those who write the rows of a table
    again: in UTF-8.
    Once ``stopped`` is set, reading a file of this machine raises ``concurrent.futures.CancelledError``.
    ``is_index`` says that it is the folder of an index, whose documents are read.
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

    @property
    def begin(self) -> int:
        """The byte at which what is read of the file begins."""
        return self.piece.begin if self.piece else 0

    @property
    def lines_before(self) -> int:
        """Lines of the file before the piece that is read."""
        return self.piece.line - 1 if self.piece else 0


def stored_size(source: Source) -> int | None:
    """Bytes of a file as it is stored; ``None`` for a pipe, a URL, an index, and what has no readable state."""
    if source.is_pipe or source.is_index or is_remote(source.path):
        return None
    try:
        return os.stat(source.path).st_size
    except OSError:
        return None  # reading says what is wrong with it


def list_sources(
    paths: Path | Iterable[Path],
    progress: ReadingProgress | None = None,
    failures: Failures | None = None,
    *,
    indexes: bool = False,
) -> list[Source]:
    """Every file that the paths name: paths in the order given, folders and globs in sorted order.

    ``progress`` receives how many bytes there are and how many are read, and which files of folders are skipped;
    ``failures`` what is left out. With ``indexes``, a path may be that of an index.

    Raises:
        CorpusError: a path does not exist, a glob matches nothing, or a folder holds no files.
    """
    path_list = [paths] if isinstance(paths, str | os.PathLike) else paths
    passed_over = Counter[str]() if progress is None else progress.passed_over
    sources = [
        _require_utf8_name(source)._replace(failures=failures)
        for path in path_list
        for source in _expand(os.fspath(path), passed_over, indexes)
    ]
    if progress is None:
        return sources
    progress.expect([stored_size(source) for source in sources])
    return [source._replace(progress=progress) for source in sources]


def _require_utf8_name(source: Source) -> Source:
    try:
        source.name.encode()
    except UnicodeEncodeError as error:
        raise fault(
            ascii(source.path), "the name is not UTF-8, so it cannot be part of an id; rename the file"
        ) from error
    return source


def _expand(path: str, passed_over: Counter[str], indexes: bool) -> Iterator[Source]:
    from ibidem.store.manifest import is_index

    if path == "-":
        yield Source(STANDARD_INPUT, "stdin", is_pipe=True)
    elif indexes and is_index(path):
        yield Source(path, path, is_index=True)
    elif is_remote(path):
        yield from _list_remote(path)
    elif glob.has_magic(path) and not os.path.lexists(path):
        for match in _match_glob(path):
            yield from _list_existing(match, passed_over)
    else:
        yield from _list_existing(path, passed_over)


def _list_remote(url: str) -> Iterator[Source]:
    try:
        files = list_files(url, f"reading {url.partition('://')[0]} paths")
    except StoreError as error:
        raise CorpusError(str(error)) from error
    except IbidemError:
        raise
    except Exception as error:  # each kind of store has its own
        raise fault(url, f"cannot be looked at: {error or type(error).__name__}") from error
    if files is None:
        yield Source(url, url)
        return
    if not files:
        raise fault(url, "there is no file (hidden ones are skipped); check the address")
    yield from (Source(path, name) for path, name in files)


def _match_glob(pattern: str) -> list[str]:
    """Match the glob; a match inside a folder that matched too (``**``) is reached through the folder alone."""
    matches = sorted(glob.glob(pattern, recursive=True), key=lambda match: PurePath(match).parts)
    if not matches:
        raise fault(pattern, "no file matches; check the pattern and the folder it starts from")
    outermost: dict[PurePath, str] = {}
    for match in matches:
        if outermost.keys().isdisjoint(PurePath(match).parents):
            outermost.setdefault(PurePath(match), match)
    return list(outermost.values())


def _list_existing(path: str, passed_over: Counter[str]) -> Iterator[Source]:
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        raise _unreadable(path, error) from error
    if not stat.S_ISDIR(mode):
        yield Source(path, path, is_pipe=stat.S_ISFIFO(mode))
        return
    files = list(_walk(path, "", frozenset()))
    if not files:
        raise fault(path, "the folder holds no files (hidden ones and indexes are skipped)")
    yield from _pass_over_no_text(path, files, passed_over)


def _pass_over_no_text(folder: str, files: list[Source], passed_over: Counter[str]) -> list[Source]:
    """The files of a folder that may hold text; one warning names the others, which are counted by their kind."""
    causes = [_find_no_text(file) for file in files]
    others = [(file, cause) for file, cause in zip(files, causes, strict=True) if cause]
    if len(others) == len(files):
        name, cause = others[0][0].name, others[0][1]
        raise fault(
            folder, f"the folder holds no text, but {format_count(len(files), 'other file')}, such as {name}: {cause}"
        )
    if others:
        passed_over.update(cause.removesuffix(NOT_TEXT) for _, cause in others)
        description = describe_passed_over([f"{file.name} ({cause})" for file, cause in others])
        warnings.warn(f"{folder}: {description}", stacklevel=2)
    return [file for file, cause in zip(files, causes, strict=True) if not cause]


def _find_no_text(file: Source) -> str:
    """Name the kind of a file that holds no text, by its name and its first bytes; empty if it may hold some."""
    try:
        with open(file.path, "rb") as stream:
            head = stream.read(HEAD)
    except OSError:
        return ""  # reading says what is wrong with it
    is_table = file.name.lower().endswith((*TABLES, *COMPRESSIONS))
    return find_no_text(file.name, b"" if is_table else head)


def _walk(folder: str, prefix: str, ancestors: frozenset[str]) -> Iterator[Source]:
    """The files under a folder; a link back to a folder that is being walked is not followed."""
    real = os.path.realpath(folder)
    if real in ancestors:
        return
    try:
        with os.scandir(folder) as entries:
            visible = sorted((entry for entry in entries if not entry.name.startswith(".")), key=lambda e: e.name)
    except OSError as error:
        raise _unreadable(folder, error) from error
    from ibidem.store.manifest import is_index

    for entry in visible:
        name = prefix + entry.name
        if entry.is_dir() and is_index(entry.path):
            warnings.warn(f"{entry.path}: an index, not documents: it is passed over", stacklevel=2)
        elif entry.is_dir():
            yield from _walk(entry.path, f"{name}/", ancestors | {real})
        elif entry.is_file():
            yield Source(entry.path, name)
        else:
            raise fault(entry.path, "neither a file nor a folder, but a broken link, a socket or a pipe; move it away")


def _unreadable(path: str, error: OSError) -> CorpusError:
    return fault(path, f"cannot be read: {system_cause(error)}")
