"""The join of a collection with itself: runs of windows that agree in a band, verified by their similarity.

Runs of one key are a group, and two of a group, in documents that may be compared, a candidate. It is a *seed* if some
window of the one and some window of the other have a weighted similarity of ``least`` or more. This is computed
exactly, for all pairs of windows of the two runs, so the recall of the join is that of the bands. Windows that are not
surely similar must lie in places that share more than expected by chance (:mod:`ibidem.reuse.evident`). A candidate
within a box that is known already is skipped, since it would change nothing. Most candidates that agree by
chance are ruled out by a bound that reads either run once.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.evidence.records.groups import Groups, group_records
from ibidem.evidence.records.records import Records
from ibidem.kernels import inlined, kernel
from ibidem.reuse.boxes import KnownBoxes
from ibidem.reuse.collection import BLOCK, Comparable
from ibidem.reuse.places import weigh_places
from ibidem.rounding import SLACK

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]

_LOOKS = 16
"""Known boxes of two documents with which a candidate is compared."""


class Seeds(NamedTuple):
    """Pairs of runs that hold similar windows.

    Attributes:
        boxes: int64 [S, 4], the tokens of the windows of the one run, half open, and of the other, behind it.
        candidates: how many pairs of runs were compared.
        crowded_groups: how many groups had more members than every pair is compared of.
    """

    boxes: _Ints
    candidates: int
    crowded_groups: int


def join_records(
    records: Records,
    comparable: Comparable,
    least: float,
    most: int,
    known_boxes: KnownBoxes | None = None,
    sure: float | None = None,
) -> Seeds:
    """The seeds among ``records``, which are all of their keys; those within ``known_boxes`` are left out.

    In a group of more than ``most`` runs, each is compared only with the first and with the one before it, by the order
    of the documents' contents: text that occurs everywhere is joined, but not every pair of its places is compared.

    Windows that are similar by ``sure`` or more (by ``least`` if it is not given) are seeds anywhere; others only in
    places that share more than expected by chance.
    """
    thresholds = least, max(least, sure or least)
    if comparable.within:
        records = _cut_records(records, comparable.window)
    known_boxes = known_boxes or KnownBoxes.make_empty(comparable.bounds)
    groups = group_records(records)
    crowded = int((np.diff(groups.bounds) > most).sum())
    if crowded:
        groups = _split_crowded(groups, comparable, most)
    runs, bounds = groups
    documents = np.searchsorted(comparable.bounds, runs[:, 0], side="right") - 1
    boxes = np.empty((1024, 4), np.int64)
    counts = np.zeros(4, np.int64)  # seeds, candidates, groups done, the run to resume from
    while counts[2] < len(bounds) - 1:
        _find_seeds(comparable, known_boxes, runs, documents, bounds, thresholds, boxes, counts)
        if counts[2] < len(bounds) - 1:
            boxes = np.concatenate([boxes, np.empty_like(boxes)])
    return Seeds(boxes[: counts[0]].copy(), int(counts[1]), crowded)


def _cut_records(records: Records, longest: int) -> Records:
    """The same windows in runs of at most ``longest``: of these, windows of one run always share a token."""
    pieces = -(-(records.ends - records.starts) // longest)
    rows = np.repeat(np.arange(len(pieces)), pieces)
    starts = records.starts[rows] + longest * (np.arange(len(rows)) - np.repeat(np.cumsum(pieces) - pieces, pieces))
    return Records(records.keys[rows], starts, np.minimum(starts + longest, records.ends[rows]))


def _split_crowded(groups: Groups, comparable: Comparable, most: int) -> Groups:
    """The groups, those of more than ``most`` runs as pairs: of the first run and each, of each and the one before."""
    sizes = np.diff(groups.bounds)
    is_crowded = np.repeat(sizes > most, sizes)
    rows = np.flatnonzero(is_crowded)
    group_of = np.repeat(np.arange(len(sizes)), sizes)[rows]
    documents = np.searchsorted(comparable.bounds, groups.runs[rows, 0], side="right") - 1
    order = np.lexsort((groups.runs[rows, 0], comparable.ranks[documents], group_of))
    rows, group_of = rows[order], group_of[order]
    group_starts = np.searchsorted(group_of, group_of)  # where the first of each group is
    nth = np.arange(len(group_of)) - group_starts
    later, third = np.flatnonzero(nth > 0), np.flatnonzero(nth > 1)
    pairs = np.concatenate([np.stack([group_starts[later], later], axis=1), np.stack([third - 1, third], axis=1)])
    pairs = np.sort(rows[pairs], axis=1)  # the runs of a group are in the order of their places
    runs = np.concatenate([groups.runs[~is_crowded], groups.runs[pairs.ravel()]])
    bounds = np.cumsum(np.concatenate([np.zeros(1, np.int64), sizes[sizes <= most], np.full(len(pairs), 2)]))
    return Groups(runs, bounds)


@kernel
def _find_seeds(
    comparable: Comparable,
    known_boxes: KnownBoxes,
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
    expected by chance, and of windows in any places. Returns early where there is no more room.
    """
    share, sure_share = least[0] / (1.0 + least[0]), least[1] / (1.0 + least[1])
    side, firsts, partners = comparable.side, known_boxes.firsts, known_boxes.partners
    known_bounds, known_ranges = known_boxes.bounds, known_boxes.boxes
    ends = np.minimum(runs[:, 1] - 1 + comparable.window, comparable.bounds[documents + 1])
    numbers = np.full(comparable.idf.shape[0], -1, np.int32)
    least_distance = comparable.window if comparable.within else 1 << 60  # windows of one document that share no token
    group = _number_group(comparable, runs, ends, 0, 0, numbers)
    marks, stamps, in_other = np.zeros(0), np.zeros(0), np.zeros(0, np.int32)
    ask_evidence = comparable.presence.shape[0] > 0
    while counts[2] < groups.shape[0] - 1:
        low, high = groups[counts[2]], groups[counts[2] + 1]
        is_numbered = False
        for y in range(max(low + 1, counts[3]), high):
            counts[3] = y
            if counts[0] + y - low > boxes.shape[0]:
                return
            is_marked, e = False, documents[y]
            for x in range(low, y):
                d = documents[x]
                if (side[d] >= 0 and side[d] == side[e]) if d != e else runs[x, 0] + least_distance >= runs[y, 1]:
                    continue
                counts[1] += 1
                spans = (runs[x, 0], ends[x], runs[y, 0], ends[y])
                pair = _find_pair(partners, firsts[d], firsts[d + 1], e)
                if pair >= 0 and _holds(known_ranges, known_bounds[pair], known_bounds[pair + 1], spans):
                    continue
                if high - low == 2 and _share_too_little(comparable, runs[low:high], spans, share, numbers):
                    continue
                if not is_numbered:
                    group, is_numbered = _number_group(comparable, runs, ends, low, high, numbers), True
                    size = group.weights.shape[0]
                    if marks.shape[0] < size:  # between groups these hold zeros
                        marks, stamps, in_other = np.zeros(size), np.zeros(size), np.zeros(size, np.int32)
                if not is_marked:
                    _mark(marks, group.weights, group.members, group.bounds[y - low], group.bounds[y - low + 1])
                    is_marked = True
                shared = _sum_marks(marks, group.members, group.bounds[x - low], group.bounds[x - low + 1])
                lightest_both = group.lightest[x - low] + group.lightest[y - low]
                if shared < share * lightest_both - SLACK:
                    continue
                is_evident = True
                if ask_evidence:
                    middles = (runs[x, 0] + ends[x]) // 2, (runs[y, 0] + ends[y]) // 2
                    evidence = weigh_places(comparable, (d, e), middles, numbers)
                    is_evident = evidence >= min(comparable.least_evidence[d], comparable.least_evidence[e])
                if not is_evident and shared < sure_share * lightest_both - SLACK:
                    continue
                similarity = least[0] if is_evident else least[1]
                if _reaches(group, x - low, y - low, (runs[x], runs[y]), similarity, stamps, in_other):
                    boxes[counts[0]] = spans
                    counts[0] += 1
            if is_marked:
                _clear_marks(marks, group.members, group.bounds[y - low], group.bounds[y - low + 1])
        counts[2] += 1


