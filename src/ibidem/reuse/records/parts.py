"""Records in parts by their keys: in memory, or if that is too small, in files."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.hashing import GOLDEN
from ibidem.resources import Resources
from ibidem.reuse.records.records import RECORD_BYTES, Records

__all__ = ["RecordParts"]

_Ints = npt.NDArray[np.int64]

_MOST_PARTS = 1 << 12

_PART = 1 << 19
"""Records of a part, about: what finds those of one key looks at places all over it."""

_WRITTEN = 1 << 16
"""Bytes of a part that are written at once."""

_SORTING = 4
"""Times its own bytes that a part of the records takes while it is sorted and joined."""


class RecordParts:
    """Records that are collected part by part; ``expected`` of them, more or less."""

    def __init__(self, folder: Path, expected: int, resources: Resources) -> None:
        size = expected * RECORD_BYTES
        room = max(resources.memory // 2, 1)
        self.parts = 1
        while self.parts < 2 * resources.workers or _PART * self.parts < expected:
            self.parts *= 2
        while size * _SORTING * resources.workers > room * self.parts:
            self.parts *= 2
        self.parts = min(self.parts, _MOST_PARTS)
        self._folder = folder if size > room // 2 else None
        self._pieces: list[list[Records]] = [[] for _ in range(self.parts)]
        self._waiting = np.zeros(self.parts, np.int64)
        if self._folder:
            for part in range(self.parts):
                self._file(part).unlink(missing_ok=True)

    def append(self, records: Records) -> None:
        """Put records into their parts."""
        bounds = np.zeros(self.parts + 1, np.int64)
        shift = np.uint64(64 - (self.parts.bit_length() - 1))
        ordered = Records.allocate(len(records.keys))
        _share_out(records, shift, bounds, ordered)
        for part in np.flatnonzero(np.diff(bounds)).tolist():
            self._pieces[part].append(ordered.take(slice(bounds[part], bounds[part + 1])))
        if self._folder is not None:
            self._waiting += RECORD_BYTES * np.diff(bounds)
            for part in np.flatnonzero(self._waiting >= _WRITTEN).tolist():
                self._write(part)

    def part(self, part: int) -> Records:
        """All records of a part; it can be asked for once."""
        if self._folder is not None:
            self._write(part)
            data = np.fromfile(self._file(part), np.uint64).reshape(-1, 3)
            self._file(part).unlink()
            keys, starts, ends = (np.ascontiguousarray(data[:, x]) for x in range(3))
            return Records(keys, starts.view(np.int64), ends.view(np.int64))
        return self._take_pieces(part)

    def _write(self, part: int) -> None:
        """Write what waits to be written."""
        piece = self._take_pieces(part)
        with self._file(part).open("ab") as file:
            file.write(np.stack([each.view(np.uint64) for each in piece], axis=1).tobytes())
        self._waiting[part] = 0

    def _take_pieces(self, part: int) -> Records:
        pieces, self._pieces[part] = self._pieces[part], []
        return Records.concatenate(pieces)

    def _file(self, part: int) -> Path:
        assert self._folder is not None
        return self._folder / f"records-{part}"


@kernel
def _share_out(records: Records, shift: np.uint64, bounds: _Ints, ordered: Records) -> None:
    """Fill ``ordered`` with the records by their parts, and ``bounds``, zeros, with where these begin.

    Records of one part keep their order. A token as key has all its bits at the end; a multiplication brings them to
    the front.
    """
    keys = records.keys
    for r in range(keys.shape[0]):
        bounds[np.int64((keys[r] * GOLDEN) >> shift) + 1] += 1
    for number in range(1, bounds.shape[0]):
        bounds[number] += bounds[number - 1]
    filled = bounds[:-1].copy()
    for r in range(keys.shape[0]):
        part = np.int64((keys[r] * GOLDEN) >> shift)
        place = filled[part]
        ordered.keys[place], ordered.starts[place], ordered.ends[place] = keys[r], records.starts[r], records.ends[r]
        filled[part] += 1
