"""Opening a source as a stream of bytes: from disk, a pipe or a URL, through a compression if its name says so."""

import codecs
import io
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, contextmanager, nullcontext
from os.path import splitext
from typing import IO, Any, BinaryIO, TypeVar

from ibidem.corpus.compression import COMPRESSIONS, MARK_BYTES, find_compression, open_decompressor
from ibidem.corpus.faults import fault, system_cause
from ibidem.corpus.sources import STANDARD_INPUT, LineRange, Source
from ibidem.errors import CorpusError, IbidemError, StoreError
from ibidem.remote.storage import is_remote, open_filesystem

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

LARGEST_LINE = 1 << 28
"""Bytes of a line at most, if nothing else is said: a small compressed file may hold a line that takes all memory."""

_BUFFER_BYTES = 1 << 20

_Item = TypeVar("_Item")


class OverlongLine(bytes):
    """The substitute for a line that has too many bytes: nothing but the cause, which is no record."""


def remove_mark(data: bytes) -> bytes:
    """The bytes without a byte order mark at their beginning, which is no text."""
    return data[len(BYTE_ORDER_MARK) :] if data.startswith(BYTE_ORDER_MARK) else data


def suffix_of(path: str) -> str:
    """The suffix of the format, in lower case, without that of a compression: ``.jsonl`` for ``A.JSONL.gz``."""
    stem, suffix = splitext(path)
    return (splitext(stem)[1] if compression_of(path) else suffix).lower()


def compression_of(path: str) -> str | None:
    """The name of a compression such as ``"gzip"``, or nothing, by the last suffix."""
    return COMPRESSIONS.get(splitext(path)[1].lower())


@contextmanager
def open_stream(source: Source) -> Iterator[BinaryIO]:
    """The decompressed bytes of a source, as a buffered stream; of a piece of a file, these alone.

    Raises:
        CorpusError: the file is missing, may not be read, or its compression is damaged, now or at any later read.
    """
    with _name_causes(source), _open_raw(source) as raw, _decompress(source, raw) as stream:
        yield stream


def until_fault(source: Source, items: Iterator[_Item]) -> Iterator[_Item]:
    """The items that are read of a source, up to a fault that ends its reading, if it has ``failures``."""
    of_unread = True
    try:
        with _name_causes(source):
            for item in items:
                of_unread = False
                yield item
    except CorpusError as error:
        if source.failures is None or not source.skips:
            raise
        source.failures.add(source, error, None, of_unread=of_unread)


@contextmanager
def _name_causes(source: Source) -> Iterator[None]:
    """Add the name of the file to the errors of the system."""
    try:
        yield
    except OSError as error:
        cause = f"cannot be read: {system_cause(error)}"
        # Operating system errors carry a number; those of a decompressor do not.
        if (source.is_pipe or compression_of(source.path)) and type(error) is OSError and error.errno is None:
            kind = "compressed" if source.is_pipe else compression_of(source.path)
            cause = f"damaged or incomplete {kind} file ({error}); make or fetch it again"
        raise fault(source.path, cause) from error


def read_lines(
    source: Source, stream: IO[bytes], most: int | None, before: int = 0, *, skips: bool = False
) -> Iterator[bytes]:
    """The lines of a stream, with their ends; so many lines of the file come ``before``.

    Args:
        most: bytes of a line at most; ``None`` for any number, as of a file that was read before.
        skips: give an ``OverlongLine`` for a line that has more, and continue.

    Raises:
        CorpusError: a line has more.
    """
    number = before
    while line := stream.readline(-1 if most is None else most + 1):
        number += 1
        if most is not None and len(line) > most:
            cause = (
                f"a line of more than {most:,} bytes; cut the document, end its lines with \\n, or allow longer ones "
                "(max_line, --max-line)"
            )
            if not skips:
                raise fault(source.path, cause, line=number)
            while not line.endswith(b"\n") and (line := stream.readline(_BUFFER_BYTES)):
                pass
            line = OverlongLine(cause.encode())
        yield line


def read_whole(source: Source, stream: IO[bytes], most: int) -> bytes:
    """All bytes of a stream.

    Raises:
        CorpusError: there are more than ``most``.
    """
    content = bytearray()
    while part := stream.read(_BUFFER_BYTES):  # a read of as many as may come would allocate as many
        content += part
        if len(content) > most:
            cause = f"a document of more than {most:,} bytes; cut it, or allow longer ones (max_line, --max-line)"
            raise fault(source.path, cause)
    return bytes(content)


@contextmanager
def open_rows(source: Source) -> Iterator[BinaryIO]:
    """As ``open_stream``; separated values in the encoding of ``source`` become UTF-8.

    Raises:
        CorpusError: at a read, if the bytes are not in this encoding.
    """
    with open_stream(source) as stream:
        if source.encoding is None:
            yield stream
            return
        with io.BufferedReader(_Recoded(source, stream, source.encoding), _BUFFER_BYTES) as utf8_stream:
            yield utf8_stream


