"""The plane sweep of the papers: an interval scan over starts, and in each interval one over ends.

Algorithm 3 of Peng, Zhang and Deng, "Near-duplicate text alignment with one permutation hashing" (SIGMOD 2024), and
KMS, its form for k-mins, in which each window counts 1. Under one permutation hashing an empty window counts θ, and a
passage qualifies if ``N_mat + θ N_emp >= kθ``. Three things make it faster, each of which is switched on by itself:

- *longest*: of each interval of starts only the longest passage is asked for. The scan over ends runs from the right
  and stops at the first end that qualifies.
- *ordered*: intervals come in the order of their starts, so a passage that ends no later than one before it lies inside
  that one. Windows are looked at only for ends behind the furthest so far.
- *tree*: the ends are kept in a segment tree, to which a window is added when it begins and from which it is taken when
  it ends, so that no interval scans its windows anew. ``passages/search/collisions/sweep.py`` does this.

Positions count as the windows' do. Counts are whole numbers: production's units, or the numbers of collisions.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.kernels import kernel

__all__ = ["Near", "Window", "all_passages", "interval_scan", "jitted_scan", "maximal", "near_duplicates"]


_Ints = npt.NDArray[np.int64]


class Window(NamedTuple):
    """All ``[i, j]`` with ``a <= i <= b``, ``c <= j <= d`` and ``i <= j``, and the score of a collision."""

    a: int
    b: int
    c: int
    d: int
    score: int


class Near(NamedTuple):
    """All ``[i, j]`` with ``i`` and ``j`` in these ranges, first and last, and ``i <= j``: they are near-duplicates."""

    starts: tuple[int, int]
    ends: tuple[int, int]


def interval_scan(updates: list[tuple[int, int, int]], least: int) -> list[tuple[int, int, list[int]]]:
    """The intervals in which windows that count ``least`` together are held: first, last and which windows.

    An update is a position, what is added or taken from it on, and the window.

    >>> interval_scan([(1, 1, 0), (5, -1, 0), (3, 1, 1), (9, -1, 1)], 2)
    [(3, 4, [0, 1])]
    """
    updates = sorted(updates)
    found: list[tuple[int, int, list[int]]] = []
    held: set[int] = set()
    score = 0
    for number, (position, count, window) in enumerate(updates):
        score += count
        if count > 0:
            held.add(window)
        else:
            held.remove(window)
        if number + 1 < len(updates) and updates[number + 1][0] > position and score >= least:
            found.append((position, updates[number + 1][0] - 1, sorted(held)))
    return found


def near_duplicates(windows: list[Window], least: int) -> list[Near]:
    """All near-duplicates: the ends of each interval of starts, found by another scan (Algorithm 3)."""
    found = []
    for first, last, held in interval_scan(_updates((w.a, w.b, w.score) for w in windows), least):
        among = [windows[number] for number in held]
        for low, high, _ in interval_scan(_updates((w.c, w.d, w.score) for w in among), least):
            if high >= first:
                found.append(Near((first, last), (max(low, first), high)))
    return found


def all_passages(windows: list[Window], least: int) -> set[tuple[int, int]]:
    """The near-duplicates one by one."""
    return {
        (i, j)
        for near in near_duplicates(windows, least)
        for i in range(near.starts[0], near.starts[1] + 1)
        for j in range(max(i, near.ends[0]), near.ends[1] + 1)
    }


def maximal(passages: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ``passages`` that lie in no other of them, by start.

    >>> maximal([(1, 4), (2, 4), (2, 7), (3, 5)])
    [(1, 4), (2, 7)]
    """
    found: list[tuple[int, int]] = []
    for i, j in sorted(passages, key=lambda passage: (passage[0], -passage[1])):
        if not found or j > found[-1][1]:
            found.append((i, j))
    return found


def _updates(ranges: Iterable[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    return [
        update
        for number, (first, last, count) in enumerate(ranges)
        for update in ((first, count, number), (last + 1, -count, number))
    ]


def jitted_scan(windows: Any, least: int, *, longest: bool, ordered: bool) -> list[tuple[int, int]]:
    """The scan, compiled, for the benchmark; ``windows`` has arrays ``a, b, c, d, counts``.

    Gives the last passage of each run of ends for ``longest=False``, else of each interval of starts the longest.
    """
    positions = np.concatenate((windows.a, windows.b + 1))
    changes = np.concatenate((np.arange(len(windows.a)), -1 - np.arange(len(windows.a))))
    order = np.argsort(positions, kind="stable")
    room = 4096
    while True:
        count, found = _jitted_scan(
            (windows.c, windows.d, windows.counts), positions[order], changes[order], least, longest, ordered, room
        )
        if count <= room:
            return [(int(i), int(j)) for i, j in found[:count]]
        room = count


@kernel
def _jitted_scan(
    windows: tuple[_Ints, _Ints, _Ints],
    positions: _Ints,
    changes: _Ints,
    least: int,
    longest: bool,
    ordered: bool,
    room: int,
) -> tuple[int, _Ints]:
    """How many passages there are, and the first ``room`` of them, int64 [room, 2]."""
    window_c, window_d, counts = windows
    found, count = np.empty((room, 2), np.int64), 0
    held, place = np.empty(window_c.shape[0], np.int64), np.empty(window_c.shape[0], np.int64)
    height, score, furthest = 0, np.int64(0), np.int64(-1)
    for event in range(positions.shape[0]):
        change = changes[event]
        if change >= 0:
            held[height], place[change] = change, height
            height, score = height + 1, score + counts[change]
        else:
            gone = -1 - change
            height, score = height - 1, score - counts[gone]
            held[place[gone]] = held[height]
            place[held[height]] = place[gone]
        if score < least or positions[event + 1] == positions[event]:
            continue
        ends, signed, size = np.empty(2 * height, np.int64), np.empty(2 * height, np.int64), 0
        for q in range(height):
            window = held[q]
            if not ordered or window_d[window] > furthest:
                low = max(window_c[window], furthest + 1) if ordered else window_c[window]
                ends[size], signed[size] = low, counts[window]
                ends[size + 1], signed[size + 1] = window_d[window] + 1, -counts[window]
                size += 2
        order = np.argsort(ends[:size])
        inner = np.int64(0)
        for step in range(size):
            at = order[size - 1 - step] if longest else order[step]
            inner += -signed[at] if longest else signed[at]
            here = ends[at]
            if step + 1 == size:
                break
            following = ends[order[size - 2 - step] if longest else order[step + 1]]
            if following == here or inner < least:
                continue
            last = here - 1 if longest else following - 1
            if last < positions[event]:
                continue
            if count < room:
                found[count, 0], found[count, 1] = positions[event], last
            count += 1
            furthest = max(furthest, last)
            if longest:
                break
    return count, found
