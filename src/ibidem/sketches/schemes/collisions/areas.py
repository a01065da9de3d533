"""The passages of a segment that collide with a query under enough functions, as areas of starts and ends.

The windows of all posting lists of the query are read where a filter left starts (``reading.py``). Those that cannot
meet enough others are left out (``windows.py``), and the rest is swept (``sweep.py``).
"""

from functools import partial

import numpy as np
import numpy.typing as npt

from ibidem.passages.query.areas import Areas
from ibidem.passages.query.execution import Execution
from ibidem.passages.query.options import SearchOptions
from ibidem.sketches.schemes.collision_count import find_collided_bins
from ibidem.sketches.schemes.collisions.bounds import ALL, SweepPart
from ibidem.sketches.schemes.collisions.reading import read_meeting_windows
from ibidem.sketches.schemes.collisions.sweep import sweep_maximal_passages, sweep_rectangles
from ibidem.sketches.schemes.sketch_query import SketchPlan
from ibidem.store.segments.segment import Segment

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]


def estimate_areas(
    segment: Segment, plan: SketchPlan, options: SearchOptions, execution: Execution, part: SweepPart = ALL
) -> Areas:
    """The passages whose estimate reaches the threshold; for the longest, only those that lie in no longer one.

    ``part`` is what the segment is of the whole search.
    """
    execution.check()
    bins = find_collided_bins(segment, plan.sketch, plan.similar_lengths, False, execution)
    with execution.statistics.step("sweep"):
        sweep = sweep_maximal_areas if options.select in ("longest", "maximal") else sweep_areas
        # In a thread of the pool, so that an interrupt of this one stops the sweep.
        (areas,) = execution.map(partial(sweep, segment, plan, bins, part=part), [execution])
    alive = segment.alive[areas.documents]
    return Areas._make(column[alive] for column in areas)


def sweep_areas(
    segment: Segment, plan: SketchPlan, bins: npt.NDArray[np.bool_], execution: Execution, part: SweepPart = ALL
) -> Areas:
    """The passages that start in ``bins`` and reach the score of the plan's sketch; an area's score is theirs.

    Every passage of an area has an allowed length. A search that has to stop gives the first of them. ``part`` is what
    this segment is of the whole search.
    """
    rectangles, scores, count = [np.empty((0, 6), np.int64)], [np.empty(0)], 0
    for windows, swept_part in read_meeting_windows(segment, plan.sketch, bins, execution, part):
        swept = sweep_rectangles(
            windows, plan.sketch.least, plan.lengths, execution, swept_part._replace(areas_before=count)
        )
        rectangles_in_bounds, best = _divide_at_lengths(*swept, plan.lengths, execution, count)
        rectangles.append(rectangles_in_bounds)
        scores.append(best)
        count += len(rectangles_in_bounds)
    areas = np.concatenate(rectangles)
    return Areas(
        starts=areas[:, 0:2].copy(),
        ends=areas[:, 2:4].copy(),
        best=areas[:, 4:6].copy(),
        scores=np.concatenate(scores),
        documents=segment.document_of(areas[:, 0]),
    )


def sweep_maximal_areas(
    segment: Segment, plan: SketchPlan, bins: npt.NDArray[np.bool_], execution: Execution, part: SweepPart = ALL
) -> Areas:
    """Those of these passages that lie in no longer one, each as an area of its own; its score is its length."""
    parts, count, last_end = [np.empty((0, 2), np.int64)], 0, -1
    for windows, swept_part in read_meeting_windows(segment, plan.sketch, bins, execution, part):
        swept_part = swept_part._replace(areas_before=count, last_end=last_end)
        parts.append(sweep_maximal_passages(windows, plan.sketch.least, plan.lengths, execution, swept_part))
        count += len(parts[-1])
        last_end = int(parts[-1][-1, 1]) if len(parts[-1]) else last_end
    passages = np.concatenate(parts)
    size = (passages[:, 1] - passages[:, 0] + 1).astype(np.float64)
    first, last = (np.stack((column, column), axis=1) for column in passages.T)
    return Areas(starts=first, ends=last, best=passages, scores=size, documents=segment.document_of(passages[:, 0]))


def _divide_at_lengths(
    rectangles: _Ints, scores: _Floats, lengths: tuple[int, int], execution: Execution, areas_before: int = 0
) -> tuple[_Ints, _Floats]:
    """Divide rectangles that hold passages of other lengths into their starts, each with the ends that it may have.

    The search has ``areas_before`` others already.
    """
    is_divided, counts = _find_divided(rectangles, lengths)
    if not execution.keep(areas_before + int(counts.sum())):
        fit = int(np.searchsorted(np.cumsum(counts), execution.most_areas - areas_before, "right"))
        rectangles, scores, is_divided, counts = rectangles[:fit], scores[:fit], is_divided[:fit], counts[:fit]
    rows = np.repeat(np.arange(len(rectangles)), counts)
    parts = rectangles[rows]
    offsets = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    single = is_divided[rows]
    starts = parts[:, 0] + offsets
    parts[:, 0] = starts
    parts[:, 1] = np.where(single, starts, parts[:, 1])
    parts[:, 2] = np.where(single, np.maximum(parts[:, 2], starts + lengths[0] - 1), parts[:, 2])
    parts[:, 3] = np.where(single, np.minimum(parts[:, 3], starts + lengths[1] - 1), parts[:, 3])
    parts[:, 4] = starts
    parts[:, 5] = np.clip(parts[:, 5], parts[:, 2], parts[:, 3])
    return parts, scores[rows]


def _find_divided(
    rectangles: npt.NDArray[np.int64], lengths: tuple[int, int]
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """Which rectangles hold passages of other lengths, and into how many each is divided."""
    too_short = rectangles[:, 2] < rectangles[:, 1] + lengths[0] - 1
    too_long = rectangles[:, 3] > rectangles[:, 0] + lengths[1] - 1
    is_divided = too_short | too_long
    return is_divided, np.where(is_divided, rectangles[:, 1] - rectangles[:, 0] + 1, 1)
