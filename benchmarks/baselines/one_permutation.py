"""The windows of one permutation hashing by divide and conquer over a range-minimum query.

Algorithms 1 and 2 of Peng, Zhang and Deng, "Near-duplicate text alignment with one permutation hashing" (SIGMOD 2024),
for sets: the positions of a text whose tokens fall into one bin cut it into gaps, in which the bin is empty, and the
smallest of their hash values splits the passages into those that hold it, one window, and those left and right of it.
Positions count from 1. Production (``sketches/windows/one_permutation.py``) sweeps instead, and takes multisets too.
:func:`jitted_windows` is the same for all bins, compiled: the rival of the benchmarks.
"""

import math
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.kernels import inlined, kernel
from ibidem.sketches.families import ActiveValues
from ibidem.sketches.one_permutation import EMPTY_KEY, UNIT, BinValues
from ibidem.sketches.windows.windows import Windows
from ibidem.text.token_stream import TokenStream

__all__ = [
    "EmptyWindow",
    "NonEmptyWindow",
    "bin_minima",
    "empty_windows",
    "estimate",
    "jitted_function_windows",
    "jitted_windows",
    "non_empty_windows",
    "reach_of",
    "windows_of_bin",
]

_EMPTY = np.uint32(EMPTY_KEY)


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


def bin_minima(h: Sequence[int], k: int) -> list[int | None]:
    """The smallest of the hash values ``h`` in each of ``k`` bins, by ``h mod k`` (Equation 2, Figure 2).

    Bin ``t`` of the paper's 1 to ``k`` has the values with ``h mod k = t``, bin ``k`` those with 0. Its ``E``, for an
    empty bin, is ``None``.

    >>> bin_minima([82, 59, 22], 10)[1], bin_minima([82, 59, 22], 10)[4]
    (22, None)
    """
    return [min((value for value in h if value % k == t % k), default=None) for t in range(1, k + 1)]


def estimate(a: Sequence[int | None], b: Sequence[int | None]) -> float:
    """``N_mat / (k - N_emp)`` of two sketches (Equations 3 and 4)."""
    empty = sum(one is None and other is None for one, other in zip(a, b, strict=True))
    matching = sum(one == other is not None for one, other in zip(a, b, strict=True))
    return matching / (len(a) - empty)


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


def values_of_bin(values: BinValues, wanted: int) -> ActiveValues:
    """The values that fall into one bin, by token, as those of a function."""
    tokens = np.repeat(np.arange(len(values.bounds) - 1), np.diff(values.bounds))
    each = np.repeat(np.arange(len(values.bins)), np.diff(values.values))  # the run of each value
    kept = values.bins[each] == wanted
    counts = np.bincount(tokens[each[kept]], minlength=len(values.bounds) - 1)
    bounds = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return ActiveValues(bounds, values.x[kept], values.rank[kept], values.key[kept])


def windows_of_bin(T: Sequence[int], values: BinValues, wanted: int) -> list[tuple[int, int, int, int, int]]:
    """The windows of the dense ids ``T`` in one bin of a set, as (key, a, b, c, d) with positions from 0, ascending.

    An empty window is written as production writes it: starts ``a`` to ``b``, and ``c`` is ``b``.
    """
    own = values_of_bin(values, wanted)
    P = [p for p, t in enumerate(T, start=1) if own.bounds[t] < own.bounds[t + 1]]
    at = [int(own.bounds[T[p - 1]]) for p in P]
    keys = {p: int(own.key[v]) for p, v in zip(P, at, strict=True)}
    empty = [(EMPTY_KEY, w.l - 1, w.r - 1, w.r - 1, w.r - 1) for w in empty_windows(P, len(T))]
    full = non_empty_windows(P, [int(own.rank[v]) for v in at], len(T))
    return sorted(empty + [(keys[w.c], w.l - 1, w.c - 1, w.c - 1, w.r - 1) for w in full])


