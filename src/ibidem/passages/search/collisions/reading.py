"""The windows of a query's posting lists, read and met for one stretch of starts after another.

A list may have a posting for every token of a collection. So the starts are halved until few enough postings begin in
each stretch, and what a search holds at a time is bounded, however long the lists are. A window that holds starts of
two stretches is read for both, and cut to each.
"""

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.passages.filters.collision_count import BIN, READ_COST, PostingList, find_posting_lists
from ibidem.passages.query.execution import Execution
from ibidem.passages.query.sketch_query import SketchQuery
from ibidem.passages.search.collisions.bounds import SweepPart
from ibidem.passages.search.collisions.windows import WindowSet, keep_meeting
from ibidem.store.segment import Segment

__all__ = ["read_meeting_windows"]

_Bins = npt.NDArray[np.bool_]

STRETCH_POSTINGS = 1_000_000
"""Postings that begin in a stretch, at most. A sweep takes about 150 bytes for each."""


class _Stretch(NamedTuple):
    """A range of starts, and of each list the part that begins in it.

    Attributes:
        first, stop: the starts, half open; multiples of ``BIN``.
        lists: the parts of the lists.
    """

    first: int
    stop: int
    lists: list[PostingList]

    @property
    def postings(self) -> int:
        """How many postings begin in the stretch."""
        return sum(map(len, self.lists))


def read_meeting_windows(
    segment: Segment, sketch: SketchQuery, bins: _Bins, execution: Execution, part: SweepPart
) -> Iterator[tuple[WindowSet, SweepPart]]:
    """The windows that hold a start in ``bins`` and may meet enough others there, by stretches of starts.

    Beside them which part of ``part`` they are, by postings. A search that may be done in part ends where its budget
    does.

    Raises:
        OverBudgetError: the budget does not have what reading takes, and the search may not be done in part.
        StoppedError: the search has to stop.
    """
    lists = find_posting_lists(segment, sketch)
    whole = _Stretch(0, len(bins) * BIN, lists)
    total, begun = max(1, whole.postings), 0
    for stretch in _divide_stretch(segment, whole):
        if bins[stretch.first // BIN : stretch.stop // BIN].any():
            if not execution.spend_on([READ_COST * stretch.postings]):
                return
            own = SweepPart(part.begun + part.size * begun / total, part.size * stretch.postings / total)
            yield keep_meeting(_read_windows(segment, lists, stretch, bins, sketch.reach), sketch.least), own
        begun += stretch.postings


def _divide_stretch(segment: Segment, stretch: _Stretch) -> Iterator[_Stretch]:
    """The halves of a stretch, and their halves, until each has few enough postings or is one bin."""
    if stretch.postings <= STRETCH_POSTINGS or stretch.stop - stretch.first <= BIN:
        yield stretch
        return
    middle = (stretch.first // BIN + stretch.stop // BIN) // 2 * BIN
    cuts = [_find_posting(segment, each, middle) for each in stretch.lists]
    before = [each.narrow(each.low, cut) for each, cut in zip(stretch.lists, cuts, strict=True)]
    behind = [each.narrow(cut, each.high) for each, cut in zip(stretch.lists, cuts, strict=True)]
    yield from _divide_stretch(segment, _Stretch(stretch.first, middle, before))
    yield from _divide_stretch(segment, _Stretch(middle, stretch.stop, behind))


def _find_posting(segment: Segment, postings: PostingList, start: int) -> int:
    """The first posting of a list that begins at ``start`` or behind it."""

    def start_of(posting: int) -> int:
        return int(segment.postings(posting, posting + 1)[0][0])

    return postings.low + bisect_left(range(postings.low, postings.high), start, key=start_of)


def _read_windows(segment: Segment, lists: list[PostingList], stretch: _Stretch, bins: _Bins, reach: int) -> WindowSet:
    """The windows that hold a start in those of ``bins`` that are in ``stretch``, cut to its starts."""
    left = np.flatnonzero(bins[stretch.first // BIN : stretch.stop // BIN]) + stretch.first // BIN
    columns: list[list[npt.NDArray[np.int64]]] = [[np.empty(0, np.int64)] for _ in WindowSet._fields]
    for whole, own in zip(lists, stretch.lists, strict=True):
        begin = own.low if own.low == whole.low else _find_posting(segment, whole, stretch.first - reach + 1)
        starts, extents = own.narrow(begin, own.high).read(segment)
        touching = _find_touching(starts, extents, left, reach)
        a, widths = starts[touching].astype(np.int64), extents[touching].astype(np.int64)
        b = a + widths[:, 0]
        c = b + widths[:, 1]
        d = c + widths[:, 2]
        cut = np.maximum(a, stretch.first), np.minimum(b, stretch.stop - 1)
        counts = np.full(len(a), own.worth)
        for column, values in zip(columns, (*cut, a if own.empty else c, d, counts), strict=True):
            column.append(values)
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
