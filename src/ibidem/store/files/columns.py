"""Columns: one array in one ``.npy`` file, written by appending, read through mmap.

The header is always ``HEADER_BYTES`` long and follows from the dtype and the shape alone, so a reader knows every byte
of it beforehand and compares, and a checksum of the values behind it covers the whole file. NumPy reads the files too.
"""

import errno
import mmap
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
import xxhash
from numpy.typing import NDArray

from ibidem.errors import DamagedError, StoreError
from ibidem.store.format import HEADER_BYTES, Column
from ibidem.system import disk
from ibidem.system.bounds import raise_file_limit

# A smaller file is read into memory: cheaper than a mapping, which keeps a descriptor.
_MAPPED_FROM = 1 << 15

_BLOCK = 1 << 20
_VERIFIED_AT_ONCE = 64 << 20


class ColumnRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The record of a column: the shape of the array, and the checksum of its values (xxh3, 128 bits)."""

    shape: list[Annotated[int, msgspec.Meta(ge=0)]]
    checksum: str


def make_header(dtype: str, shape: tuple[int, ...]) -> bytes:
    """The first ``HEADER_BYTES`` bytes of a column's file: an ``.npy`` header of version 1.0, padded with spaces."""
    magic = b"\x93NUMPY\x01\x00"
    room = HEADER_BYTES - len(magic) - 2
    facts = f"{{'descr': {dtype!r}, 'fortran_order': False, 'shape': {shape!r}, }}"
    return magic + room.to_bytes(2, "little") + facts.ljust(room - 1).encode("ascii") + b"\n"


def bind(column: Column, shape: tuple[int, ...], symbols: dict[str, int]) -> str | None:
    """Give the symbols of a column's shape their values; return the fault if one has another value already."""
    if len(shape) != len(column.shape):
        return f"has {len(shape)} dimensions instead of {len(column.shape)}"
    for dimension, length in zip(column.shape, shape, strict=True):
        symbol, extra = dimension.removesuffix(" + 1"), int(dimension.endswith(" + 1"))
        if symbols.setdefault(symbol, length - extra) != length - extra or length < extra:
            return f"has a length of {length} where {symbols[symbol] + extra} is expected ({dimension})"
    return None


class ColumnWriter:
    """Appends arrays to a column on disk.

    It holds no values in memory, and its file open only while it appends: an index that is built in many segments has
    more columns than a process may have open files. ``width`` is the second dimension of a column that has two.
    """

    def __init__(self, folder: Path, column: Column, width: int | None = None) -> None:
        self.path = folder / column.file
        self.column = column
        self.rows = 0
        self._dtype = np.dtype(column.dtype)
        self._row = () if width is None else (width,)
        self._checksum = xxhash.xxh3_128()
        self._torn = False
        os.close(disk.create(self.path))

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of what has been appended."""
        return (self.rows, *self._row)

    def append(self, values: NDArray[Any]) -> None:
        """Append rows; their dtype must be the column's own."""
        if values.dtype != self._dtype or values.shape[1:] != self._row:
            raise ValueError(f"column {self.column.name} holds {self._dtype} of shape {self.shape}, not {values.dtype}")
        if values.size:
            with self._file() as descriptor:
                # The header is written at the end: until then it is a hole, which no reader takes for one.
                os.lseek(descriptor, HEADER_BYTES + self.rows * prod(self._row) * self._dtype.itemsize, os.SEEK_SET)
                data = np.ascontiguousarray(values).reshape(-1).view(np.uint8).data
                disk.write(descriptor, data)
                self._checksum.update(data)
        self.rows += len(values)

    def view(self) -> NDArray[Any]:
        """The values appended so far, read-only; they stay valid whatever becomes of the file."""
        with self._file() as descriptor:
            return _map(descriptor, self._dtype, self.shape)[0]

    def finish(self) -> ColumnRecord:
        """Write the header and sync."""
        record = self.write_header()
        self.sync()
        return record

    def write_header(self) -> ColumnRecord:
        """Write the header. The record describes the disk once the column is synced."""
        with self._file() as descriptor:
            disk.write_at(descriptor, make_header(self.column.dtype, self.shape), 0)
        return ColumnRecord(shape=list(self.shape), checksum=self._checksum.hexdigest())

    def sync(self) -> None:
        """Return when all that was written has reached the disk."""
        with self._file() as descriptor:
            disk.sync(descriptor)

    @contextmanager
    def _file(self) -> Iterator[int]:
        if self._torn:
            raise StoreError(f"{self.path}: an append failed, the column cannot be continued")
        # A failure or interruption in between may leave a part of the data, which is in no count and checksum.
        self._torn = True
        descriptor = disk.reopen(self.path)
        try:
            yield descriptor
        finally:
            os.close(descriptor)
        self._torn = False


def write_column(folder: Path, column: Column, values: NDArray[Any], file: str | None = None) -> ColumnRecord:
    """Write a whole one-dimensional column and sync it; ``file`` is its name if not the column's own."""
    writer = ColumnWriter(folder, column if file is None else column._replace(name=file.removesuffix(".npy")))
    writer.append(np.asarray(values, dtype=column.dtype))
    return writer.finish()


