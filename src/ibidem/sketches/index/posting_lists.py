"""Posting lists: the windows of a block of texts in lists by key, and the lists of several blocks as one.

Windows come in the order in which they close. So the windows of one key come in order of their starts, except that
windows which close together come from the last start to the first. Reversing such runs puts a list in order. The lists
of successive blocks need no sorting: they are appended.
"""

import numpy as np
import numpy.typing as npt

from ibidem.kernels import inlined, kernel
from ibidem.radix_sort import sort_stably
from ibidem.sketches.windows.windows import Windows
from ibidem.store.postings.lists import Lists


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


def join_lists(parts: list[Lists]) -> Lists:
    """The lists of all ``parts``, those of one key one after the other. None of the parts is left."""
    keys, runs = sort_stably(np.concatenate([part.keys for part in parts]))
    lengths = np.concatenate([np.diff(part.ends, prepend=np.uint32(0)) for part in parts])
    lists, ends, places = _place_runs(keys, runs, lengths)
    total = int(lengths.sum(dtype=np.int64))
    starts, extents = np.empty(total, np.uint32), np.empty((total, 3), np.uint16)
    first_run = len(places)
    while parts:  # a part makes room as soon as it is copied
        part = parts.pop()
        first_run -= len(part.keys)
        _copy_runs(part, places[first_run : first_run + len(part.keys)], starts, extents)
    return Lists(lists, ends, starts, extents)


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
def _place_runs(
    keys: npt.NDArray[np.uint32], runs: npt.NDArray[np.uint32], lengths: npt.NDArray[np.uint32]
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """The keys and ends of the lists of ``runs``, ordered by ``keys``, and where each run begins, by its number."""
    lists, ends = np.empty(keys.shape[0], np.uint32), np.empty(keys.shape[0], np.uint32)
    places = np.empty(keys.shape[0], np.uint32)
    count, position = 0, np.int64(0)
    for i in range(keys.shape[0]):
        places[runs[i]] = position
        position += np.int64(lengths[runs[i]])
        if i == 0 or keys[i] != keys[i - 1]:
            lists[count] = keys[i]
            count += 1
        ends[count - 1] = position
    return lists[:count].copy(), ends[:count].copy(), places


@kernel
def _copy_runs(
    part: Lists,
    places: npt.NDArray[np.uint32],
    starts: npt.NDArray[np.uint32],
    extents: npt.NDArray[np.uint16],
) -> None:
    """Copy the lists of a part to where each of them begins among all postings."""
    begin = np.int64(0)
    for run in range(part.keys.shape[0]):
        end, position = np.int64(part.ends[run]), np.int64(places[run])
        for posting in range(begin, end):
            starts[position] = part.starts[posting]
            for column in range(3):
                extents[position, column] = part.extents[posting, column]
            position += 1
        begin = end
