"""Corresponding tokens of two passages: in order, moved, or by chance alone.

Two stretches of ``n`` and ``m`` tokens share a run of tokens by chance at about ``n * m * exp(-evidence)`` places, with
the sum of its tokens' evidence; a run is evident if that is small.

1. The global alignment with the highest score pairs tokens in the order of both passages.
2. A short run of equal tokens inside a long stretch of different ones is what chance gives: it is dissolved.
3. Blocks of the remaining tokens that occur again elsewhere, and not by chance, have moved.

Each step takes many pairs of passages in one call.
"""

import math
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ibidem.comparison.global_alignment import ALONE, MOST_CELLS, align_spans
from ibidem.hashing import mix64
from ibidem.kernels import kernel
from ibidem.ragged import bounds_of

_Ids = NDArray[np.int32]
_Ints = NDArray[np.int64]
_Floats = NDArray[np.float64]
_Bools = NDArray[np.bool_]

_SCALE = 16
"""Score of a nat of evidence; scores are whole numbers."""

_GAP = 1.0
"""Cost of a token without a partner, in nats."""

_SEED = 3
"""Tokens of the shortest block that may have moved."""

_MOST_REPEATS = 64
"""Pairs of places at most of one run of tokens that are tried as seeds of a moved block."""

_CHANCE_MOVES = 0.01
"""Moved blocks that chance may give in a pair of passages."""


class MatchingBlock(NamedTuple):
    """``length`` tokens from ``a_first`` on, each with the token of ``b`` as far behind ``b_first`` as its partner."""

    a_first: int
    b_first: int
    length: int


class Correspondence(NamedTuple):
    """The equal tokens that correspond.

    Attributes:
        partners: int64 [n], the token of ``b`` that corresponds to each token of ``a``, or ``ALONE``.
        moved: bool [n], whether the two are in another order than the others.
    """

    partners: _Ints
    moved: _Bools


class TokenEvidence(NamedTuple):
    """What tokens tell if two passages share them.

    Attributes:
        nats: float64 [V].
        gains: int64 [V], the same as scores of an alignment.
    """

    nats: _Floats
    gains: _Ints

    @classmethod
    def of(cls, nats: _Floats) -> Self:
        """That of tokens with so many nats."""
        return cls(nats, np.round(_SCALE * nats).astype(np.int64))


def correspond(a: _Ids, b: _Ids, evidence: _Floats, most_cells: int = MOST_CELLS) -> Correspondence:
    """Tokens of ``a`` and ``b`` that correspond; ``evidence`` float64 [V] in nats, for ids from 0 to V - 1."""
    spans = np.array([[0, len(a), len(a), len(a) + len(b)]])
    return correspond_spans(np.concatenate([a, b]), spans, TokenEvidence.of(evidence), most_cells)


def correspond_spans(
    tokens: _Ids, spans: _Ints, evidence: TokenEvidence, most_cells: int = MOST_CELLS
) -> Correspondence:
    """Tokens that correspond of many pairs of passages, one after another.

    A pair are the tokens ``spans[r, 0]`` to ``spans[r, 1] - 1`` and those of the other two; partners count from the
    start of the second.
    """
    bounds = bounds_of(spans[:, 1] - spans[:, 0])
    partners, moved = np.full(bounds[-1], ALONE, np.int64), np.zeros(bounds[-1], np.bool_)
    rows, stretches = np.arange(len(spans)), spans
    paired, is_moved = np.full(len(spans), -1), False
    while len(rows):
        inside = _equal_partners(tokens, stretches, evidence, most_cells)
        _place(stretches, rows, spans, bounds, inside, is_moved, partners, moved)
        counts = _count_paired(bounds, partners)
        grown = np.flatnonzero(counts > paired)  # a round that pairs nothing more would be repeated for ever
        paired, is_moved = counts, True
        rows, stretches = _moved_stretches(tokens, spans, grown, bounds, partners, evidence.nats)
    return Correspondence(partners, moved)


