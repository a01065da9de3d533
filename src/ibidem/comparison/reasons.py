"""The words that two passages do not share, and how much of the weight of each the other has."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.comparison.model import Reasons, Word
from ibidem.comparison.tokenized import TokenizedPair, token_evidence
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
        only_a=names.rarest(counts, counts.a - counts.b),
        only_b=names.rarest(counts, counts.b - counts.a),
        a_in_b=_share(shared, float(counts.weights @ counts.a)),
        b_in_a=_share(shared, float(counts.weights @ counts.b)),
    )


class _Names:
    """The words behind the numbers, as they are spelled where they occur first."""

    def __init__(self, a: str, b: str, tokens: TokenizedPair, most: int) -> None:
        self._tokens, self._texts, self._most = tokens, (a, b), most

    def rarest(self, counts: _Counts, times: NDArray[np.int64]) -> tuple[Word, ...]:
        order = np.lexsort((self._tokens.vocabulary, -times, -counts.weights, times <= 0))[: self._most]
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
