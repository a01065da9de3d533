"""The candidate starts of the exact scheme: a count filter over positions, then the overlap filter.

Nothing is hashed and nothing is left to chance. The filters read the posting lists of those tokens of the query that
find the similar passages with the least work.
"""

from functools import partial

import numpy as np
import numpy.typing as npt

from ibidem.parallel import split_ranges
from ibidem.passages.filters.distinct_counts import BITS, NOTHING_COUNTED, count_distinct
from ibidem.passages.filters.length_bands import divide_at_counted_lengths, divide_lengths
from ibidem.passages.filters.overlap import OverlapFilter
from ibidem.passages.filters.query_prefix import BLOCKS, Occurrences, QueryPrefix, choose_prefix
from ibidem.passages.filters.token_cover import find_covered_starts
from ibidem.passages.query.execution import Execution
from ibidem.passages.query.plan import QueryPlan
from ibidem.store.compact.tokens import CodedTokens, TokenStream
from ibidem.store.segments.segment import Segment

__all__ = ["find_exact_candidates"]

# Tokens that another filter looks at in the time in which this one takes up a position, or a start that it left.
_COVER_COST = 3

STARTS_PER_TASK = 1 << 20
"""Starts that a thread looks at, a multiple of all sizes of blocks."""

# Positions that a thread unpacks. For fewer, another thread takes longer to wake up than to do the work.
_POSITIONS_PER_TASK = 1 << 17


def find_exact_candidates(segment: Segment, plan: QueryPlan, execution: Execution) -> npt.NDArray[np.int64]:
    """Ranges of starts in a segment at which similar passages may start, int64 [N, 2], half open and ascending."""
    query, statistics = plan.query, execution.statistics
    lists = segment.list_bounds(0, query.vocabulary)
    sizes = lists[:, 1] - lists[:, 0]
    prefix, fewest = _choose_prefix(segment, plan, sizes / segment.num_tokens, execution)
    execution.spend(_COVER_COST * prefix.work * segment.num_tokens)
    statistics.lists += len(lists)
    statistics.lists_read += len(prefix.places)
    statistics.lists_skipped += len(lists) - len(prefix.places)
    statistics.postings += int(sizes.sum())
    statistics.postings_read += int(sizes[prefix.places].sum())
    parts = [part for _, part in split_ranges(lists[prefix.places], _POSITIONS_PER_TASK)]
    run, size = (map, segment.num_tokens) if len(parts) == 1 else (execution.map, STARTS_PER_TASK)
    positions = np.concatenate([*run(segment.starts_of, parts), np.empty(0, np.uint32)])
    cover = partial(find_covered_starts, positions, np.cumsum(sizes[prefix.places]), prefix, fewest)
    tasks = [(first, min(first + size, segment.num_tokens)) for first in range(0, segment.num_tokens, size)]
    ranges = [covered for covered in run(cover, tasks) if len(covered)]
    if not ranges:
        return np.empty((0, 2), np.int64)
    execution.spend(_COVER_COST * sum(int((covered[:, 1] - covered[:, 0]).sum()) for covered in ranges))
    overlap = OverlapFilter.of(query, plan.threshold, plan.similar_lengths[0])
    if isinstance(segment.tokens, CodedTokens):
        ranges = [part for covered in ranges for part in _cut_by_place(covered)]
    return np.concatenate(list(run(partial(_narrow, segment.tokens, overlap, fewest), ranges)))


def _narrow(
    tokens: TokenStream, overlap: OverlapFilter, fewest: npt.NDArray[np.uint16], ranges: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """The starts in ``ranges`` [S, 3] that pass the overlap filter, as ranges, int64 [N, 2]."""
    if not isinstance(tokens, CodedTokens):
        return overlap.starts(tokens, ranges, fewest)
    base = int(ranges[0, 0]) >> BITS << BITS
    reached = np.stack((ranges[:, 0], np.minimum(ranges[:, 1] - 1 + ranges[:, 2], len(tokens))), axis=1)
    around = np.empty(int(reached[:, 1].max()) - base, np.uint32)  # what no range reaches is never touched
    tokens.decode_into(around, reached, base)
    around.flags.writeable = False
    return overlap.starts(around, ranges - np.array([base, base, 0]), fewest, base >> BITS) + base


def _cut_by_place(ranges: npt.NDArray[np.int64]) -> list[npt.NDArray[np.int64]]:
    """Divide ``ranges`` [S, 3] into parts whose starts lie within ``STARTS_PER_TASK`` tokens."""
    cuts = np.flatnonzero(np.diff(ranges[:, 0] // STARTS_PER_TASK)) + 1
    return np.split(ranges, cuts)


def _choose_prefix(
    segment: Segment, plan: QueryPlan, shares: npt.NDArray[np.float64], execution: Execution
) -> tuple[QueryPrefix, npt.NDArray[np.uint16]]:
    """The tokens to look up, and the fewest distinct tokens of passages; see ``find_covered_starts``."""
    query, lengths = plan.query, plan.similar_lengths
    occurrences = Occurrences.of(query, shares)
    if query.least_first > query.least_step:
        counts = count_distinct(segment, lengths[1], execution.map)
        bands = divide_at_counted_lengths(query, lengths, counts)
        return choose_prefix(occurrences, plan.threshold, [bands], range(BITS, BITS + 1)), counts.fewest
    return choose_prefix(occurrences, plan.threshold, list(divide_lengths(query, lengths)), BLOCKS), NOTHING_COUNTED