def is_evident(evidence: ArrayLike, a_length: ArrayLike, b_length: ArrayLike, expected: float = 1.0) -> _Bools:
    """Whether fewer than ``expected`` runs of this evidence occur by chance in stretches of so many tokens."""
    places = np.maximum(np.asarray(a_length, np.float64) * np.asarray(b_length, np.float64), 1.0)
    return np.asarray(np.asarray(evidence) > np.log(places) - math.log(expected))


def blocks_of(partners: _Ints) -> list[MatchingBlock]:
    """The longest blocks in which consecutive tokens have consecutive partners, in the order of ``a``."""
    at = np.flatnonzero(partners != ALONE)
    begins = np.flatnonzero((np.diff(at, prepend=-2) != 1) | (np.diff(partners[at], prepend=-2) != 1))
    lengths = np.diff(np.append(begins, len(at)))
    return [
        MatchingBlock(*each)
        for each in zip(at[begins].tolist(), partners[at[begins]].tolist(), lengths.tolist(), strict=True)
    ]


def _equal_partners(tokens: _Ids, spans: _Ints, evidence: TokenEvidence, most_cells: int) -> _Ints:
    """Partners of the best alignments in order, of equal tokens alone and without those that chance explains."""
    partners = align_spans(tokens, spans, evidence.gains, round(_SCALE * _GAP), most_cells)
    _keep_evident(tokens, spans, bounds_of(spans[:, 1] - spans[:, 0]), evidence.nats, partners)
    return partners


@kernel
def _place(
    stretches: _Ints,
    rows: _Ints,
    spans: _Ints,
    bounds: _Ints,
    inside: _Ints,
    is_moved: bool,
    partners: _Ints,
    moved: _Bools,
) -> None:
    """Set the partners of the stretches, which lie in the spans ``rows``."""
    place = 0
    for stretch in range(stretches.shape[0]):
        span = spans[rows[stretch]]
        first, shift = bounds[rows[stretch]] - span[0], stretches[stretch, 2] - span[2]
        for at in range(first + stretches[stretch, 0], first + stretches[stretch, 1]):
            has_partner = inside[place] != ALONE
            partners[at] = inside[place] + shift if has_partner else ALONE
            moved[at] = is_moved and has_partner
            place += 1


@kernel
def _count_paired(bounds: _Ints, partners: _Ints) -> _Ints:
    """How many tokens of each pair of passages have a partner."""
    counts = np.zeros(bounds.shape[0] - 1, np.int64)
    for row in range(counts.shape[0]):
        for partner in partners[bounds[row] : bounds[row + 1]]:
            counts[row] += partner != ALONE
    return counts


@kernel
def _keep_evident(tokens: _Ids, spans: _Ints, bounds: _Ints, evidence: _Floats, partners: _Ints) -> None:
    """Take apart the pairs of unequal tokens, and then the blocks that chance gives."""
    for row in range(spans.shape[0]):
        a, own = tokens[spans[row, 0] : spans[row, 1]], partners[bounds[row] : bounds[row + 1]]
        summed = np.zeros(a.shape[0] + 1)
        for i in range(a.shape[0]):
            summed[i + 1] = summed[i] + evidence[a[i]]
            if own[i] != ALONE and a[i] != tokens[spans[row, 2] + own[i]]:
                own[i] = ALONE
        dissolve(own, spans[row, 3] - spans[row, 2], summed)


@kernel
def dissolve(partners: _Ints, b_length: int, summed: _Floats) -> None:
    """Take apart the blocks that chance gives in the stretch around them, the weakest of neighbours first.

    ``summed`` float64 [n + 1] is the evidence of the tokens of ``a`` before each place. A block goes if its evidence is
    not beyond chance, as in ``is_evident``, and it is no better than both of its neighbours.
    """
    n = partners.shape[0]
    first, last = np.empty(n + 1, np.int64), np.empty(n + 1, np.int64)
    excess = np.empty(n + 2)
    count = 0
    for i in range(n):
        if partners[i] == ALONE:
            continue
        if i > 0 and partners[i - 1] != ALONE and partners[i - 1] + 1 == partners[i]:
            last[count - 1] = i + 1
        else:
            first[count], last[count] = i, i + 1
            count += 1
    weak = True
    while weak:
        weak = False
        excess[0] = excess[count + 1] = np.inf
        for at in range(count):
            a_before = last[at - 1] if at > 0 else 0
            b_before = partners[last[at - 1] - 1] + 1 if at > 0 else 0
            a_after = first[at + 1] if at + 1 < count else n
            b_after = partners[first[at + 1]] if at + 1 < count else b_length
            room = math.log(max(float(a_after - a_before) * float(b_after - b_before), 1.0))
            strength = summed[last[at]] - summed[first[at]]
            excess[at + 1] = np.inf if strength > room else strength - room
        number = 0
        for at in range(count):
            if excess[at + 1] < np.inf and excess[at + 1] <= min(excess[at], excess[at + 2]):
                weak = True
                for i in range(first[at], last[at]):
                    partners[i] = ALONE
            else:
                first[number], last[number] = first[at], last[at]
                number += 1
        count = number


