"""Brute force: every passage of a text that is similar to a query, by looking at each with incremental counts.

From each start a passage grows token by token; a token changes one term of the overlap with the query and one of the
passage's weight. O(n²) steps for a text of n tokens, and no passage is missed under any weighting.
"""

from collections import Counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.rounding import EQUAL
from ibidem.weights import Weighting

__all__ = ["SimilarPassage", "every_passage"]


class SimilarPassage(NamedTuple):
    """The tokens ``start`` to ``stop``, half open, and the exact similarity to the query."""

    start: int
    stop: int
    similarity: float


def every_passage(
    T: npt.NDArray[np.uint32], Q: npt.NDArray[np.uint32], theta: float, weighting: Weighting
) -> list[SimilarPassage]:
    """The passages of the tokens ``T`` whose similarity to ``Q`` is at least ``theta``, by start, then by stop.

    >>> T, Q = np.array([7, 1, 2, 3, 7], np.uint32), np.array([1, 2, 3], np.uint32)
    >>> [passage[:2] for passage in every_passage(T, Q, 0.75, Weighting.of("set"))]
    [(0, 4), (0, 5), (1, 4), (1, 5)]
    """
    tf = weighting.tf_table(len(T) + len(Q)).tolist()
    idf = dict(zip([*T.tolist(), *Q.tolist()], weighting.idf_of(np.concatenate([T, Q])).tolist(), strict=True))
    in_query = {t: tf[f] * idf[t] for t, f in Counter(Q.tolist()).items()}
    mass = sum(in_query.values())
    tokens = T.tolist()
    found = []
    for start in range(len(tokens)):
        counts: Counter[int] = Counter()
        weight = overlap = 0.0
        for j in range(start, len(tokens)):
            t = tokens[j]
            before, after = (tf[counts[t] + more] * idf[t] for more in (0, 1))
            counts[t] += 1
            weight += after - before
            overlap += min(after, in_query.get(t, 0.0)) - min(before, in_query.get(t, 0.0))
            either = mass + weight - overlap
            if either > 0 and overlap >= theta * either * (1 - EQUAL):
                found.append(SimilarPassage(start, j + 1, overlap / either))
    return found
