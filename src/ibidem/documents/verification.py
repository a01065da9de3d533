"""Exact resemblance of pairs of documents, counted on their sets of shingles."""

import numpy as np
from numpy.typing import NDArray

from ibidem.documents.signatures import ShingleHash, make_shingle_part
from ibidem.kernels import kernel
from ibidem.rounding import EQUAL, reaches

LONG_SHINGLES = 2 << 20
"""The sets of a pair with more shingles are compared part by part. A thread has parts of so many at a time."""


def measure_resemblances(
    values: NDArray[np.uint64], bounds: NDArray[np.int64], pairs: NDArray[np.int64], least: float = 0.0
) -> NDArray[np.float64]:
    """Resemblance of pairs [P, 2] of sets as ``ShingleSets`` holds them, float64 [P].

    A pair whose sizes alone keep it below ``least`` is not counted and has 0. Two empty sets are alike, 1.
    """
    similarities = np.empty(len(pairs))
    _fill_resemblances(values, bounds, pairs, least, similarities)
    return similarities


def are_long(counts: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which pairs with so many shingles, in both documents together, are compared by ``measure_long_pair``."""
    return counts > LONG_SHINGLES


def measure_long_pair(a: NDArray[np.uint32], b: NDArray[np.uint32], shingles: ShingleHash, least: float = 0.0) -> float:
    """The resemblance of two documents by their tokens, whose sets of shingles are never in memory as a whole.

    As of ``measure_resemblances``, it is 0 where the sizes of the sets alone keep it below ``least``.
    """
    a_size = b_size = shared = 0
    parts = -(-(len(a) + len(b)) // LONG_SHINGLES)
    for part in range(parts):
        sets = [make_shingle_part(ids, shingles, part, parts) for ids in (a, b)]
        a_size, b_size = a_size + len(sets[0]), b_size + len(sets[1])
        shared += _count_common(*sets)
    smaller, larger = sorted((a_size, b_size))
    if larger and not reaches(smaller / larger, least):
        return 0.0
    total = a_size + b_size
    return shared / (total - shared) if total else 1.0


@kernel
def _fill_resemblances(
    values: NDArray[np.uint64],
    bounds: NDArray[np.int64],
    pairs: NDArray[np.int64],
    least: float,
    similarities: NDArray[np.float64],
) -> None:
    for pair in range(pairs.shape[0]):
        i, end_i = bounds[pairs[pair, 0]], bounds[pairs[pair, 0] + 1]
        j, end_j = bounds[pairs[pair, 1]], bounds[pairs[pair, 1] + 1]
        total, larger, smaller = end_i - i + end_j - j, max(end_i - i, end_j - j), min(end_i - i, end_j - j)
        if larger and smaller / larger < least * (
            1.0 - EQUAL
        ):  # as a quotient, which rounds no lower than that of the intersection
            similarities[pair] = 0.0
            continue
        shared = _count_common(values[i:end_i], values[j:end_j])
        similarities[pair] = shared / (total - shared) if total else 1.0


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