@inlined
def _sum_marks(marks: _Floats, members: _Ids, first: int, end: int) -> float:
    """The sum of the marks of some members."""
    total = 0.0
    for p in range(first, end):
        total += marks[members[p]]
    return total


@inlined
def _mark(marks: _Floats, values: _Floats, members: _Ids, first: int, end: int) -> None:
    """Set the marks of some members to their values."""
    for p in range(first, end):
        marks[members[p]] = values[members[p]]


@inlined
def _clear_marks(marks: _Floats, members: _Ids, first: int, end: int) -> None:
    for p in range(first, end):
        marks[members[p]] = 0


class _Group(NamedTuple):
    """The n runs of a group, with tokens numbered within the group, so that counters lie together in memory.

    Attributes:
        text_bounds: int64 [n + 1], the tokens of run ``r`` are ``texts[text_bounds[r] : text_bounds[r + 1]]``.
        texts: int32 [T].
        bounds: int64 [n + 1], the distinct tokens of run ``r`` are ``members[bounds[r] : bounds[r + 1]]``.
        members: int32 [M].
        weights: float64 [m], what each token weighs.
        lightest: float64 [n], a weight that no window of the run is below.
    """

    text_bounds: _Ints
    texts: _Ids
    bounds: _Ints
    members: _Ids
    weights: _Floats
    lightest: _Floats


