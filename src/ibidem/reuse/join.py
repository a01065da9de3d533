"""The join of a collection with itself: runs of windows that agree in a band, verified by their similarity.

Runs of one key are a group, and two of a group, in documents that may be compared, a candidate. It is a *seed* if some
window of the one and some window of the other have a weighted similarity of ``least`` or more. That is counted, not
estimated, and no pair of windows of the two runs is left out, so what the bands find is found: their recall is that of
the join. A candidate within a box that an earlier band has led to is not looked at, since it would change nothing. Most
candidates of chance are told by a bound that costs one look at either run.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.reuse.bands import Records
from ibidem.reuse.boxes import KnownBoxes
from ibidem.reuse.collection import Collection
from ibidem.rounding import SLACK

__all__ = ["Comparable", "Seeds", "join_records"]

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]

_BLOCK = 16
"""Starts of windows of which the least weight is known."""

_FILTER = (1 << 12) - 1
"""Bits of a token that tell, in a table as small as the nearest cache, most of those that a run lacks."""


_LOOKS = 16
"""Known boxes of two documents that are looked at for a candidate."""


class Comparable(NamedTuple):
    """A collection as kernels read it, and which documents are compared with each other.

    Attributes:
        tokens, bounds, idf: those of the collection.
        window: tokens of a window.
        side: int32 [D]. Documents of the same side are not compared; of a negative side, with all.
        within: whether a document is compared with itself: windows that share no token.
        lightest: float64 [B], the least weight of a window among each ``_BLOCK`` starts.
    """

    tokens: _Ids
    bounds: _Ints
    idf: _Floats
    window: int
    side: _Ids
    within: bool
    lightest: _Floats

    @classmethod
    def of(cls, collection: Collection, window: int, side: _Ids | None = None, within: bool = False) -> "Comparable":
        """All documents of a collection, or those of different sides."""
        apart = np.full(len(collection), -1, np.int32) if side is None else side
        return cls.weigh(collection.tokens, collection.bounds, collection.idf, window, apart, within)

    @classmethod
    def weigh(cls, tokens: _Ids, bounds: _Ints, idf: _Floats, window: int, side: _Ids, within: bool) -> "Comparable":
        """The same from its columns."""
        lightest = _weigh_windows(tokens, bounds, idf, window)
        return cls(tokens, bounds, idf, window, side, within, lightest)


class Seeds(NamedTuple):
    """Pairs of runs that hold similar windows.

    Attributes:
        boxes: int64 [S, 4], the tokens of the windows of the one run, half open, and of the other, behind it.
        candidates: how many pairs of runs were compared.
        crowded: how many groups had more members than every pair is compared of.
    """

    boxes: _Ints
    candidates: int
    crowded: int


def join_records(
    records: Records, given: Comparable, least: float, most: int, known: KnownBoxes | None = None
) -> Seeds:
    """The seeds among ``records``, which are all of their keys; those within ``known`` boxes are left out.

    Of a group of more than ``most`` runs each is compared with the first and with the one before it alone: what stands
    everywhere is joined, but not paired each with each.
    """
    if given.within:
        records = _cut(records, given.window)
    known = known or KnownBoxes.nothing(len(given.side))
    order = np.argsort(records.keys)
    keys = records.keys[order]
    first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else np.zeros(0, np.int64)
    last = np.append(first[1:], len(keys))
    shared = last - first > 1
    first, last = first[shared], last[shared]
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(last - first)])
    taken = order[np.repeat(first - bounds[:-1], last - first) + np.arange(bounds[-1])]
    within = np.repeat(np.arange(len(first)), last - first)
    taken = taken[np.argsort(within * (len(given.tokens) + 1) + records.starts[taken])]  # by group, then by start
    runs = np.stack([records.starts[taken], records.ends[taken]], axis=1)
    documents = np.searchsorted(given.bounds, runs[:, 0], side="right") - 1
    boxes = np.empty((1024, 4), np.int64)
    counts = np.zeros(4, np.int64)  # seeds, candidates, groups done, the run to go on from
    while counts[2] < len(first):
        _similar_runs(given, known, runs, documents, bounds, np.array([least, most]), boxes, counts)
        if counts[2] < len(first):
            boxes = np.concatenate([boxes, np.empty_like(boxes)])
    return Seeds(boxes[: counts[0]].copy(), int(counts[1]), int((last - first > most).sum()))


def _cut(records: Records, longest: int) -> Records:
    """The same windows in runs of at most ``longest``: of these, windows of one run always share a token."""
    pieces = -(-(records.ends - records.starts) // longest)
    rows = np.repeat(np.arange(len(pieces)), pieces)
    starts = records.starts[rows] + longest * (np.arange(len(rows)) - np.repeat(np.cumsum(pieces) - pieces, pieces))
    return Records(records.keys[rows], starts, np.minimum(starts + longest, records.ends[rows]))


@kernel
def _weigh_windows(tokens: _Ids, bounds: _Ints, idf: _Floats, window: int) -> _Floats:
    """float64 [B], the least weight of a window that starts in each block; infinite where none does."""
    counts = np.zeros(idf.shape[0], np.int32)
    lightest = np.full(tokens.shape[0] // _BLOCK + 1, np.inf)
    for document in range(bounds.shape[0] - 1):
        begin, end = bounds[document], bounds[document + 1]
        size, weight = min(window, end - begin), 0.0
        for p in range(begin, end):
            if counts[tokens[p]] == 0:
                weight += idf[tokens[p]]
            counts[tokens[p]] += 1
            start = p - size + 1
            if start >= begin:
                lightest[start // _BLOCK] = min(lightest[start // _BLOCK], weight)
                leaving = tokens[start]
                counts[leaving] -= 1
                if counts[leaving] == 0:
                    weight -= idf[leaving]
        for p in range(end - size, end):
            counts[tokens[p]] = 0
    return lightest


@kernel
def _similar_runs(
    given: Comparable,
    known: KnownBoxes,
    runs: _Ints,
    documents: _Ints,
    groups: _Ints,
    limits: _Floats,
    boxes: _Ints,
    counts: _Ints,
) -> None:
    """Append seeds to ``boxes``; ``counts`` int64 [4] are seeds, candidates, groups done, the run to go on from.

    ``runs`` int64 [N, 2] with their ``documents`` are sorted by groups, and in these by place; the members of group
    ``g`` are ``groups[g] : groups[g + 1]``. ``limits`` are the least similarity and the most members of a group of
    which all pairs are compared. Returns early where there is no more room.
    """
    least, most = limits[0], np.int64(limits[1])
    share = least / (1.0 + least)
    stamps, in_other = np.zeros((3, given.idf.shape[0]), np.int64), np.zeros(given.idf.shape[0], np.int32)
    in_y, in_x, held = stamps[0], stamps[1], np.zeros(_FILTER + 1, np.uint8)
    looks = 0
    while counts[2] < groups.shape[0] - 1:
        low, high = groups[counts[2]], groups[counts[2] + 1]
        for y in range(max(low + 1, counts[3]), high):
            counts[3] = y
            if counts[0] + y - low > boxes.shape[0]:
                return
            last_y, least_y = _end(given, runs, documents, y), -1.0
            for x in range(low, y):
                if high - low > most and x > low and x < y - 1:
                    continue
                if not _may_meet(given, runs, documents, x, y):
                    continue
                counts[1] += 1
                last_x = _end(given, runs, documents, x)
                if _is_known(known, (documents[x], documents[y]), (runs[x, 0], last_x), (runs[y, 0], last_y)):
                    continue
                if least_y < 0.0:
                    least_y = _lightest(given, runs[y])
                    for p in range(runs[y, 0], last_y):
                        in_y[given.tokens[p]] = y
                        held[given.tokens[p] & _FILTER] = 1
                looks += 1
                shared = 0.0
                for p in range(runs[x, 0], last_x):
                    token = given.tokens[p]
                    if held[token & _FILTER] and in_y[token] == y and in_x[token] != looks:
                        in_x[token] = looks
                        shared += given.idf[token]
                if shared < share * (_lightest(given, runs[x]) + least_y) - SLACK:
                    continue
                if _reaches(given, runs[x], runs[y], (last_x, last_y), least, stamps[2], in_other):
                    boxes[counts[0]] = (runs[x, 0], last_x, runs[y, 0], last_y)
                    counts[0] += 1
            if least_y >= 0.0:
                for p in range(runs[y, 0], last_y):
                    held[given.tokens[p] & _FILTER] = 0
        counts[2] += 1


@kernel
def _lightest(given: Comparable, run: _Ints) -> float:
    """A weight that no window of a run is below."""
    least = np.inf
    for block in range(run[0] // _BLOCK, (run[1] - 1) // _BLOCK + 1):
        least = min(least, given.lightest[block])
    return least


@kernel
def _is_known(known: KnownBoxes, documents: tuple[int, int], span: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether a box of two documents holds a span of the one and a span of the other; it may miss some that do."""
    pair, last = known.firsts[documents[0]], known.firsts[documents[0] + 1]
    end = last
    while pair < last:
        middle = (pair + last) // 2
        if known.others[middle] < documents[1]:
            pair = middle + 1
        else:
            last = middle
    if pair == end or known.others[pair] != documents[1]:
        return False
    first, box, last = known.bounds[pair], known.bounds[pair], known.bounds[pair + 1]
    while box < last:  # to behind the last box that begins where the span does, or before
        middle = (box + last) // 2
        if known.boxes[middle, 0] <= span[0]:
            box = middle + 1
        else:
            last = middle
    for x in range(box - 1, max(first, box - _LOOKS) - 1, -1):
        if span[1] <= known.boxes[x, 1] and known.boxes[x, 2] <= other[0] and other[1] <= known.boxes[x, 3]:
            return True
    return False


