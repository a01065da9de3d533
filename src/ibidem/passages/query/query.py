"""A query as the search sees it: its distinct tokens, their weights, and what a similar passage must have."""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.weights import Weighting

__all__ = ["Query"]


class Query(NamedTuple):
    """The tokens of a query under the weights of an index.

    Attributes:
        tokens: uint32 [n], in order.
        vocabulary: uint32 [V], distinct tokens, ascending; tokens that weigh nothing are left out.
        frequencies: int64 [V].
        weights: float64 [V], weight of each token at its frequency.
        mass: sum of the weights.
        heaviest: float64 [V], the most that one occurrence can add to the overlap with the query.
        least_step: the least that a token adds to the weight of any passage.
        least_first: the least that one adds that does not stand in the passage yet.
    """

    tokens: npt.NDArray[np.uint32]
    vocabulary: npt.NDArray[np.uint32]
    frequencies: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]
    mass: float
    heaviest: npt.NDArray[np.float64]
    least_step: float
    least_first: float

    @classmethod
    def of(cls, tokens: npt.NDArray[np.uint32], weighting: Weighting) -> "Query":
        """Weigh the ``tokens`` [n]."""
        vocabulary, frequencies = np.unique(tokens, return_counts=True)
        idf = weighting.idf_of(vocabulary)
        kept = idf > 0
        vocabulary, frequencies, idf = vocabulary[kept], frequencies[kept], idf[kept]
        table = weighting.tf_table(int(frequencies.max(initial=1)))
        weights = table[frequencies] * idf
        slopes = np.maximum.accumulate(table[1:] / np.arange(1, len(table)))
        heaviest = slopes[frequencies - 1] * idf
        mass, steps = float(weights.sum()), (weighting.least_step(), weighting.least_first())
        return cls(tokens, vocabulary, frequencies, weights, mass, heaviest, *steps)

    def fewest_tokens(self, threshold: float) -> int:
        """Tokens without which no passage reaches ``threshold``: it must hold that share of the query's weight."""
        needed, count = threshold * self.mass * (1 - 1e-9), int(self.frequencies.sum())
        heaviest = float(self.heaviest.max())
        if heaviest == self.heaviest.min():
            return min(count, max(1, math.ceil(needed / heaviest)))
        held = np.cumsum(np.sort(np.repeat(self.heaviest, self.frequencies))[::-1])
        return min(count, int(np.searchsorted(held, needed)) + 1)

    def most_tokens(self, threshold: float, max_length: int) -> int:
        """Tokens beyond which no passage reaches ``threshold``, or ``max_length`` where weights give no bound.

        The weight of a passage is at most the query's divided by the threshold.
        """
        if not self.least_step:
            return max_length
        return min(max_length, math.floor(self.mass / threshold / self.least_step * (1 + 1e-9)))
