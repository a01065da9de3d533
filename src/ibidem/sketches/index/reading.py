"""The windows of a query's posting lists, read and met for one stretch of starts after another.

A list may have a posting for every token of a collection. So the starts are halved until few enough postings begin in
each stretch, and what a search holds at a time is bounded, however long the lists are. A window that holds starts of
two stretches is read for both, and cut to each.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.kernels import kernel
from ibidem.sketches.index.collided_windows import WindowSet, keep_meeting
from ibidem.sketches.index.collision_count import BIN, PostingList, find_posting_lists
from ibidem.sketches.index.schemes import QuerySketch
from ibidem.store.segments.segment import Segment

_Bins = npt.NDArray[np.bool_]

STRETCH_POSTINGS = 1_000_000
"""Postings that begin in a stretch, at most. A sweep takes about 150 bytes for each."""

# Postings that are read in the time in which a stretch is cut out of another.
_CUT_POSTINGS = 20_000


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


def read_meeting_windows(segment: Segment, query: QuerySketch, bins: _Bins) -> Iterator[WindowSet]:
    """The windows that hold a start in ``bins`` and may meet enough others there, by stretches of starts."""
    lists = find_posting_lists(segment, query)
    for stretch in _divide_stretch(segment, _Stretch(0, len(bins) * BIN, lists), bins):
        yield keep_meeting(_read_windows(segment, lists, stretch, bins, query.reach), query.least)


def _divide_stretch(segment: Segment, stretch: _Stretch, bins: _Bins) -> Iterator[_Stretch]:
    """Parts of a stretch that hold all starts in ``bins``, each with few enough postings, or one bin.

    Where few bins are left in a stretch, the starts before the first and behind the last of them are cut off.
    """
    first = stretch.first // BIN
    bins_left = np.flatnonzero(bins[first : stretch.stop // BIN])
    if not len(bins_left):
        return
    most_postings = min(STRETCH_POSTINGS, _CUT_POSTINGS * (2 + len(bins_left)))
    if stretch.postings > most_postings:
        stretch = _cut_stretch(
            segment, stretch, (first + int(bins_left[0])) * BIN, (first + int(bins_left[-1]) + 1) * BIN
        )
    if stretch.postings <= most_postings or stretch.stop - stretch.first <= BIN:
        yield stretch
        return
    middle = (stretch.first // BIN + stretch.stop // BIN) // 2 * BIN
    yield from _divide_stretch(segment, _cut_stretch(segment, stretch, stretch.first, middle), bins)
    yield from _divide_stretch(segment, _cut_stretch(segment, stretch, middle, stretch.stop), bins)


def _cut_stretch(segment: Segment, stretch: _Stretch, first: int, stop: int) -> _Stretch:
    """The part of a stretch with the starts from ``first`` until ``stop``."""
    lists = stretch.lists
    if first > stretch.first:
        lists = [
            posting_list.narrow(segment.find_start(posting_list.low, posting_list.high, first), posting_list.high)
            for posting_list in lists
        ]
    if stop < stretch.stop:
        lists = [
            posting_list.narrow(posting_list.low, segment.find_start(posting_list.low, posting_list.high, stop))
            for posting_list in lists
        ]
    return _Stretch(first, stop, lists)


def _read_windows(segment: Segment, lists: list[PostingList], stretch: _Stretch, bins: _Bins, reach: int) -> WindowSet:
    """The windows that hold a start in those of ``bins`` that are in ``stretch``, cut to its starts."""
    bins_in_stretch = np.flatnonzero(bins[stretch.first // BIN : stretch.stop // BIN]) + stretch.first // BIN
    columns: list[list[npt.NDArray[np.int64]]] = [[np.empty(0, np.int64)] for _ in WindowSet._fields]
    for full_list, stretch_list in zip(lists, stretch.lists, strict=True):
        begin = (
            stretch_list.low
            if stretch_list.low == full_list.low
            else segment.find_start(full_list.low, stretch_list.low, stretch.first - reach + 1)
        )
        starts, extents = stretch_list.narrow(begin, stretch_list.high).read(segment)
        touching = _find_touching(starts, extents, bins_in_stretch, reach)
        a, widths = starts[touching].astype(np.int64), extents[touching].astype(np.int64)
        b = a + widths[:, 0]
        c = b + widths[:, 1]
        d = c + widths[:, 2]
        bounds = np.maximum(a, stretch.first), np.minimum(b, stretch.stop - 1)
        counts = np.full(len(a), stretch_list.worth)
        for column, values in zip(columns, (*bounds, a if stretch_list.empty else c, d, counts), strict=True):
            column.append(values)
    return WindowSet(*map(np.concatenate, columns))


@kernel
def _find_touching(
    starts: npt.NDArray[np.uint32], extents: npt.NDArray[np.uint16], bins: npt.NDArray[np.int64], reach: int
) -> npt.NDArray[np.int64]:
    """The postings that hold a start in any of ``bins`` [B], as ascending positions in the list.

    None holds more than ``reach`` starts, so those of a bin begin shortly before it or in it.
    """
    touching, count = np.empty(starts.shape[0], np.int64), 0
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
                touching[count] = posting
                count += 1
            posting += 1
    return touching[:count].copy()
