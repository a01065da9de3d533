"""Exact runs of tokens that documents share, and whose surprise is beyond chance: quotations, however short.

Every token of a collection begins a *seed*: the shortest run from there on that is surprising and long enough. Two
equal runs that are so begin with equal seeds, so one join of seeds finds them all, and where the tokens before two
equal seeds differ, their common run begins. It is followed to its end, and over changed words on both sides, as long as
what follows is more surprising than the number of places in which it was looked for.

Seeds are joined in two passes. The first counts them in cells that several seeds may share; the second keeps those of
cells with two, in as many parts as memory asks for.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.evidence.background import Background, weigh_behind
from ibidem.hashing import GOLDEN, mix64
from ibidem.kernels import kernel

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]
_Keys = npt.NDArray[np.uint64]

_LONGEST = 64
"""Tokens of a seed at most. Text that says so little is no quotation."""

_SKIP = 4
"""Tokens of both texts that are passed over at most where they differ; two equal ones must follow."""

_MOST_CELLS = 1 << 24

_ROOM = 1 << 18
"""Runs that are held before those that overlap are dropped; a group of more seeds has more."""

_PART = 1 << 24
"""Tokens whose seeds are joined at once, about."""


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


class Documents(NamedTuple):
    """The documents in which runs are looked for.

    Attributes:
        tokens: int32 [T], dense ids.
        bounds: int64 [D + 1].
        side: int32 [D]. Documents of the same side are not compared; of a negative side, with all.
        ranks: int32 [D], the order in which one comes before another.
    """

    tokens: _Ids
    bounds: _Ints
    side: _Ids
    ranks: _Ids


class SeedRule(NamedTuple):
    """What a seed is: so much surprise, in nats, and so many tokens, two or more."""

    surprise: float
    tokens: int = 2


def find_runs(documents: Documents, background: Background, rule: SeedRule, most: int) -> Runs:
    """The runs that two documents share, if they begin with a seed; none of a pair overlap in both.

    Of a seed in more than ``most`` places, each is compared with the first and the one before it alone.
    """
    found = [NO_RUNS]
    if not len(documents.tokens):
        return NO_RUNS
    cells = np.zeros(min(1 << max(10, (2 * len(documents.tokens)).bit_length()), _MOST_CELLS), np.uint8)
    _count_seeds(documents, background, rule, cells)
    parts = -(-len(documents.tokens) // _PART)
    for part in range(parts):
        keys, places = _collect_seeds(documents, background, rule, cells, part, parts)
        order = np.argsort(keys, kind="stable")
        found += _join_seeds(documents, background, rule, _Seeds(keys[order], places[order]), most)
    runs = Runs(*(np.concatenate(column) for column in zip(*found, strict=True)))
    return runs.take(select_disjoint(runs))


def select_disjoint(runs: Runs, taken: Runs | None = None) -> npt.NDArray[np.bool_]:
    """Which runs overlap none of the same documents, in both, that is more surprising, nor any that is ``taken``."""
    first = 0
    if taken is not None:
        first = len(taken.surprise)
        above_all = taken._replace(surprise=np.full(first, np.inf))
        runs = Runs(*(np.concatenate(columns) for columns in zip(above_all, runs, strict=True)))
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


@kernel
def _hash_seeds(tokens: _Ids, background: Background, rule: SeedRule, behind: _Floats, keys: _Keys) -> None:
    """Set the key of the seed that begins at each of ``tokens`` of a document, uint64 [n]; 0 where there is none.

    ``behind`` float64 [n] is room for the surprise of each token.
    """
    size = tokens.shape[0]
    weigh_behind(background, tokens, behind)
    for start in range(size):
        surprise, state, end = background.alone[tokens[start]], np.uint64(tokens[start]) + GOLDEN, start + 1
        last = min(size, start + _LONGEST)
        while end < last and (surprise < rule.surprise or end - start < rule.tokens):
            surprise += behind[end]
            state = (state ^ (state >> np.uint64(29))) * GOLDEN + np.uint64(tokens[end])
            end += 1
        is_seed = surprise >= rule.surprise and end - start >= rule.tokens
        keys[start] = mix64(state) | np.uint64(1) if is_seed else np.uint64(0)


@kernel
def _count_seeds(documents: Documents, background: Background, rule: SeedRule, cells: npt.NDArray[np.uint8]) -> None:
    """Count seeds in ``cells`` uint8 [2^b], up to two in each."""
    tokens, bounds = documents.tokens, documents.bounds
    longest, mask = np.diff(bounds).max(), np.uint64(cells.shape[0] - 1)
    behind, keys = np.empty(longest), np.empty(longest, np.uint64)
    for document in range(bounds.shape[0] - 1):
        first, last = bounds[document], bounds[document + 1]
        _hash_seeds(tokens[first:last], background, rule, behind, keys)
        for key in keys[: last - first]:
            cell = np.int64((key >> np.uint64(8)) & mask)
            if key != np.uint64(0) and cells[cell] < 2:
                cells[cell] += 1


@kernel
def _collect_seeds(
    documents: Documents, background: Background, rule: SeedRule, cells: npt.NDArray[np.uint8], part: int, parts: int
) -> tuple[_Keys, _Ints]:
    """The keys and places of the seeds of a part that are in cells with two, in the order of their places."""
    tokens, bounds = documents.tokens, documents.bounds
    longest, mask = np.diff(bounds).max(), np.uint64(cells.shape[0] - 1)
    behind, of_document = np.empty(longest), np.empty(longest, np.uint64)
    keys, places, count = np.empty(1 << 12, np.uint64), np.empty(1 << 12, np.int64), 0
    for document in range(bounds.shape[0] - 1):
        first, last = bounds[document], bounds[document + 1]
        _hash_seeds(tokens[first:last], background, rule, behind, of_document)
        for start in range(last - first):
            key = of_document[start]
            if key == np.uint64(0) or cells[np.int64((key >> np.uint64(8)) & mask)] < 2:
                continue
            if (key >> np.uint64(40)) % np.uint64(parts) != np.uint64(part):
                continue
            if count == keys.shape[0]:
                keys, places = np.concatenate((keys, keys)), np.concatenate((places, places))
            keys[count], places[count] = key, first + start
            count += 1
    return keys[:count].copy(), places[:count].copy()


class _Seeds(NamedTuple):
    """Seeds in the order of their keys, and of their places where these are equal: uint64 [S] and int64 [S]."""

    keys: _Keys
    places: _Ints


def _join_seeds(
    documents: Documents, background: Background, rule: SeedRule, seeds: _Seeds, most: int
) -> Iterator[Runs]:
    """The runs that seeds lead to, piece by piece."""
    room, done = 1 << 12, np.zeros(4, np.int64)
    while done[0] < len(seeds.keys):
        runs = Runs(np.empty((room, 2), np.int64), np.empty((room, 4), np.int64), np.empty(room))
        _follow_seeds(documents, background, rule, seeds, most, runs, done)
        found = runs.take(np.arange(done[2]))
        yield found.take(select_disjoint(found))
        room = 2 * room if room < _ROOM or done[2] < room // 2 else room


@kernel
def _follow_seeds(
    documents: Documents, background: Background, rule: SeedRule, seeds: _Seeds, most: int, runs: Runs, done: _Ints
) -> None:
    """Fill ``runs`` with those that groups of equal seeds lead to, until there is no more room.

    ``done`` int64 [4] is the first seed of the group to go on with, the member of the group, the number of runs, and
    how many of them are of the pair that is followed.
    """
    keys, places = seeds
    bounds, ranks = documents.bounds, documents.ranks
    first, done[2] = done[0], 0
    while first < keys.shape[0]:
        last = first + 1
        while last < keys.shape[0] and keys[last] == keys[first]:
            last += 1
        if last - first > 1:
            group = places[first:last]
            owners = np.searchsorted(bounds, group, side="right") - 1
            before = _list_before(documents.tokens, bounds, group, owners)
            lowest = np.argmin(ranks[owners]) if group.shape[0] > most else np.int64(-1)
            for x in range(done[1], group.shape[0]):
                if done[2] + 2 * (group.shape[0] - x) > runs.surprise.shape[0]:
                    done[0], done[1] = first, x
                    return
                for y in range(x + 1, group.shape[0]):
                    if before[x] != before[y] and (lowest < 0 or lowest in (x, y) or y == x + 1):
                        pair, starts = (owners[x], owners[y]), (group[x], group[y])
                        _follow_pair(documents, background, rule, pair, starts, runs, done)
        first = last
        done[1] = 0
    done[0] = first


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
    tokens, bounds, side, _ = documents
    d, e = pair
    if d == e or (side[d] >= 0 and side[d] == side[e]):
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