@kernel
def _number_group(comparable: Comparable, runs: _Ints, ends: _Ints, low: int, high: int, numbers: _Ids) -> _Group:
    """The group of the runs ``low`` to ``high - 1``, whose last windows end at ``ends``.

    ``numbers`` int32 [V] are -1 before and after.
    """
    tokens, idf, n = comparable.tokens, comparable.idf, high - low
    text_bounds, bounds, lightest = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64), np.full(n, np.inf)
    for r in range(n):
        text_bounds[r + 1] = text_bounds[r] + ends[low + r] - runs[low + r, 0]
        lightest[r] = _find_lightest(comparable, runs[low + r])
    room = text_bounds[n]
    texts, members, weights = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room)
    stamps = np.full(room, -1, np.int32)
    distinct, count = 0, 0
    for r in range(n):
        for p in range(text_bounds[r], text_bounds[r + 1]):
            token = tokens[runs[low + r, 0] + p - text_bounds[r]]
            number = numbers[token]
            if number < 0:
                number = distinct
                numbers[token], weights[number] = number, idf[token]
                distinct += 1
            texts[p] = number
            if stamps[number] != r:
                stamps[number], members[count] = r, number
                count += 1
        bounds[r + 1] = count
    for r in range(n):
        for p in range(runs[low + r, 0], ends[low + r]):
            numbers[tokens[p]] = -1
    return _Group(text_bounds, texts, bounds, members, weights[:distinct], lightest)


@kernel
def _find_lightest(comparable: Comparable, run: _Ints) -> float:
    """A weight that no window of a run is below."""
    lightest = np.inf
    for block in range(run[0] // BLOCK, (run[1] - 1) // BLOCK + 1):
        lightest = min(lightest, comparable.lightest[block])
    return lightest


@kernel
def _share_too_little(
    comparable: Comparable, runs: _Ints, spans: tuple[int, int, int, int], share: float, numbers: _Ids
) -> bool:
    """Return whether two runs share too little weight for windows that are to share so great a part of theirs.

    ``spans`` are the tokens of their windows; ``numbers`` int32 [V] are -1 before and after.
    """
    tokens, idf, shared = comparable.tokens, comparable.idf, 0.0
    for p in range(spans[0], spans[1]):
        numbers[tokens[p]] = 1
    for p in range(spans[2], spans[3]):
        if numbers[tokens[p]] == 1:
            numbers[tokens[p]] = 0
            shared += idf[tokens[p]]
    for p in range(spans[0], spans[1]):
        numbers[tokens[p]] = -1
    return shared < share * (_find_lightest(comparable, runs[0]) + _find_lightest(comparable, runs[1])) - SLACK


@inlined
def _find_pair(partners: _Ints, first: int, end: int, document: int) -> int:
    """Return the place of ``document`` in ``partners[first:end]``, which ascend; -1 if it is not there."""
    place, last = first, end
    while place < last:
        middle = (place + last) // 2
        if partners[middle] < document:
            place = middle + 1
        else:
            last = middle
    return int(place if place < end and partners[place] == document else -1)


@inlined
def _holds(boxes: _Ints, first: int, end: int, spans: tuple[int, int, int, int]) -> bool:
    """Return whether one of the ``boxes`` from ``first`` to ``end - 1`` holds two spans; it may miss one that does."""
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
    """Return whether a window of run ``x`` and one of ``y``, behind it, are similar by ``least``.

    ``stamps`` float64 [m] and ``counts`` int32 [m] are zero, and stay so. After a window of ``x`` that is
    similar to none of ``y``, the next ones are skipped until their new tokens could make up for the difference
    (:mod:`ibidem.alignment.seeds`).
    """
    (run_x, run_y), weights = runs, group.weights
    text = group.texts[group.text_bounds[x] : group.text_bounds[x + 1]]
    other_text = group.texts[group.text_bounds[y] : group.text_bounds[y + 1]]
    size, other_size = text.shape[0] - (run_x[1] - run_x[0]) + 1, other_text.shape[0] - (run_y[1] - run_y[0]) + 1
    is_found, share, deficit = False, least / (1.0 + least), 0.0
    for i in range(text.shape[0] - size + 1):
        if i > 0:
            deficit -= (1.0 - share) * weights[text[i + size - 1]] + share * weights[text[i - 1]]
            if deficit > 0.0:
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
                union, start = weight + other_weight - shared, run_y[0] + p - other_size + 1
                greatest = max(greatest, shared - share * (weight + other_weight))
                if shared >= least * union - SLACK and union > SLACK and start >= run_x[0] + i + size:
                    is_found = True
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
        if is_found:
            return True
        deficit = -greatest - SLACK * (2.0 + weight)
    return False
