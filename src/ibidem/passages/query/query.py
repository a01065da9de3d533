"""A query as the search sees it: its distinct tokens, their weights, and bounds on the length of a similar passage."""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.kernels import kernel
from ibidem.rounding import floor_loosely, loosen
from ibidem.weights import Weighting


class Query(NamedTuple):
    """The tokens of a query under the weights of an index.

    Attributes:
        tokens: uint32 [n], in order.
        vocabulary: uint32 [V], distinct tokens, ascending. Tokens without weight are left out.
        frequencies: int64 [V].
        weights: float64 [V], weight of each token at its frequency.
        mass: sum of the weights.
        heaviest: float64 [V], the most that one occurrence can add to the overlap with the query.
        least_step: the least that a token adds to the weight of any passage.
        least_first: the least that a token adds to the weight of a passage in which it does not occur yet.
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
        vocabulary, frequencies = _count_sorted(np.sort(tokens))
        idf = weighting.idf_of(vocabulary)
        has_weight = idf > 0
        vocabulary, frequencies, idf = vocabulary[has_weight], frequencies[has_weight], idf[has_weight]
        table = weighting.tf_table(int(frequencies.max(initial=1)))
        weights = table[frequencies] * idf
        slopes = np.maximum.accumulate(table[1:] / np.arange(1, len(table)))
        return cls(
            tokens=tokens,
            vocabulary=vocabulary,
            frequencies=frequencies,
            weights=weights,
            mass=float(weights.sum()),
            heaviest=slopes[frequencies - 1] * idf,
            least_step=weighting.least_step(),
            least_first=weighting.least_first(),
        )

    def fewest_tokens(self, threshold: float) -> int:
        """The fewest tokens of a passage that reaches ``threshold``: it holds that share of the query's weight."""
        least_weight, count = loosen(threshold * self.mass), int(self.frequencies.sum())
        heaviest = float(self.heaviest.max())
        if heaviest == self.heaviest.min():
            return min(count, max(1, math.ceil(least_weight / heaviest)))
        cumulative = np.cumsum(np.sort(np.repeat(self.heaviest, self.frequencies))[::-1])
        return min(count, int(np.searchsorted(cumulative, least_weight)) + 1)

    def most_tokens(self, threshold: float, max_length: int) -> int:
        """The most tokens of a passage that reaches ``threshold``, at most ``max_length``.

        The passage weighs at most as much as the query divided by the threshold. Where a repeated token may add
        nothing, weights bound no length, and the answer is ``max_length``.
        """
        if not self.least_step or self.mass >= threshold * self.least_step * (max_length + 1):
            return max_length
        return min(max_length, floor_loosely(self.mass / threshold / self.least_step))


@kernel
def _count_sorted(tokens: npt.NDArray[np.uint32]) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
    """The distinct ``tokens``, which ascend, and how often each occurs among them."""
    distinct, counts, last = np.empty(tokens.shape[0], np.uint32), np.zeros(tokens.shape[0], np.int64), -1
    for token in tokens:
        if last < 0 or token != distinct[last]:
            last += 1
            distinct[last] = token
        counts[last] += 1
    return distinct[: last + 1].copy(), counts[: last + 1].copy()
