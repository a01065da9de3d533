"""Where enough collisions are possible: a filter over bins of start positions that loses none.

A passage that collides under ``m`` of ``k`` functions starts in a bin that windows of as many functions touch. Of the
posting lists the shortest are read; each list left unread might have counted, so it lowers what is asked of the others.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.store.segment import Segment

__all__ = ["BIN", "collided_bins"]

_BIN_BITS = 6
BIN = 1 << _BIN_BITS
"""Start positions in a bin."""

_SAMPLE = 64
"""Windows that tell how wide those of a list are."""

_POSTING_COST = 8.0
"""Reading a posting, in the time that weighing a token takes."""


def collided_bins(
    segment: Segment, keys: npt.NDArray[np.int64], needed: int, lengths: tuple[int, int], thrifty: bool
) -> npt.NDArray[np.bool_]:
    """The bins of a segment in which a passage with ``needed`` collisions may start, bool [bins].

    Args:
        keys: the query's sketch, int64 [k], negative where the query has no element.
        needed: collisions to ask for; 0 lets every bin pass.
        lengths: tokens of the shortest and the longest passage that is looked for.
        thrifty: leave lists unread where weighing the tokens of the bins that are left costs less.
    """
    bins = segment.num_tokens // BIN + 1
    lists = [
        segment.list_bounds(function, np.array([key], np.uint32))[0] if key >= 0 else np.zeros(2, np.int64)
        for function, key in enumerate(keys)
    ]
    lists.sort(key=lambda bounds: int(bounds[1] - bounds[0]))
    read = _lists_to_read(segment, lists, needed) if thrifty else len(lists)
    asked = needed - (len(lists) - read)
    if asked <= 0:
        return np.ones(bins, np.bool_)
    changes = np.zeros(bins + 1, np.int32)
    for low, high in lists[:read]:
        _count_bins(*segment.postings(int(low), int(high)), lengths[0], lengths[1], changes)
    hits: npt.NDArray[np.int32] = np.cumsum(changes[:-1], dtype=np.int32)
    return hits >= asked


def _lists_to_read(segment: Segment, lists: list[npt.NDArray[np.int64]], needed: int) -> int:
    """How many of the ``lists``, shortest first, to read for the least work in all.

    Each list left unread may have counted, so it lowers what the others must reach. The bins that would pass are
    judged by how many bins each list touches, as if the lists were independent; the cost of a wrong judgement is time.
    """
    bins = segment.num_tokens // BIN + 1
    passing = np.zeros(len(lists) + 1)  # chance of a bin to be touched by 0, 1, ... of the lists read so far
    passing[0] = 1.0
    best, best_cost, cost = 0, float(segment.num_tokens), 0.0
    for read, (low, high) in enumerate(lists, start=1):
        size = int(high - low)
        touched = 1.0 - math.exp(-size * (1.0 + _mean_rows(segment, int(low), int(high)) / BIN) / bins)
        passing[1:] = passing[1:] * (1.0 - touched) + passing[:-1] * touched
        passing[0] *= 1.0 - touched
        cost += size * _POSTING_COST
        asked = max(0, needed - (len(lists) - read))
        whole = cost + float(passing[asked:].sum()) * segment.num_tokens
        if whole < best_cost:
            best, best_cost = read, whole
    return best


def _mean_rows(segment: Segment, low: int, high: int) -> float:
    """How many starts beyond the first a window of the list has, judged by a few in the middle; 0 for an empty list."""
    middle = (low + high) // 2
    rows = segment.postings(middle, min(middle + _SAMPLE, high))[1][:, 0]
    return float(rows.mean()) if len(rows) else 0.0


@kernel
def _count_bins(starts: Any, extents: Any, shortest: Any, longest: Any, changes: Any) -> None:
    """Count one function in every bin that its windows touch, as changes from bin to bin, without a branch.

    ``starts`` ascend, so the bins that were counted before are those up to ``counted``.
    """
    counted = np.int64(-1)
    for posting in range(starts.shape[0]):
        start, rows = np.int64(starts[posting]), np.int64(extents[posting, 0])
        between = np.int64(extents[posting, 1])
        length = rows + between + np.int64(extents[posting, 2]) + 1
        possible = np.int32(length >= shortest) & np.int32(between < longest)
        first = max(counted + 1, start >> _BIN_BITS)
        last = max(first - 1, (start + rows) >> _BIN_BITS)
        changes[first] += possible
        changes[last + 1] -= possible
        counted = last if possible else counted
