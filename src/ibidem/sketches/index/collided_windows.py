"""The windows of a query's keys: a count filter over their starts, and the order in which they begin and end.

Most windows never meet enough others at any start to reach a score together. One pass adds up the worths of all
windows at each start (ScanCount: Li, Lu, Lu, ICDE 2008), another keeps the windows that hold a start whose sum is
enough. Neither sorts, and both together take a small part of the time of a sweep over all windows.

For this, starts are numbered without the stretches of a text that no window touches. There are then not many more
starts than windows, however long the text is.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.kernels import inlined, kernel

# Starts of a stretch, as bits.
_STRETCH_BITS = 6


class WindowSet(NamedTuple):
    """Windows of a query's keys, of any functions.

    Attributes:
        a, b, c, d: int64 [m]; a window holds the passages ``[i, j]`` with ``a <= i <= b``, ``c <= j <= d`` and ``i <=
            j``. An empty window of one permutation hashing has ``c == a``.
        counts: int64 [m], what a collision adds to the score.
    """

    a: npt.NDArray[np.int64]
    b: npt.NDArray[np.int64]
    c: npt.NDArray[np.int64]
    d: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]


class Events(NamedTuple):
    """Where windows begin and end as the start moves, from left to right; at one start the ends come first.

    Attributes:
        positions: int64 [2m], the start from which it holds.
        changes: int64 [2m], the window that begins, or -1 less the window that ends.
    """

    positions: npt.NDArray[np.int64]
    changes: npt.NDArray[np.int64]


def keep_meeting(windows: WindowSet, least: int) -> WindowSet:
    """The windows that hold a start at which all windows together count ``least``, cut to these starts.

    A window is cut to the first and the last of them, so the sums at these starts, and what qualifies there, are those
    of all ``windows``; elsewhere no passage counts ``least`` in either.
    """
    if not len(windows.a):
        return windows
    rows, a, b = _keep_meeting(windows.a, windows.b, windows.counts, least)
    return WindowSet(a, b, windows.c[rows], windows.d[rows], windows.counts[rows])


def order_events(windows: WindowSet) -> Events:
    """The events of ``windows``, sorted by counting."""
    return Events(*_order_events(windows.a, windows.b)) if len(windows.a) else Events(windows.a, windows.b)


@kernel
def _keep_meeting(
    a: npt.NDArray[np.int64], b: npt.NDArray[np.int64], counts: npt.NDArray[np.int64], least: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Which windows are left, and their first and last start."""
    first, ranks, size = _number_starts(a, b)
    sums = np.zeros(size + 1, np.int64)
    for window in range(a.shape[0]):
        sums[_number(first, ranks, a[window])] += counts[window]
        sums[_number(first, ranks, b[window]) + 1] -= counts[window]
    before, behind = np.empty(size, np.int64), np.empty(size, np.int64)  # the next start that reaches ``least``
    score, nearest = np.int64(0), np.int64(-1)
    for start in range(size):
        score += sums[start]
        if score >= least:
            nearest = np.int64(start)
        before[start] = nearest
    nearest = np.int64(size)
    for start in range(size - 1, -1, -1):
        if before[start] == start:
            nearest = np.int64(start)
        behind[start] = nearest
    meets, count = np.empty(a.shape[0], np.bool_), 0
    for window in range(a.shape[0]):
        low, high = _number(first, ranks, a[window]), _number(first, ranks, b[window])
        meets[window] = behind[low] <= high
        count += meets[window]
    rows, lows, highs = np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.int64)
    count = 0
    for window in range(a.shape[0]):
        if meets[window]:
            low, high = _number(first, ranks, a[window]), _number(first, ranks, b[window])
            rows[count] = window
            lows[count], highs[count] = a[window] + behind[low] - low, b[window] + before[high] - high
            count += 1
    return rows, lows, highs


@kernel
def _order_events(
    a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The columns of ``Events``."""
    first, ranks, size = _number_starts(a, b)
    places = np.zeros(size + 2, np.int64)
    for window in range(a.shape[0]):
        places[_number(first, ranks, a[window]) + 1] += 1
        places[_number(first, ranks, b[window]) + 2] += 1
    for start in range(size + 1):
        places[start + 1] += places[start]
    positions, changes = np.empty(2 * a.shape[0], np.int64), np.empty(2 * a.shape[0], np.int64)
    for window in range(a.shape[0]):
        begin = _number(first, ranks, b[window]) + 1
        positions[places[begin]], changes[places[begin]] = b[window] + 1, -1 - window
        places[begin] += 1
    for window in range(a.shape[0]):
        begin = _number(first, ranks, a[window])
        positions[places[begin]], changes[places[begin]] = a[window], window
        places[begin] += 1
    return positions, changes


@kernel
def _number_starts(a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]) -> tuple[int, npt.NDArray[np.int32], int]:
    """How starts are numbered: the first stretch, the rank of each among those touched, and how many numbers are."""
    first = np.min(a) >> _STRETCH_BITS
    is_touched = np.zeros((np.max(b) >> _STRETCH_BITS) - first + 1, np.bool_)
    for window in range(a.shape[0]):
        for stretch in range(a[window] >> _STRETCH_BITS, (b[window] >> _STRETCH_BITS) + 1):
            is_touched[stretch - first] = True
    ranks, count = np.empty(is_touched.shape[0], np.int32), np.int64(0)
    for stretch in range(is_touched.shape[0]):
        ranks[stretch] = count
        count += np.int64(is_touched[stretch])
    return int(first), ranks, int(count << _STRETCH_BITS)


@inlined
def _number(first: int, ranks: npt.NDArray[np.int32], start: int) -> np.int64:
    """The number of a start."""
    stretch = start >> _STRETCH_BITS
    return start + ((np.int64(ranks[stretch - first]) - stretch) << _STRETCH_BITS)
