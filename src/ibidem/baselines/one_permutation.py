"""The windows of one permutation hashing by divide and conquer over a range-minimum query.

Algorithms 1 and 2 of Peng, Zhang and Deng, "Near-duplicate text alignment with one permutation hashing" (SIGMOD 2024),
for sets: the positions of a text whose tokens fall into one bin cut it into gaps, in which the bin is empty, and the
smallest of their hash values splits the passages into those that hold it, one window, and those left and right of it.
Positions count from 1. Production (``windows/one_permutation.py``) sweeps instead, and takes multisets too.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ibidem.sketch.one_permutation import EMPTY_KEY, BinValues

__all__ = ["EmptyWindow", "NonEmptyWindow", "empty_windows", "non_empty_windows", "windows_of_bin"]


class EmptyWindow(NamedTuple):
    """All ``[i, j]`` with ``l <= i <= j <= r``: the bin holds no token of theirs."""

    l: int  # noqa: E741 (the paper's letter)
    r: int


class NonEmptyWindow(NamedTuple):
    """All ``[i, j]`` with ``l <= i <= c <= j <= r``: their smallest hash value in the bin is that of position ``c``."""

    l: int  # noqa: E741
    c: int
    r: int


class RangeMinimum:
    """The place of the leftmost smallest of ``values[i:j + 1]`` in O(1) after O(n log n): a sparse table.

    >>> RangeMinimum([5, 2, 7, 2])(1, 3)
    1
    """

    def __init__(self, values: Sequence[int]) -> None:
        self.values = values
        self.table = [list(range(len(values)))]
        while 1 << len(self.table) <= len(values):
            row, half = self.table[-1], 1 << len(self.table) - 1
            self.table.append([self._smaller(row[i], row[i + half]) for i in range(len(row) - half)])

    def __call__(self, i: int, j: int) -> int:
        level = (j - i + 1).bit_length() - 1
        return self._smaller(self.table[level][i], self.table[level][j - (1 << level) + 1])

    def _smaller(self, i: int, j: int) -> int:
        return j if self.values[j] < self.values[i] else i


def empty_windows(P: Sequence[int], n: int) -> list[EmptyWindow]:
    """The gaps between the ascending positions ``P`` of a bin in a text of ``n`` tokens (Algorithm 1).

    >>> empty_windows([2, 3], 5)
    [EmptyWindow(l=1, r=1), EmptyWindow(l=4, r=5)]
    """
    bounds = [0, *P, n + 1]
    return [EmptyWindow(before + 1, after - 1) for before, after in pairwise(bounds) if before + 1 <= after - 1]


def non_empty_windows(P: Sequence[int], h: Sequence[int], n: int) -> list[NonEmptyWindow]:
    """One window for each position of a bin, by the hash values ``h`` of the positions ``P`` (Algorithm 2).

    The recursion, which can be as deep as ``P`` is long, is a stack of ranges. Of equal values the leftmost splits.

    >>> non_empty_windows([2, 3], [7, 4], 5)
    [NonEmptyWindow(l=1, c=3, r=5), NonEmptyWindow(l=1, c=2, r=2)]
    """
    smallest = RangeMinimum(h)
    bounds = [0, *P, n + 1]
    windows, ranges = [], [(0, len(P) - 1)]
    while ranges:
        i, j = ranges.pop()
        if i > j:
            continue
        m = smallest(i, j)
        windows.append(NonEmptyWindow(bounds[i] + 1, P[m], bounds[j + 2] - 1))
        ranges += [(m + 1, j), (i, m - 1)]
    return windows


def windows_of_bin(T: Sequence[int], values: BinValues, wanted: int) -> list[tuple[int, int, int, int, int]]:
    """The windows of the dense ids ``T`` in one bin of a set, as (key, a, b, c, d) with positions from 0, ascending.

    An empty window is written as production writes it: starts ``a`` to ``b``, and ``c`` is ``b``.
    """
    own = values.of_bin(wanted)
    P = [p for p, t in enumerate(T, start=1) if own.bounds[t] < own.bounds[t + 1]]
    at = [int(own.bounds[T[p - 1]]) for p in P]
    keys = {p: int(own.key[v]) for p, v in zip(P, at, strict=True)}
    empty = [(EMPTY_KEY, w.l - 1, w.r - 1, w.r - 1, w.r - 1) for w in empty_windows(P, len(T))]
    full = non_empty_windows(P, [int(own.rank[v]) for v in at], len(T))
    return sorted(empty + [(keys[w.c], w.l - 1, w.c - 1, w.c - 1, w.r - 1) for w in full])
