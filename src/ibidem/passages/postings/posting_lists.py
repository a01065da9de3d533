"""Posting lists: the windows of a block of texts in lists by key, and the lists of several blocks as one.

Windows come in the order in which they close. So the windows of one key come in order of their starts, except that
windows which close together come from the last start to the first. Reversing such runs puts a list in order. The lists
of successive blocks need no sorting: they are appended.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ibidem._jit import inlined, kernel
from ibidem.passages.postings.radix_sort import sort_stably
from ibidem.store.postings.lists import Lists
from ibidem.windows.windows import Windows

__all__ = ["build_lists", "join_lists"]


def build_lists(windows: Windows, offset: int) -> Lists:
    """Windows as lists in the order of their keys, each by start. Positions of windows count from ``offset``.

    A posting is the position of ``a`` and the widths ``b - a``, ``c - b`` and ``d - c``. Windows of one key and one
    start keep their order.
    """
    keys, places = sort_stably(windows.keys)
    starts, extents, ends, in_order = _write_lists(keys, places, windows, offset)
    if not in_order:  # two elements with one key, whose windows interlock
        by_start = sort_stably(windows.a.astype(np.uint32))[1]
        keys, places = sort_stably(windows.keys[by_start])
        starts, extents, ends, _ = _write_lists(keys, by_start[places], windows, offset)
    return Lists(keys[ends.astype(np.int64) - 1], ends, starts, extents)


def join_lists(parts: Sequence[Lists]) -> Lists:
    """The lists of all ``parts``, those of one key one after the other."""
    keys, runs = sort_stably(np.concatenate([part.keys for part in parts]))
    firsts = np.cumsum([0, *(len(part.starts) for part in parts)])
    bounds = [part.ends + np.uint64(first) for part, first in zip(parts, firsts, strict=False)]
    run_ends = np.concatenate(bounds).astype(np.int64)
    starts, extents = (np.concatenate([part[column] for part in parts]) for column in (2, 3))
    return Lists(*_append_runs(keys, runs, run_ends, starts, extents))


@kernel
def _write_lists(
    keys: npt.NDArray[np.uint32], places: npt.NDArray[np.uint32], windows: Windows, offset: int
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint16], npt.NDArray[np.uint32], bool]:
    """Starts, extents and ends of the lists of ascending ``keys``, and whether every list is in order."""
    a, b, c, d, number = windows.a, windows.b, windows.c, windows.d, keys.shape[0]
    starts, extents, ends = np.empty(number, np.uint32), np.empty((number, 3), np.uint16), np.empty(number, np.uint32)
    count, run, in_order = 0, 0, True
    for i in range(number):
        place = places[i]
        starts[i] = a[place] + offset
        extents[i, 0], extents[i, 1], extents[i, 2] = b[place] - a[place], c[place] - b[place], d[place] - c[place]
        ends_list = i + 1 == number or keys[i + 1] != keys[i]
        if ends_list or a[places[i + 1]] >= a[place]:
            _reverse(starts, extents, run, i)
            if run > 0 and keys[run - 1] == keys[run] and starts[run] < starts[run - 1]:
                in_order = False
            run = i + 1
        if ends_list:
            ends[count] = i + 1
            count += 1
    return starts, extents, ends[:count].copy(), in_order


@inlined
def _reverse(starts: npt.NDArray[np.uint32], extents: npt.NDArray[np.uint16], low: int, high: int) -> None:
    """Reverse the order of the postings ``low`` to ``high``."""
    while low < high:
        starts[low], starts[high] = starts[high], starts[low]
        for column in range(3):
            extents[low, column], extents[high, column] = extents[high, column], extents[low, column]
        low, high = low + 1, high - 1


@kernel
def _append_runs(
    keys: npt.NDArray[np.uint32],
    runs: npt.NDArray[np.uint32],
    run_ends: npt.NDArray[np.int64],
    starts: npt.NDArray[np.uint32],
    extents: npt.NDArray[np.uint16],
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.uint16]]:
    """The columns of ``Lists`` of ``runs``, ordered by ``keys``, each of which ends at ``run_ends``."""
    lists, ends = np.empty(keys.shape[0], np.uint32), np.empty(keys.shape[0], np.uint32)
    joined_starts, joined_extents = np.empty_like(starts), np.empty_like(extents)
    count, at = 0, 0
    for i in range(keys.shape[0]):
        run = np.int64(runs[i])
        low = run_ends[run - 1] if run > 0 else np.int64(0)
        for place in range(low, run_ends[run]):
            joined_starts[at] = starts[place]
            for column in range(3):
                joined_extents[at, column] = extents[place, column]
            at += 1
        if i == 0 or keys[i] != keys[i - 1]:
            lists[count] = keys[i]
            count += 1
        ends[count - 1] = at
    return lists[:count].copy(), ends[:count].copy(), joined_starts, joined_extents
