"""The count filter over hash collisions: the bins of start positions in which enough collisions are possible.

This is the T-occurrence problem of set-similarity search: find what is in at least T of several lists. A passage
that collides under ``m`` of ``k`` functions starts in a bin that windows of ``m`` functions touch. Short lists are read
and counted as in ScanCount, and long ones only looked up for the bins that are left, as in DivideSkip (both Li, Lu, Lu:
"Efficient merging and filtering algorithms for approximate string searches", ICDE 2008).

A list that is not read might have counted, so it lowers the count that the others must reach. The filter loses nothing.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.errors import DamagedError
from ibidem.kernels import inlined, kernel
from ibidem.sketches.index.schemes import QuerySketch
from ibidem.store.postings.window_ends import find_window_outside
from ibidem.store.segments.segment import Segment

_BIN_BITS = 6
BIN = 1 << _BIN_BITS
"""Start positions in a bin."""

# Postings that are unpacked in the time in which those of one bin are found in a list.
_BIN_POSTINGS = 10_000


class PostingList(NamedTuple):
    """The postings ``low`` to ``high`` of a segment: those of one key of a query.

    Attributes:
        worth: what a collision adds to the score.
        empty: whether these are empty windows, which hold the ends from each start on.
    """

    low: int
    high: int
    worth: int
    empty: bool

    def __len__(self) -> int:
        return self.high - self.low

    def narrow(self, low: int, high: int) -> "PostingList":
        """The postings ``low`` to ``high`` of the list."""
        return PostingList(low=low, high=high, worth=self.worth, empty=self.empty)

    def read(self, segment: Segment) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint16]]:
        """Starts and extents.

        Raises:
            DamagedError: they are not what was written, or a window does not lie in a document.
        """
        starts, extents = segment.postings(self.low, self.high)
        if find_window_outside(starts, extents, segment.token_bounds) < len(starts):
            raise DamagedError(f"{segment.folder}: a window ends behind its document: the index cannot be trusted")
        return starts, extents


def find_posting_lists(segment: Segment, query: QuerySketch) -> list[PostingList]:
    """The lists of the query's keys, ordered by postings per worth, fewest first."""
    lists = []
    for function, (key, worth, empty) in enumerate(zip(query.keys, query.worths, query.is_empty, strict=True)):
        if key >= 0:
            low, high = segment.list_bounds(function, np.array([key], np.uint32))[0].tolist()
            lists.append(PostingList(low=low, high=high, worth=int(worth), empty=bool(empty)))
    return sorted(
        (posting_list for posting_list in lists if posting_list.worth),
        key=lambda posting_list: (posting_list.high - posting_list.low) / posting_list.worth,
    )


