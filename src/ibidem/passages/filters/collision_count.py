"""Where enough collisions are possible: a filter over bins of start positions that loses none.

A passage that collides under ``m`` of ``k`` functions starts in a bin that windows of as many functions touch. Of the
posting lists the shortest are read; each list left unread might have counted, so it lowers what is asked of the others.
A passage with ``m`` collisions stands in one of the shortest ``k - m + 1`` lists, so when every list is to count, the
longer ones are only looked up for the bins that the shorter ones have left.
"""

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.passages.query.sketch_query import Asked
from ibidem.passages.query.statistics import Explanation
from ibidem.store.segment import Segment

__all__ = ["BIN", "PostingList", "collided_bins", "posting_lists"]

_BIN_BITS = 6
BIN = 1 << _BIN_BITS
"""Start positions in a bin."""

_SAMPLE = 64
"""Windows that tell how wide those of a list are."""

_POSTING_COST = 8.0
"""Reading a posting, in the time that weighing a token takes."""

_GRID = 8
"""Steps in which the largest count is divided where chances are judged."""


class PostingList(NamedTuple):
    """The postings ``low`` to ``high`` of a segment: those of one key of a query.

    Attributes:
        worth: what a collision counts.
        empty: whether these are empty windows, which hold the ends from each start on.
    """

    low: int
    high: int
    worth: int
    empty: bool

    def __len__(self) -> int:
        return self.high - self.low

    def read(self, segment: Segment) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint16]]:
        """Starts and extents."""
        return segment.postings(self.low, self.high)


def posting_lists(segment: Segment, asked: Asked) -> list[PostingList]:
    """The lists of the query's keys, those first that have the fewest postings for what they count."""
    found = []
    for function, (key, worth, empty) in enumerate(zip(asked.keys, asked.counts, asked.empty, strict=True)):
        if key >= 0:
            low, high = segment.list_bounds(function, np.array([key], np.uint32))[0].tolist()
            found.append(PostingList(low, high, int(worth), bool(empty)))
    return sorted((each for each in found if each.worth), key=lambda each: (each.high - each.low) / each.worth)


def collided_bins(
    segment: Segment,
    asked: Asked,
    lengths: tuple[int, int],
    thrifty: bool,
    explanation: Explanation | None = None,
) -> npt.NDArray[np.bool_]:
    """The bins of a segment in which a passage with the score that is ``asked`` may start, bool [bins].

    Args:
        asked: the query's sketch; with a least score of 0 every bin passes.
        lengths: tokens of the shortest and the longest passage that is looked for.
        thrifty: leave lists unread where weighing the tokens of the bins that are left costs less.
    """
    explanation = explanation or Explanation()
    lists, bins = posting_lists(segment, asked), segment.num_tokens // BIN + 1
    unread = [sum(each.worth for each in lists[read:]) for read in range(len(lists) + 1)]
    if thrifty:
        read = _lists_to_read(segment, lists, asked.least)
    else:
        read = next((read for read, left in enumerate(unread) if left < asked.least), len(lists))
    explanation.lists += len(lists)
    explanation.lists_read += read
    explanation.postings += sum(map(len, lists))
    if asked.least <= unread[read]:
        explanation.lists_skipped += len(lists) - read
        return np.ones(bins, np.bool_)
    changes = np.zeros(bins + 1, np.int64)
    for each in lists[:read]:
        _count_bins(*each.read(segment), each.worth, lengths[0], lengths[1], changes)
        explanation.postings_read += len(each)
    hits = np.cumsum(changes[:-1])
    passing: npt.NDArray[np.bool_] = hits >= asked.least - unread[read]
    if thrifty:
        explanation.lists_skipped += len(lists) - read
        return passing
    return _probed(segment, lists[read:], passing, hits, asked, lengths, explanation)


def _probed(
    segment: Segment,
    lists: list[PostingList],
    passing: npt.NDArray[np.bool_],
    hits: npt.NDArray[np.int64],
    asked: Asked,
    lengths: tuple[int, int],
    explanation: Explanation,
) -> npt.NDArray[np.bool_]:
    """Those of the ``passing`` bins that reach the score when ``lists`` are looked up, one after another, for them."""
    left = np.flatnonzero(passing)
    scores, unread = hits[left], sum(each.worth for each in lists)
    for number, each in enumerate(lists):
        if not len(left):
            explanation.lists_skipped += len(lists) - number
            break
        explanation.lists_probed += 1
        explanation.postings_read += _probe(*each.read(segment), left, scores, each.worth, *lengths, asked.reach)
        unread -= each.worth
        kept = scores + unread >= asked.least
        left, scores = left[kept], scores[kept]
    found = np.zeros(len(passing), np.bool_)
    found[left] = True
    return found


