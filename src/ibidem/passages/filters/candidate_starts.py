"""The candidate starts of a query: a count filter over positions, then the overlap filter.

Nothing is left to chance. The filters read the posting lists of those tokens of the query that
find the similar passages with the least work.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.passages.filters.distinct_counts import BITS, NOTHING_COUNTED, count_distinct
from ibidem.passages.filters.length_bands import divide_at_counted_lengths, divide_lengths
from ibidem.passages.filters.overlap import OverlapFilter
from ibidem.passages.filters.query_prefix import BLOCKS, Occurrences, QueryPrefix, choose_prefix
from ibidem.passages.filters.token_cover import find_covered_starts
from ibidem.passages.query.execution import Execution
from ibidem.passages.query.plan import QueryPlan
from ibidem.passages.query.statistics import SearchStatistics
from ibidem.store.segments.segment import Segment

# Tokens that another filter looks at in the time in which this one takes up a position, or a start that it left.
_COVER_COST = 3

# Positions that a thread reads, an even number of times, and starts that it narrows. For fewer, another thread takes
# longer to wake up than to do the work.
_POSITIONS_PER_TASK = 1 << 18
_NARROWED_PER_TASK = 1 << 15

# Segments that are filtered at the same time have this work at most, in the unit of ``QueryPrefix.work`` for each token
# (five milliseconds), and this share of the budget that is left. For less than the least another thread is not woken.
_MOST_TOGETHER, _SHARE_TOGETHER, _LEAST_TOGETHER = 1 << 18, 0.01, 1 << 16

_Ints = npt.NDArray[np.int64]
_Map = Callable[..., Iterator[_Ints]]


class _Lookup(NamedTuple):
    """A segment, the lists [V, 2] of the query's vocabulary, which to look up, and distinct tokens of passages."""

    segment: Segment
    lists: _Ints
    prefix: QueryPrefix
    fewest: npt.NDArray[np.uint16]

    @property
    def work(self) -> float:
        """The estimated work, in the unit of ``QueryPrefix.work`` for each token."""
        return self.prefix.work * self.segment.num_tokens


def find_candidate_starts(segments: Sequence[Segment], plan: QueryPlan, execution: Execution) -> Iterator[_Ints]:
    """For each segment, ranges of starts at which similar passages may start, int64 [N, 2], half open and ascending."""
    with execution.statistics.step("postings"):
        lists = [segment.list_bounds(0, plan.query.vocabulary) for segment in segments]
        prefix = _choose_common_prefix(segments, lists, plan)
    for group in _group_segments(segments, prefix, execution):
        with execution.statistics.step("postings"):
            lookups = [
                _Lookup(segments[place], lists[place], prefix, NOTHING_COUNTED)
                if prefix
                else _Lookup(
                    segments[place], lists[place], *_choose_prefix(segments[place], lists[place], plan, execution)
                )
                for place in group
            ]
            starts = _find_starts(lookups, plan, execution)
        yield from starts


def _group_segments(segments: Sequence[Segment], prefix: QueryPrefix | None, execution: Execution) -> Iterator[range]:
    """Divide the places of the ``segments`` into groups that are filtered at the same time, of one if it takes long."""
    first, together = 0, 0.0
    for place, segment in enumerate(segments):
        work = prefix.work * segment.num_tokens if prefix else np.inf
        most = 0.0 if execution.is_in_part else min(_MOST_TOGETHER, _SHARE_TOGETHER * execution.left)
        if place > first and together + work > most:
            yield range(first, place)
            first, together = place, 0.0
        together += work
    if segments:
        yield range(first, len(segments))


def _find_starts(lookups: Sequence[_Lookup], plan: QueryPlan, execution: Execution) -> list[_Ints]:
    """The candidate starts of some segments: each in a thread of its own, or one by one in all threads."""
    for lookup in lookups:
        execution.spend(_COVER_COST * lookup.work)
        _count_lists(execution.statistics, lookup)
    together = len(lookups) > 1 and sum(lookup.work for lookup in lookups) > _LEAST_TOGETHER
    over_segments: _Map = execution.map if together else map
    within: _Map = map if together else execution.map
    ranges = list(over_segments(partial(_cover, run=within), lookups))
    for segment_ranges in ranges:
        execution.spend(_COVER_COST * int((segment_ranges[:, 1] - segment_ranges[:, 0]).sum()))
    overlap = OverlapFilter.of(plan.query, plan.threshold, plan.similar_lengths[0])
    return list(over_segments(partial(_narrow_ranges, overlap=overlap, run=within), zip(lookups, ranges, strict=True)))


