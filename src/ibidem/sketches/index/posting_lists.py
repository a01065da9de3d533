"""Posting lists: the windows of a function in lists by key, those of one key by start."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.radix_sort import sort_stably
from ibidem.sketches.windows.windows import Windows
from ibidem.store.postings.lists import Lists, find_list_ends


class BlockPostings(NamedTuple):
    """The windows of a block of texts under one function as postings, in any order.

    Attributes:
        keys: uint32 [n].
        starts: uint32 [n], the position of ``a`` in the segment.
        extents: uint16 [n, 3], the widths ``b - a``, ``c - b`` and ``d - c``.
    """

    keys: npt.NDArray[np.uint32]
    starts: npt.NDArray[np.uint32]
    extents: npt.NDArray[np.uint16]

    @classmethod
    def of(cls, windows: Windows, offset: int) -> "BlockPostings":
        """Windows whose positions count from ``offset``."""
        keys, *corners = windows
        extents = np.diff(np.stack(corners, axis=1), axis=1).astype(np.uint16)
        return cls(keys, (windows.a.astype(np.int64) + offset).astype(np.uint32), extents)


def build_lists(blocks: list[BlockPostings]) -> Lists:
    """The postings of all blocks as lists; those of one key and one start keep their order. None of them is left."""
    keys, starts, extents = (np.concatenate(column) for column in zip(*blocks, strict=True))
    blocks.clear()
    by_start = sort_stably(starts)[1]
    sorted_keys, order = sort_stably(keys[by_start])
    places = by_start[order]
    return Lists(*find_list_ends(sorted_keys), starts[places], extents[places])