def find_collided_bins(segment: Segment, query: QuerySketch, lengths: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """The bins of a segment in which a passage with the score of ``query`` may start, bool [bins].

    ``lengths`` are tokens of the shortest and the longest passage. With a least score of 0 every bin passes.
    """
    lists, bins = find_posting_lists(segment, query), segment.num_tokens // BIN + 1
    unread = [sum(posting_list.worth for posting_list in lists[read:]) for read in range(len(lists) + 1)]
    read = next((read for read, worth_left in enumerate(unread) if worth_left < query.least), len(lists))
    if query.least <= unread[read]:
        return np.ones(bins, np.bool_)
    changes = np.zeros(bins + 1, np.int64)
    for posting_list in lists[:read]:
        _count_bins(*posting_list.read(segment), posting_list.worth, lengths[0], lengths[1], changes)
    scores = np.cumsum(changes[:-1], out=changes[:-1])
    return _probe_lists(segment, lists[read:], scores, query, lengths)


def _probe_lists(
    segment: Segment,
    lists: list[PostingList],
    scores_of_bins: npt.NDArray[np.int64],
    query: QuerySketch,
    lengths: tuple[int, int],
) -> npt.NDArray[np.bool_]:
    """The bins that reach the score when ``lists`` are looked up, one after another, for those that still can."""
    unread = sum(posting_list.worth for posting_list in lists)
    bins_left = np.flatnonzero(scores_of_bins >= query.least - unread)
    scores = scores_of_bins[bins_left]
    for posting_list in lists:
        for part, rows in _find_parts(segment, posting_list, bins_left, query.reach):
            _probe(*part.read(segment), bins_left[rows], scores[rows], posting_list.worth, *lengths, query.reach)
        unread -= posting_list.worth
        can_reach = scores + unread >= query.least
        bins_left, scores = bins_left[can_reach], scores[can_reach]
    is_rich = np.zeros(len(scores_of_bins), np.bool_)
    is_rich[bins_left] = True
    return is_rich


def _find_parts(
    segment: Segment, postings: PostingList, bins: npt.NDArray[np.int64], reach: int
) -> Iterator[tuple[PostingList, slice]]:
    """The parts of a list in which the windows that touch ``bins`` [B] are, and the rows of these bins.

    No window has more than ``reach`` starts. Where the list is short for so many bins, it is one part.
    """
    if len(postings) <= _BIN_POSTINGS * len(bins):
        yield postings, slice(None)
        return
    for row, first in enumerate((bins << _BIN_BITS).tolist()):
        low = segment.find_start(postings.low, postings.high, max(0, first - reach + 1))
        yield postings.narrow(low, segment.find_start(low, postings.high, first + BIN)), slice(row, row + 1)


@kernel
def _count_bins(
    starts: npt.NDArray[np.uint32],
    extents: npt.NDArray[np.uint16],
    worth: int,
    shortest: int,
    longest: int,
    changes: npt.NDArray[np.int64],
) -> None:
    """Add ``worth`` in every bin that a function's windows touch, as changes from bin to bin, without a branch.

    ``starts`` ascend, so the bins that were counted before are those up to ``last_counted``.
    """
    last_counted = np.int64(-1)
    for posting in range(starts.shape[0]):
        start, rows = np.int64(starts[posting]), np.int64(extents[posting, 0])
        possible = worth * np.int64(_has_length(extents, posting, shortest, longest))
        first = max(last_counted + 1, start >> _BIN_BITS)
        last = max(first - 1, (start + rows) >> _BIN_BITS)
        changes[first] += possible
        changes[last + 1] -= possible
        last_counted = last if possible else last_counted


@kernel
def _probe(
    starts: npt.NDArray[np.uint32],
    extents: npt.NDArray[np.uint16],
    bins: npt.NDArray[np.int64],
    scores: npt.NDArray[np.int64],
    worth: int,
    shortest: int,
    longest: int,
    reach: int,
) -> None:
    """Add ``worth`` to the score of each of the ``bins`` that a window touches.

    No window has more than ``reach`` starts, so the windows that begin before a bin and reach into it are near. They
    are tried from the bin's end backwards.
    """
    end = np.int64(0)
    for place in range(bins.shape[0]):
        first = bins[place] << _BIN_BITS
        end = _first_behind(starts, end, first + BIN - 1)
        posting = end - 1
        while posting >= 0 and np.int64(starts[posting]) > first - reach:
            touches = np.int64(starts[posting]) + np.int64(extents[posting, 0]) >= first
            if touches and _has_length(extents, posting, shortest, longest):
                scores[place] += worth
                break
            posting -= 1


@inlined
def _has_length(extents: npt.NDArray[np.uint16], posting: int | np.int64, shortest: int, longest: int) -> np.bool_:
    """Whether a window holds a passage of one of the lengths."""
    between = np.int64(extents[posting, 1])
    length = np.int64(extents[posting, 0]) + between + np.int64(extents[posting, 2]) + 1
    return (length >= shortest) & (between < longest)


@inlined
def _first_behind(starts: npt.NDArray[np.uint32], begin: np.int64, last: np.int64) -> np.int64:
    """The first posting from ``begin`` on that starts behind ``last``."""
    size = starts.shape[0] - begin
    while size > 0:
        half = size >> 1
        if np.int64(starts[begin + half]) <= last:
            begin += half + 1
            size -= half + 1
        else:
            size = half
    return begin