def _moved_stretches(
    tokens: _Ids, spans: _Ints, rows: _Ints, bounds: _Ints, partners: _Ints, evidence: _Floats
) -> tuple[_Ints, _Ints]:
    """Stretches without partners, int64 [S, 4], that hold a moved block, and the span of ``rows`` that each lies in.

    No two share a token.
    """
    blocks, strengths, free = _list_blocks(tokens, spans, rows, bounds, partners, evidence)
    evident = np.flatnonzero(is_evident(strengths, free[:, 0], free[:, 1], _CHANCE_MOVES))
    blocks = blocks[evident]
    order = np.lexsort((blocks[:, 2], blocks[:, 1], -strengths[evident], blocks[:, 0]))
    return _choose_stretches(blocks[order], spans, bounds, partners)


@kernel
def _mark_free(partners: _Ints, b_length: int) -> tuple[_Bools, _Bools]:
    """Which tokens of either side have no partner."""
    a_free, b_free = np.ones(partners.shape[0], np.bool_), np.ones(b_length, np.bool_)
    for i in range(partners.shape[0]):
        if partners[i] != ALONE:
            a_free[i] = b_free[partners[i]] = False
    return a_free, b_free


@kernel
def _list_blocks(
    tokens: _Ids, spans: _Ints, rows: _Ints, bounds: _Ints, partners: _Ints, evidence: _Floats
) -> tuple[_Ints, _Floats, _Ints]:
    """The blocks of free tokens of some spans: int64 [K, 4] with their spans, evidence [K], and free tokens [K, 2]."""
    blocks, strengths, free = np.empty((64, 4), np.int64), np.empty(64), np.empty((64, 2), np.int64)
    count = 0
    for row in rows:
        a, b = tokens[spans[row, 0] : spans[row, 1]], tokens[spans[row, 2] : spans[row, 3]]
        a_free, b_free = _mark_free(partners[bounds[row] : bounds[row + 1]], b.shape[0])
        own = _free_blocks(a, b, a_free, b_free)
        while count + own.shape[0] > blocks.shape[0]:
            blocks = np.concatenate((blocks, np.empty_like(blocks)))
            strengths, free = np.concatenate((strengths, strengths)), np.concatenate((free, free))
        summed = np.zeros(a.shape[0] + 1)
        for i in range(a.shape[0] if own.shape[0] > 0 else 0):
            summed[i + 1] = summed[i] + evidence[a[i]]
        for block in own:
            blocks[count, 0], blocks[count, 1], blocks[count, 2], blocks[count, 3] = row, block[0], block[1], block[2]
            strengths[count] = summed[block[0] + block[2]] - summed[block[0]]
            free[count, 0], free[count, 1] = a_free.sum(), b_free.sum()
            count += 1
    return blocks[:count], strengths[:count], free[:count]


