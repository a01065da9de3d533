"""The join of a collection with itself: runs of windows that agree in a band, verified by their similarity.

Runs of one key are a group, and two of a group, in documents that may be compared, a candidate. It is a *seed* if some
window of the one and some window of the other have a weighted similarity of ``least`` or more. That is counted, not
estimated, and no pair of windows of the two runs is left out, so what the bands find is found: their recall is that of
the join. Windows that are not surely similar must lie in places that share more than chance gives
(:mod:`ibidem.reuse.evident`). A candidate within a box that an earlier band has led to is skipped, since it would
change nothing. Most candidates that agree by chance are ruled out by a bound that reads either run once.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import inlined, kernel
from ibidem.reuse.boxes import KnownBoxes
from ibidem.reuse.collection import BLOCK, Comparable
from ibidem.reuse.records.groups import Groups, group_records
from ibidem.reuse.records.records import Records
from ibidem.rounding import SLACK

__all__ = ["PLACE", "Seeds", "join_records"]

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]

PLACE = 64
"""Tokens of a place whose evidence counts (:mod:`ibidem.reuse.evident`)."""

_LOOKS = 16
"""Known boxes of two documents with which a candidate is compared."""


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
    records: Records,
    given: Comparable,
    least: float,
    most: int,
    known: KnownBoxes | None = None,
    sure: float | None = None,
) -> Seeds:
    """The seeds among ``records``, which are all of their keys; those within ``known`` boxes are left out.

    Of a group of more than ``most`` runs each is compared with the first and with the one before it alone, by the order
    of the documents' contents: text that occurs everywhere is joined, but not paired each with each.

    Windows that are similar by ``sure`` or more (by ``least`` if it is not given) are seeds anywhere; others only in
    places that share more than chance gives.
    """
    thresholds = least, max(least, sure or least)
    if given.within:
        records = _cut(records, given.window)
    known = known or KnownBoxes.nothing(len(given.side))
    groups = group_records(records)
    crowded = int((np.diff(groups.bounds) > most).sum())
    if crowded:
        groups = _split_crowded(groups, given, most)
    runs, bounds = groups
    documents = np.searchsorted(given.bounds, runs[:, 0], side="right") - 1
    boxes = np.empty((1024, 4), np.int64)
    counts = np.zeros(4, np.int64)  # seeds, candidates, groups done, the run to resume from
    while counts[2] < len(bounds) - 1:
        _similar_runs(given, known, runs, documents, bounds, thresholds, boxes, counts)
        if counts[2] < len(bounds) - 1:
            boxes = np.concatenate([boxes, np.empty_like(boxes)])
    return Seeds(boxes[: counts[0]].copy(), int(counts[1]), crowded)


def _cut(records: Records, longest: int) -> Records:
    """The same windows in runs of at most ``longest``: of these, windows of one run always share a token."""
    pieces = -(-(records.ends - records.starts) // longest)
    rows = np.repeat(np.arange(len(pieces)), pieces)
    starts = records.starts[rows] + longest * (np.arange(len(rows)) - np.repeat(np.cumsum(pieces) - pieces, pieces))
    return Records(records.keys[rows], starts, np.minimum(starts + longest, records.ends[rows]))


def _split_crowded(groups: Groups, given: Comparable, most: int) -> Groups:
    """The groups, those of more than ``most`` runs as pairs: of the first run and each, of each and the one before."""
    sizes = np.diff(groups.bounds)
    crowded = np.repeat(sizes > most, sizes)
    rows = np.flatnonzero(crowded)
    of = np.repeat(np.arange(len(sizes)), sizes)[rows]
    documents = np.searchsorted(given.bounds, groups.runs[rows, 0], side="right") - 1
    order = np.lexsort((groups.runs[rows, 0], given.ranks[documents], of))
    rows, of = rows[order], of[order]
    begins = np.searchsorted(of, of)  # where the first of each group is
    nth = np.arange(len(of)) - begins
    later, third = np.flatnonzero(nth > 0), np.flatnonzero(nth > 1)
    pairs = np.concatenate([np.stack([begins[later], later], axis=1), np.stack([third - 1, third], axis=1)])
    pairs = np.sort(rows[pairs], axis=1)  # the runs of a group are in the order of their places
    runs = np.concatenate([groups.runs[~crowded], groups.runs[pairs.ravel()]])
    bounds = np.cumsum(np.concatenate([np.zeros(1, np.int64), sizes[sizes <= most], np.full(len(pairs), 2)]))
    return Groups(runs, bounds)


@kernel
def _similar_runs(
    given: Comparable,
    known: KnownBoxes,
    runs: _Ints,
    documents: _Ints,
    groups: _Ints,
    least: tuple[float, float],
    boxes: _Ints,
    counts: _Ints,
) -> None:
    """Append seeds to ``boxes``; ``counts`` int64 [4] are seeds, candidates, groups done, the run to resume from.

    ``runs`` int64 [N, 2] with their ``documents`` are sorted by groups, and in these by place; the members of group
    ``g`` are ``groups[g] : groups[g + 1]``. ``least`` is the least similarity of windows in places that share more than
    chance gives, and of windows in any places. Returns early where there is no more room.
    """
    share, sure_share = least[0] / (1.0 + least[0]), least[1] / (1.0 + least[1])
    side, known_firsts, known_others = given.side, known.firsts, known.others
    known_bounds, known_boxes = known.bounds, known.boxes
    ends = np.minimum(runs[:, 1] - 1 + given.window, given.bounds[documents + 1])
    numbers, stamps = np.full(given.idf.shape[0], -1, np.int32), np.zeros(given.idf.shape[0], np.int64)
    in_other = np.zeros(given.idf.shape[0], np.int32)
    within = given.window if given.within else 1 << 60  # windows of one document that share no token
    bounds, members, weights, lightest = _number_group(given, runs, ends, 0, 0, numbers)
    inside = np.zeros(0)
    while counts[2] < groups.shape[0] - 1:
        low, high = groups[counts[2]], groups[counts[2] + 1]
        numbered = False
        for y in range(max(low + 1, counts[3]), high):
            counts[3] = y
            if counts[0] + y - low > boxes.shape[0]:
                return
            marked = False
            for x in range(low, y):
                d, e = documents[x], documents[y]
                if (side[d] >= 0 and side[d] == side[e]) if d != e else runs[x, 0] + within >= runs[y, 1]:
                    continue
                counts[1] += 1
                spans = (runs[x, 0], ends[x], runs[y, 0], ends[y])
                pair = _find_pair(known_others, known_firsts[d], known_firsts[d + 1], e)
                if pair >= 0 and _holds(known_boxes, known_bounds[pair], known_bounds[pair + 1], spans):
                    continue
                if not numbered:
                    bounds, members, weights, lightest = _number_group(given, runs, ends, low, high, numbers)
                    inside, numbered = np.zeros(weights.shape[0]), True
                if not marked:
                    for p in range(bounds[y - low], bounds[y - low + 1]):
                        inside[members[p]] = weights[members[p]]
                    marked = True
                shared = 0.0
                for p in range(bounds[x - low], bounds[x - low + 1]):
                    shared += inside[members[p]]
                lightest_both = lightest[x - low] + lightest[y - low]
                if shared < share * lightest_both - SLACK:
                    continue
                evident = _is_evident(given, spans, (d, e), stamps)
                if not evident and shared < sure_share * lightest_both - SLACK:
                    continue
                similarity = least[0] if evident else least[1]
                if _reaches(given, runs[x], runs[y], (spans[1], spans[3]), similarity, stamps, in_other):
                    boxes[counts[0]] = spans
                    counts[0] += 1
            if marked:
                for p in range(bounds[y - low], bounds[y - low + 1]):
                    inside[members[p]] = 0.0
        counts[2] += 1


class _Group(NamedTuple):
    """The runs of a group, n of them, by numbers of their tokens of their own.

    Attributes:
        bounds: int64 [n + 1], the distinct tokens of run ``r`` are ``members[bounds[r] : bounds[r + 1]]``.
        members: int32 [M].
        weights: float64 [m], what each token weighs.
        lightest: float64 [n], a weight that no window of the run is below.
    """

    bounds: _Ints
    members: _Ids
    weights: _Floats
    lightest: _Floats


@kernel
def _number_group(given: Comparable, runs: _Ints, ends: _Ints, low: int, high: int, numbers: _Ids) -> _Group:
    """The group of the runs ``low`` to ``high - 1``, whose last windows end at ``ends``.

    ``numbers`` int32 [V] are -1 before and after.
    """
    tokens, idf, n = given.tokens, given.idf, high - low
    bounds, lightest = np.zeros(n + 1, np.int64), np.full(n, np.inf)
    room = 0
    for r in range(n):
        room += ends[low + r] - runs[low + r, 0]
        for block in range(runs[low + r, 0] // BLOCK, (runs[low + r, 1] - 1) // BLOCK + 1):
            lightest[r] = min(lightest[r], given.lightest[block])
    members, weights, seen = np.empty(room, np.int32), np.empty(room), np.full(room, -1, np.int64)
    distinct, count = 0, 0
    for r in range(n):
        for p in range(runs[low + r, 0], ends[low + r]):
            number = numbers[tokens[p]]
            if number < 0:
                number = distinct
                numbers[tokens[p]], weights[number] = number, idf[tokens[p]]
                distinct += 1
            if seen[number] != r:
                seen[number], members[count] = r, number
                count += 1
        bounds[r + 1] = count
    for r in range(n):
        for p in range(runs[low + r, 0], ends[low + r]):
            numbers[tokens[p]] = -1
    return _Group(bounds, members, weights[:distinct], lightest)


@inlined
def _find_pair(others: _Ints, first: int, end: int, other: int) -> int:
    """Return the place of ``other`` in ``others[first:end]``, which ascend; -1 if it is not there."""
    place, last = first, end
    while place < last:
        middle = (place + last) // 2
        if others[middle] < other:
            place = middle + 1
        else:
            last = middle
    return int(place if place < end and others[place] == other else -1)


@inlined
def _holds(boxes: _Ints, first: int, end: int, spans: tuple[int, int, int, int]) -> bool:
    """Whether one of the ``boxes`` from ``first`` to ``end - 1`` holds two spans; it may miss one that does."""
    place, last = first, end
    while place < last:  # to behind the last box that begins where the span does, or before
        middle = (place + last) // 2
        if boxes[middle, 0] <= spans[0]:
            place = middle + 1
        else:
            last = middle
    held = False
    for x in range(max(first, place - _LOOKS), place):
        held = held or (spans[1] <= boxes[x, 1] and boxes[x, 2] <= spans[2] and spans[3] <= boxes[x, 3])
    return held


@kernel
def _is_evident(given: Comparable, spans: tuple[int, int, int, int], documents: tuple[int, int], stamps: _Ints) -> bool:
    """Whether the places in the middle of two spans share more than chance gives; ``stamps`` [V] is zero, and stays so.

    Tokens of the first place are 1 in ``stamps``, those of both 2, those of the other alone 3.
    """
    tokens, bounds, held, lacked = given.tokens, given.bounds, given.held, given.lacked
    if held.shape[0] == 0:
        return True
    (d, e), middle, other = documents, (spans[0] + spans[1]) // 2, (spans[2] + spans[3]) // 2
    first, last = max(middle - PLACE // 2, bounds[d]), min(middle + PLACE // 2, bounds[d + 1])
    first_other, last_other = max(other - PLACE // 2, bounds[e]), min(other + PLACE // 2, bounds[e + 1])
    shared, without, other_without = 0, 0, 0
    for p in range(first, last):
        if stamps[tokens[p]] == 0:
            stamps[tokens[p]] = 1
            without += lacked[tokens[p]]
    for p in range(first_other, last_other):
        stamp = stamps[tokens[p]]
        if stamp < 2:
            stamps[tokens[p]] = 2 + (stamp == 0)
            shared += held[tokens[p]] * stamp
            other_without += lacked[tokens[p]]
    for p in range(first, last):
        stamps[tokens[p]] = 0
    for p in range(first_other, last_other):
        stamps[tokens[p]] = 0
    return bool(shared + max(without, other_without) >= min(given.needed[d], given.needed[e]))


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