@kernel
def _end(given: Comparable, runs: _Ints, documents: _Ints, r: int) -> int:
    """Where the last window of a run ends."""
    return int(min(runs[r, 1] - 1 + given.window, given.bounds[documents[r] + 1]))


@kernel
def _may_meet(given: Comparable, runs: _Ints, documents: _Ints, x: int, y: int) -> bool:
    """Whether two runs, the first one before the other, are in documents that are compared."""
    if documents[x] == documents[y]:
        return bool(given.within and runs[x, 0] + given.window < runs[y, 1])
    side = given.side[documents[x]]
    return bool(side < 0 or side != given.side[documents[y]])


@kernel
def _reaches(
    given: Comparable, run: _Ints, other: _Ints, ends: tuple[int, int], least: float, stamps: _Ints, counts: _Ids
) -> bool:
    """Whether a window of ``run`` and one of ``other``, behind it, are similar by ``least``.

    Both arrays [V] are zero, and stay so.
    """
    tokens, idf = given.tokens, given.idf
    size, other_size = ends[0] - run[1] + 1, ends[1] - other[1] + 1
    found = False
    for i in range(run[0], run[1]):
        weight = 0.0
        for p in range(i, i + size):
            if stamps[tokens[p]] == 0:
                stamps[tokens[p]] = 1
                weight += idf[tokens[p]]
        shared, other_weight = 0.0, 0.0
        for p in range(other[0], ends[1]):
            token = tokens[p]
            if counts[token] == 0:
                other_weight += idf[token]
                shared += idf[token] * stamps[token]
            counts[token] += 1
            if p - other[0] >= other_size - 1:
                either = weight + other_weight - shared
                if shared >= least * either - SLACK and either > SLACK and p - other_size + 1 >= i + size:
                    found = True
                    break
                token = tokens[p - other_size + 1]
                counts[token] -= 1
                if counts[token] == 0:
                    other_weight -= idf[token]
                    shared -= idf[token] * stamps[token]
        for p in range(other[0], ends[1]):
            counts[tokens[p]] = 0
        for p in range(i, i + size):
            stamps[tokens[p]] = 0
        if found:
            return True
    return False
