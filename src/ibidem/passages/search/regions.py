"""The connected regions of areas of similar passages."""

import numpy as np
import numpy.typing as npt

from ibidem.disjoint_sets import join_sets, settle
from ibidem.kernels import kernel
from ibidem.passages.query.areas import Areas
from ibidem.passages.query.execution import NEVER
from ibidem.rounding import level


def number_regions(areas: Areas, stop: npt.NDArray[np.uint8] = NEVER) -> npt.NDArray[np.int64]:
    """A number for each area, int64 [N]. Areas that touch or overlap have the same: they are one region.

    Areas touch also at a corner: their nearest passages start one token apart, and end one token apart.

    Once ``stop`` uint8 [1] becomes another number than it is, no further area is examined: there are numbers for those
    before it.
    """
    numbers: npt.NDArray[np.int64] = _number_regions(areas.starts, areas.ends, areas.documents, stop)
    return numbers


def select_best(areas: Areas, region: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Of each region the most similar passage, int64 [M, 2]; of equals the longest, then the first."""
    length = areas.best[:, 1] - areas.best[:, 0]
    return areas.best[_select_first(region, (areas.best[:, 0], -length, -level(areas.scores)))]


def select_longest(areas: Areas, region: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Of each region the longest passage, int64 [M, 2]; of equals the one near the highest score, then the first."""
    outer = np.stack((areas.starts[:, 0], areas.ends[:, 1]), axis=1)
    length = outer[:, 1] - outer[:, 0]
    return outer[_select_first(region, (outer[:, 0], -level(areas.scores), -length))]


def select_maximal(areas: Areas) -> npt.NDArray[np.int64]:
    """The passages that lie in no longer passage of any area, int64 [M, 2] in order.

    A passage that lies in no longer one is the longest of its area. Of those, ordered by start and the longer of equals
    first, a passage lies in an earlier one if it does not end behind all of them.
    """
    outer = np.stack((areas.starts[:, 0], areas.ends[:, 1]), axis=1)
    order = np.lexsort((-outer[:, 1], outer[:, 0]))
    furthest = np.maximum.accumulate(outer[order, 1])
    rows = order[np.append(True, outer[order[1:], 1] > furthest[:-1])[: len(order)]]
    passages: npt.NDArray[np.int64] = outer[rows]
    return passages


def drop_overlapping(
    passages: npt.NDArray[np.int64], preference: npt.NDArray[np.float64], stop: npt.NDArray[np.uint8] = NEVER
) -> npt.NDArray[np.bool_]:
    """The ``passages`` [M, 2] to keep, bool [M]: those that share at most half their tokens with a preferred one.

    Half the tokens of the shorter of both counts. Of equal ``preference`` [M] the earlier passage is preferred. Once
    ``stop`` uint8 [1] becomes another number than it is, no further passage is kept.
    """
    if not len(passages):
        return np.zeros(0, np.bool_)
    is_kept: npt.NDArray[np.bool_] = _drop_overlapping(passages, np.lexsort((passages[:, 0], -preference)), stop)
    return is_kept


def _select_first(region: npt.NDArray[np.int64], order: tuple[npt.NDArray[np.generic], ...]) -> npt.NDArray[np.intp]:
    """Of each region the area that is first by the last of ``order``, then by the one before it, and so on."""
    areas_in_order = np.lexsort((*order, region))
    _, first = np.unique(region[areas_in_order], return_index=True)
    return areas_in_order[first]


@kernel
def _drop_overlapping(
    passages: npt.NDArray[np.int64], order: npt.NDArray[np.int64], halt: npt.NDArray[np.uint8]
) -> npt.NDArray[np.bool_]:
    """Keep the passages, in ``order``, that share at most half their tokens with one that is kept.

    Kept passages hang in lists by the stretch of text in which they begin. A stretch is as long as the longest passage,
    so those that overlap one begin in its stretch, the one before it, or the one after it.
    """
    count, low, high, stretch = passages.shape[0], passages[0, 0], passages[0, 0], 1
    for n in range(count):
        low, high = min(low, passages[n, 0]), max(high, passages[n, 0])
        stretch = max(stretch, passages[n, 1] - passages[n, 0] + 1)
    heads, after = np.full((high - low) // stretch + 3, -1, np.int64), np.full(count, -1, np.int64)
    is_kept, before = np.zeros(count, np.bool_), halt[0]
    for place in order:
        if halt[0] != before:
            break
        row = (passages[place, 0] - low) // stretch + 1
        free = True
        for near in range(row - 1, row + 2):
            neighbour = heads[near]
            while neighbour >= 0 and free:
                first, last = (
                    max(passages[neighbour, 0], passages[place, 0]),
                    min(passages[neighbour, 1], passages[place, 1]),
                )
                length, other_length = (
                    passages[place, 1] - passages[place, 0],
                    passages[neighbour, 1] - passages[neighbour, 0],
                )
                free = 2 * (last - first + 1) <= min(length, other_length) + 1
                neighbour = after[neighbour]
        if free:
            is_kept[place], after[place], heads[row] = True, heads[row], place
    return is_kept


@kernel
def _number_regions(
    starts: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    documents: npt.NDArray[np.int64],
    halt: npt.NDArray[np.uint8],
) -> npt.NDArray[np.int64]:
    """The smallest area of each area's region. ``starts`` ascend, so only areas that still reach are compared."""
    count, before = starts.shape[0], halt[0]
    parent = np.arange(count)
    active = np.empty(count, np.int64)
    height = 0
    for n in range(count):
        if halt[0] != before:
            parent = parent[:n].copy()
            break
        new_height = 0
        for q in range(height):
            m = active[q]
            if documents[m] != documents[n] or starts[m, 1] + 1 < starts[n, 0]:
                continue
            active[new_height] = m
            new_height += 1
            if ends[m, 0] <= ends[n, 1] + 1 and ends[n, 0] <= ends[m, 1] + 1:
                join_sets(parent, m, n)
        active[new_height] = n
        height = new_height + 1
    settle(parent)
    return parent
