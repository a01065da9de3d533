"""Runs of windows that have one key."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

_Ints = npt.NDArray[np.int64]

RECORD_BYTES = 16
"""A key, and a place with a length, where records are kept in parts."""


class Records(NamedTuple):
    """Runs of windows that have the same values in a band.

    Attributes:
        keys: uint64 [R], a hash of the values.
        starts, ends: int64 [R], the windows that start at the tokens ``starts[r]`` to ``ends[r] - 1``.
    """

    keys: npt.NDArray[np.uint64]
    starts: _Ints
    ends: _Ints

    @classmethod
    def allocate(cls, room: int) -> "Records":
        """Room for so many records."""
        return cls(np.empty(room, np.uint64), np.empty(room, np.int64), np.empty(room, np.int64))

    @classmethod
    def concatenate(cls, parts: Sequence["Records"]) -> "Records":
        """All records of several parts."""
        keys, starts, ends = zip(cls.allocate(0), *parts, strict=True)
        return cls(np.concatenate(keys), np.concatenate(starts), np.concatenate(ends))

    def take(self, rows: _Ints | slice) -> "Records":
        """Some of the records, as a copy."""
        return Records(self.keys[rows].copy(), self.starts[rows].copy(), self.ends[rows].copy())
