"""Exact resemblance and containment of pairs of documents, counted on their sets of shingles."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.kernels import kernel
from ibidem.rounding import EQUAL


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
