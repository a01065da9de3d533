"""Exact runs of tokens that documents share, and whose surprise is beyond chance: quotations, however short.

Two equal runs begin with equal seeds (:mod:`ibidem.evidence.seeds`), so one join of seeds finds them all: where the
tokens before two equal seeds differ, their common run begins. It is followed to its end, and over changed words on both
sides, as long as what follows is more surprising than the number of places in which it was looked for.
"""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.evidence.background import Background, weigh_behind
from ibidem.evidence.records.groups import Groups, group_records
from ibidem.evidence.records.parts import RecordParts, RecordsByPart
from ibidem.evidence.records.records import Records
from ibidem.evidence.seeds import Documents, SeedRule, collect_seeds, count_seeds
from ibidem.kernels import kernel
from ibidem.parallel import in_order
from ibidem.ragged import cut_rows
from ibidem.resources import Resources

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]

_SKIP = 4
"""Tokens of both texts that are passed over at most where they differ; two equal ones must follow."""

_ROOM = 1 << 18
"""Runs that are held before those that overlap are dropped; a group of more seeds has more."""

_RANGE = 1 << 20
"""Tokens of the documents whose seeds are collected at once."""


class Runs(NamedTuple):
    """Runs that two documents share, but for changed words.

    Attributes:
        documents: int64 [R, 2], the smaller number first.
        ranges: int64 [R, 4], half-open ranges of tokens in the first document, then in the second.
        surprise: float64 [R], in nats.
    """

    documents: _Ints
    ranges: _Ints
    surprise: _Floats

    def take(self, rows: npt.NDArray[np.bool_] | _Ints) -> "Runs":
        """Some of the runs."""
        return Runs(self.documents[rows], self.ranges[rows], self.surprise[rows])


NO_RUNS = Runs(np.empty((0, 2), np.int64), np.empty((0, 4), np.int64), np.empty(0))


class Spill(NamedTuple):
    """Where seeds of a collection lie that memory does not hold.

    Attributes:
        path: of the file, which is there until all runs are found.
        resources: the memory, and the threads that look for runs.
    """

    path: Path
    resources: Resources


def find_runs(
    documents: Documents, background: Background, rule: SeedRule, most: int, spill: Spill | None = None
) -> Runs:
    """The runs that two documents share, if they begin with a seed; none of a pair overlap in both.

    Of a seed in more than ``most`` places, each is compared with the first and the one before it alone. Without a
    ``spill``, all is done here and in memory.
    """
    if not len(documents.tokens):
        return NO_RUNS
    counts = count_seeds(documents, background, rule)

    def follow(seeds: Records) -> Runs:
        return _join([NO_RUNS, *_follow_groups(documents, background, rule, group_records(seeds), most)])

    if spill is None:
        whole = 0, len(documents.bounds) - 1
        return _drop_overlapping(follow(collect_seeds(documents, background, rule, counts, whole)))
    workers = spill.resources.workers
    with (
        RecordParts(spill.path, counts.repeated, spill.resources, fixed=True) as parts,
        spill.resources.pool() as pool,
    ):

        def collect(span: tuple[int, int]) -> RecordsByPart:
            return parts.share_out(collect_seeds(documents, background, rule, counts, span))

        for piece in in_order(pool, collect, cut_rows(documents.bounds, _RANGE), workers):
            parts.append(piece)
        found = list(in_order(pool, lambda part: follow(parts.part(part)), range(parts.parts), workers))
    return _drop_overlapping(_join(found))


