"""The similar passages of one segment: verified from the starts of candidates, or estimated from windows alone."""

from contextlib import suppress
from functools import partial

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.parallel import split_ranges
from ibidem.passages.filters.collision_count import find_collided_bins
from ibidem.passages.query.execution import Execution, StoppedError
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.plan import Plan
from ibidem.passages.search.collisions.areas import sweep_areas, sweep_maximal_areas
from ibidem.passages.search.collisions.bounds import ALL, SweepPart
from ibidem.passages.search.regions import NO_AREAS, Areas, join_areas
from ibidem.passages.search.verification import CandidateRanges, verify_candidates
from ibidem.store.segments.segment import Segment

__all__ = ["estimate_areas", "verify_starts"]

_WALK_COST = 2
"""Tokens that a filter looks at in the time in which a walk takes one up."""

_STARTS_PER_TASK = 1 << 14
"""Starts from which a thread verifies passages at a time."""


def verify_starts(segment: Segment, starts: npt.NDArray[np.int64], plan: Plan, execution: Execution) -> Areas:
    """The similar passages that begin in ``starts``, half-open ranges int64 [N, 2].

    A search that has to stop gives those that it has.
    """
    if not len(starts):
        return NO_AREAS
    execution.statistics.starts_likely += int((starts[:, 1] - starts[:, 0]).sum())
    with execution.statistics.step("verification"):
        ranges = _divide_by_document(segment, starts)
        parts = [
            CandidateRanges(starts=part, ends=ranges.ends[rows], documents=ranges.documents[rows])
            for rows, part in split_ranges(ranges.starts, _STARTS_PER_TASK)
        ]
        parts = parts[: execution.spend_on([_WALK_COST * _count_steps(part, plan) for part in parts])]
        run = execution.map if len(parts) > 1 else map
        found, count = [NO_AREAS], 0
        with suppress(StoppedError):
            for areas in run(partial(verify_candidates, segment.tokens, plan=plan, stop=execution.stop), parts):
                found.append(areas)
                count += len(areas.scores)
                if not execution.keep(count):
                    break
        return join_areas(found)


def estimate_areas(
    segment: Segment, plan: Plan, options: SearchOptions, execution: Execution, part: SweepPart = ALL
) -> Areas:
    """The passages whose estimate reaches the threshold; for the longest, only those that lie in no longer one.

    ``part`` is what the segment is of the whole search.
    """
    assert plan.sketch is not None
    execution.check()
    bins = find_collided_bins(segment, plan.sketch, plan.similar_lengths, False, execution)
    with execution.statistics.step("sweep"):
        sweep = sweep_maximal_areas if options.select == "longest" else sweep_areas
        # In a thread of the pool, so that an interrupt of this one stops the sweep.
        (areas,) = execution.map(partial(sweep, segment, plan, bins, part=part), [execution])
    alive = segment.alive[areas.documents]
    return Areas._make(column[alive] for column in areas)


def _count_steps(ranges: CandidateRanges, plan: Plan) -> int:
    """The most tokens that walks from all starts look at."""
    starts = ranges.starts[:, 1] - ranges.starts[:, 0]
    return int((starts * np.minimum(ranges.ends - ranges.starts[:, 0], plan.similar_lengths[1])).sum())


def _divide_by_document(segment: Segment, starts: npt.NDArray[np.int64]) -> CandidateRanges:
    """Divide ranges of ``starts`` [N, 2] among the documents that are alive."""
    return CandidateRanges(*_divide_ranges(starts, segment.token_bounds, segment.alive))


@kernel
def _divide_ranges(
    starts: npt.NDArray[np.int64], bounds: npt.NDArray[np.int64], alive: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The columns of ``CandidateRanges``. The tokens of document ``d`` are ``bounds[d]`` to ``bounds[d + 1]``."""
    firsts = np.searchsorted(bounds, starts[:, 0], side="right") - 1
    lasts = np.searchsorted(bounds, starts[:, 1], side="left") - 1
    most = np.sum(lasts - firsts + 1)
    divided, count = np.empty((most, 2), np.int64), 0
    ends, documents = np.empty(most, np.int64), np.empty(most, np.int64)
    for row in range(starts.shape[0]):
        for document in range(firsts[row], lasts[row] + 1):
            low, high = max(starts[row, 0], bounds[document]), min(starts[row, 1], bounds[document + 1])
            if low < high and alive[document]:
                divided[count, 0], divided[count, 1] = low, high
                ends[count], documents[count] = bounds[document + 1], document
                count += 1
    return divided[:count].copy(), ends[:count].copy(), documents[:count].copy()
