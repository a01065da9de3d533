"""Exact resemblance and containment of pairs of documents, counted on their sets of shingles."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.documents.signatures import make_shingle_part
from ibidem.kernels import kernel
from ibidem.rounding import EQUAL

LONG_SHINGLES = 2 << 20
"""The sets of a pair with more shingles are compared part by part. A thread has parts of so many at a time."""


class Overlaps(NamedTuple):
    """How many shingles the sets of pairs have, and how many of these are in both, int64 [P] each."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    shared: NDArray[np.int64]

    @property
    def resemblances(self) -> NDArray[np.float64]:
        """The share of the shingles of either that both have, float64 [P]; two empty sets are alike, 1."""
        return _divide(self.shared, self.first + self.second - self.shared)

    @property
    def containments(self) -> NDArray[np.float64]:
        """The share of the shingles of the second that the first has, float64 [P]; an empty set lies in any, 1."""
        return _divide(self.shared, self.second)


def count_overlaps(
    values: NDArray[np.uint64], bounds: NDArray[np.int64], pairs: NDArray[np.int64], least: float = 0.0
) -> Overlaps:
    """The overlaps of pairs [P, 2] of sets as ``ShingleSets`` holds them.

    A pair whose sizes alone keep its resemblance below ``least`` is not counted, and shares nothing.
    """
    sizes, shared = np.diff(bounds), np.empty(len(pairs), np.int64)
    _fill_shared(values, bounds, pairs, least, shared)
    return Overlaps(sizes[pairs[:, 0]], sizes[pairs[:, 1]], shared)


def are_long(counts: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which pairs with so many shingles, in both documents together, are compared by ``count_long_overlaps``."""
    return counts > LONG_SHINGLES


def count_long_overlaps(pairs: Iterable[tuple[NDArray[np.uint32], NDArray[np.uint32]]], width: int) -> Overlaps:
    """The overlaps of documents by their tokens, whose sets of shingles are never in memory as a whole."""
    rows = [_count_by_parts(a, b, width) for a, b in pairs]
    return Overlaps(*np.array(rows, np.int64).reshape(-1, 3).T)


def _count_by_parts(a: NDArray[np.uint32], b: NDArray[np.uint32], width: int) -> tuple[int, int, int]:
    a_size = b_size = shared = 0
    parts = -(-(len(a) + len(b)) // LONG_SHINGLES)
    for part in range(parts):
        sets = [make_shingle_part(ids, width, part, parts) for ids in (a, b)]
        a_size, b_size = a_size + len(sets[0]), b_size + len(sets[1])
        shared += _count_common(*sets)
    return a_size, b_size, shared


def _divide(part: NDArray[np.int64], whole: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.divide(part, whole, out=np.ones(len(whole)), where=whole > 0)


@kernel
def _fill_shared(
    values: NDArray[np.uint64],
    bounds: NDArray[np.int64],
    pairs: NDArray[np.int64],
    least: float,
    shared: NDArray[np.int64],
) -> None:
    for pair in range(pairs.shape[0]):
        i, end_i = bounds[pairs[pair, 0]], bounds[pairs[pair, 0] + 1]
        j, end_j = bounds[pairs[pair, 1]], bounds[pairs[pair, 1] + 1]
        larger, smaller = max(end_i - i, end_j - j), min(end_i - i, end_j - j)
        if larger and smaller / larger < least * (
            1.0 - EQUAL
        ):  # as a quotient, which rounds no lower than that of the intersection
            shared[pair] = 0
            continue
        shared[pair] = _count_common(values[i:end_i], values[j:end_j])


@kernel
def _count_common(first: NDArray[np.uint64], second: NDArray[np.uint64]) -> int:
    """Return how many values two sets share, each in ascending order."""
    i, j, shared = 0, 0, 0
    while i < first.shape[0] and j < second.shape[0]:  # no branch on what is compared: it is as good as random
        a, b = first[i], second[j]
        shared += int(a == b)
        i += int(a <= b)
        j += int(b <= a)
    return shared