class _Recoded(io.RawIOBase):
    """The text of a stream in UTF-8."""

    def __init__(self, source: Source, stream: BinaryIO, encoding: str) -> None:
        self._source, self._stream, self._encoding = source, stream, encoding
        self._decode = codecs.getincrementaldecoder(encoding)().decode
        self._ready = b""
        self._ended = False

    def readable(self) -> bool:
        """Returns true."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes; return how many, which is 0 at the end."""
        while not self._ready and not self._ended:
            data = self._stream.read(_BUFFER_BYTES)
            self._ended = not data
            try:
                self._ready = self._decode(data, self._ended).encode("utf-8", "surrogatepass")
            except UnicodeDecodeError as error:
                raise fault(self._source.path, f"not in {self._encoding} ({error.reason}); name another") from error
        chunk = self._ready[: len(buffer)]
        self._ready = self._ready[len(chunk) :]
        buffer[: len(chunk)] = chunk
        return len(chunk)


@contextmanager
def open_seekable(source: Source) -> Iterator[IO[bytes]]:
    """As ``open_stream``, for formats that are read from their end: a pipe and the like go through a temporary file."""
    with open_stream(source) as stream:
        if stream.seekable() and not compression_of(source.path):
            yield stream
            return
        import shutil
        import tempfile

        with tempfile.TemporaryFile() as copy:
            shutil.copyfileobj(stream, copy, _BUFFER_BYTES)
            copy.seek(0)
            yield copy


@contextmanager
def open_stored(source: Source) -> Iterator[BinaryIO]:
    """The bytes of a source as they are stored, compressed or not.

    Raises:
        CorpusError: the file is missing or may not be read, now or at any later read.
    """
    try:
        with _open_raw(source) as raw:
            yield raw
    except OSError as error:
        raise fault(source.path, f"cannot be read: {system_cause(error)}") from error


@contextmanager
def _open_raw(source: Source) -> Iterator[BinaryIO]:
    if source.is_pipe and source.path == STANDARD_INPUT:
        if sys.stdin is None:
            raise fault(source.path, "it is closed; give it the input, or name a file")
        yield sys.stdin.buffer
    elif is_remote(source.path):
        with _open_remote(source.path) as stream:
            yield from _choose_bytes(source, stream)
    else:
        with _open_local(source) as stream, _follow(source, stream):
            yield from _choose_bytes(source, stream)


def _open_local(source: Source) -> BinaryIO:
    if source.stopped is None:
        return open(source.path, "rb", buffering=_BUFFER_BYTES)
    return io.BufferedReader(_StoppableFile(source.path, source.stopped), _BUFFER_BYTES)


class _StoppableFile(io.FileIO):
    """A file that a thread reads, until another one sets ``stopped``."""

    def __init__(self, path: str, stop_event: threading.Event) -> None:
        super().__init__(path, "rb")
        self._stopped = stop_event

    def readinto(self, buffer: Any) -> int | None:
        """Read the next bytes; return how many, which is 0 at the end."""
        if self._stopped.is_set():
            raise CancelledError
        return super().readinto(buffer)


def _choose_bytes(source: Source, stream: BinaryIO) -> Iterator[BinaryIO]:
    """The stream itself, or one of the piece of it that is wanted."""
    if source.piece is None:
        yield stream
        return
    with io.BufferedReader(_Piece(stream, source.piece), _BUFFER_BYTES) as piece:
        yield piece


class _Piece(io.RawIOBase):
    """Some bytes of a stream."""

    def __init__(self, stream: BinaryIO, piece: LineRange) -> None:
        self._stream = stream
        self._left = piece.end - stream.seek(piece.begin)

    def readable(self) -> bool:
        """Returns true."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes; return how many, which is 0 at the end."""
        data = self._stream.read(min(self._left, len(buffer)))
        buffer[: len(data)] = data
        self._left -= len(data)
        return len(data)


def _follow(source: Source, stream: BinaryIO) -> AbstractContextManager[None]:
    return nullcontext() if source.progress is None else source.progress.follow(stream, source.piece)


def _open_remote(url: str) -> BinaryIO:
    try:
        files, path = open_filesystem(url, f"reading {url.partition('://')[0]} paths")
        stream = files.open(path, "rb")
        if isinstance(stream, io.BytesIO):  # memory:// has one file for all readers, with one place to read on
            stream = io.BytesIO(stream.getvalue())
        # Files of stores read no line of bounded length themselves.
        return io.BufferedReader(stream, _BUFFER_BYTES)
    except StoreError as error:
        raise CorpusError(str(error)) from error
    except (OSError, IbidemError):
        raise
    except Exception as error:  # each kind of store has its own
        raise fault(url, f"cannot be opened: {error or type(error).__name__}") from error


@contextmanager
def _decompress(source: Source, raw: BinaryIO) -> Iterator[BinaryIO]:
    """The decompressed bytes of a source; a pipe has no name, so its first bytes show whether it is compressed."""
    compression = compression_of(source.path)
    if source.is_pipe:
        head = raw.read(MARK_BYTES)
        compression, raw = find_compression(head), io.BufferedReader(_Rejoined(head, raw), _BUFFER_BYTES)
    if compression is None:
        yield raw
        return
    with io.BufferedReader(open_decompressor(raw, compression), _BUFFER_BYTES) as stream:
        yield stream


class _Rejoined(io.RawIOBase):
    """A stream of which the first bytes were read."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self._head, self._stream = head, stream

    def readable(self) -> bool:
        """Returns true."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes; return how many, which is 0 at the end."""
        data = self._head or getattr(self._stream, "read1", self._stream.read)(len(buffer))
        chunk, self._head = data[: len(buffer)], data[len(buffer) :]
        buffer[: len(chunk)] = chunk
        return len(chunk)
