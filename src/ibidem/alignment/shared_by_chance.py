"""The null model, of what passages share by chance: learnt from the two texts themselves.

The longer two passages are, the more of their words they share by chance; and the fewer words there are, as in a script
whose characters are the tokens, the sooner this happens. Two chapters of one novel share a third of their words, names
and all, and have no passage in common. The texts show this in two ways:

- *The rest.* Each passage is set against as many tokens drawn from around the other one. This says what passages of
  their length share. It says nothing of passages that are nearly whole texts.
- *The places.* Each part of one passage is set against all places of the other text. A part that has a counterpart is
  far more similar to one place than to the others, by their spread; one that shares what such texts share is not.

In short passages, too, words are no independent evidence. A word that occurs once is likely to occur again, and where
texts of one kind say ``return NotImplemented`` or "at the same time", the second word says little after the first. How
often a word follows another is counted in the two texts themselves, around the passages.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.overlap_evidence import CHANCE, evidence
from ibidem.alignment.weighted_pair import Pair
from ibidem.kernels import kernel
from ibidem.rounding import SLACK

PART = 64
"""Tokens of a part. Shorter ones are similar to many places; in longer ones what was moved or cut counts for less."""

_PARTS = 12
"""The most parts of a passage that are compared. They are spread evenly from its beginning to its end."""

_NEIGHBOURHOOD = 1 << 14
"""Tokens on either side of a passage in which its parts are compared with windows, and words are counted: they are
sample enough of a longer text."""

_DEVIATIONS = 2.0
"""Half of the parts of a pair must be so many standard deviations more similar to their place than the best of all
places is by chance. Chosen on pieces of English and Chinese novels and the passages of PAN 2013 (decision 19)."""

_FEW = 4
"""Occurrences of a word that are counted beside those in the texts, with nothing that follows: a few occurrences are
no rule."""

_COPIED = 32
"""Equal tokens in a row that are a copy, be they as common as in a log."""

_SKIP, _ALIKE = 16, 4
"""Tokens of both passages that are passed over at most where copies differ, and the equal ones that follow."""

_Box = npt.NDArray[np.int64]
_Ints = npt.NDArray[np.int64]


class Unrelated(NamedTuple):
    """Which tokens of two texts show what chance gives.

    A passage that occurs in the other text is no chance, and must not count as such.

    Attributes:
        a, b: masks [n] and [m].
        counts_a, counts_b: int64 [V], how often each token occurs in what they leave.
    """

    a: npt.NDArray[np.bool_]
    b: npt.NDArray[np.bool_]
    counts_a: npt.NDArray[np.int64]
    counts_b: npt.NDArray[np.int64]

    @classmethod
    def outside(cls, pair: Pair, boxes: Iterable[_Box]) -> "Unrelated":
        """The tokens that lie in none of ``boxes``."""
        a, b = np.ones(len(pair.a), np.bool_), np.ones(len(pair.b), np.bool_)
        for box in boxes:
            a[box[0] : box[1]] = False
            b[box[2] : box[3]] = False
        size = len(pair.idf)
        return cls(a, b, np.bincount(pair.a[a], minlength=size), np.bincount(pair.b[b], minlength=size))


@kernel
def evidence_beyond_the_rest(pair: Pair, box: _Box, unrelated: Unrelated) -> float:
    """The evidence of a pair of passages, with the chance raised to what the rest of the texts leads to expect.

    Each passage is expected to share as much with the other as with an equal number of tokens drawn from around that
    one, of those that are ``unrelated``. Where there are not so many, they are no evidence.
    """
    weights = np.zeros(pair.growth.shape[0] + 1)
    for x in range(pair.growth.shape[0]):
        weights[x + 1] = weights[x] + pair.growth[x]
    inside = np.zeros((2, pair.idf.shape[0]), np.int64)
    around_a, around_b = unrelated.counts_a.copy(), unrelated.counts_b.copy()
    _move_inside(pair.a, unrelated.a, box[0], box[1], inside[0], around_a)
    _move_inside(pair.b, unrelated.b, box[2], box[3], inside[1], around_b)
    chance = CHANCE
    for one, around, length in ((0, around_b, box[3] - box[2]), (1, around_a, box[1] - box[0])):
        number = around.sum()
        if number >= length:
            part, whole = _share(pair.idf, weights, inside[one], around, length / number)
            chance = max(chance, part / whole)
    part, whole = _share(pair.idf, weights, inside[0], inside[1], 1.0)
    return evidence(part, whole, chance)


@kernel
def _move_inside(
    text: npt.NDArray[np.int32], unrelated: npt.NDArray[np.bool_], first: int, last: int, inside: _Ints, around: _Ints
) -> None:
    """Count the tokens of a passage of ``text`` in ``inside`` [V], and no longer in ``around`` [V]."""
    for p in range(first, last):
        inside[text[p]] += 1
        around[text[p]] -= unrelated[p]


@kernel
def _share(
    idf: npt.NDArray[np.float64], weights: npt.NDArray[np.float64], x: _Ints, y: _Ints, scale: float
) -> tuple[float, float]:
    """The weight of what two passages share and of what either has, from the counts [V] of their tokens.

    ``weights`` float64 [F + 1] are those of frequencies. The counts ``y`` are multiplied by ``scale``: the weight of a
    frequency between two whole numbers is interpolated.
    """
    part, whole = 0.0, 0.0
    for token in range(idf.shape[0]):
        in_x = weights[min(x[token], weights.shape[0] - 1)]
        frequency = y[token] * scale
        below = int(frequency)
        in_y = weights[min(below, weights.shape[0] - 1)]
        if below < weights.shape[0] - 1:
            in_y += (weights[below + 1] - weights[below]) * (frequency - below)
        part += min(in_x, in_y) * idf[token]
        whole += max(in_x, in_y) * idf[token]
    return part, whole


@kernel
def expected_maximum(count: float) -> float:
    """About how many standard deviations the greatest of ``count`` independent normal values lies above the mean."""
    return math.sqrt(2 * math.log(max(count, 1.0)))


@kernel
def has_counterparts(pair: Pair, counts: _Ints, box: _Box) -> bool:
    """Whether half of the parts of the shorter passage each have an exceptionally similar place in the other one.

    A place is a window of as many tokens; its similarity is compared with those of all windows of the other text that
    do not overlap it. Where there are too few to compare, this is true.
    """
    text, start, end, other, first, last = pair.a, box[0], box[1], pair.b, box[2], box[3]
    if end - start > last - first:
        text, start, end, other, first, last = pair.b, box[2], box[3], pair.a, box[0], box[1]
    base = max(0, first - _NEIGHBOURHOOD)
    near = other[base : last + _NEIGHBOURHOOD]
    from_place, to_place = max(0, first - PART // 2) - base, max(first + 1, last - PART // 2) - base
    room = max(0, end - PART - start)
    parts = min(-(-(end - start) // PART), _PARTS, room + 1)  # each begins at another token
    step = room / max(parts - 1, 1)
    number, enough = 0, (parts + 1) // 2
    for part_number in range(parts):
        if number >= enough or number + parts - part_number < enough:
            break
        begin = start + room if 0 < part_number == parts - 1 else int(part_number * step + start)
        part = text[begin : min(begin + PART, end)]
        similarities = similarities_to_windows(part, near, pair.idf, pair.growth, counts)
        number += _stands_out(similarities, part.shape[0], from_place, to_place)
    return bool(number >= enough)


@kernel
def is_copied(pair: Pair, box: _Box) -> bool:
    """Whether half of the shorter passage is in runs of equal tokens, each a copy, in the order of both passages.

    All places of a text that repeats itself are alike, so no place stands out; yet a long run shows a copy.
    """
    a, b, copied = pair.a[box[0] : box[1]], pair.b[box[2] : box[3]], 0
    i, j = int(np.int64(0)), int(np.int64(0))
    while True:
        size = int(np.int64(0))
        while i + size < a.shape[0] and j + size < b.shape[0] and a[i + size] == b[j + size]:
            size += 1
        copied += int(size >= _COPIED) * size
        skip_a, skip_b = _find_resumption(a[i + size :], b[j + size :])
        if skip_a < 0:
            return bool(2 * copied >= min(a.shape[0], b.shape[0]))
        i, j = i + size + skip_a, j + size + skip_b


@kernel
def _find_resumption(a: npt.NDArray[np.int32], b: npt.NDArray[np.int32]) -> tuple[int, int]:
    """How many tokens of both to pass over, as few as possible, until they are equal again; (-1, -1) if they are not.

    The first tokens differ.
    """
    for skip in range(1, 2 * _SKIP + 1):
        for skip_a in range(max(0, skip - _SKIP), min(skip, _SKIP) + 1):
            skip_b, equal = skip - skip_a, 0
            if skip_a + _ALIKE > a.shape[0] or skip_b + _ALIKE > b.shape[0]:
                continue
            while equal < _ALIKE and a[skip_a + equal] == b[skip_b + equal]:
                equal += 1
            if equal == _ALIKE:
                return skip_a, skip_b
    return -1, -1


@kernel
def _stands_out(similarities: npt.NDArray[np.float64], length: int, first: int, last: int) -> bool:
    """Whether the greatest similarity of the places ``first`` to ``last``, half open, is out of the ordinary.

    It is compared with the similarities of all windows of ``length`` tokens that do not overlap it.
    """
    last = min(last, similarities.shape[0])
    if first >= last:
        return True
    best = first + int(similarities[first:last].argmax())
    number, total, squares = 0, 0.0, 0.0
    for start in range(similarities.shape[0]):
        if abs(start - best) >= length:
            number += 1
            total += similarities[start]
    if number < length:
        return True
    mean = total / number
    for start in range(similarities.shape[0]):
        if abs(start - best) >= length:
            squares += (similarities[start] - mean) ** 2
    deviations = _DEVIATIONS + expected_maximum(similarities.shape[0] / length)
    return bool(similarities[best] - mean >= deviations * math.sqrt(squares / number))


@kernel
def similarities_to_windows(
    part: npt.NDArray[np.int32],
    text: npt.NDArray[np.int32],
    idf: npt.NDArray[np.float64],
    growth: npt.NDArray[np.float64],
    counts: npt.NDArray[np.int64],
) -> npt.NDArray[np.float64]:
    """The similarity of ``part`` [w] to each window of ``w`` tokens of ``text`` [m]: float64 [m - w + 1].

    ``counts`` int64 [2, V] holds zeros before and after.
    """
    width, shared, weight, weight_of_part = part.shape[0], 0.0, 0.0, 0.0
    similarities = np.zeros(max(text.shape[0] - width + 1, 0))
    for token in part:
        weight_of_part += growth[counts[0, token]] * idf[token]
        counts[0, token] += 1
    for end in range(text.shape[0]):
        token = text[end]
        change = growth[counts[1, token]] * idf[token]
        weight += change
        if counts[1, token] < counts[0, token]:
            shared += change
        counts[1, token] += 1
        start = end - width + 1
        if start >= 0:
            either = weight_of_part + weight - shared
            similarities[start] = shared / either if either > SLACK else 0.0
            token = text[start]
            counts[1, token] -= 1
            change = growth[counts[1, token]] * idf[token]
            weight -= change
            if counts[1, token] < counts[0, token]:
                shared -= change
    for token in text[max(text.shape[0] - width, 0) :]:
        counts[1, token] = 0
    for token in part:
        counts[0, token] = 0
    return similarities


def measure_unforetold(pair: Pair, box: _Ints, enough: float) -> float:
    """The evidence of a pair of passages where each token counts once, and less the more another one foretells it.

    A shared token that follows another shared token in one of the passages counts by what is left of its weight:
    1 minus the share of the occurrences of the other one, outside of the passages, that it follows. If the evidence
    without regard to order is ``enough`` or more, it is returned as it is.
    """
    numbers, shared, part, whole = number_shared(pair, box)
    distinct: float = evidence(part, whole, CHANCE)
    if distinct <= 0 or distinct >= enough:
        return distinct
    lost = _weigh_foretold(pair, box, numbers, np.zeros((shared, shared), np.int32))
    unforetold: float = evidence(part - lost, whole - lost, CHANCE)
    return unforetold


@kernel
def number_shared(pair: Pair, box: _Ints) -> tuple[_Ints, int, float, float]:
    """Number the tokens that two passages share: int64 [V], -1 for any other; and their number.

    Also the weight of these tokens, and of those that either passage has, each counted once.
    """
    numbers = np.full(pair.idf.shape[0], -1)
    shared, part, whole = 0, 0.0, 0.0
    for token in pair.a[box[0] : box[1]]:
        if numbers[token] == -1:
            numbers[token] = -2
            whole += pair.idf[token]
    for token in pair.b[box[2] : box[3]]:
        if numbers[token] == -1:
            numbers[token] = -3
            whole += pair.idf[token]
        elif numbers[token] == -2:
            numbers[token] = shared
            shared += 1
            part += pair.idf[token]
    for text in (pair.a[box[0] : box[1]], pair.b[box[2] : box[3]]):
        for token in text:
            numbers[token] = max(numbers[token], -1)
    return numbers, shared, part, whole


@kernel
def _weigh_foretold(pair: Pair, box: _Ints, numbers: _Ints, follows: npt.NDArray[np.int32]) -> float:
    """The weight that shared tokens lose because others foretell them; ``follows`` int32 [S, S] holds zeros."""
    occurs, foretold = np.full(follows.shape[0], _FEW), np.zeros(follows.shape[0])
    for text, first, last in ((pair.a, box[0], box[1]), (pair.b, box[2], box[3])):
        near = max(0, first - _NEIGHBOURHOOD)
        count_followers(numbers, text[near : last + _NEIGHBOURHOOD], first - near, last - near, occurs, follows)
    lost = 0.0
    for passage in (pair.a[box[0] : box[1]], pair.b[box[2] : box[3]]):
        for p in range(passage.shape[0] - 1):
            before, after = numbers[passage[p]], numbers[passage[p + 1]]
            if before >= 0 and after >= 0:
                share = follows[before, after] / occurs[before]
                if share > foretold[after]:
                    lost += (share - foretold[after]) * pair.idf[passage[p + 1]]
                    foretold[after] = share
    return lost


@kernel
def count_followers(
    numbers: _Ints, text: npt.NDArray[np.int32], first: int, last: int, occurs: _Ints, follows: npt.NDArray[np.int32]
) -> None:
    """Add how often each token occurs in ``text`` to ``occurs`` [S], and how often one follows another to ``follows``.

    ``numbers`` int64 [V] are those of tokens, -1 for those that do not count. Tokens ``first`` to ``last``, half open,
    are skipped. ``follows`` int32 [S, S] has the first token by row.
    """
    before = np.int64(-1)
    for p in range(text.shape[0]):
        token = numbers[text[p]] if p < first or p >= last else np.int64(-1)
        if token >= 0:
            occurs[token] += 1
            if before >= 0:
                follows[before, token] += 1
        before = token
