"""SeedExtension with an adaptive maximal gap, the heuristic rival of both papers' experiments.

After Sanchez-Perez, Gelbukh and Sidorov, "Adaptive Algorithm for Plagiarism Detection: The Best-Performing Approach at
PAN 2014 Text Alignment Competition" (CLEF 2015), in the form that the paper on one permutation hashing gives it for a
query and a text: a seed is a token of the text that the query has, too.

Adjacent seeds that are less than a maximal gap away from each other make a cluster. A cluster is a result if it is
similar enough; if it is not, it is clustered again with a smaller gap, down to the smallest. Nothing promises that a
similar passage is found: one that starts or ends elsewhere than a cluster, for whatever gap, is not.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from baselines.every_passage import SimilarPassage
from ibidem.arguments import FamilyName
from ibidem.similarity import jaccard
from ibidem.weights import Weighting

__all__ = ["seed_extension"]

_SMALLEST_GAP = 4
"""The last maximal gap (section 5.3)."""

_Tokens = npt.NDArray[np.uint32]


def seed_extension(
    T: _Tokens, Q: _Tokens, theta: float, weighting: FamilyName | Weighting = "set"
) -> list[SimilarPassage]:
    """The passages that the heuristic finds in the tokens ``T``, similar to ``Q`` by ``theta`` at least.

    The maximal gap is ``4 θ |Q|`` tokens at first, and 4 at last (section 5.3). A cluster that is similar has ``θ``
    times the query's distinct tokens or more, so one with fewer seeds needs no look.

    >>> T, Q = np.array([7, 1, 2, 9, 3, 7, 7, 7, 1], np.uint32), np.array([1, 2, 3, 4], np.uint32)
    >>> [passage[:2] for passage in seed_extension(T, Q, 0.6)]
    [(1, 5)]
    """
    seeds = np.flatnonzero(np.isin(T, Q))
    return list(_extend(T, Q, theta, weighting, seeds, max(_SMALLEST_GAP, int(4 * theta * len(Q)))))


def _extend(
    T: _Tokens, Q: _Tokens, theta: float, weighting: FamilyName | Weighting, seeds: npt.NDArray[np.intp], gap: int
) -> Iterator[SimilarPassage]:
    """Results among the clusters of ``seeds`` [m], positions in ``T``, for the maximal ``gap`` or a smaller one."""
    needed = theta * len(np.unique(Q))
    for cluster in np.split(seeds, np.flatnonzero(np.diff(seeds) >= gap) + 1):
        if len(cluster) < max(needed, 1):
            continue
        start, stop = int(cluster[0]), int(cluster[-1]) + 1
        similarity = jaccard(T[start:stop], Q, weighting)
        if similarity >= theta:
            yield SimilarPassage(start, stop, similarity)
            continue
        narrower = int(np.diff(cluster).max(initial=0))  # a gap between these gives the same cluster again
        if narrower >= _SMALLEST_GAP:
            yield from _extend(T, Q, theta, weighting, cluster, narrower)
