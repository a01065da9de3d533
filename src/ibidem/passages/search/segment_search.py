"""The similar passages of one segment: verified from the starts of candidates, or estimated from windows alone."""

from contextlib import suppress
from functools import partial

import numpy as np
import numpy.typing as npt

from ibidem.parallel import split_ranges
from ibidem.passages.filters.collision_count import find_collided_bins
from ibidem.passages.query.execution import Execution, StoppedError
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.plan import Plan
from ibidem.passages.search.collision_areas import sweep_areas, sweep_maximal_areas
from ibidem.passages.search.regions import NO_AREAS, Areas, join_areas
from ibidem.passages.search.verification import CandidateRanges, verify_candidates
from ibidem.store.segment import Segment

__all__ = ["estimate_areas", "verify_starts"]

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
        parts = parts[: execution.spend_on([_count_steps(part, plan) for part in parts])]
        run = execution.map if len(parts) > 1 else map
        found, count = [NO_AREAS], 0
        with suppress(StoppedError):
            for areas in run(partial(verify_candidates, segment.tokens, plan=plan, stop=execution.stop), parts):
                found.append(areas)
                count += len(areas.scores)
                if not execution.keep(count):
                    break
        return join_areas(found)


def estimate_areas(segment: Segment, plan: Plan, options: SearchOptions, execution: Execution) -> Areas:
    """The passages whose estimate reaches the threshold; for the longest, only those that lie in no longer one."""
    assert plan.sketch is not None
    execution.check()
    bins = find_collided_bins(segment, plan.sketch, plan.similar_lengths, False, execution.statistics)
    with execution.statistics.step("sweep"):
        sweep = sweep_maximal_areas if options.select == "longest" else sweep_areas
        # In a thread of the pool, so that an interrupt of this one stops the sweep.
        (areas,) = execution.map(partial(sweep, segment, plan, bins), [execution])
    alive = segment.alive[areas.documents]
    return Areas._make(column[alive] for column in areas)


def _count_steps(ranges: CandidateRanges, plan: Plan) -> int:
    """The most tokens that walks from all starts look at."""
    starts = ranges.starts[:, 1] - ranges.starts[:, 0]
    return int((starts * np.minimum(ranges.ends - ranges.starts[:, 0], plan.similar_lengths[1])).sum())


def _divide_by_document(segment: Segment, starts: npt.NDArray[np.int64]) -> CandidateRanges:
    """Divide ranges of ``starts`` [N, 2] among the documents that are alive."""
    bounds = segment.token_bounds
    first = np.searchsorted(bounds, starts[:, 0], side="right") - 1
    last = np.searchsorted(bounds, starts[:, 1], side="left") - 1
    counts = last - first + 1
    run = np.repeat(np.arange(len(starts)), counts)
    documents = first[run] + np.arange(len(run)) - np.repeat(np.cumsum(counts) - counts, counts)
    lows, highs = np.maximum(starts[run, 0], bounds[documents]), np.minimum(starts[run, 1], bounds[documents + 1])
    rows = np.flatnonzero((lows < highs) & segment.alive[documents])
    documents = documents[rows]
    divided = np.stack((lows[rows], highs[rows]), axis=1)
    return CandidateRanges(starts=divided, ends=bounds[documents + 1], documents=documents)
