"""Corresponding tokens of two passages: in order, moved, or by chance alone.

1. The global alignment with the highest score pairs tokens in the order of both passages.
2. A short run of equal tokens inside a long stretch of different ones is what chance gives: it is dissolved.
3. Blocks of the remaining tokens that occur again elsewhere, and not by chance, have moved.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem._jit import kernel
from ibidem.comparison.anchors import MOST_CELLS, align_long
from ibidem.comparison.chance import is_evident
from ibidem.comparison.global_alignment import ALONE, Sequences
from ibidem.hashing import mix64

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

    partners: NDArray[np.int64]
    moved: NDArray[np.bool_]


def correspond(
    a: NDArray[np.int32], b: NDArray[np.int32], evidence: NDArray[np.float64], most_cells: int = MOST_CELLS
) -> Correspondence:
    """Tokens of ``a`` and ``b`` that correspond; ``evidence`` float64 [V] in nats, for ids from 0 to V - 1."""
    gains = np.round(_SCALE * evidence).astype(np.int64)
    partners = _equal_partners(a, b, gains, evidence, most_cells)
    moved = np.zeros(len(a), np.bool_)
    paired = -1
    # A round that pairs nothing new would be repeated for ever.
    while paired < (paired := int((partners != ALONE).sum())):
        for a_first, a_last, b_first, b_last in _moved_stretches(a, b, evidence, partners):
            inside = _equal_partners(a[a_first:a_last], b[b_first:b_last], gains, evidence, most_cells)
            partners[a_first:a_last] = np.where(inside == ALONE, ALONE, inside + b_first)
            moved[a_first:a_last] = inside != ALONE
    return Correspondence(partners, moved)


def blocks_of(partners: NDArray[np.int64]) -> list[MatchingBlock]:
    """The longest blocks in which consecutive tokens have consecutive partners, in the order of ``a``."""
    at = np.flatnonzero(partners != ALONE)
    begins = np.flatnonzero((np.diff(at, prepend=-2) != 1) | (np.diff(partners[at], prepend=-2) != 1))
    lengths = np.diff(np.append(begins, len(at)))
    return [
        MatchingBlock(*each)
        for each in zip(at[begins].tolist(), partners[at[begins]].tolist(), lengths.tolist(), strict=True)
    ]


def _equal_partners(
    a: NDArray[np.int32],
    b: NDArray[np.int32],
    gains: NDArray[np.int64],
    evidence: NDArray[np.float64],
    most_cells: int,
) -> NDArray[np.int64]:
    """Partners of the best alignment in order, of equal tokens alone and without those that chance explains."""
    partners = align_long(Sequences(a, b, gains, round(_SCALE * _GAP)), most_cells)
    _keep_evident(a, b, partners, evidence)
    return partners


@kernel
def _keep_evident(
    a: NDArray[np.int32], b: NDArray[np.int32], partners: NDArray[np.int64], evidence: NDArray[np.float64]
) -> None:
    """Take apart the pairs of unequal tokens, and then the blocks that chance gives."""
    summed = np.zeros(a.shape[0] + 1)
    for i in range(a.shape[0]):
        summed[i + 1] = summed[i] + evidence[a[i]]
        if partners[i] != ALONE and a[i] != b[partners[i]]:
            partners[i] = ALONE
    dissolve(partners, b.shape[0], summed)


@kernel
def dissolve(partners: NDArray[np.int64], b_length: int, summed: NDArray[np.float64]) -> None:
    """Take apart the blocks that chance gives in the stretch around them, the weakest of neighbours first.

    ``summed`` float64 [n + 1] is the evidence of the tokens of ``a`` before each place. A block goes if its evidence is
    not beyond chance (:func:`ibidem.comparison.chance.is_evident`) and it is no better than both of its neighbours.
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
        kept = 0
        for at in range(count):
            if excess[at + 1] < np.inf and excess[at + 1] <= min(excess[at], excess[at + 2]):
                weak = True
                for i in range(first[at], last[at]):
                    partners[i] = ALONE
            else:
                first[kept], last[kept] = first[at], last[at]
                kept += 1
        count = kept


def _moved_stretches(
    a: NDArray[np.int32], b: NDArray[np.int32], evidence: NDArray[np.float64], partners: NDArray[np.int64]
) -> list[tuple[int, int, int, int]]:
    """Stretches without partners, ``a[0]:a[1]`` and ``b[2]:b[3]``, that hold a moved block; no two share a token."""
    a_free, b_free = partners == ALONE, np.ones(len(b), np.bool_)
    b_free[partners[~a_free]] = False
    found_blocks = find_blocks(a, b, a_free, b_free)
    if not found_blocks:
        return []
    summed = np.append(0.0, np.cumsum(evidence[a]))
    blocks = [(float(summed[block.a_first + block.length] - summed[block.a_first]), block) for block in found_blocks]
    least = is_evident([strength for strength, _ in blocks], a_free.sum(), b_free.sum(), _CHANCE_MOVES)
    evident = [block for block, enough in zip(blocks, least.tolist(), strict=True) if enough]
    found = []
    for _, (a_first, b_first, _) in sorted(evident, key=lambda each: (-each[0], each[1])):
        if a_free[a_first] and b_free[b_first]:
            stretch = (*_stretch(a_free, a_first), *_stretch(b_free, b_first))
            found.append(stretch)
            a_free[stretch[0] : stretch[1]] = False
            b_free[stretch[2] : stretch[3]] = False
    return found


