"""The parts of two texts that are near-duplicates of each other, without the text that merely lies between them.

Two texts are aligned token by token, in order. A token that both have scores ``(1 - s)`` times its weight, and one that
one text alone has costs ``s`` times its weight; so a stretch of the alignment has a positive score if and only if its
paired tokens are more than the share ``s`` of its weight. The parts are the *maximal scoring subsequences* (Ruzzo and
Tompa, ISMB 1999): none can be made longer or shorter without losing score. Where texts of a template differ in the
middle, they are two parts, and the middle is in neither. Parts with few other tokens between them are one part if this
is similar enough, too.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.comparison.global_alignment import ALONE, Sequences, align_long
from ibidem.kernels import kernel

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]

_SCALE = 16
"""Score of a token of weight 1 in the alignment, which counts in whole numbers."""

_MOST_CELLS = 1 << 20
"""Product of two lengths up to which an alignment is exact."""

_BRIDGE = 8
"""Tokens of either text, at most, between two parts that may be one."""

_MOST_REMAINDERS = 16
"""Pairs of stretches, at most, that are aligned again after the parts of two texts that were found are taken out."""


class Weights(NamedTuple):
    """The weights of tokens, and their scores in an alignment.

    Attributes:
        idf: float64 [V].
        gains: int64 [V].
    """

    idf: _Floats
    gains: _Ints

    @classmethod
    def of(cls, idf: _Floats) -> "Weights":
        """The scores that follow from the weights."""
        return cls(idf, np.maximum(np.round(_SCALE * idf), 1).astype(np.int64))


class Part(NamedTuple):
    """A stretch of the one text and its near-duplicate in the other, half-open ranges of tokens."""

    a_first: int
    a_last: int
    b_first: int
    b_last: int

    def shift(self, a: int, b: int) -> "Part":
        """The same part of texts with more tokens before them."""
        return Part(self.a_first + a, self.a_last + a, self.b_first + b, self.b_last + b)


def find_parts(a: _Ids, b: _Ids, weights: Weights, similarity: float, min_length: int) -> list[Part]:
    """The parts of two texts, int32 [n] and [m], that are similar by ``similarity`` and of ``min_length`` in both.

    Parts in another order are found by aligning the remainder again. No two parts share a token of ``a``, nor one of
    ``b``.
    """
    parts: list[Part] = []
    ranges = [(0, len(a), 0, len(b))]
    while ranges:
        a_first, a_last, b_first, b_last = ranges.pop()
        if min(a_last - a_first, b_last - b_first) < min_length:
            continue
        unshifted_parts = _align(a[a_first:a_last], b[b_first:b_last], weights, similarity, min_length)
        shifted_parts = [part.shift(a_first, b_first) for part in unshifted_parts]
        parts += shifted_parts
        if shifted_parts:
            remainders_a = _list_remainders((a_first, a_last), [part[:2] for part in shifted_parts], min_length)
            remainders_b = _list_remainders((b_first, b_last), [part[2:] for part in shifted_parts], min_length)
            if len(remainders_a) * len(remainders_b) <= _MOST_REMAINDERS:
                ranges += [(*range_a, *range_b) for range_a in remainders_a for range_b in remainders_b]
    return _select_disjoint(parts)


def _list_remainders(whole: tuple[int, int], ranges: list[tuple[int, int]], least: int) -> list[tuple[int, int]]:
    """Return the stretches of the range ``whole``, of ``least`` tokens or more, that are in none of ``ranges``."""
    ends = [whole[0], *(end for _, end in sorted(ranges))]
    starts = [*(start for start, _ in sorted(ranges)), whole[1]]
    return [(end, start) for end, start in zip(ends, starts, strict=True) if start - end >= least]


def _select_disjoint(parts: list[Part]) -> list[Part]:
    """The longest parts that share no token, in their order."""
    disjoint_parts: list[Part] = []
    for part in sorted(parts, key=lambda part: (part.a_first - part.a_last, part)):
        if all(
            (part.a_last <= longer_part.a_first or longer_part.a_last <= part.a_first)
            and (part.b_last <= longer_part.b_first or longer_part.b_last <= part.b_first)
            for longer_part in disjoint_parts
        ):
            disjoint_parts.append(part)
    return sorted(disjoint_parts)


def _align(a: _Ids, b: _Ids, weights: Weights, similarity: float, min_length: int) -> list[Part]:
    """The parts in the order of both texts."""
    a, b = np.array(a), np.array(b)
    partners = align_long(Sequences(a, b, weights.gains, 1), _MOST_CELLS)
    segments = find_maximal_segments(a, b, partners, weights.idf, similarity)
    parts = [Part(*segment) for segment in segments.tolist()]
    return [
        part
        for part in _bridge(parts, a, b, weights.idf, similarity)
        if min(part.a_last - part.a_first, part.b_last - part.b_first) >= min_length
    ]


def find_counterpart(a: _Ids, b: _Ids, weights: Weights) -> tuple[int, int]:
    """The half-open range of ``b`` from its first to its last token that corresponds to one of ``a``; or (0, 0)."""
    a, b = np.array(a), np.array(b)
    partners = align_long(Sequences(a, b, weights.gains, 1), _MOST_CELLS)
    paired_tokens = np.flatnonzero(partners != ALONE)
    counterparts = partners[paired_tokens[a[paired_tokens] == b[partners[paired_tokens]]]]
    return (int(counterparts[0]), int(counterparts[-1]) + 1) if len(counterparts) else (0, 0)


def _bridge(parts: list[Part], a: _Ids, b: _Ids, idf: _Floats, similarity: float) -> list[Part]:
    """Join neighbours with few tokens between them while the union is similar enough."""
    bridged_parts: list[Part] = []
    for part in parts:
        while bridged_parts and _is_near(bridged_parts[-1], part, similarity):
            union = Part(bridged_parts[-1].a_first, part.a_last, bridged_parts[-1].b_first, part.b_last)
            if measure_similarity(a[union[0] : union[1]], b[union[2] : union[3]], idf) < similarity:
                break
            part = union
            bridged_parts.pop()
        bridged_parts.append(part)
    return bridged_parts


def _is_near(previous: Part, following: Part, similarity: float) -> bool:
    """Return whether little text lies between two parts: each of them makes up for about half of it."""
    gap_a, gap_b = following.a_first - previous.a_last, following.b_first - previous.b_last
    shorter = min(previous.a_last - previous.a_first, following.a_last - following.a_first)
    return max(gap_a, gap_b) <= _BRIDGE and 2 * (1 - similarity) * shorter >= similarity * (gap_a + gap_b)


def measure_similarity(a: _Ids, b: _Ids, idf: _Floats) -> float:
    """The weighted Jaccard similarity of two multisets of tokens."""
    tokens, place = np.unique(np.concatenate([a, b]), return_inverse=True)
    in_a = np.bincount(place[: len(a)], minlength=len(tokens))
    in_b = np.bincount(place[len(a) :], minlength=len(tokens))
    union = float((np.maximum(in_a, in_b) * idf[tokens]).sum())
    return float((np.minimum(in_a, in_b) * idf[tokens]).sum()) / union if union > 0 else 0.0


@kernel
def find_maximal_segments(a: _Ids, b: _Ids, partners: _Ints, idf: _Floats, similarity: float) -> _Ints:
    """The maximal scoring stretches of an alignment, int64 [R, 4]: a range of ``a`` and one of ``b``, in order.

    ``partners`` int64 [n] has the token of ``b`` for each token of ``a``, or ``ALONE``. Each stretch begins and ends
    with a pair of equal tokens.
    """
    n = a.shape[0]
    room = n + 1
    places = np.empty((room, 4), np.int64)  # of candidates: where each begins and ends
    score_before, score_up_to = np.empty(room), np.empty(room)  # the score of everything before it, and up to its end
    lower = np.empty(room, np.int64)  # the last candidate with a lower score before it
    count, total = 0, 0.0
    j = 0
    for i in range(n):
        p = partners[i]
        if p == ALONE:
            total -= similarity * idf[a[i]]
            continue
        while j < p:
            total -= similarity * idf[b[j]]
            j += 1
        j += 1
        if a[i] != b[p]:
            total -= similarity * (idf[a[i]] + idf[b[p]])
            continue
        places[count, 0], places[count, 1], places[count, 2], places[count, 3] = i, i + 1, p, p + 1
        score_before[count], score_up_to[count] = total, total + (1.0 - similarity) * idf[a[i]]
        total = score_up_to[count]
        while True:
            x = count - 1
            while x >= 0 and score_before[x] >= score_before[count]:
                x = lower[x]
            lower[count] = x
            if x < 0 or score_up_to[x] >= score_up_to[count]:
                break
            places[x, 1], places[x, 3] = places[count, 1], places[count, 3]
            score_up_to[x] = score_up_to[count]
            count = x
        count += 1
    return places[:count].copy()
