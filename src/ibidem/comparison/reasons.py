"""Why two passages match: the words that both have, what each weighs, what is missing, and what chance would give."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.comparison.chance import token_evidence
from ibidem.comparison.model import Expectation, Reasons, Word
from ibidem.comparison.tokenized import TokenizedPair
from ibidem.weights import DocumentFrequencies

MOST_WORDS = 12
"""Words in each list of reasons."""

_Floats = NDArray[np.float64]


class _Counts(NamedTuple):
    """Weight float64 [V] of each word, and its frequency int64 [V] in either passage."""

    weights: _Floats
    a: NDArray[np.int64]
    b: NDArray[np.int64]


def explain_match(
    a: str, b: str, tokens: TokenizedPair, frequencies: DocumentFrequencies, most_words: int = MOST_WORDS
) -> Reasons:
    """The reasons for the match of ``a`` and ``b``; a word weighs ``-ln`` of its share of the running words."""
    size = len(tokens.vocabulary)
    counts = _Counts(
        token_evidence(tokens.vocabulary, frequencies),
        np.bincount(tokens.a, minlength=size),
        np.bincount(tokens.b, minlength=size),
    )
    names = _Names(a, b, tokens, most_words)
    shared = float(counts.weights @ np.minimum(counts.a, counts.b))
    return Reasons(
        shared=names.heaviest(counts, np.minimum(counts.a, counts.b)),
        only_a=names.heaviest(counts, np.maximum(counts.a - counts.b, 0)),
        only_b=names.heaviest(counts, np.maximum(counts.b - counts.a, 0)),
        a_in_b=_share(shared, float(counts.weights @ counts.a)),
        b_in_a=_share(shared, float(counts.weights @ counts.b)),
        chance=_expect(counts, shared),
    )


class _Names:
    """The words behind the numbers, as they are spelled where they occur first."""

    def __init__(self, a: str, b: str, tokens: TokenizedPair, most: int) -> None:
        self._tokens, self._texts, self._most = tokens, (a, b), most

    def heaviest(self, counts: _Counts, times: NDArray[np.int64]) -> tuple[Word, ...]:
        weight = counts.weights * times
        order = np.lexsort((self._tokens.vocabulary, -weight))[: self._most]
        return tuple(
            Word(self._name(word), int(counts.a[word]), int(counts.b[word]), round(float(counts.weights[word]), 3))
            for word in order.tolist()
            if times[word] > 0
        )

    def _name(self, word: int) -> str:
        for text, ids, places in zip(
            self._texts, (self._tokens.a, self._tokens.b), (self._tokens.a_places, self._tokens.b_places), strict=True
        ):
            at = np.flatnonzero(ids == word)
            if len(at):
                start, end = places[at[0]].tolist()
                return text[start:end]
        raise AssertionError("a word of the vocabulary occurs in neither passage")


def _share(part: float, whole: float) -> float:
    return min(part / whole, 1.0) if whole > 0 else 1.0


def _expect(counts: _Counts, shared: float) -> Expectation:
    """The weight that ``a`` would share with as many words as ``b`` has, drawn by their frequencies."""
    length = int(counts.b.sum())
    mean, variance = _mean_and_variance(counts.a, np.exp(-counts.weights), length)
    expected = float(counts.weights @ mean)
    deviation = math.sqrt(float(np.square(counts.weights) @ variance))
    return Expectation(
        shared=round(shared, 3),
        expected=round(expected, 3),
        deviations=round((shared - expected) / deviation, 2) if deviation > 0 else 0.0,
    )


def _mean_and_variance(most: NDArray[np.int64], chance: _Floats, draws: int) -> tuple[_Floats, _Floats]:
    """Of ``min(most, X)`` for X binomial, taken as Poisson: E = Σ P(X >= f) and E² = Σ (2f - 1) P(X >= f)."""
    rate = draws * chance
    term = np.exp(-rate)
    at_least = 1 - term
    mean, square = np.zeros(len(most)), np.zeros(len(most))
    for f in range(1, int(most.max(initial=0)) + 1):
        counted = np.where(most >= f, np.maximum(at_least, 0.0), 0.0)
        mean += counted
        square += (2 * f - 1) * counted
        term = term * rate / f
        at_least = at_least - term
    return mean, np.maximum(square - np.square(mean), 0.0)
