"""Comparing texts: the exact resemblance of pairs, in threads, by the tokens that digests hold."""

from collections.abc import Iterator
from concurrent.futures import Executor
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ibidem.documents.digests import Digests
from ibidem.documents.signatures import count_shingles
from ibidem.documents.texts import DistinctTexts
from ibidem.documents.verification import count_overlaps
from ibidem.parallel import in_order

BLOCK_SHINGLES = 1 << 20
"""Shingles in the sets of one block of pairs, more or less: each block builds its sets once."""

_Ints = NDArray[np.int64]


class TextComparer:
    """Gives the similarities of pairs of texts, and counts them.

    Attributes:
        count: pairs that were compared.
    """

    def __init__(self, documents: Digests, texts: DistinctTexts, width: int, pool: Executor, workers: int) -> None:
        self.count = 0
        self._documents, self._texts, self._width = documents, texts, width
        self._pool, self._workers = pool, workers

    def __call__(self, pairs: _Ints, least: float) -> NDArray[np.float64]:
        """The resemblance of each of ``pairs`` [P, 2], float64 [P]; 0 where the sizes alone rule out ``least``.

        Pairs that follow one another share the work on the texts that they have in common.
        """
        self.count += len(pairs)
        documents = self._texts.first_of(pairs.reshape(-1)).reshape(-1, 2)
        measure = partial(self._measure_block, least=least)
        measured = in_order(self._pool, measure, self._cut_blocks(documents), self._workers + 1)
        return np.concatenate([np.empty(0), *measured])

    def _cut_blocks(self, pairs: _Ints) -> Iterator[_Ints]:
        """Cut pairs, in their order, into blocks whose sets hold about ``BLOCK_SHINGLES``."""
        counts = count_shingles(self._documents.lengths_of(pairs.reshape(-1)), self._width).reshape(-1, 2)
        opens = np.append(True, pairs[1:, 0] != pairs[:-1, 0])[: len(pairs)]
        work = np.cumsum(np.where(opens, counts[:, 0], 0) + counts[:, 1])
        cuts = np.flatnonzero(np.diff(work // BLOCK_SHINGLES)) + 1
        return (block for block in np.split(pairs, cuts) if len(block))

    def _measure_block(self, pairs: _Ints, least: float) -> NDArray[np.float64]:
        documents, places = np.unique(pairs, return_inverse=True)
        sets = self._documents.make_shingle_sets(documents, self._width)
        return count_overlaps(sets.values, sets.bounds, places.reshape(-1, 2), least).resemblances
