"""The columns of a segment that is read, all opened with it, so that it stays readable when its files are removed."""

from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import DamagedError
from ibidem.store.files.columns import OpenColumn
from ibidem.store.format import COLUMNS, HEADER_BYTES, Column
from ibidem.store.segments.record import SegmentRecord
from ibidem.store.validation import find_fault

Checksums = Literal["lazy", "full", "none"]
"""When checksums are compared: of each column when it is first used, of all when they are opened, or never."""

# Bytes of a text whose code points are counted at a time.
_COUNTED_AT_ONCE = 1 << 15


class SegmentColumns:
    """The columns by their names, as read-only arrays of which the big ones are mapped.

    Whoever asks for a column that is not what was written gets a ``DamagedError``.
    """

    def __init__(self, folder: Path, record: SegmentRecord, checksums: Checksums) -> None:
        self.folder = folder
        self._verify = checksums != "none"
        self._columns: dict[str, OpenColumn] | None = _open_columns(folder, record)
        if checksums == "full":
            self.require_sound()

    def __getitem__(self, name: str) -> Any:
        return self._open()[name].values(verify=self._verify)

    def __contains__(self, name: str) -> bool:
        return name in self._open()

    def sizes(self) -> dict[str, int]:
        """Bytes on disk of each part of the segment."""
        sizes: dict[str, int] = {}
        for column in COLUMNS:
            if column.name in self._open():
                sizes[column.part] = sizes.get(column.part, 0) + HEADER_BYTES + self._open()[column.name].nbytes
        return sizes

    def require_sound(self) -> None:
        """Compare all columns with their checksums, whatever was asked for when they were opened.

        Raises:
            DamagedError: names a file that is not what was written.
        """
        for column in self._open().values():
            column.values(verify=True)

    def require_whole(self) -> None:
        """Refuse files that were cut since they were opened, as far as that can be seen.

        Raises:
            DamagedError: names one.
        """
        for column in self._open().values():
            column.require_whole()

    def close(self) -> None:
        """Let go of the files; arrays that were taken stay valid."""
        self._columns = None

    def string(self, name: str, row: int) -> str:
        """A row of a ragged column of UTF-8."""
        return self._decode(name, self.byte_string(name, row))

    def strings(self, name: str) -> list[str]:
        """All rows of a ragged column of UTF-8."""
        data = self[name].tobytes()
        return [self._decode(name, data[begin:end]) for begin, end in pairwise(self[f"{name}_bounds"].tolist())]

    def strings_of(self, name: str, rows: NDArray[np.int64]) -> list[str]:
        """Some rows of a ragged column of UTF-8."""
        return [self._decode(name, string) for string in self.byte_strings_of(name, rows)]

    def byte_string(self, name: str, row: int) -> bytes:
        """A row of a ragged column, as it is kept."""
        begin, end = self[f"{name}_bounds"][row : row + 2]
        data: bytes = self[name][begin:end].tobytes()
        return data

    def text_between(self, row: int, start: int, end: int) -> str:
        """The text of a document from one code point until another."""
        begin, stop = self["text_bounds"][row : row + 2].tolist()
        text = self["text"]
        first = begin + _find_point(text[begin:stop], start)
        last = first + _find_point(text[first:stop], end - start)
        return self._decode("text", text[first:last].tobytes())

    def byte_strings_of(self, name: str, rows: NDArray[np.int64]) -> list[bytes]:
        """Some rows of a ragged column, as they are kept."""
        values, bounds = self[name], self[f"{name}_bounds"]
        spans = zip(bounds[rows].tolist(), bounds[rows + 1].tolist(), strict=True)
        return [values[begin:end].tobytes() for begin, end in spans]

    def _open(self) -> dict[str, OpenColumn]:
        if self._columns is None:
            raise ValueError(f"segment {self.folder.name} is closed")
        return self._columns

    def _decode(self, name: str, data: bytes) -> str:
        try:
            return str(data, "utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise DamagedError(f"{self.folder / name}.npy: not UTF-8: {error}") from None


def _open_columns(folder: Path, record: SegmentRecord) -> dict[str, OpenColumn]:
    lengths = {name: column.shape[0] for name, column in record.columns.items()} | {"postings": record.postings}

    def open_one(column: Column) -> OpenColumn:
        validate = partial(find_fault, column.name, lengths=lengths)
        return OpenColumn(folder / column.file, column.dtype, record.columns[column.name], validate)

    columns = {column.name: open_one(column) for column in COLUMNS if column.name in record.columns}
    lengths["keys"] = int(columns["key_blocks"].last)
    return columns


def _find_point(text: NDArray[np.uint8], number: int) -> int:
    """The byte at which a code point of some bytes of UTF-8 begins, given its ``number``; their end if it is behind."""
    for first in range(0, len(text), _COUNTED_AT_ONCE):
        begins = text[first : first + _COUNTED_AT_ONCE].view(np.int8) >= -0x40  # all bytes but 0x80 to 0xBF
        count = int(np.count_nonzero(begins))
        if number < count:
            return first + int(np.flatnonzero(begins)[number])
        number -= count
    return len(text)