def jitted_windows(
    stream: TokenStream, values: BinValues, bins: int, ties: np.random.Generator | None = None
) -> list[Windows]:
    """The windows of a set in each of ``bins``, as production writes them, in another order.

    ``stream`` is read as one text. Of equal hash values the leftmost splits a range (the paper's first optimisation,
    section 4.2), or any of them, as ``ties`` draws.
    """
    run = values.bounds[:-1][stream.ids]  # a token of a set has one value in one bin
    which = values.bins[run]
    P = np.argsort(which, kind="stable")
    at = values.values[run[P]]
    bounds = np.searchsorted(which[P], np.arange(bins + 1))
    counts, keys, corners = _divide_and_conquer(P, _in_order(values.rank[at], ties), values.key[at], bounds)
    return [Windows(keys[low:high], *corners[:, low:high]) for low, high in pairwise(counts)]


def jitted_function_windows(
    stream: TokenStream, active: ActiveValues, ties: np.random.Generator | None = None
) -> Windows:
    """The windows of a set under one function of k-mins: those of a single bin that holds all tokens."""
    P, bounds = np.arange(len(stream.ids)), np.array([0, len(stream.ids)])
    h, keys = (column[active.bounds[:-1][stream.ids]] for column in (active.rank, active.key))
    _, found, corners = _divide_and_conquer(P, _in_order(h, ties), keys, bounds)
    return Windows(found, *corners)


def _in_order(h: npt.NDArray[Any], ties: np.random.Generator | None) -> npt.NDArray[Any]:
    """The hash values, or if ``ties`` are drawn, the places of each in an order in which no two are equal."""
    if ties is None:
        return h
    places = np.empty(len(h), np.uint64)
    places[np.lexsort((ties.random(len(h)), h))] = np.arange(len(h), dtype=np.uint64)
    return places


@kernel
def _divide_and_conquer(
    P: npt.NDArray[np.int64], h: npt.NDArray[np.uint64], keys: npt.NDArray[Any], bounds: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32], npt.NDArray[np.int32]]:
    """The windows up to each bin [bins + 1], and all of them as keys [M] and corners [4, M], positions from 0.

    The positions ``P`` of a bin and their hash values ``h`` are at ``bounds[bin]`` to ``bounds[bin + 1]``.
    """
    n, room = P.shape[0], 2 * P.shape[0] + bounds.shape[0]
    found, corners = np.empty(room, np.uint32), np.empty((4, room), np.int32)
    counts, count = np.zeros(bounds.shape[0], np.int64), 0
    ranges = np.empty((n + 2, 2), np.int64)
    for which in range(bounds.shape[0] - 1):
        first, end = bounds[which], bounds[which + 1]
        for m in range(first, end + 1):
            l = P[m - 1] + 1 if m > first else 0  # noqa: E741
            r = P[m] - 1 if m < end else n - 1
            if l <= r:
                found[count] = _EMPTY
                corners[0, count], corners[1, count], corners[2, count], corners[3, count] = l, r, r, r
                count += 1
        table = _sparse_table(h[first:end])
        ranges[0, 0], ranges[0, 1], height = first, end - 1, 1
        while height:
            height -= 1
            i, j = ranges[height, 0], ranges[height, 1]
            if i > j:
                continue
            m = first + _range_minimum(table, h[first:end], i - first, j - first)
            l = P[i - 1] + 1 if i > first else 0  # noqa: E741
            r = P[j + 1] - 1 if j + 1 < end else n - 1
            found[count] = keys[m]
            corners[0, count], corners[1, count], corners[2, count], corners[3, count] = l, P[m], P[m], r
            count += 1
            ranges[height, 0], ranges[height, 1] = m + 1, j
            ranges[height + 1, 0], ranges[height + 1, 1] = i, m - 1
            height += 2
        counts[which + 1] = count
    return counts, found[:count], corners[:, :count]