@kernel
def _choose_stretches(blocks: _Ints, spans: _Ints, bounds: _Ints, partners: _Ints) -> tuple[_Ints, _Ints]:
    """The free tokens around each block whose first tokens are free, which are free for no later block."""
    rows, stretches, count = np.empty(blocks.shape[0], np.int64), np.empty((blocks.shape[0], 4), np.int64), 0
    a_free, b_free = np.ones(0, np.bool_), np.ones(0, np.bool_)
    for block in range(blocks.shape[0]):
        row = blocks[block, 0]
        if block == 0 or row != blocks[block - 1, 0]:
            a_free, b_free = _mark_free(partners[bounds[row] : bounds[row + 1]], spans[row, 3] - spans[row, 2])
        if a_free[blocks[block, 1]] and b_free[blocks[block, 2]]:
            a_first, a_last = _take_stretch(a_free, blocks[block, 1])
            b_first, b_last = _take_stretch(b_free, blocks[block, 2])
            stretches[count, 0], stretches[count, 1] = spans[row, 0] + a_first, spans[row, 0] + a_last
            stretches[count, 2], stretches[count, 3] = spans[row, 2] + b_first, spans[row, 2] + b_last
            rows[count] = row
            count += 1
    return rows[:count], stretches[:count]


@kernel
def _take_stretch(free: _Bools, at: int) -> tuple[int, int]:
    """First and last, exclusive, of the free tokens around ``at``, which are free no more."""
    first = last = at
    while first > 0 and free[first - 1]:
        first -= 1
    while last < free.shape[0] and free[last]:
        last += 1
    free[first:last] = False
    return first, last


@kernel
def _free_blocks(a: _Ids, b: _Ids, a_free: _Bools, b_free: _Bools) -> _Ints:
    """The longest blocks of three or more free tokens that occur in both, int64 [K, 3]; very frequent runs are skipped.

    A table has the first place in ``b`` of each run of three tokens, behind which all of its places are linked.
    """
    size = 64
    while size < 2 * b.shape[0]:
        size *= 2
    table, following = np.full(size, -1, np.int32), np.full(b.shape[0], -1, np.int32)
    latest, repeats = np.empty(b.shape[0], np.int32), np.zeros((b.shape[0], 2), np.int32)
    for p in range(b.shape[0] - _SEED + 1):
        if b_free[p] and b_free[p + 1] and b_free[p + 2]:
            slot = _find_run(table, b, b, p)
            if table[slot] < 0:
                table[slot] = p
            else:
                following[latest[table[slot]]] = p
            latest[table[slot]] = p
            repeats[table[slot], 1] += 1
    first = np.full(a.shape[0], -1, np.int32)
    for p in range(a.shape[0] - _SEED + 1):
        if a_free[p] and a_free[p + 1] and a_free[p + 2]:
            first[p] = table[_find_run(table, b, a, p)]
            if first[p] >= 0:
                repeats[first[p], 0] += 1
    blocks, count = np.empty((16, 3), np.int64), 0
    for p in range(a.shape[0]):
        if first[p] >= 0 and repeats[first[p], 0] * repeats[first[p], 1] > _MOST_REPEATS:
            first[p] = -1
    for p in range(a.shape[0]):
        if count + _MOST_REPEATS > blocks.shape[0]:
            blocks = np.concatenate((blocks, np.empty((blocks.shape[0] + _MOST_REPEATS, 3), np.int64)))
        q = first[p]
        while q >= 0:
            if p == 0 or q == 0 or first[p - 1] < 0 or not b_free[q - 1] or a[p - 1] != b[q - 1]:
                end = _SEED
                while q + end < b.shape[0] and first[p + end - 2] >= 0 and b_free[q + end] and a[p + end] == b[q + end]:
                    end += 1
                blocks[count, 0], blocks[count, 1], blocks[count, 2] = p, q, end
                count += 1
            q = following[q]
    return blocks[:count]


@kernel
def _find_run(table: _Ids, b: _Ids, ids: _Ids, at: int) -> int:
    """The slot of the run of three tokens of ``ids`` at ``at`` in a table of places of ``b``."""
    run = np.uint64(ids[at]) << np.uint64(42) ^ np.uint64(ids[at + 1]) << np.uint64(21) ^ np.uint64(ids[at + 2])
    slot = np.int64(mix64(run) & np.uint64(table.shape[0] - 1))
    while table[slot] >= 0:
        place = table[slot]
        if b[place] == ids[at] and b[place + 1] == ids[at + 1] and b[place + 2] == ids[at + 2]:
            break
        slot = (slot + 1) & (table.shape[0] - 1)
    return int(slot)