def _stretch(free: NDArray[np.bool_], at: int) -> tuple[int, int]:
    """First and last, exclusive, of the free tokens around ``at``, which is free."""
    before, behind = free[at::-1], free[at:]
    first, last = int(before.argmin()), int(behind.argmin())  # the first that is not free; 0 if all are
    return at - first + 1 if first else 0, at + last if last else len(free)


def find_blocks(
    a: NDArray[np.int32], b: NDArray[np.int32], a_free: NDArray[np.bool_], b_free: NDArray[np.bool_]
) -> list[MatchingBlock]:
    """Find the longest blocks of three or more free tokens that occur in both; very frequent runs are skipped."""
    at_a, at_b = _shared_runs(a, b, a_free, b_free)
    if not len(at_a):
        return []
    runs_a, runs_b = _number_runs(a, at_a), _number_runs(b, at_b)
    order = np.argsort(runs_b, kind="stable")
    low, high = (np.searchsorted(runs_b[order], runs_a, side) for side in ("left", "right"))
    counts = high - low
    if not counts.any():
        return []
    _, kind, repeats = np.unique(runs_a, return_inverse=True, return_counts=True)
    counts[repeats[kind] * counts > _MOST_REPEATS] = 0
    places = np.repeat(low - np.append(0, np.cumsum(counts)[:-1]), counts) + np.arange(counts.sum())
    in_a, in_b = np.repeat(at_a, counts), at_b[order][places]
    by_diagonal = np.lexsort((in_a, in_b - in_a))
    in_a, in_b = in_a[by_diagonal], in_b[by_diagonal]
    begins = np.flatnonzero((np.diff(in_a, prepend=-2) != 1) | (np.diff(in_b, prepend=-2) != 1))
    lengths = np.diff(np.append(begins, len(in_a))) + _SEED - 1
    return [
        MatchingBlock(*each)
        for each in zip(in_a[begins].tolist(), in_b[begins].tolist(), lengths.tolist(), strict=True)
    ]


@kernel
def _shared_runs(
    a: NDArray[np.int32], b: NDArray[np.int32], a_free: NDArray[np.bool_], b_free: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the runs of three free tokens begin that occur in both sequences, and a few others.

    A table marks the places that runs have by their hashes, so two runs may share a mark.
    """
    size = 64
    while size < 4 * (a.shape[0] + b.shape[0]):
        size *= 2
    marks = np.zeros(size, np.uint8)
    for p in range(b.shape[0] - _SEED + 1):
        if b_free[p] and b_free[p + 1] and b_free[p + 2]:
            marks[_place_of_run(b, p, size)] = 1
    at_a, at_b = np.empty(a.shape[0], np.int64), np.empty(b.shape[0], np.int64)
    in_a = in_b = 0
    for p in range(a.shape[0] - _SEED + 1):
        if a_free[p] and a_free[p + 1] and a_free[p + 2]:
            place = _place_of_run(a, p, size)
            if marks[place] != 0:
                marks[place] = 2
                at_a[in_a] = p
                in_a += 1
    for p in range(b.shape[0] - _SEED + 1):
        if in_a > 0 and b_free[p] and b_free[p + 1] and b_free[p + 2] and marks[_place_of_run(b, p, size)] == 2:
            at_b[in_b] = p
            in_b += 1
    return at_a[:in_a].copy(), at_b[:in_b].copy()


@kernel
def _place_of_run(ids: NDArray[np.int32], at: int, size: int) -> int:
    """The place, of ``size``, of the run of three tokens at ``at``."""
    run = np.uint64(ids[at]) << np.uint64(42) ^ np.uint64(ids[at + 1]) << np.uint64(21) ^ np.uint64(ids[at + 2])
    return int(np.int64(mix64(run) & np.uint64(size - 1)))


def _number_runs(ids: NDArray[np.int32], at: NDArray[np.int64]) -> NDArray[np.uint64]:
    """A number for each run of three tokens that begins at ``at``, the same for the same run."""
    # Ids below 2^21 fit; of larger ones two runs may share a number, which the alignment of the stretches resolves.
    first, second, third = (ids[at + k].astype(np.uint64) for k in range(_SEED))
    return first << np.uint64(42) ^ second << np.uint64(21) ^ third
