"""The directory of a segment: where the list of each key of each function is."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import DamagedError
from ibidem.store.postings.lists import Blocks
from ibidem.store.postings.unpacking import find_lists, unpack


class FunctionRanges(NamedTuple):
    """Where each function begins.

    Attributes:
        keys: uint64 [F + 1], among the keys.
        postings: uint64 [F + 1], among the postings.
    """

    keys: NDArray[np.uint64]
    postings: NDArray[np.uint64]

    def of(self, function: int) -> tuple[int, int, int]:
        """Where a function begins and ends among the keys, and where it begins among the postings.

        Raises:
            IndexError: there is no such function.
        """
        count = len(self.keys) - 1
        if not 0 <= function < count:
            raise IndexError(f"function {function} of {count}")
        return int(self.keys[function]), int(self.keys[function + 1]), int(self.postings[function])


class Directory(NamedTuple):
    """The keys of a segment, packed, each with the length of its list; see ``format.COLUMNS`` for the columns.

    The methods raise ``DamagedError`` where a block cannot be unpacked; ``path`` names the segment in the message.
    """

    path: Path
    blocks: Blocks
    first_keys: NDArray[np.uint32]
    first_lists: NDArray[np.uint32]
    functions: FunctionRanges

    def function(self, function: int) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """All keys of a function, of shape [K], and where their lists begin and the last ends, int64 [K + 1]."""
        low, high, first = self.functions.of(function)
        found = unpack(self.blocks, low, high, 1, np.uint32)
        if found is None:
            raise DamagedError(f"{self.path}: the keys of function {function} cannot be unpacked: a file was altered")
        keys, lengths = found
        bounds = np.full(len(keys) + 1, first, np.int64)
        bounds[1:] += np.cumsum(lengths[:, 0], dtype=np.int64)
        return keys, bounds

    def list_bounds(self, function: int, keys: NDArray[Any]) -> NDArray[np.int64]:
        """Begin and end of the lists of some keys, of shape [len(keys), 2]; an absent key has an empty range."""
        low, high, first = self.functions.of(function)
        begin, end = self.blocks.rows.searchsorted((low, high))
        own = Blocks(self.blocks.rows[begin:], self.blocks.bytes[begin:], self.blocks.packed)
        sought_keys = np.asarray(keys, dtype=np.uint32)
        bounds = find_lists(own, self.first_keys[begin:end], self.first_lists[begin:end], sought_keys)
        if bounds is None:
            raise DamagedError(f"{self.path}: the keys of function {function} cannot be unpacked: a file was altered")
        bounds += first
        # An end that is less than its begin, or behind the last posting, would be a list of other keys, or of none.
        if len(bounds) and not (bounds[:, 1] <= int(self.functions.postings[function + 1])).all():
            raise DamagedError(f"{self.path}: a list of function {function} ends behind its last posting")
        return bounds
