"""Posting lists: the windows of a block of texts in lists by key, and the lists of all blocks joined.

Windows come in the order in which they close. So those of one key stand in order of their starts, but for windows that
close together, which come from the last start to the first: a list is put in order by turning such runs round. Lists of
successive blocks need no sorting, only to be put one behind the other.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ibidem._jit import kernel
from ibidem.passages.postings.radix_sort import stable_order
from ibidem.store.postings.lists import Lists
from ibidem.windows.windows import Windows

__all__ = ["joined_lists", "lists_of_windows"]


def lists_of_windows(windows: Windows, offset: int) -> Lists:
    """Windows, whose positions count from ``offset``, as lists in the order of their keys, by start.

    A posting is the position of ``a`` and the widths ``b - a``, ``c - b`` and ``d - c``. Windows of one key and one
    start keep their order.
    """
    keys, places = stable_order(windows.keys)
    starts, extents, ends, in_order = _lists(keys, places, windows, offset)
    if not in_order:  # two elements with one key, whose windows interlock
        by_start = stable_order(windows.a.astype(np.uint32))[1]
        keys, places = stable_order(windows.keys[by_start])
        starts, extents, ends, _ = _lists(keys, by_start[places], windows, offset)
    return Lists(keys[ends.astype(np.int64) - 1], ends, starts, extents)


def joined_lists(parts: Sequence[Lists]) -> Lists:
    """The lists of all ``parts``, those of one key one behind the other."""
    keys, runs = stable_order(np.concatenate([part.keys for part in parts]))
    firsts = np.cumsum([0, *(len(part.starts) for part in parts)])
    bounds = [part.ends + np.uint64(first) for part, first in zip(parts, firsts, strict=False)]
    run_ends = np.concatenate(bounds).astype(np.int64)
    starts, extents = (np.concatenate([part[column] for part in parts]) for column in (2, 3))
    return Lists(*_joined(keys, runs, run_ends, starts, extents))


@kernel
def _lists(keys: Any, places: Any, windows: Any, offset: Any) -> Any:
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
            low, high = run, i
            while low < high:
                starts[low], starts[high] = starts[high], starts[low]
                for column in range(3):
                    extents[low, column], extents[high, column] = extents[high, column], extents[low, column]
                low, high = low + 1, high - 1
            if run > 0 and keys[run - 1] == keys[run] and starts[run] < starts[run - 1]:
                in_order = False
            run = i + 1
        if ends_list:
            ends[count] = i + 1
            count += 1
    return starts, extents, ends[:count].copy(), in_order


@kernel
def _joined(keys: Any, runs: Any, run_ends: Any, starts: Any, extents: Any) -> Any:
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
