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
    numbers = np.full(given.idf.shape[0], -1, np.int32)
    within = given.window if given.within else 1 << 60  # windows of one document that share no token
    group = _number_group(given, runs, ends, 0, 0, numbers)
    places = _number_places(given, runs, ends, documents, 0, 0, numbers)
    inside, present, stamps, in_other = np.zeros(0), np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.int32)
    ask_evidence = given.held.shape[0] > 0
    while counts[2] < groups.shape[0] - 1:
        low, high = groups[counts[2]], groups[counts[2] + 1]
        numbered, placed = False, False
        for y in range(max(low + 1, counts[3]), high):
            counts[3] = y
            if counts[0] + y - low > boxes.shape[0]:
                return
            marked, place_marked, e = False, False, documents[y]
            for x in range(low, y):
                d = documents[x]
                if (side[d] >= 0 and side[d] == side[e]) if d != e else runs[x, 0] + within >= runs[y, 1]:
                    continue
                counts[1] += 1
                spans = (runs[x, 0], ends[x], runs[y, 0], ends[y])
                pair = _find_pair(known_others, known_firsts[d], known_firsts[d + 1], e)
                if pair >= 0 and _holds(known_boxes, known_bounds[pair], known_bounds[pair + 1], spans):
                    continue
                if not numbered:
                    group, numbered = _number_group(given, runs, ends, low, high, numbers), True
                    size = group.weights.shape[0]
                    if inside.shape[0] < size:  # between groups these hold zeros
                        inside, stamps, in_other = np.zeros(size), np.zeros(size), np.zeros(size, np.int32)
                if not marked:
                    for p in range(group.bounds[y - low], group.bounds[y - low + 1]):
                        inside[group.members[p]] = group.weights[group.members[p]]
                    marked = True
                shared = _sum_marks(inside, group.members, group.bounds[x - low], group.bounds[x - low + 1])
                lightest_both = group.lightest[x - low] + group.lightest[y - low]
                if shared < share * lightest_both - SLACK:
                    continue
                evident = True
                if ask_evidence:
                    if not placed:
                        places, placed = _number_places(given, runs, ends, documents, low, high, numbers), True
                        if present.shape[0] < places.held.shape[0]:
                            present = np.zeros(places.held.shape[0], np.int64)
                    if not place_marked:
                        for p in range(places.bounds[y - low], places.bounds[y - low + 1]):
                            present[places.members[p]] = places.held[places.members[p]]
                        place_marked = True
                    told = max(places.lacked[x - low], places.lacked[y - low])
                    told += _sum_marks(present, places.members, places.bounds[x - low], places.bounds[x - low + 1])
                    evident = told >= min(given.needed[d], given.needed[e])
                if not evident and shared < sure_share * lightest_both - SLACK:
                    continue
                similarity = least[0] if evident else least[1]
                if _reaches(group, x - low, y - low, (runs[x], runs[y]), similarity, stamps, in_other):
                    boxes[counts[0]] = spans
                    counts[0] += 1
            if marked:
                _clear_marks(inside, group.members, group.bounds[y - low], group.bounds[y - low + 1])
            if place_marked:
                _clear_marks(present, places.members, places.bounds[y - low], places.bounds[y - low + 1])
        counts[2] += 1


@inlined
def _sum_marks(marks: _Ints | _Floats, members: _Ids, first: int, end: int) -> float:
    """The sum of the marks of some members."""
    total = 0.0
    for p in range(first, end):
        total += marks[members[p]]
    return total


@inlined
def _clear_marks(marks: _Ints | _Floats, members: _Ids, first: int, end: int) -> None:
    for p in range(first, end):
        marks[members[p]] = 0


class _Group(NamedTuple):
    """The runs of a group, n of them, by numbers of their tokens of their own, so that what is counted lies together.

    Attributes:
        begins: int64 [n + 1], the tokens of run ``r`` are ``texts[begins[r] : begins[r + 1]]``.
        texts: int32 [T].
        bounds: int64 [n + 1], the distinct tokens of run ``r`` are ``members[bounds[r] : bounds[r + 1]]``.
        members: int32 [M].
        weights: float64 [m], what each token weighs.
        lightest: float64 [n], a weight that no window of the run is below.
    """

    begins: _Ints
    texts: _Ids
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
    begins, bounds, lightest = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64), np.full(n, np.inf)
    for r in range(n):
        begins[r + 1] = begins[r] + ends[low + r] - runs[low + r, 0]
        for block in range(runs[low + r, 0] // BLOCK, (runs[low + r, 1] - 1) // BLOCK + 1):
            lightest[r] = min(lightest[r], given.lightest[block])
    room = begins[n]
    texts, members, weights = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room)
    seen = np.full(room, -1, np.int32)
    distinct, count = 0, 0
    for r in range(n):
        for p in range(begins[r], begins[r + 1]):
            token = tokens[runs[low + r, 0] + p - begins[r]]
            number = numbers[token]
            if number < 0:
                number = distinct
                numbers[token], weights[number] = number, idf[token]
                distinct += 1
            texts[p] = number
            if seen[number] != r:
                seen[number], members[count] = r, number
                count += 1
        bounds[r + 1] = count
    for r in range(n):
        for p in range(runs[low + r, 0], ends[low + r]):
            numbers[tokens[p]] = -1
    return _Group(begins, texts, bounds, members, weights[:distinct], lightest)


