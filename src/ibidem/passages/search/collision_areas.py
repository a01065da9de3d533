"""The passages of a segment that collide with a query under enough functions: its windows read, met and swept.

The windows of all posting lists of the query are read where a filter left starts. Those that cannot meet enough others
are left out (``collision_windows.py``), and the rest is swept (``collision_sweep.py``).
"""

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.passages.filters.collision_count import BIN, READ_COST, PostingList, find_posting_lists
from ibidem.passages.query.execution import Execution
from ibidem.passages.query.plan import Plan
from ibidem.passages.search.collision_sweep import sweep_maximal_passages, sweep_rectangles
from ibidem.passages.search.collision_windows import WindowSet, keep_meeting
from ibidem.passages.search.regions import Areas
from ibidem.store.segment import Segment

__all__ = ["sweep_areas", "sweep_maximal_areas"]

_SWEEP_COST = 50
"""Tokens that a walk looks at in the time that a sweep takes for a window, at most."""

_WINDOW_BYTES = 150
"""Memory that a sweep takes for a window."""


def sweep_areas(segment: Segment, plan: Plan, bins: npt.NDArray[np.bool_], execution: Execution) -> Areas:
    """The passages that start in ``bins`` and reach the score of the plan's sketch; an area's score is theirs.

    Every passage of an area has an allowed length. A search that has to stop gives the first of them.
    """
    windows, least = _read_meeting(segment, plan, bins, execution)
    found, scores = sweep_rectangles(windows, least, plan.lengths, execution)
    found, scores = _divide_at_lengths(found, scores, plan.lengths, execution)
    starts, ends, best = found[:, 0:2].copy(), found[:, 2:4].copy(), found[:, 4:6].copy()
    documents = segment.document_of(starts[:, 0])
    return Areas(starts=starts, ends=ends, best=best, scores=scores, documents=documents)


def sweep_maximal_areas(segment: Segment, plan: Plan, bins: npt.NDArray[np.bool_], execution: Execution) -> Areas:
    """Those of these passages that lie in no longer one, each as an area of its own; its score is its length."""
    windows, least = _read_meeting(segment, plan, bins, execution)
    found = sweep_maximal_passages(windows, least, plan.lengths, execution)
    size = (found[:, 1] - found[:, 0] + 1).astype(np.float64)
    first, last = (np.stack((column, column), axis=1) for column in found.T)
    return Areas(starts=first, ends=last, best=found, scores=size, documents=segment.document_of(found[:, 0]))


def _divide_at_lengths(
    found: npt.NDArray[np.int64], scores: npt.NDArray[np.float64], lengths: tuple[int, int], execution: Execution
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Divide rectangles that hold passages of other lengths into their starts, each with the ends that it may have."""
    divided, counts = _find_divided(found, lengths)
    if not execution.keep(int(counts.sum())):
        fit = int(np.searchsorted(np.cumsum(counts), execution.most_areas, "right"))
        found, scores, divided, counts = found[:fit], scores[:fit], divided[:fit], counts[:fit]
    rows = np.repeat(np.arange(len(found)), counts)
    parts = found[rows]
    offsets = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    single = divided[rows]
    starts = parts[:, 0] + offsets
    parts[:, 0] = starts
    parts[:, 1] = np.where(single, starts, parts[:, 1])
    parts[:, 2] = np.where(single, np.maximum(parts[:, 2], starts + lengths[0] - 1), parts[:, 2])
    parts[:, 3] = np.where(single, np.minimum(parts[:, 3], starts + lengths[1] - 1), parts[:, 3])
    parts[:, 4] = starts
    parts[:, 5] = np.clip(parts[:, 5], parts[:, 2], parts[:, 3])
    return parts, scores[rows]


def _find_divided(
    found: npt.NDArray[np.int64], lengths: tuple[int, int]
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """Which rectangles hold passages of other lengths, and into how many each is divided."""
    too_short = found[:, 2] < found[:, 1] + lengths[0] - 1
    too_long = found[:, 3] > found[:, 0] + lengths[1] - 1
    divided = too_short | too_long
    return divided, np.where(divided, found[:, 1] - found[:, 0] + 1, 1)


def _read_meeting(
    segment: Segment, plan: Plan, bins: npt.NDArray[np.bool_], execution: Execution
) -> tuple[WindowSet, int]:
    """The windows to sweep, and the score that passages must reach."""
    assert plan.sketch is not None
    lists = find_posting_lists(segment, plan.sketch)
    execution.spend(READ_COST * sum(map(len, lists)))
    windows = keep_meeting(_read_windows(segment, lists, plan.sketch.reach, bins, execution), plan.sketch.least)
    execution.spend(_SWEEP_COST * len(windows.a))
    return windows, plan.sketch.least


def _read_windows(
    segment: Segment, lists: list[PostingList], reach: int, bins: npt.NDArray[np.bool_], execution: Execution
) -> WindowSet:
    """The windows of ``lists`` that hold a start in ``bins``."""
    left = np.flatnonzero(bins)
    columns: list[list[npt.NDArray[np.int64]]] = [[np.empty(0, np.int64)] for _ in WindowSet._fields]
    count = 0
    for each in lists if len(left) else []:
        starts, extents = each.read(segment)
        touching = _find_touching(starts, extents, left, reach)
        count += len(touching)
        execution.hold(_WINDOW_BYTES * count)
        a, widths = starts[touching].astype(np.int64), extents[touching].astype(np.int64)
        b = a + widths[:, 0]
        c = b + widths[:, 1]
        counts = np.full(len(a), each.worth)
        for column, part in zip(columns, (a, b, a if each.empty else c, c + widths[:, 2], counts), strict=True):
            column.append(part)
    return WindowSet(*map(np.concatenate, columns))


@kernel
def _find_touching(
    starts: npt.NDArray[np.uint32], extents: npt.NDArray[np.uint16], bins: npt.NDArray[np.int64], reach: int
) -> npt.NDArray[np.int64]:
    """The postings that hold a start in any of ``bins`` [B], as ascending positions in the list.

    None holds more than ``reach`` starts, so those of a bin begin shortly before it or in it.
    """
    found, count = np.empty(starts.shape[0], np.int64), 0
    posting = np.int64(0)
    for place in bins:
        first = place * BIN
        size = starts.shape[0] - posting
        while size > 0:  # ``posting`` becomes the first that may reach into the bin
            half = size >> 1
            if np.int64(starts[posting + half]) <= first - reach:
                posting += half + 1
                size -= half + 1
            else:
                size = half
        while posting < starts.shape[0] and np.int64(starts[posting]) < first + BIN:
            if np.int64(starts[posting]) + np.int64(extents[posting, 0]) >= first:
                found[count] = posting
                count += 1
            posting += 1
    return found[:count].copy()
