"""Passages: the sides of pairs at one place of a document, gathered.

A passage that occurs in ten documents is a side of many pairs, and no two of them end at the same word. Of the sides in
a document, from the longest to the shortest, each belongs to the passage whose longest side it shares most tokens with,
if that is at least half of the longer of the two; any other begins a passage. So a quotation within a longer copy is a
passage by itself, and passages do not grow by chains of sides that overlap a little.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.kernels import kernel
from ibidem.reuse.pairs import Pairs

_Ints = npt.NDArray[np.int64]


class Passages(NamedTuple):
    """Passages in the order of their documents and places.

    Attributes:
        documents: int64 [P].
        ranges: int64 [P, 2], half-open ranges of tokens: the longest side of each.
        sides: int64 [N, 2], the passage of either side of each pair; -1 for a pair that makes none.
    """

    documents: _Ints
    ranges: _Ints
    sides: _Ints


def gather_passages(pairs: Pairs) -> Passages:
    """The passages that the sides of ``pairs`` make; a summary, one side of which is a whole document, makes none."""
    rows = np.flatnonzero(~pairs.summary)
    documents = pairs.documents[rows].ravel()
    ranges = pairs.ranges[rows].reshape(-1, 2)
    order = np.lexsort((ranges[:, 0], ranges[:, 0] - ranges[:, 1], documents))
    cuts = np.flatnonzero(np.diff(documents[order])) + 1
    leaders = np.empty(len(order), np.int64)
    for first, last in pairwise([0, *cuts.tolist(), len(order)]):
        members = order[first:last]
        leaders[members] = members[_follow(ranges[members])]
    distinct_leaders, passage = np.unique(leaders, return_inverse=True)
    by_place = np.lexsort((ranges[distinct_leaders, 1], ranges[distinct_leaders, 0], documents[distinct_leaders]))
    number = np.empty(len(distinct_leaders), np.int64)
    number[by_place] = np.arange(len(distinct_leaders))
    sides = np.full((len(pairs.summary), 2), -1)
    sides[rows] = number[passage].reshape(-1, 2)
    return Passages(documents[distinct_leaders][by_place], ranges[distinct_leaders][by_place], sides)


@kernel
def _follow(ranges: _Ints) -> _Ints:
    """The first range of the passage of each of ``ranges`` [n, 2], which come from the longest to the shortest."""
    follows, leaders, count = np.empty(ranges.shape[0], np.int64), np.empty(ranges.shape[0], np.int64), 0
    for x in range(ranges.shape[0]):
        follows[x], most = x, -1
        for leader in leaders[:count]:
            shared = min(ranges[leader, 1], ranges[x, 1]) - max(ranges[leader, 0], ranges[x, 0])
            # No leader is shorter.
            if shared > most and 2 * shared >= ranges[leader, 1] - ranges[leader, 0]:
                follows[x], most = leader, shared
        if most < 0:
            leaders[count] = x
            count += 1
    return follows