class OpenColumn:
    """A column that is open for reading; it is compared with its record when it is first used.

    Args:
        record: its shape and checksum.
        find_fault: says what is wrong with values that have the right checksum, but point to where nothing is.
    """

    def __init__(
        self,
        path: Path,
        dtype: str,
        record: ColumnRecord,
        find_fault: Callable[[NDArray[Any]], str | None] | None = None,
    ) -> None:
        self.path = path
        self._record = record
        self._find_fault = find_fault
        self._values, self._mapping = _open_with_retry(path, dtype, tuple(record.shape))
        self._verified = self._valid = False

    @property
    def nbytes(self) -> int:
        """Bytes of the values."""
        return self._values.nbytes

    @property
    def last(self) -> Any:
        """The last value, of a column that has one, as it is."""
        return self._values[-1]

    def values(self, *, verify: bool) -> NDArray[Any]:
        """The values, read-only; with ``verify``, compared with their checksum unless that was done before.

        Raises:
            DamagedError: they are not what was written, or not what anybody could have written.
        """
        if not self._verified and verify:
            if self._compute_checksum() != self._record.checksum:
                raise DamagedError(f"{self.path}: the checksum does not match: the file was altered")
            self._verified = True
        if not self._valid:
            fault = self._find_fault(self._values) if self._find_fault else None
            if fault:
                raise DamagedError(f"{self.path}: {fault}")
            self._valid = True
        return self._values

    def require_whole(self) -> None:
        """Refuse a file that was cut since it was opened: reading its mapping would end the process.

        Raises:
            DamagedError: it is shorter.
        """
        if self._mapping is not None and self._mapping.size() < len(self._mapping):
            raise DamagedError(
                f"{self.path}: it was cut to {self._mapping.size()} of {len(self._mapping)} bytes while it was open"
            )

    def read_ahead(self) -> None:
        """Tell the system that the values will be read from one end to the other."""
        _advise(self._mapping, mmap.MADV_SEQUENTIAL)

    def _compute_checksum(self) -> str:
        checksum = xxhash.xxh3_128()
        data = self._values.reshape(-1).view(np.uint8)
        self.read_ahead()
        for start in range(0, len(data), _VERIFIED_AT_ONCE):
            checksum.update(data[start : start + _VERIFIED_AT_ONCE].data)
        _advise(self._mapping, mmap.MADV_RANDOM)
        return checksum.hexdigest()


def open_column(path: Path, dtype: str, shape: tuple[int, ...]) -> NDArray[Any]:
    """The values of a column, read-only; a big file is mapped, a small one read. Its checksum is not compared.

    Raises:
        DamagedError: the file is missing, its length is wrong, or its header is not that of the dtype and shape.
        StoreError: the process has too many files open.
    """
    return _open_with_retry(path, dtype, shape)[0]


def release_pages(values: NDArray[Any]) -> None:
    """Give the pages of a mapped column back to the system: it counts them as memory of this process until then.

    Whoever looks at ``values`` again gets them from the system's cache or from the disk.
    """
    base: Any = values
    while isinstance(base, np.ndarray):
        base = base.base
    mapping = base.obj if isinstance(base, memoryview) else base
    _advise(mapping if isinstance(mapping, mmap.mmap) else None, mmap.MADV_DONTNEED)


def compute_file_checksum(path: Path) -> str:
    """The checksum of a column's values, read from end to end."""
    checksum = xxhash.xxh3_128()
    descriptor = disk.open_to_read(path)
    try:
        os.lseek(descriptor, HEADER_BYTES, os.SEEK_SET)
        while block := os.read(descriptor, _BLOCK):
            checksum.update(block)
    finally:
        os.close(descriptor)
    return checksum.hexdigest()


# The values of a file, and their mapping, if there is one.
_Opened = tuple[NDArray[Any], mmap.mmap | None]


def _open_with_retry(path: Path, dtype: str, shape: tuple[int, ...]) -> _Opened:
    while True:
        try:
            file = _open(path, dtype, shape)
            break
        except FileNotFoundError:
            raise DamagedError(f"{path}: the file is missing") from None
        except OSError as error:
            if error.errno == errno.EMFILE and raise_file_limit():
                continue
            if error.errno in (errno.EMFILE, errno.ENFILE):
                raise StoreError(f"{path}: too many open files: merge the index, or allow more (ulimit -n)") from error
            raise
    # A list of postings is a few pages anywhere in the file: reading ahead would fetch what nobody asked for.
    _advise(file[1], mmap.MADV_RANDOM)
    return file


def _open(path: Path, dtype: str, shape: tuple[int, ...]) -> _Opened:
    descriptor = disk.open_to_read(path)
    try:
        _validate(path, descriptor, os.fstat(descriptor).st_size, dtype, shape)
        return _map(descriptor, np.dtype(dtype), shape)
    finally:
        os.close(descriptor)


def _validate(path: Path, descriptor: int, length: int, dtype: str, shape: tuple[int, ...]) -> None:
    expected_length = HEADER_BYTES + np.dtype(dtype).itemsize * prod(shape)
    if length != expected_length:
        raise DamagedError(f"{path}: the file has {length} bytes where {expected_length} are expected")
    if os.pread(descriptor, HEADER_BYTES, 0) != make_header(dtype, shape):
        raise DamagedError(f"{path}: the header is not that of an array of {np.dtype(dtype)} with shape {shape}")


def _map(descriptor: int, dtype: np.dtype[Any], shape: tuple[int, ...]) -> tuple[NDArray[Any], mmap.mmap | None]:
    """The values behind the header of an open file, which may be closed afterwards, and their mapping, if any."""
    length = dtype.itemsize * prod(shape)
    if HEADER_BYTES + length < _MAPPED_FROM:
        return np.frombuffer(os.pread(descriptor, length, HEADER_BYTES), dtype).reshape(shape), None
    # The mapping keeps a descriptor of its own, from which it knows the length of the file.
    mapping = mmap.mmap(descriptor, HEADER_BYTES + length, access=mmap.ACCESS_READ)
    return np.frombuffer(mapping, dtype, offset=HEADER_BYTES).reshape(shape), mapping


def _advise(mapping: mmap.mmap | None, advice: int) -> None:
    if mapping is not None:
        mapping.madvise(advice)
