"""A passage of one text that sums up the other, or a longer place of it: it has words from everywhere there.

No passage of the other text is similar to a summary, but most words of the summary occur somewhere in it: its
*containment* in the other text is high. By itself this says little. A text of book length holds nine words in ten of
any paragraph, by whomever, and the more common the words, the more of them. How much it holds of *this* kind of text,
the text itself shows: a summary is a passage whose containment exceeds that of all passages of the same length around
it, measured by their spread. Neighbouring words are not independent, so the spread is counted and not computed.

Words that occur all over its text say nothing of one passage, however many of them the other text has: a file of
source code holds the keywords of any other. So a summary must be beyond chance by its *own* words alone, those that
occur nowhere else in its text. And words that one place has together show that place, not the text: without it, there
must still be evidence.

A book holds most words of a paragraph that sums up one of its pages. So the place of the other text where the words of
the summary are densest is compared with the whole of it, by the same evidence: what it holds of the summary, against
what it holds of other passages. The one with more evidence is what was summed up, if it is longer than the summary.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.overlap_evidence import evidence
from ibidem.alignment.shared_by_chance import expected_maximum
from ibidem.kernels import kernel
from ibidem.rounding import SLACK

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]

CONDENSED = 3
"""A summary is at most the n-th part of what it sums up: a longer one is a version of it."""

ALONE = 4
"""A summary is at most the n-th part of its own text: fewer passages of its length do not show what chance gives."""

DEVIATIONS = 1.0
"""A summary's containment is so many standard deviations above that of the best of as many passages by chance. With 2
the plagdet of PAN's summaries is .841 in place of .844, and as many unrelated texts have one."""

ONE_PLACE = 0.25
"""Without the place of the other text that has most of a summary, this part of the evidence that is asked for is left.
Two lists of imports share a list, and sum up nothing."""

STEPS = 6
"""Shares, from the least towards 1, for which the most surprising passage is sought."""


class Summary(NamedTuple):
    """Tokens ``start`` to ``end`` of a text, half open, and the evidence of what they have of the other.

    The evidence is the lesser of two: that of all words, without those of the similar passage with most evidence, and
    that of the words that occur nowhere else in the text. Tokens ``first`` to ``last`` of the other text are what is
    summed up: all of it, or a place.
    """

    start: int
    end: int
    evidence: float
    first: int
    last: int


