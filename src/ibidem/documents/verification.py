"""Exact resemblance of pairs of documents, counted on their sets of shingles."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.documents.candidates import BandedSignatures, count_agreements
from ibidem.documents.signatures import ShingleHash, count_shingles, make_shingle_part, make_shingle_sets
from ibidem.kernels import kernel
from ibidem.parallel import in_order

BLOCK_SHINGLES = 1 << 20
"""Shingles in the sets of one block of pairs, more or less: each block builds its sets once."""

LONG_SHINGLES = 2 << 20
"""The sets of a pair with more shingles are compared part by part. A thread has parts of so many at a time."""


class Verifier(NamedTuple):
    """Documents by their tokens, ready to be compared.

    Attributes:
        ids, bounds: the tokens, as in ``Tokens``.
        rows: int64 [u]; pairs are of numbers below u, and document ``i`` is row ``rows[i]``.
        shingles: the function of the shingles.
        pool, workers: the threads.
    """

    ids: NDArray[np.uint32]
    bounds: NDArray[np.int64]
    rows: NDArray[np.int64]
    shingles: ShingleHash
    pool: ThreadPoolExecutor
    workers: int

    def measure_similarities(self, pairs: NDArray[np.int64], least: float = 0.0) -> NDArray[np.float64]:
        """The resemblance of each of ``pairs`` [P, 2], float64 [P]; 0 where the sizes alone rule out ``least``."""
        order = np.lexsort((pairs[:, 1], pairs[:, 0]))
        blocks = self._cut_blocks(pairs[order])
        block_similarities = in_order(
            self.pool, lambda block: self._measure_block(block, least), blocks, self.workers + 1
        )
        similarities = np.empty(len(pairs))
        similarities[order] = np.concatenate([np.empty(0), *block_similarities])
        return similarities

    def _cut_blocks(self, pairs: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
        """Cut pairs in order of their first document into blocks whose sets hold about ``BLOCK_SHINGLES``."""
        rows = self.rows[pairs]
        counts = count_shingles(self.bounds[rows + 1] - self.bounds[rows], self.shingles.width)
        opens = np.append(True, pairs[1:, 0] != pairs[:-1, 0])[: len(pairs)]
        work = np.cumsum(np.where(opens, counts[:, 0], 0) + counts[:, 1])
        cuts = np.flatnonzero(np.diff(work // BLOCK_SHINGLES)) + 1
        return (block for block in np.split(pairs, cuts) if len(block))

    def _measure_block(self, pairs: NDArray[np.int64], least: float) -> NDArray[np.float64]:
        rows = self.rows[pairs]
        counts = count_shingles(self.bounds[rows + 1] - self.bounds[rows], self.shingles.width).sum(axis=1)
        is_long = are_long(counts)
        similarities = np.empty(len(pairs))
        similarities[is_long] = [
            measure_long_pair(self._read_tokens(a), self._read_tokens(b), self.shingles, least)
            for a, b in rows[is_long].tolist()
        ]
        similarities[~is_long] = self._measure_short_pairs(pairs[~is_long], least)
        return similarities

    def _read_tokens(self, row: int) -> NDArray[np.uint32]:
        """The tokens of a document."""
        return self.ids[self.bounds[row] : self.bounds[row + 1]]

    def _measure_short_pairs(self, pairs: NDArray[np.int64], least: float) -> NDArray[np.float64]:
        documents, places = np.unique(pairs, return_inverse=True)
        sets = make_shingle_sets(self.ids, self.bounds, self.rows[documents], self.shingles)
        return measure_resemblances(sets.values, sets.bounds, places.reshape(-1, 2), least)


class Estimates(NamedTuple):
    """In the place of a ``Verifier``: resemblance as the share of the values of the signatures that agree."""

    documents: BandedSignatures

    def measure_similarities(self, pairs: NDArray[np.int64], least: float = 0.0) -> NDArray[np.float64]:
        """The estimate for each of ``pairs`` [P, 2], float64 [P]."""
        signatures, _, rows, _ = self.documents
        agreeing = count_agreements(signatures, rows[pairs[:, 0]], rows[pairs[:, 1]])
        return agreeing / np.float64(signatures.shape[1])


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
    if larger and smaller / larger < least:
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
        if larger and smaller / larger < least:  # as a quotient, which rounds no lower than that of the intersection
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
