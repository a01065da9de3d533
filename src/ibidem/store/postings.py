"""Postings: for each hash function, a list of places for each key.

All postings stand in one sequence, sorted by (function, key, start). The *directory* says where each list begins: per
function its distinct keys, ascending, and the end of each key's list, counted from the function's first posting.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import DamagedError

__all__ = [
    "Blocks",
    "Directory",
    "FunctionRanges",
    "Lists",
    "PackedDirectory",
    "PackedLists",
    "check_order",
    "directory_of",
]


class Lists(NamedTuple):
    """All postings of one function, list after list.

    Attributes:
        keys: uint32 [K], strictly ascending.
        ends: uint32 [K], where the list of each key ends.
        starts: uint32 [P], ascending within a list.
        extents: uint16 [P, w].
    """

    keys: NDArray[np.uint32]
    ends: NDArray[np.uint32]
    starts: NDArray[np.uint32]
    extents: NDArray[np.uint16]


def check_order(lists: Lists) -> None:
    """Refuse postings of one function that are not sorted by (key, start).

    Raises:
        ValueError: names the first posting that is smaller than the one before it.
    """
    falls = lists.starts[1:] < lists.starts[:-1]
    falls[lists.ends[:-1].astype(np.int64) - 1] = lists.keys[1:] < lists.keys[:-1]
    if falls.any():
        at = int(np.argmax(falls)) + 1
        raise ValueError(f"postings must be sorted by key and start: posting {at} is smaller than the one before it")


def directory_of(keys: NDArray[np.uint32]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """The distinct keys of one function's sorted postings, and the end of each key's list; both of shape [K]."""
    if not len(keys):
        return np.empty(0, np.uint32), np.empty(0, np.uint32)
    ends = np.append(np.flatnonzero(keys[1:] != keys[:-1]) + 1, len(keys))
    return keys[ends - 1], ends.astype(np.uint32)


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
    """The directory of a segment in plain columns; see ``format.PLAIN_COLUMNS``."""

    keys: NDArray[np.uint32]
    list_ends: NDArray[np.uint32]
    functions: FunctionRanges

    def function(self, function: int) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """All keys of a function, of shape [K], and where their lists begin and the last ends, int64 [K + 1]."""
        low, high, first = self.functions.of(function)
        bounds = np.empty(high - low + 1, np.int64)
        bounds[0] = first
        np.add(self.list_ends[low:high], first, out=bounds[1:])
        return self.keys[low:high], bounds

    def list_bounds(self, function: int, keys: NDArray[Any]) -> NDArray[np.int64]:
        """Begin and end of the lists of some keys, of shape [len(keys), 2]; an absent key has an empty range."""
        low, high, first = self.functions.of(function)
        # A key of another dtype would make NumPy convert the whole mapped column.
        wanted = np.asarray(keys, dtype=np.uint32)
        own, ends = self.keys[low:high], self.list_ends[low:high]
        if not len(own):
            return np.full((len(wanted), 2), first, np.int64)
        # Keys are distinct, so a key that is there lies between its place from the left and its place from the right.
        at = np.empty((len(wanted), 2), np.int64)
        at[:, 0] = own.searchsorted(wanted)
        at[:, 1] = own.searchsorted(wanted, "right")
        bounds = ends[at - 1].astype(np.int64)
        bounds[at == 0] = 0
        bounds += first
        return bounds


class Blocks(NamedTuple):
    """Rows, which are postings or keys, in packed blocks.

    Attributes:
        rows: int64 [B + 1], where each block begins among the rows.
        bytes: int64 [B + 1], where each block begins in ``packed``.
        packed: uint8 [Z], the blocks.
    """

    rows: NDArray[np.int64]
    bytes: NDArray[np.int64]
    packed: NDArray[np.uint8]


class PackedLists(NamedTuple):
    """``Lists`` as a segment keeps them.

    Attributes:
        postings: their blocks, counted from 0.
        directory: the blocks of the keys, each with the length of its list.
        first_keys, first_lists: uint32 [C], the first key of each block of keys, and where its list begins.
        extents: how many a posting has.
    """

    postings: Blocks
    directory: Blocks
    first_keys: NDArray[np.uint32]
    first_lists: NDArray[np.uint32]
    extents: int


class PackedDirectory(NamedTuple):
    """A directory whose keys are packed, each with the length of its list; see ``format.COLUMNS`` for the columns.

    What it gives is what ``Directory`` gives. The methods raise ``DamagedError`` where a block cannot be unpacked;
    ``path`` is what they call it.
    """

    path: Path
    blocks: Blocks
    first_keys: NDArray[np.uint32]
    first_lists: NDArray[np.uint32]
    functions: FunctionRanges

    def function(self, function: int) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """All keys of a function, of shape [K], and where their lists begin and the last ends, int64 [K + 1]."""
        from ibidem.store.unpacking import unpack

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
        from ibidem.store.unpacking import find_lists

        low, high, first = self.functions.of(function)
        begin, end = self.blocks.rows.searchsorted((low, high))
        own = Blocks(self.blocks.rows[begin:], self.blocks.bytes[begin:], self.blocks.packed)
        wanted = np.asarray(keys, dtype=np.uint32)
        bounds = find_lists(own, self.first_keys[begin:end], self.first_lists[begin:end], wanted)
        if bounds is None:
            raise DamagedError(f"{self.path}: the keys of function {function} cannot be unpacked: a file was altered")
        return bounds + first
