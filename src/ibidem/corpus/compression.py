"""Compressed streams of bytes: gzip, Zstandard, bzip2 and xz, read and written.

Files that were joined (``cat a.gz b.gz``) are read one after the other, and checksums are verified.
"""

import bz2
import io
import lzma
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2", ".xz": "xz"}
"""The compression that a suffix means."""

MARK_BYTES = 10
"""Bytes at the beginning of a stream that show how it is compressed."""

_MARKS = {"gzip": b"\x1f\x8b\x08", "zstd": b"\x28\xb5\x2f\xfd", "xz": b"\xfd7zXZ\0"}

_BZIP2 = (b"BZh", b"1AY&SY")
"""What stands before and behind the digit that begins a bzip2 file: the first three could begin a text."""

_GZIP_LEVEL = 3
"""The highest of ISA-L. Level 6 of the program gzip takes 12 to 16 times as long, several times all else that a
deduplication does, for files that are 7 to 10 % smaller (``benchmarks/compression.py``)."""

_BUFFER_BYTES = 1 << 20
"""Bytes compressed at a time, so that threads which write in parallel seldom wait for each other."""

_STORED_BYTES = 1 << 16
"""Bytes of a bzip2 or xz file that are taken at a time."""


def find_compression(head: bytes) -> str | None:
    """The compression that the first bytes of a stream show.

    >>> find_compression(bz2.compress(b"text")), find_compression(b"BZh is no word")
    ('bz2', None)
    """
    if head.startswith(_BZIP2[0]) and head[4:].startswith(_BZIP2[1]):
        return "bz2"
    return next((name for name, mark in _MARKS.items() if head.startswith(mark)), None)


def open_decompressor(raw: BinaryIO, compression: str) -> Any:
    """The decompressed bytes of a stream.

    Its reads raise an ``OSError`` without a number if the stream is damaged or incomplete, as those of Arrow do.
    """
    if compression == "zstd":
        import pyarrow

        return pyarrow.CompressedInputStream(raw, compression)
    return _Gzip(raw) if compression == "gzip" else _Joined(raw, _DECOMPRESSORS[compression])


class _Gzip(io.RawIOBase):
    """The decompressed bytes of a gzip file."""

    def __init__(self, raw: BinaryIO) -> None:
        from isal import igzip, isal_zlib

        self._stream: Any = igzip.IGzipFile(fileobj=raw, mode="rb")
        self._faults: tuple[type[Exception], ...] = (igzip.BadGzipFile, isal_zlib.error, EOFError)

    def readable(self) -> bool:
        """Returns true."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes; return how many, which is 0 at the end."""
        try:
            return int(self._stream.readinto(buffer))
        except self._faults as error:
            raise OSError(str(error)) from error


_DECOMPRESSORS: dict[str, Callable[[], Any]] = {"bz2": bz2.BZ2Decompressor, "xz": lzma.LZMADecompressor}


class _Joined(io.RawIOBase):
    """The decompressed bytes of bzip2 or xz files, one after the other.

    The classes of the standard library for such files take bytes behind the first one for the end without a word.
    """

    def __init__(self, raw: BinaryIO, make: Callable[[], Any]) -> None:
        self._raw, self._make = raw, make
        self._decompressor: Any = None

    def readable(self) -> bool:
        """Returns true."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes; return how many, which is 0 at the end."""
        while True:
            if self._decompressor is None or self._decompressor.eof:
                stored = self._begin()
                if not stored:
                    return 0
            elif self._decompressor.needs_input:
                stored = self._raw.read(_STORED_BYTES)
                if not stored:
                    raise OSError("it ends before its end is marked")
            else:
                stored = b""
            try:
                data = self._decompressor.decompress(stored, len(buffer))
            except (lzma.LZMAError, ValueError) as error:
                raise OSError(str(error)) from error
            if data:
                buffer[: len(data)] = data
                return len(data)

    def _begin(self) -> bytes:
        """Begin the next of the files. Returns its first bytes, none if there is none; zeros may fill the space."""
        if self._decompressor is None:
            stored: bytes = self._raw.read(_STORED_BYTES)
        else:
            stored = self._decompressor.unused_data.lstrip(b"\0")
            while not stored and (more := self._raw.read(_STORED_BYTES)):
                stored = more.lstrip(b"\0")
        if stored:
            self._decompressor = self._make()
        return stored


@contextmanager
def open_compressor(raw: Any, compression: str) -> Iterator[Any]:
    """A stream that compresses what is written, in the same bytes whenever it is written."""
    if compression == "zstd":
        import pyarrow

        with pyarrow.CompressedOutputStream(raw, compression) as stream:
            yield stream
    elif compression == "gzip":
        from isal import igzip

        with (
            igzip.IGzipFile("", "wb", _GZIP_LEVEL, raw, mtime=0) as stream,
            io.BufferedWriter(stream, _BUFFER_BYTES) as buffer,
        ):
            yield buffer
    else:
        open_file: Any = bz2.BZ2File if compression == "bz2" else lzma.LZMAFile
        with open_file(raw, "wb") as stream, io.BufferedWriter(stream, _BUFFER_BYTES) as buffer:
            yield buffer
