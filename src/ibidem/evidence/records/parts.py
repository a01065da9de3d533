"""Records in parts by their keys: in memory, or if that is too small, in a file."""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.evidence.records.records import RECORD_BYTES, Records
from ibidem.hashing import GOLDEN
from ibidem.kernels import kernel
from ibidem.resources import Closing, Resources

_Ints = npt.NDArray[np.int64]
_Rows = npt.NDArray[np.uint64]

_MOST_PARTS = 1 << 12

_PART = 1 << 19
"""About how many records a part has: finding those of one key reads places all over the part."""

_SORTING = 6
"""The memory that a part of the records takes while it is sorted and joined, in multiples of its own size."""

_LENGTH_BITS = 21
"""Bits of the number of windows of a run; a task makes runs of 2^20 at most. The other bits are its start."""


class RecordsByPart(NamedTuple):
    """Some records by their parts.

    Attributes:
        rows: uint64 [R, 2], the key of each, and its start and length in one number.
        bounds: int64 [P + 1], those of part ``p`` are ``rows[bounds[p] : bounds[p + 1]]``.
    """

    rows: _Rows
    bounds: _Ints


class RecordParts(Closing):
    """Records that are collected piece by piece; ``expected`` of them, more or less.

    They lie in a file at ``path`` if memory is too small, until the block ends. The number of parts is ``fixed`` by
    that of the records where what is made of a part depends on what else is in it.
    """

    def __init__(self, path: Path, expected: int, resources: Resources, *, fixed: bool = False) -> None:
        size = expected * RECORD_BYTES
        room = max(resources.memory // 2, 1)
        self.parts = 2  # the first bits of a key say which: one at least, since no number is shifted by all its bits
        while _PART * self.parts < expected or (not fixed and self.parts < 2 * resources.workers):
            self.parts *= 2
        while not fixed and size * _SORTING * resources.workers > room * self.parts:
            self.parts *= 2
        self.parts = min(self.parts, _MOST_PARTS)
        self._pieces: list[Callable[[int], _Rows]] = []
        self._path, self._is_in_file, self._written = path, size > room, 0
        self.close()

    def close(self) -> None:
        """Remove the file."""
        self._pieces.clear()
        self.__dict__.pop("_rows_in_file", None)
        if self._is_in_file:
            self._path.unlink(missing_ok=True)

    def share_out(self, records: Records) -> RecordsByPart:
        """The records by their parts. Those of one part keep their order."""
        rows, bounds = np.empty((len(records.keys), 2), np.uint64), np.zeros(self.parts + 1, np.int64)
        _share_out(records, np.uint64(64 - (self.parts.bit_length() - 1)), bounds, rows)
        return RecordsByPart(rows, bounds)

    def append(self, piece: RecordsByPart) -> None:
        """Keep records that were shared out."""
        rows, bounds = piece
        if not self._is_in_file:
            self._pieces.append(lambda part: rows[bounds[part] : bounds[part + 1]])
            return
        with self._path.open("ab") as file:
            file.write(rows.data)
        places = self._written + bounds
        self._written += len(rows)
        self._pieces.append(lambda part: self._rows_in_file[places[part] : places[part + 1]])

    def part(self, part: int) -> Records:
        """All records of a part."""
        rows = np.concatenate([np.empty((0, 2), np.uint64), *(piece(part) for piece in self._pieces)])
        return Records(*_split_columns(rows))

    @cached_property
    def _rows_in_file(self) -> _Rows:
        """The file once all is written; a part has a few kilobytes of each piece, too little to ask for one by one."""
        if not self._written:
            return np.empty((0, 2), np.uint64)
        return np.asarray(np.memmap(self._path, np.uint64, "r", shape=(self._written, 2)))


@kernel
def _share_out(records: Records, shift: np.uint64, bounds: _Ints, rows: _Rows) -> None:
    """Fill ``rows`` with the records by their parts, and ``bounds``, zeros, with where these begin.

    Records of one part keep their order. A token as key has all its bits at the end; a multiplication brings them to
    the front.
    """
    keys = records.keys
    for r in range(keys.shape[0]):
        bounds[np.int64((keys[r] * GOLDEN) >> shift) + 1] += 1
    for number in range(1, bounds.shape[0]):
        bounds[number] += bounds[number - 1]
    part_ends = bounds[:-1].copy()
    for r in range(keys.shape[0]):
        part = np.int64((keys[r] * GOLDEN) >> shift)
        rows[part_ends[part], 0] = keys[r]
        rows[part_ends[part], 1] = np.uint64(records.starts[r] << _LENGTH_BITS | (records.ends[r] - records.starts[r]))
        part_ends[part] += 1


@kernel
def _split_columns(rows: _Rows) -> tuple[_Rows, _Ints, _Ints]:
    """The columns of records, from their rows."""
    keys, starts = np.empty(rows.shape[0], np.uint64), np.empty(rows.shape[0], np.int64)
    ends = np.empty(rows.shape[0], np.int64)
    for r in range(rows.shape[0]):
        place = np.int64(rows[r, 1])
        keys[r], starts[r] = rows[r, 0], place >> _LENGTH_BITS
        ends[r] = starts[r] + (place & ((1 << _LENGTH_BITS) - 1))
    return keys, starts, ends
