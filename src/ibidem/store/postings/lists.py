"""Postings: for each hash function, a list of places for each key.

All postings are in one sequence, sorted by (function, key, start). The *directory* says where each list begins: per
function its distinct keys, ascending, and the end of each key's list, counted from the function's first posting.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


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


def require_order(lists: Lists) -> None:
    """Refuse postings of one function that are not sorted by (key, start).

    Raises:
        ValueError: names the first posting that is smaller than the one before it.
    """
    falls = lists.starts[1:] < lists.starts[:-1]
    falls[lists.ends[:-1].astype(np.int64) - 1] = lists.keys[1:] < lists.keys[:-1]
    if falls.any():
        at = int(np.argmax(falls)) + 1
        raise ValueError(f"postings must be sorted by key and start: posting {at} is smaller than the one before it")


def find_list_ends(keys: NDArray[np.uint32]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """The distinct keys of one function's sorted postings, and the end of each key's list; both of shape [K]."""
    if not len(keys):
        return np.empty(0, np.uint32), np.empty(0, np.uint32)
    ends = np.append(np.flatnonzero(keys[1:] != keys[:-1]) + 1, len(keys))
    return keys[ends - 1], ends.astype(np.uint32)
