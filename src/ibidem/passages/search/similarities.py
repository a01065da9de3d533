"""The exact similarity of chosen passages of a segment, each by one walk."""

import numpy as np
import numpy.typing as npt

from ibidem.kernels import kernel
from ibidem.passages.query.plan import QueryPlan
from ibidem.passages.search.verification import WeighedText, weigh_ranges

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]

# Passages whose tokens are held at a time.
_PASSAGES_AT_A_TIME = 4096


def measure_passages(tokens: npt.NDArray[np.uint32], passages: _Ints, plan: QueryPlan) -> _Floats:
    """The similarity of each of ``passages`` [N, 2], first and last token, to the query, float64 [N].

    ``tokens`` uint32 [T] is the segment's stream.
    """
    ranges = passages + np.array([0, 1])
    parts = [
        _measure(weigh_ranges(tokens, ranges[row : row + _PASSAGES_AT_A_TIME], plan), plan.query.mass)
        for row in range(0, len(ranges), _PASSAGES_AT_A_TIME)
    ]
    return np.concatenate([np.empty(0), *parts])


@kernel
def _measure(text: WeighedText, mass: float) -> _Floats:
    """The similarity of each range of the ``text`` to a query of weight ``mass``."""
    ids, bounds, weights, idf, table = text.ids, text.bounds, text.weights, text.idf, text.table
    similarities, counts = np.empty(bounds.shape[0] - 1), np.zeros(weights.shape[0], np.int64)
    for row in range(similarities.shape[0]):
        overlap, weight = 0.0, 0.0
        for place in range(bounds[row], bounds[row + 1]):
            token = ids[place]
            counts[token] += 1
            before, after = table[counts[token] - 1] * idf[token], table[counts[token]] * idf[token]
            weight += after - before
            if weights[token] > 0.0:
                overlap += min(weights[token], after) - min(weights[token], before)
        similarities[row] = overlap / (mass + weight - overlap)
        for place in range(bounds[row], bounds[row + 1]):
            counts[ids[place]] = 0
    return similarities