@kernel
def _sparse_table(h: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """The table of :class:`RangeMinimum`, a row for each power of two."""
    size, levels = h.shape[0], 1
    while 1 << levels <= size:
        levels += 1
    table = np.empty((levels, size), np.int64)
    table[0] = np.arange(size)
    for level in range(1, levels):
        half = 1 << (level - 1)
        for i in range(size - (1 << level) + 1):
            one, other = table[level - 1, i], table[level - 1, i + half]
            table[level, i] = other if h[other] < h[one] else one
    return table


@inlined
def _range_minimum(table: npt.NDArray[np.int64], h: npt.NDArray[np.uint64], i: np.int64, j: np.int64) -> np.int64:
    """The place of the leftmost smallest of ``h[i : j + 1]``."""
    level = 0
    while 2 << level <= j - i + 1:
        level += 1
    one: np.int64 = table[level, i]
    other: np.int64 = table[level, j - (1 << level) + 1]
    return other if h[other] < h[one] else one


# Numbers of occupied bins that are less likely than this are left out.
_LEAST_CHANCE = 1e-15

# Elements of a union, at most.
_LARGEST_UNION = 1024


def reach_of(bins: int, union: int, shared: int, score: int, threshold: float) -> float:
    """Probability of a ``score`` or more for two texts with ``shared`` of ``union`` elements; at most 1,024 of them.

    The score is ``UNIT`` for each bin that agrees, and ``floor(threshold * UNIT)`` for each bin that is empty in both.

    A union of ``N`` elements occupies ``m`` bins with the probability of ``N`` balls in k boxes. The smallest values of
    these bins are ``m`` different elements, every set of ``m`` as likely as every other, so of ``a`` shared elements
    they hold a hypergeometric number: ``N_mat`` given ``m`` is Hypergeometric(N, a, m). Both laws are exact.
    """
    chances = _occupancies(bins)[union]
    counts = np.flatnonzero(chances > _LEAST_CHANCE)
    missing, empty = _hypergeometric_below(union, shared, counts), math.floor(threshold * UNIT)
    least = np.clip(-((empty * (bins - counts) - score) // UNIT), 0, counts[-1] + 1)  # that N_mat must be
    return 1.0 - float(chances[counts] @ missing[np.arange(len(counts)), least])


@cache
def _occupancies(bins: int) -> npt.NDArray[np.float64]:
    """The chances that N elements occupy m of ``bins``, float64 [N, m], for N up to the largest of interest."""
    chances = np.zeros((_LARGEST_UNION + 1, bins + 1))
    chances[0, 0] = 1.0
    m = np.arange(bins + 1)
    for union in range(_LARGEST_UNION):
        chances[union + 1] = chances[union] * m / bins
        chances[union + 1, 1:] += chances[union, :-1] * (bins - m[:-1]) / bins
    return chances


def _hypergeometric_below(union: int, shared: int, draws: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """The chances of fewer than c of ``shared`` elements among each number of ``draws`` ones, float64 [len(drawn), c].

    ``c`` runs from 0 to one more than can be drawn.
    """
    log = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, _LARGEST_UNION + 1)))))
    m, c = draws[:, None], np.arange(int(draws.max()) + 1)[None, :]
    possible = (c <= m) & (c <= shared) & (m - c <= union - shared)
    drawn_others = np.where(possible, m - c, 0)
    drawn_shared = np.where(possible, c, 0)
    logs = (
        (log[shared] - log[drawn_shared] - log[np.maximum(shared - drawn_shared, 0)])
        + (log[union - shared] - log[drawn_others] - log[np.maximum(union - shared - drawn_others, 0)])
        - (log[union] - log[m] - log[union - m])
    )
    chances = np.where(possible, np.exp(logs), 0.0)
    return np.concatenate((np.zeros((len(draws), 1)), np.cumsum(chances, axis=1)), axis=1)