def _join(parts: list[Runs]) -> Runs:
    return Runs(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _drop_overlapping(runs: Runs) -> Runs:
    return runs.take(select_disjoint(runs))


def select_disjoint(runs: Runs, taken: Runs | None = None) -> npt.NDArray[np.bool_]:
    """Which runs overlap none of the same documents, in both, that is more surprising, nor any that is ``taken``."""
    first = 0
    if taken is not None:
        first = len(taken.surprise)
        above_all = taken._replace(surprise=np.full(first, np.inf))
        runs = _join([above_all, runs])
    documents, ranges, surprise = runs
    order = np.lexsort((*ranges.T[::-1], -surprise, documents[:, 1], documents[:, 0]))
    is_kept = np.isinf(surprise)
    _drop_overlaps(documents, ranges, order, is_kept)
    return is_kept[first:]


@kernel
def _drop_overlaps(
    documents: _Ints,
    ranges: _Ints,
    order: _Ints,
    is_kept: npt.NDArray[np.bool_],
) -> None:
    """Set ``is_kept`` [R], in ``order``, for those that overlap none kept before; what is kept already stays."""
    first = 0
    for x in range(order.shape[0]):
        row = order[x]
        if documents[row, 0] != documents[order[first], 0] or documents[row, 1] != documents[order[first], 1]:
            first = x
        if is_kept[row]:
            continue
        is_free = True
        for y in range(first, x):
            other = order[y]
            if (
                is_kept[other]
                and ranges[row, 0] < ranges[other, 1]
                and ranges[other, 0] < ranges[row, 1]
                and ranges[row, 2] < ranges[other, 3]
                and ranges[other, 2] < ranges[row, 3]
            ):
                is_free = False
                break
        is_kept[row] = is_free


def _follow_groups(
    documents: Documents, background: Background, rule: SeedRule, groups: Groups, most: int
) -> Iterator[Runs]:
    """The runs that groups of equal seeds lead to, piece by piece."""
    places, bounds = groups.runs[:, 0].copy(), groups.bounds
    room, done = 1 << 12, np.zeros(4, np.int64)
    while done[0] < len(bounds) - 1:
        runs = Runs(np.empty((room, 2), np.int64), np.empty((room, 4), np.int64), np.empty(room))
        _follow_seeds(documents, background, rule, places, bounds, most, runs, done)
        yield _drop_overlapping(runs.take(np.arange(done[2])))
        room = 2 * room if room < _ROOM or done[2] < room // 2 else room


@kernel
def _follow_seeds(
    documents: Documents,
    background: Background,
    rule: SeedRule,
    places: _Ints,
    groups: _Ints,
    most: int,
    runs: Runs,
    done: _Ints,
) -> None:
    """Fill ``runs`` with those that groups of equal seeds lead to, until there is no more room.

    The seeds of group ``g`` are at ``places[groups[g] : groups[g + 1]]``. ``done`` int64 [4] is the group to go on
    with, its member, the number of runs, and how many of them are of the pair that is followed.
    """
    bounds, ranks = documents.bounds, documents.ranks
    done[2] = 0
    while done[0] < groups.shape[0] - 1:
        group = places[groups[done[0]] : groups[done[0] + 1]]
        owners = np.searchsorted(bounds, group, side="right") - 1
        before = _list_before(documents.tokens, bounds, group, owners)
        lowest = np.argmin(ranks[owners]) if group.shape[0] > most else np.int64(-1)
        for x in range(done[1], group.shape[0]):
            if done[2] + 2 * (group.shape[0] - x) > runs.surprise.shape[0]:
                done[1] = x
                return
            for y in range(x + 1, group.shape[0]):
                if before[x] != before[y] and (lowest < 0 or lowest in (x, y) or y == x + 1):
                    _follow_pair(documents, background, rule, (owners[x], owners[y]), (group[x], group[y]), runs, done)
        done[0] += 1
        done[1] = 0


@kernel
def _list_before(tokens: _Ids, bounds: _Ints, places: _Ints, owners: _Ints) -> _Ints:
    """The token before each place in its document, int64 [G]; at the beginning of documents, all numbers differ."""
    before = np.empty(places.shape[0], np.int64)
    for x in range(places.shape[0]):
        before[x] = -1 - x if places[x] == bounds[owners[x]] else tokens[places[x] - 1]
    return before


@kernel
def _follow_pair(
    documents: Documents,
    background: Background,
    rule: SeedRule,
    pair: tuple[int, int],
    starts: tuple[int, int],
    runs: Runs,
    done: _Ints,
) -> None:
    """Append the run that begins at two places, and what it grows to over changed words, if they are surprising.

    ``done[2]`` is the number of runs. Where another one takes the room of what a run grew to, the run itself is left.
    """
    tokens, bounds, side = documents.tokens, documents.bounds, documents.side
    d, e = pair
    if d == e or (side[d] >= 0 and side[d] == side[e]) or not (documents.asks[d] or documents.asks[e]):
        return
    ends = bounds[d + 1], bounds[e + 1]
    a, b, nats = _measure_run(tokens, background, starts[0], starts[1], ends)
    while True:
        if nats >= rule.surprise:
            row = done[2] - (done[2] > 0 and done[3] == 2)
            runs.documents[row, 0], runs.documents[row, 1] = d, e
            runs.ranges[row, 0], runs.ranges[row, 1] = starts[0] - bounds[d], a - bounds[d]
            runs.ranges[row, 2], runs.ranges[row, 3] = starts[1] - bounds[e], b - bounds[e]
            runs.surprise[row] = nats
            done[2] = row + 1
            done[3] = min(done[3] + 1, 2)
        next_a, next_b, more = _find_next(tokens, background, (a, b), ends)
        if next_a < 0:
            done[3] = 0
            return
        a, b, nats = next_a, next_b, nats + more


@kernel
def _find_next(
    tokens: _Ids, background: Background, places: tuple[int, int], ends: tuple[int, int]
) -> tuple[int, int, float]:
    """Where the best run ends that follows behind changed words, and what it adds; (-1, -1, 0) if none adds to it."""
    best_a, best_b, best = int(np.int64(-1)), int(np.int64(-1)), 0.0
    for skip in range(1, 2 * _SKIP + 1):
        for skip_a in range(max(0, skip - _SKIP), min(skip, _SKIP) + 1):
            a, b = places[0] + skip_a, places[1] + skip - skip_a
            if a + 2 > ends[0] or b + 2 > ends[1] or tokens[a] != tokens[b] or tokens[a + 1] != tokens[b + 1]:
                continue
            last_a, last_b, more = _measure_run(tokens, background, a, b, ends)
            more -= math.log((skip_a + 1.0) * (skip - skip_a + 1.0)) + 1.0
            if more > best:
                best_a, best_b, best = last_a, last_b, more
    return best_a, best_b, best


@kernel
def _measure_run(tokens: _Ids, background: Background, a: int, b: int, ends: tuple[int, int]) -> tuple[int, int, float]:
    """Where the equal tokens from two places on end, and their surprise."""
    size = int(np.int64(0))
    while a + size < ends[0] and b + size < ends[1] and tokens[a + size] == tokens[b + size]:
        size += 1
    behind = np.empty(size)
    weigh_behind(background, tokens[a : a + size], behind)
    return a + size, b + size, float(behind.sum())
