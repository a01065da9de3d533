"""The exact scheme: an index of the positions of every token, and the starts of similar passages found in it.

Nothing is hashed and nothing left to chance. Of the query's tokens those are looked up that find the similar passages
with the least work.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import numpy.typing as npt

from ibidem.parallel import shared_out
from ibidem.passages.filters.distinct_counts import BITS, growth
from ibidem.passages.filters.length_bands import ladders, rungs_of_octaves
from ibidem.passages.filters.overlap import OverlapFilter
from ibidem.passages.filters.token_cover import BLOCKS, Chosen, Occurrences, chosen_occurrences, covered_starts
from ibidem.passages.query.query import Query
from ibidem.passages.query.statistics import Explanation
from ibidem.store.segment import Segment

__all__ = ["occurring_starts"]

SHARE = 1 << 20
"""Starts that a thread looks at, a multiple of all sizes of blocks."""

_PIECE = 1 << 17
"""Positions that are unpacked at a time, and sooner than another thread is told of them."""

_NOTHING_COUNTED = np.empty((1, 0), np.uint16)


def occurring_starts(
    segment: Segment,
    query: Query,
    threshold: float,
    lengths: tuple[int, int],
    pool: ThreadPoolExecutor,
    explanation: Explanation | None = None,
) -> npt.NDArray[np.int64]:
    """Ranges of starts in a segment where passages of ``lengths`` can be similar, int64 [N, 2], ascending."""
    lists = segment.list_bounds(0, query.vocabulary)
    sizes = lists[:, 1] - lists[:, 0]
    chosen, fewest = _chosen(segment, query, sizes / segment.num_tokens, threshold, lengths, pool)
    if explanation is not None:
        explanation.lists += len(lists)
        explanation.lists_read += len(chosen.places)
        explanation.lists_skipped += len(lists) - len(chosen.places)
        explanation.postings += int(sizes.sum())
        explanation.postings_read += int(sizes[chosen.places].sum())
    pieces = [piece for _, piece in shared_out(lists[chosen.places], _PIECE)]
    mapped, share = (map, segment.num_tokens) if len(pieces) == 1 else (pool.map, SHARE)
    positions = np.concatenate([*mapped(segment.starts_of, pieces), np.empty(0, np.uint32)])
    cover = partial(covered_starts, positions, np.cumsum(sizes[chosen.places]), chosen, fewest)
    shares = [(first, min(first + share, segment.num_tokens)) for first in range(0, segment.num_tokens, share)]
    ranges = [some for some in mapped(cover, shares) if len(some)]
    if not ranges:
        return np.empty((0, 2), np.int64)
    overlaps = partial(OverlapFilter.of(query, threshold, lengths[0]).starts, segment.tokens)
    return np.concatenate(list(mapped(overlaps, ranges)))


def _chosen(
    segment: Segment,
    query: Query,
    shares: npt.NDArray[np.float64],
    threshold: float,
    lengths: tuple[int, int],
    pool: ThreadPoolExecutor,
) -> tuple[Chosen, npt.NDArray[np.uint16]]:
    """What of the query is looked for, and the distinct tokens that passages have at least; see ``covered_starts``."""
    occurrences = Occurrences.of(query, shares)
    if query.least_first > query.least_step:
        counted = growth(segment, lengths[1], pool)
        ladder = rungs_of_octaves(query, lengths, counted)
        return chosen_occurrences(occurrences, threshold, ladder, range(BITS, BITS + 1)), counted.fewest
    choices = [chosen_occurrences(occurrences, threshold, ladder, BLOCKS) for ladder in ladders(query, lengths)]
    return min(choices, key=lambda one: one.work), _NOTHING_COUNTED
