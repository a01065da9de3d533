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

from ibidem._jit import kernel
from ibidem.alignment.evidence import CHANCE, SLACK, evidence
from ibidem.alignment.weighted_pair import Pair

__all__ = [
    "PART",
    "Unrelated",
    "count_followers",
    "evidence_beyond_the_rest",
    "expected_maximum",
    "has_counterparts",
    "measure_unforetold",
    "similarities_to_windows",
]

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

_Box = npt.NDArray[np.int64]
_Ints = npt.NDArray[np.int64]
_Counts = npt.NDArray[np.float64] | npt.NDArray[np.int64]


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


def evidence_beyond_the_rest(pair: Pair, box: _Box, unrelated: Unrelated) -> float:
    """The evidence of a pair of passages, with the chance raised to what the rest of the texts leads to expect.

    Each passage is expected to share as much with the other as with an equal number of tokens drawn from around that
    one, of those that are ``unrelated``. Where there are not so many, they are no evidence.
    """
    in_a, taken_a = _count_inside(pair, pair.a, unrelated.a, *box[:2])
    in_b, taken_b = _count_inside(pair, pair.b, unrelated.b, *box[2:])
    around_a, around_b = unrelated.counts_a - taken_a, unrelated.counts_b - taken_b
    chance = CHANCE
    for one, other, around in ((in_a, in_b, around_b), (in_b, in_a, around_a)):
        if around.sum() >= other.sum():
            part, whole = _share(pair, one, around * (other.sum() / around.sum()))
            chance = max(chance, part / whole)
    return evidence(*_share(pair, in_a, in_b), chance)


def _count_inside(
    pair: Pair, text: npt.NDArray[np.int32], unrelated: npt.NDArray[np.bool_], first: int, last: int
) -> tuple[_Counts, _Counts]:
    """Count how often each token occurs in a passage of ``text``, and among its unrelated tokens: int64 [V]."""
    inside, size = text[first:last], len(pair.idf)
    return np.bincount(inside, minlength=size), np.bincount(inside[unrelated[first:last]], minlength=size)


def _share(pair: Pair, x: _Counts, y: _Counts) -> tuple[float, float]:
    """The weight of what two passages share and of what either has, from the counts [V] of their tokens.

    Counts may be fractions: the weight of a frequency between two whole numbers is interpolated.
    """
    weights = np.concatenate([[0.0], np.cumsum(pair.growth)])
    frequencies = np.arange(len(weights))
    in_x, in_y = (np.interp(each, frequencies, weights) * pair.idf for each in (x, y))
    return float(np.minimum(in_x, in_y).sum()), float(np.maximum(in_x, in_y).sum())


def expected_maximum(count: float) -> float:
    """About how many standard deviations the greatest of ``count`` independent normal values lies above the mean."""
    return math.sqrt(2 * math.log(max(count, 1.0)))


def has_counterparts(pair: Pair, counts: npt.NDArray[np.int64], box: _Box) -> bool:
    """Whether half of the parts of the shorter passage each have an exceptionally similar place in the other one.

    A place is a window of as many tokens; its similarity is compared with those of all windows of the other text that
    do not overlap it. Where there are too few to compare, this is true.
    """
    if box[1] - box[0] <= box[3] - box[2]:
        text, (start, end), other, (first, last) = pair.a, box[:2].tolist(), pair.b, box[2:].tolist()
    else:
        text, (start, end), other, (first, last) = pair.b, box[2:].tolist(), pair.a, box[:2].tolist()
    parts = min(-(-(end - start) // PART), _PARTS)
    chosen = np.unique(np.linspace(start, max(start, end - PART), parts).astype(np.int64))
    places = slice(max(0, first - PART // 2), max(first + 1, last - PART // 2))
    near = slice(max(0, first - _NEIGHBOURHOOD), last + _NEIGHBOURHOOD)
    places = slice(places.start - near.start, places.stop - near.start)
    found, wanted = 0, (len(chosen) + 1) // 2
    for done, first_of_part in enumerate(chosen.tolist()):
        if found >= wanted or found + len(chosen) - done < wanted:
            break
        tokens = text[first_of_part : min(first_of_part + PART, end)]
        similarities = similarities_to_windows(tokens, other[near], pair.idf, pair.growth, counts)
        found += _stands_out(similarities, len(tokens), places)
    return found >= wanted


def _stands_out(similarities: npt.NDArray[np.float64], length: int, places: slice) -> bool:
    """Whether the greatest of the similarities in ``places`` is out of the ordinary among those of all windows."""
    within = similarities[places]
    if not len(within):
        return True
    best = int(within.argmax()) + places.start
    starts = np.arange(len(similarities))
    others = similarities[np.abs(starts - best) >= length]
    if len(others) < length:
        return True
    deviations = _DEVIATIONS + expected_maximum(len(similarities) / length)
    return bool(similarities[best] - others.mean() >= deviations * others.std())


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
    in_a, in_b = pair.a[box[0] : box[1]], pair.b[box[2] : box[3]]
    of_a, of_b = np.unique(in_a), np.unique(in_b)
    shared = np.intersect1d(of_a, of_b, assume_unique=True)
    part = float(pair.idf[shared].sum())
    whole = float(pair.idf[of_a].sum() + pair.idf[of_b].sum()) - part
    distinct = float(evidence(part, whole, CHANCE))
    if distinct <= 0 or distinct >= enough:
        return distinct
    numbers = np.full(len(pair.idf), -1)
    numbers[shared] = np.arange(len(shared))
    stands, follows = np.full(len(shared), _FEW), np.zeros((len(shared), len(shared)), np.int64)
    for text, first, last in ((pair.a, box[0], box[1]), (pair.b, box[2], box[3])):
        near = max(0, first - _NEIGHBOURHOOD)
        count_followers(numbers[text[near : last + _NEIGHBOURHOOD]], first - near, last - near, stands, follows)
    foretold = np.zeros(len(shared))
    for passage in (numbers[in_a], numbers[in_b]):
        before, after = passage[:-1], passage[1:]
        both = (before >= 0) & (after >= 0)
        before, after = before[both], after[both]
        np.maximum.at(foretold, after, follows[before, after] / stands[before])
    lost = float((pair.idf[shared] * foretold).sum())
    return float(evidence(part - lost, whole - lost, CHANCE))


@kernel
def count_followers(text: _Ints, first: int, last: int, stands: _Ints, follows: _Ints) -> None:
    """Add how often each token occurs in ``text`` to ``stands`` [S], and how often one follows another to ``follows``.

    ``text`` int64 [n] holds numbers of tokens, -1 for those that do not count. Tokens ``first`` to ``last``, half open,
    are skipped. ``follows`` int64 [S, S] has the first token by row.
    """
    before = np.int64(-1)
    for p in range(text.shape[0]):
        token = text[p] if p < first or p >= last else np.int64(-1)
        if token >= 0:
            stands[token] += 1
            if before >= 0:
                follows[before, token] += 1
        before = token
