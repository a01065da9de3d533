"""The join of a collection with itself: runs of windows that agree in a band, verified by their similarity.

Runs of one key are a group, and two of a group, in documents that may be compared, a candidate. It is a *seed* if some
window of the one and some window of the other have a weighted similarity of ``least`` or more. That is counted, not
estimated, and no pair of windows of the two runs is left out, so what the bands find is found: their recall is that of
the join. Most candidates of chance are told by a bound that costs one look at either run.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.reuse.bands import Records
from ibidem.reuse.collection import Collection
from ibidem.rounding import SLACK

__all__ = ["Comparable", "Seeds", "join_records", "window_similarities"]

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]


class Comparable(NamedTuple):
    """A collection as kernels read it, and which documents are compared with each other.

    Attributes:
        tokens, bounds, idf: those of the collection.
        window: tokens of a window.
        side: int32 [D]. Documents of the same side are not compared; of a negative side, with all.
        within: whether a document is compared with itself: windows that share no token.
    """

    tokens: _Ids
    bounds: _Ints
    idf: _Floats
    window: int
    side: _Ids
    within: bool

    @classmethod
    def of(cls, collection: Collection, window: int, side: _Ids | None = None, within: bool = False) -> "Comparable":
        """All documents of a collection, or those of different sides."""
        apart = np.full(len(collection), -1, np.int32) if side is None else side
        return cls(collection.tokens, collection.bounds, collection.idf, window, apart, within)


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


def join_records(records: Records, given: Comparable, least: float, most: int) -> Seeds:
    """The seeds among ``records``, which are all of their keys.

    Of a group of more than ``most`` runs each is compared with the first and with the one before it alone: what stands
    everywhere is joined, but not paired each with each.
    """
    if given.within:
        records = _cut(records, given.window)
    order = np.argsort(records.keys)
    keys = records.keys[order]
    first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else np.zeros(0, np.int64)
    last = np.append(first[1:], len(keys))
    shared = last - first > 1
    first, last = first[shared], last[shared]
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(last - first)])
    taken = order[np.repeat(first - bounds[:-1], last - first) + np.arange(bounds[-1])]
    within = np.repeat(np.arange(len(first)), last - first)
    taken = taken[np.lexsort((records.starts[taken], within))]
    runs = np.stack([records.starts[taken], records.ends[taken]], axis=1)
    documents = np.searchsorted(given.bounds, runs[:, 0], side="right") - 1
    lightest = _lightest(given, runs, documents)
    boxes, room = np.empty((1024, 4), np.int64), 0
    counts = np.zeros(3, np.int64)  # seeds, candidates, groups done
    while counts[2] < len(first):
        room = max(room, len(boxes))
        _similar_runs(given, runs, documents, lightest, bounds, np.array([least, most]), boxes, counts)
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
def _lightest(given: Comparable, runs: _Ints, documents: _Ints) -> _Floats:
    """float64 [N], the least weight of a window of each run."""
    tokens, idf = given.tokens, given.idf
    counts = np.zeros(idf.shape[0], np.int32)
    lightest = np.empty(runs.shape[0])
    for r in range(runs.shape[0]):
        start, stop = runs[r, 0], runs[r, 1]
        size = min(given.window, given.bounds[documents[r] + 1] - start)
        weight, least = 0.0, np.inf
        for p in range(start, stop + size - 1):
            if counts[tokens[p]] == 0:
                weight += idf[tokens[p]]
            counts[tokens[p]] += 1
            if p - start >= size - 1:
                least = min(least, weight)
                leaving = tokens[p - size + 1]
                counts[leaving] -= 1
                if counts[leaving] == 0:
                    weight -= idf[leaving]
        for p in range(stop, stop + size - 1):
            counts[tokens[p]] = 0
        lightest[r] = least
    return lightest


@kernel
def _similar_runs(
    given: Comparable,
    runs: _Ints,
    documents: _Ints,
    lightest: _Floats,
    groups: _Ints,
    limits: _Floats,
    boxes: _Ints,
    counts: _Ints,
) -> None:
    """Append seeds to ``boxes``; ``counts`` int64 [3] are the seeds, the candidates, and the groups that are done.

    ``runs`` int64 [N, 2] with their ``documents`` are sorted by groups, and in these by place; the members of group
    ``g`` are ``groups[g] : groups[g + 1]``. ``limits`` are the least similarity and the most members of a group of
    which all pairs are compared. Returns early, at the end of a run, where there is no more room.
    """
    least, most = limits[0], np.int64(limits[1])
    share = least / (1.0 + least)
    size = given.idf.shape[0]
    union, stamps, in_other = np.full(size, -1, np.int64), np.zeros(size, np.int64), np.zeros(size, np.int32)
    marks = np.full(size, -1, np.int64)
    while counts[2] < groups.shape[0] - 1:
        low, high = groups[counts[2]], groups[counts[2] + 1]
        if counts[0] + min((high - low) * (high - low - 1) // 2, max(most * most, 2 * (high - low))) > boxes.shape[0]:
            return
        for y in range(low + 1, high):
            last_y = _end(given, runs, documents, y)
            for p in range(runs[y, 0], last_y):
                union[given.tokens[p]] = y
            for x in range(low, y):
                if high - low > most and x > low and x < y - 1:
                    continue
                if not _may_meet(given, runs, documents, x, y):
                    continue
                counts[1] += 1
                last_x = _end(given, runs, documents, x)
                shared = 0.0
                for p in range(runs[x, 0], last_x):
                    token = given.tokens[p]
                    if union[token] == y and marks[token] != counts[1]:
                        marks[token] = counts[1]
                        shared += given.idf[token]
                if shared < share * (lightest[x] + lightest[y]) - SLACK:
                    continue
                if _reaches(given, runs[x], runs[y], (last_x, last_y), least, stamps, in_other):
                    boxes[counts[0]] = (runs[x, 0], last_x, runs[y, 0], last_y)
                    counts[0] += 1
        counts[2] += 1


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


def window_similarities(given: Comparable, starts: _Ints, others: _Ints) -> _Floats:
    """The weighted similarities float64 [P] of the windows at ``starts`` [P] and those at ``others`` [P]."""
    found: _Floats = _window_similarities(given, starts, others)
    return found


@kernel
def _window_similarities(given: Comparable, starts: _Ints, others: _Ints) -> _Floats:
    tokens, idf = given.tokens, given.idf
    stamps = np.full((2, idf.shape[0]), -1, np.int64)
    similarities = np.zeros(starts.shape[0])
    for x in range(starts.shape[0]):
        shared, either = 0.0, 0.0
        for p in range(starts[x], starts[x] + given.window):
            if stamps[0, tokens[p]] != x:
                stamps[0, tokens[p]] = x
                either += idf[tokens[p]]
        for p in range(others[x], others[x] + given.window):
            if stamps[1, tokens[p]] != x:
                stamps[1, tokens[p]] = x
                if stamps[0, tokens[p]] == x:
                    shared += idf[tokens[p]]
                else:
                    either += idf[tokens[p]]
        similarities[x] = shared / either if either > SLACK else 0.0
    return similarities