class _Places(NamedTuple):
    """The places in the middle of the runs of a group, n of them, by numbers of their tokens of their own.

    Attributes:
        bounds: int64 [n + 1], the distinct tokens of place ``r`` are ``members[bounds[r] : bounds[r + 1]]``.
        members: int32 [M].
        held: int32 [m], the evidence of each token if it is shared.
        lacked: int64 [n], the evidence of each place if none of its tokens is.
    """

    bounds: _Ints
    members: _Ids
    held: _Ids
    lacked: _Ints


@kernel
def _number_places(
    given: Comparable, runs: _Ints, ends: _Ints, documents: _Ints, low: int, high: int, numbers: _Ids
) -> _Places:
    """The places of the runs ``low`` to ``high - 1``, as :func:`_number_group` takes them."""
    tokens, n = given.tokens, high - low
    bounds, lacked, spans = np.zeros(n + 1, np.int64), np.zeros(n, np.int64), np.empty((n, 2), np.int64)
    members, held, seen = np.empty(n * PLACE, np.int32), np.empty(n * PLACE, np.int32), np.full(n * PLACE, -1, np.int32)
    distinct, count = 0, 0
    for r in range(n):
        middle, document = (runs[low + r, 0] + ends[low + r]) // 2, documents[low + r]
        spans[r, 0] = max(middle - PLACE // 2, given.bounds[document])
        spans[r, 1] = min(middle + PLACE // 2, given.bounds[document + 1])
        for token in tokens[spans[r, 0] : spans[r, 1]]:
            number = numbers[token]
            if number < 0:
                number = distinct
                numbers[token], held[number] = number, given.held[token]
                distinct += 1
            if seen[number] != r:
                seen[number], members[count] = r, number
                lacked[r] += given.lacked[token]
                count += 1
        bounds[r + 1] = count
    for r in range(n):
        for token in tokens[spans[r, 0] : spans[r, 1]]:
            numbers[token] = -1
    return _Places(bounds, members, held[:distinct], lacked)


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
    for x in range(place - 1, max(first, place - _LOOKS) - 1, -1):
        if spans[1] <= boxes[x, 1] and boxes[x, 2] <= spans[2] and spans[3] <= boxes[x, 3]:
            return True
    return False


@kernel
def _reaches(
    group: _Group, x: int, y: int, runs: tuple[_Ints, _Ints], least: float, stamps: _Floats, counts: _Ids
) -> bool:
    """Whether a window of run ``x`` and one of ``y``, behind it, are similar by ``least``.

    ``stamps`` float64 [m] and ``counts`` int32 [m] are zero, and stay so. Where the best of all windows of ``y`` was
    not similar, the next windows of ``x`` are not before their tokens could have made up for it
    (:mod:`ibidem.alignment.seeds`).
    """
    (run, other), weights = runs, group.weights
    text = group.texts[group.begins[x] : group.begins[x + 1]]
    other_text = group.texts[group.begins[y] : group.begins[y + 1]]
    size, other_size = text.shape[0] - (run[1] - run[0]) + 1, other_text.shape[0] - (other[1] - other[0]) + 1
    found, share, needed = False, least / (1.0 + least), 0.0
    for i in range(text.shape[0] - size + 1):
        if i > 0:
            needed -= (1.0 - share) * weights[text[i + size - 1]] + share * weights[text[i - 1]]
            if needed > 0.0:
                continue
        weight = 0.0
        for token in text[i : i + size]:
            if stamps[token] == 0.0:
                stamps[token] = weights[token]
                weight += weights[token]
        shared, other_weight, greatest = 0.0, 0.0, -np.inf
        for p in range(other_text.shape[0]):
            token = other_text[p]
            if counts[token] == 0:
                other_weight += weights[token]
                shared += stamps[token]
            counts[token] += 1
            if p >= other_size - 1:
                either, start = weight + other_weight - shared, other[0] + p - other_size + 1
                greatest = max(greatest, shared - share * (weight + other_weight))
                if shared >= least * either - SLACK and either > SLACK and start >= run[0] + i + size:
                    found = True
                    break
                token = other_text[p - other_size + 1]
                counts[token] -= 1
                if counts[token] == 0:
                    other_weight -= weights[token]
                    shared -= stamps[token]
        for token in other_text:
            counts[token] = 0
        for token in text[i : i + size]:
            stamps[token] = 0.0
        if found:
            return True
        needed = -greatest - SLACK * (2.0 + weight)
    return False