def _cover(lookup: _Lookup, run: _Map) -> _Ints:
    """The starts that are covered, as ranges with the longest passage of each [N, 3]. ``run`` does tasks as ``map``."""
    segment, prefix = lookup.segment, lookup.prefix
    lists = lookup.lists[prefix.places]
    read = int((lists[:, 1] - lists[:, 0]).sum())
    number = 2 * -(-read // (2 * _POSITIONS_PER_TASK)) if read > _POSITIONS_PER_TASK else 1
    tasks = _divide_starts(segment.num_tokens, number, 1 << prefix.bits)
    cover = partial(_find_covered, segment, lists, prefix, lookup.fewest)
    return np.concatenate(list((map if len(tasks) == 1 else run)(cover, tasks)))


def _narrow_ranges(covered: tuple[_Lookup, _Ints], overlap: OverlapFilter, run: _Map) -> _Ints:
    """The starts in the ranges of a segment that pass the overlap filter, as ranges [N, 2]."""
    lookup, ranges = covered
    if not len(ranges):
        return np.empty((0, 2), np.int64)
    tokens = lookup.segment.tokens
    places = np.cumsum(ranges[:, 1] - ranges[:, 0]) // _NARROWED_PER_TASK
    parts = np.split(ranges, np.flatnonzero(np.diff(places)) + 1)
    narrow = partial(overlap.starts, tokens, fewest=lookup.fewest)
    return np.concatenate(list((map if len(parts) == 1 else run)(narrow, parts)))


def _count_lists(statistics: SearchStatistics, lookup: _Lookup) -> None:
    """Write down how many lists there are, and how many are read, with how many postings."""
    sizes, lists_read = lookup.lists[:, 1] - lookup.lists[:, 0], len(lookup.prefix.places)
    statistics.lists += len(sizes)
    statistics.lists_read += lists_read
    statistics.lists_skipped += len(sizes) - lists_read
    statistics.postings += int(sizes.sum())
    statistics.postings_read += int(sizes[lookup.prefix.places].sum())


def _divide_starts(count: int, parts: int, block: int) -> list[tuple[int, int]]:
    """Divide the ``count`` starts of a segment into so many ``parts`` or fewer, of whole blocks."""
    size = -(-count // (parts * block)) * block
    return [(first, min(first + size, count)) for first in range(0, count, size)]


def _find_covered(
    segment: Segment, lists: _Ints, prefix: QueryPrefix, fewest: npt.NDArray[np.uint16], bounds: tuple[int, int]
) -> _Ints:
    """Unpack the positions that starts within ``bounds`` reach, and find the starts that they cover."""
    lists = segment.narrow_lists(lists, bounds[0], bounds[1] + int(prefix.longest[-1]))
    ends = np.cumsum(lists[:, 1] - lists[:, 0])
    return find_covered_starts(segment.starts_of(lists), ends, prefix, fewest, bounds)


def _choose_common_prefix(segments: Sequence[Segment], lists: Sequence[_Ints], plan: QueryPlan) -> QueryPrefix | None:
    """The tokens to look up in all segments; ``None`` if a segment's distinct tokens have a say."""
    query = plan.query
    if query.least_first > query.least_step or not segments:
        return None
    sizes = np.sum([bounds[:, 1] - bounds[:, 0] for bounds in lists], axis=0)
    occurrences = Occurrences.of(query, sizes / sum(segment.num_tokens for segment in segments))
    return choose_prefix(occurrences, plan.threshold, list(divide_lengths(query, plan.similar_lengths)), BLOCKS)


def _choose_prefix(
    segment: Segment, lists: _Ints, plan: QueryPlan, execution: Execution
) -> tuple[QueryPrefix, npt.NDArray[np.uint16]]:
    """The tokens to look up, and the fewest distinct tokens of passages; see ``find_covered_starts``."""
    query, lengths = plan.query, plan.similar_lengths
    occurrences = Occurrences.of(query, (lists[:, 1] - lists[:, 0]) / segment.num_tokens)
    counts = count_distinct(segment, lengths[1], execution.map)
    bands = divide_at_counted_lengths(query, lengths, counts)
    return choose_prefix(occurrences, plan.threshold, [bands], range(BITS, BITS + 1)), counts.fewest