def find_summary(
    text: _Ids, other: _Ids, idf: _Floats, similar_in_text: _Ints, similar_in_other: _Ints, nats: float = 0.0
) -> Summary | None:
    """The passage of ``text`` int32 [n] that has most from everywhere in ``other`` int32 [m], if it is a summary.

    That is so if it has evidence of ``nats`` or more, and exceeds the passages around it.

    ``similar_in_text`` and ``similar_in_other`` int64 [R, 2] are passages of the two that were found to be similar. A
    summary may hold similar passages, but none may be outside of it. A copy of one place is no summary: the evidence is
    what is left without the pair of passages that has most of it.
    """
    longest = min(len(other) // CONDENSED, len(text) // ALONE)
    if len(similar_in_text) and np.ptp(similar_in_text) > longest:
        return None
    covered = np.concatenate([similar_in_text, similar_in_other], axis=1)
    start, end, of_all = find_candidate(text, other, idf, covered, longest)
    if start == end or of_all < nats:
        return None
    occurs = _occurs_in(other, len(idf))
    if not stands_out(idf[text], occurs[text], start, end):
        return None
    of_own = evidence_of_own_words(text, occurs, start, end)
    if of_own < nats or _evidence_elsewhere(text, other, idf, start, end) < ONE_PLACE * nats:
        return None
    return Summary(start, end, min(of_all, of_own), *_choose_place(text, other, idf, start, end))


@kernel
def find_candidate(text: _Ids, other: _Ids, idf: _Floats, covered: _Ints, longest: int) -> tuple[int, int, float]:
    """The passage of ``text`` that may sum up ``other``, half open, and the evidence of all its words, or (0, 0, 0).

    It has at most ``longest`` tokens. The similar passages ``covered`` int64 [R, 4], of either text, all have tokens of
    it; the evidence is what is left without the pair of them that has most of its words.
    """
    weights, occurs = idf[text], np.zeros(idf.shape[0], np.bool_)
    for token in other:
        occurs[token] = True
    in_other = occurs[text]
    least = (1 + _share(weights, in_other)) / 2  # lacking half of what the text as a whole lacks
    start, end = find_densest(weights, in_other, least, STEPS)
    if not 0 < end - start <= longest or _share(weights[start:end], in_other[start:end]) < least:
        return 0, 0, 0.0
    for row in range(covered.shape[0]):
        if covered[row, 0] >= end or covered[row, 1] <= start:
            return 0, 0, 0.0
    best = _find_most_telling(weights, in_other, covered)
    if best >= 0:
        weights[covered[best, 0] : covered[best, 1]] = 0.0
        occurs[:] = False
        for p in range(other.shape[0]):
            if p < covered[best, 2] or p >= covered[best, 3]:
                occurs[other[p]] = True
        in_other = occurs[text]
    total = weights[start:end].sum()
    part = total * _share(weights[start:end], in_other[start:end])
    return start, end, evidence(part, total, _share(weights, in_other))


@kernel
def _find_most_telling(weights: _Floats, in_other: npt.NDArray[np.bool_], covered: _Ints) -> int:
    """The first row of ``covered`` with the greatest weight that the other text has; -1 if there is no row."""
    best, most = -1, -1.0
    for row in range(covered.shape[0]):
        shared = 0.0
        for p in range(covered[row, 0], covered[row, 1]):
            shared += weights[p] if in_other[p] else 0.0
        if shared > most:
            best, most = row, shared
    return best


def _evidence_elsewhere(text: _Ids, other: _Ids, idf: _Floats, start: int, end: int) -> float:
    """The evidence, in nats, that is left of a summary without the place of ``other`` that has most of it.

    A place is as many tokens as the summary has. It is the lesser of that of all words and that of its own.
    """
    place = find_fullest_place(text[start:end], other, idf)
    rest = np.concatenate([other[:place], other[place + end - start :]])
    return _evidence_of(text, rest, idf, start, end)


def _choose_place(text: _Ids, other: _Ids, idf: _Floats, start: int, end: int) -> tuple[int, int]:
    """Return the range of ``other`` that tokens ``start`` to ``end`` of ``text`` sum up: all of it, or a place.

    The place is where the words of the summary are densest. It is chosen if it is longer than the summary, and has more
    evidence than the whole.
    """
    weights, in_passage = idf[other], _occurs_in(text[start:end], len(idf))[other]
    first, last = find_densest(weights, in_passage, _share(weights, in_passage), STEPS)
    if last - first > end - start:
        of_place, of_whole = (_evidence_of(text, each, idf, start, end) for each in (other[first:last], other))
        if of_place > of_whole:
            return first, last
    return 0, len(other)


def _evidence_of(text: _Ids, other: _Ids, idf: _Floats, start: int, end: int) -> float:
    """The evidence, in nats, that ``other`` holds so much of a passage: the lesser of all words and of its own."""
    occurs = _occurs_in(other, len(idf))
    weights, in_other = idf[text], occurs[text]
    total = float(weights[start:end].sum())
    of_all = float(evidence(total * _share(weights[start:end], in_other[start:end]), total, _share(weights, in_other)))
    return min(of_all, evidence_of_own_words(text, occurs, start, end))


@kernel
def find_fullest_place(part: _Ids, text: _Ids, idf: _Floats) -> int:
    """Where the place of ``text``, of as many tokens as ``part``, begins that has most distinct tokens of it by weight.

    Of several, it is the first one.
    """
    counts, weight = np.full(idf.shape[0], -1, np.int64), 0.0
    for token in part:
        counts[token] = 0
    best, place = 0.0, 0
    for end in range(text.shape[0]):
        start = end - part.shape[0]
        if counts[text[end]] >= 0:
            weight += idf[text[end]] if counts[text[end]] == 0 else 0.0
            counts[text[end]] += 1
        if start >= 0 and counts[text[start]] >= 0:
            counts[text[start]] -= 1
            weight -= idf[text[start]] if counts[text[start]] == 0 else 0.0
        if weight > best + SLACK:
            best, place = weight, max(start + 1, 0)
    return place


def evidence_of_own_words(text: _Ids, occurs: npt.NDArray[np.bool_], start: int, end: int) -> float:
    """Measure the evidence, in nats, that the other text has so many of the words found only in ``text[start:end]``.

    ``occurs`` [V] says which tokens it has. Each word counts once. Chance is the share that it has of the other words
    whose occurrences lie no further apart than in a passage of this length.
    """
    first, last = np.zeros(len(occurs), np.int64), np.full(len(occurs), -1)
    last[text] = np.arange(len(text))
    first[text[::-1]] = np.arange(len(text))[::-1]  # of several, the one assigned last stays
    own = (first >= start) & (last < end) & (last >= 0)
    elsewhere = ~own & (last >= 0) & (last - first < end - start)
    chance = (np.count_nonzero(elsewhere & occurs) + 0.5) / (np.count_nonzero(elsewhere) + 1)
    number_in_other, total = float(np.count_nonzero(own & occurs)), float(np.count_nonzero(own))
    return float(evidence(number_in_other, total, chance))


def stands_out(weights: _Floats, in_other: npt.NDArray[np.bool_], start: int, end: int) -> bool:
    """Whether the share held of tokens ``start`` to ``end`` is out of the ordinary in its text.

    ``weights`` [n] are those of the tokens of the text, ``in_other`` [n] says which of them the other text has. The
    share is compared with that of every passage of the same length that does not overlap it.
    """
    length = end - start
    shares = _moving_sums(weights * in_other, length) / np.maximum(_moving_sums(weights, length), np.finfo(float).tiny)
    first = np.arange(len(shares))
    around = shares[(first + length <= start) | (first >= end)]
    if not len(around):
        return False
    deviations = DEVIATIONS + expected_maximum(len(weights) / length)
    return bool(shares[start] - around.mean() >= deviations * around.std())


def _moving_sums(values: _Floats, length: int) -> _Floats:
    """Sums of every ``length`` values in a row."""
    sums: _Floats = np.concatenate([[0.0], np.cumsum(values)])
    return sums[length:] - sums[:-length]


def _occurs_in(text: _Ids, size: int) -> npt.NDArray[np.bool_]:
    """Return which of ``size`` tokens occur in ``text``."""
    return np.bincount(text, minlength=size) > 0


@kernel
def _share(weights: _Floats, in_other: npt.NDArray[np.bool_]) -> float:
    """How much of the weight of some tokens is that of those which the other text has."""
    part, total = 0.0, 0.0
    for p in range(weights.shape[0]):
        total += weights[p]
        part += weights[p] if in_other[p] else 0.0
    return part / total if total > 0.0 else 0.0


@kernel
def find_densest(weights: _Floats, in_other: npt.NDArray[np.bool_], least: float, steps: int) -> tuple[int, int]:
    """The half-open range of tokens whose evidence is greatest, of those that stand for a share of ``least`` or more.

    ``weights`` [n] are those of the tokens, ``in_other`` [n] says which of them the other text has; chance is the share
    held over all. For a given share, the log likelihood ratio of a range is a sum over its tokens, and the best range
    is the one of greatest sum (Bentley, Programming Pearls, CACM 27, 1984). Shares are tried in ``steps``.
    """
    part, whole = 0.0, 0.0
    for p in range(weights.shape[0]):
        whole += weights[p]
        if in_other[p]:
            part += weights[p]
    best, best_start, best_end = 0.0, 0, 0
    chance = part / whole if whole > 0.0 else 0.0
    for step in range(steps):
        share = least + (1.0 - least) * step / steps
        if not 0.0 < chance < share:
            continue
        gain, loss = math.log(share / chance), math.log((1.0 - share) / (1.0 - chance))
        total, start = 0.0, 0
        for p in range(weights.shape[0]):
            if total <= 0.0:
                total, start = 0.0, p
            total += weights[p] * (gain if in_other[p] else loss)
            if total > best:
                best, best_start, best_end = total, start, p + 1
    return best_start, best_end
