"""The columns of a segment that is read, all opened with it, so that it stays readable when its files are removed."""

from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import DamagedError
from ibidem.store.compact.blocks import CompressedBlocks
from ibidem.store.compact.offsets import CompressedOffsets, OffsetColumn
from ibidem.store.compact.text import CompressedText, find_point
from ibidem.store.compact.tokens import CodedTokens
from ibidem.store.files.columns import OpenColumn
from ibidem.store.format import COLUMNS, HEADER_BYTES, PACKED_COLUMNS, Column
from ibidem.store.segments.record import SegmentRecord
from ibidem.store.validation import find_fault

Checksums = Literal["lazy", "full", "none"]
"""When checksums are compared: of each column when it is first used, of all when they are opened, or never."""


class SegmentColumns:
    """The columns by their names, as read-only arrays of which the big ones are mapped.

    Those that a compact segment keeps in another form are objects that give arrays when they are sliced.

    Whoever asks for a column that is not what was written gets a ``DamagedError``.
    """

    def __init__(self, folder: Path, record: SegmentRecord, checksums: Checksums) -> None:
        self.folder = folder
        self._verify = checksums != "none"
        self._columns: dict[str, OpenColumn] | None = _open_columns(folder, record)
        self._packed: dict[str, Any] = {}
        self._is_compact = record.layout == "compact"
        if checksums == "full":
            self.require_sound()

    def __getitem__(self, name: str) -> Any:
        if self._is_compact and name in PACKED_COLUMNS:
            return self._unpack(name)
        return self._open()[name].values(verify=self._verify)

    def __contains__(self, name: str) -> bool:
        if self._is_compact and name in PACKED_COLUMNS:
            return not name.startswith("offset") or "compressed_offsets" in self._open()
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

    def read_ahead(self) -> None:
        """Tell the system that all columns will be read from one end to the other."""
        for column in self._open().values():
            column.read_ahead()

    def close(self) -> None:
        """Let go of the files; arrays that were taken stay valid."""
        self._columns = None
        self._packed = {}

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
        if self._is_compact:
            first, last = text.find_points(begin, start, end)
        else:
            first = begin + find_point(text[begin:stop], start)
            last = first + find_point(text[first:stop], end - start)
        return self._decode("text", text[min(first, stop) : min(last, stop)].tobytes())

    def byte_strings_of(self, name: str, rows: NDArray[np.int64]) -> list[bytes]:
        """Some rows of a ragged column, as they are kept."""
        values, bounds = self[name], self[f"{name}_bounds"]
        spans = zip(bounds[rows].tolist(), bounds[rows + 1].tolist(), strict=True)
        return [values[begin:end].tobytes() for begin, end in spans]

    def _unpack(self, name: str) -> Any:
        """Return the decoder of a column that a compact segment keeps in another form."""
        columns = self._open()
        if name not in self._packed:
            if name == "text":
                self._packed[name] = CompressedText(
                    self._blocks("text", "text_blocks"), self["text_points"], int(self["text_bounds"][-1])
                )
            elif name == "tokens":
                parts = ("token_codes", "code_tokens", "rare_tokens", "rare_groups")
                self._packed[name] = CodedTokens(*(self[part] for part in parts))
            elif "compressed_offsets" in columns:
                blocks = self._blocks("offsets", "offset_blocks")
                offsets = CompressedOffsets(blocks, self["token_codes"], self["code_lengths"])
                self._packed |= {"offset_steps": OffsetColumn(offsets, 0), "offset_lengths": OffsetColumn(offsets, 1)}
        return self._packed[name]

    def _blocks(self, name: str, bounds: str) -> CompressedBlocks:
        file = self.folder / f"compressed_{name}.npy"
        return CompressedBlocks(file, self[f"compressed_{name}"], self[bounds])

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