def _lists_to_read(segment: Segment, lists: list[PostingList], least: int) -> int:
    """How many of the ``lists``, shortest first, to read for the least work in all.

    Each list left unread may have counted, so it lowers what the others must reach. The bins that would pass are
    judged by how many bins each list touches, as if the lists were independent; the cost of a wrong judgement is time.
    """
    bins = segment.num_tokens // BIN + 1
    counts = [each.worth for each in lists]
    most = max(counts, default=1)
    grid = 1 if most == min(counts, default=1) else _GRID
    steps = [max(1, round(count * grid / most)) for count in counts]
    whole, needed = sum(steps), least * grid // most
    passing = np.zeros(whole + 1)  # chance of a bin to score 0, 1, ... in the lists read so far
    passing[0] = 1.0
    best, best_cost, cost, left = 0, float(segment.num_tokens), 0.0, whole
    for read, (each, step) in enumerate(zip(lists, steps, strict=True), start=1):
        size = len(each)
        touched = 1.0 - math.exp(-size * (1.0 + _mean_rows(segment, each.low, each.high) / BIN) / bins)
        hit = passing[:-step] * touched
        passing *= 1.0 - touched
        passing[step:] += hit
        cost += size * _POSTING_COST
        left -= step
        in_all = cost + float(passing[max(0, needed - left) :].sum()) * segment.num_tokens
        if in_all < best_cost:
            best, best_cost = read, in_all
    return best


def _mean_rows(segment: Segment, low: int, high: int) -> float:
    """How many starts beyond the first a window of the list has, judged by a few in the middle; 0 for an empty list."""
    middle = (low + high) // 2
    rows = segment.postings(middle, min(middle + _SAMPLE, high))[1][:, 0]
    return float(rows.mean()) if len(rows) else 0.0


@kernel
def _count_bins(starts: Any, extents: Any, count: Any, shortest: Any, longest: Any, changes: Any) -> None:
    """Add ``count`` for one function in every bin that its windows touch, as changes from bin to bin, without a branch.

    ``starts`` ascend, so the bins that were counted before are those up to ``counted``.
    """
    counted = np.int64(-1)
    for posting in range(starts.shape[0]):
        start, rows = np.int64(starts[posting]), np.int64(extents[posting, 0])
        between = np.int64(extents[posting, 1])
        length = rows + between + np.int64(extents[posting, 2]) + 1
        possible = count * np.int64(length >= shortest) * np.int64(between < longest)
        first = max(counted + 1, start >> _BIN_BITS)
        last = max(first - 1, (start + rows) >> _BIN_BITS)
        changes[first] += possible
        changes[last + 1] -= possible
        counted = last if possible else counted


@kernel
def _probe(
    starts: Any, extents: Any, bins: Any, scores: Any, count: Any, shortest: Any, longest: Any, reach: Any
) -> Any:
    """Add ``count`` to the score of each of the ``bins`` that a window touches; how many postings were looked at.

    No window has more than ``reach`` starts, so those before the bin that reach into it are near. They are tried from
    the bin's end backwards.
    """
    read, end = 0, np.int64(0)
    for place in range(bins.shape[0]):
        first = bins[place] << _BIN_BITS
        last, size = first + BIN - 1, starts.shape[0] - end
        while size > 0:  # ``end`` becomes the first posting that starts behind the bin
            half = size >> 1
            if np.int64(starts[end + half]) <= last:
                end += half + 1
                size -= half + 1
            else:
                size = half
        posting = end - 1
        while posting >= 0 and np.int64(starts[posting]) > first - reach:
            rows, between = np.int64(extents[posting, 0]), np.int64(extents[posting, 1])
            length = rows + between + np.int64(extents[posting, 2]) + 1
            read += 1
            if np.int64(starts[posting]) + rows >= first and length >= shortest and between < longest:
                scores[place] += count
                break
            posting -= 1
    return read
