"""Custom weights of words, from a dictionary or a function."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ibidem.text import Texts, Tokenizer, Tokens

WordWeights = Mapping[str, float] | Callable[[str], float]
"""The weights of words: a dictionary, in which words that are missing weigh 1, or a function of a word."""

LARGEST_WEIGHT = 1e9
"""Sums of so large weights are still exact to a part of a million in which the least of them may be 1."""


def require_weight(word: object, weight: float) -> float:
    """Return ``weight`` as a float.

    Raises:
        ValueError: it is no finite number from 0 to ``LARGEST_WEIGHT``; the message names the word.
    """
    try:
        number = float(weight)
    except (TypeError, ValueError):
        number = math.nan
    if not 0 <= number <= LARGEST_WEIGHT:
        raise ValueError(f"the weight of {word!r} must be a number from 0 to {LARGEST_WEIGHT:,.0f}, not {weight!r}")
    return number


def look_up(ids: ArrayLike, tokens: NDArray[np.uint32], values: NDArray[Any], missing: Any) -> NDArray[Any]:
    """The value of each token, in the shape of ``ids``: of ``tokens`` [V], ascending, those in ``values`` [V].

    All others have the value ``missing``, of whose type the result is.
    """
    token_ids = np.asarray(ids, np.uint32)
    if not len(tokens):
        return np.full(token_ids.shape, missing)
    places = np.minimum(np.searchsorted(tokens, token_ids), len(tokens) - 1)
    return np.where(tokens[places] == token_ids, values[places].astype(missing.dtype), missing)


class TokenWeights:
    """Weights of tokens; tokens that are not named weigh 1. Immutable.

    Attributes:
        tokens: uint32 [V], sorted and distinct.
        weights: float64 [V].
    """

    def __init__(self, tokens: ArrayLike, weights: ArrayLike) -> None:
        self.tokens: NDArray[np.uint32] = np.asarray(tokens, np.uint32)
        self.weights: NDArray[np.float64] = np.asarray(weights, np.float64)

    @classmethod
    def of_words(cls, weights: Mapping[str, float], tokenizer: Tokenizer) -> Self:
        """The weights of the tokens that words are.

        Raises:
            ValueError: a weight is none, a word is not one token, or two words are one token and weigh differently.
        """
        words = list(weights)
        for word in words:
            if not isinstance(word, str):
                raise TypeError(f"weights are given by words, which are strings, not by {word!r}")
        tokens = tokenizer.encode(Texts.from_strings(words))
        word_of: dict[int, str] = {}
        weight_of: dict[int, float] = {}
        for word, first, last in zip(words, tokens.bounds[:-1].tolist(), tokens.bounds[1:].tolist(), strict=True):
            if last - first != 1:
                raise ValueError(f"{word!r} is {last - first} tokens, not 1, so it has no weight of its own")
            token, weight = int(tokens.ids[first]), require_weight(word, weights[word])
            if weight_of.setdefault(token, weight) != weight:
                raise ValueError(
                    f"{word_of[token]!r} and {word!r} are one token, and weigh {weight_of[token]} and {weight}"
                )
            word_of.setdefault(token, word)
        return cls._of(weight_of)

    @classmethod
    def of_function(cls, weigh: Callable[[str], float], tokens: Tokens, texts: Sequence[str]) -> Self:
        """The weights that a function gives to the words of texts, whose ``tokens`` have offsets.

        A word that is spelt in several ways is given as it is spelt last in the order of code points: "the" of "The"
        and "the".

        Raises:
            ValueError: a weight is none.
        """
        spellings: dict[int, str] = {}
        assert tokens.starts is not None  # offsets were asked for
        assert tokens.ends is not None
        places = zip(tokens.ids.tolist(), tokens.starts.tolist(), tokens.ends.tolist(), strict=True)
        for text, length in zip(texts, np.diff(tokens.bounds).tolist(), strict=True):
            for _ in range(length):
                token, start, end = next(places)
                spellings[token] = max(text[start:end], spellings.get(token, ""))
        return cls._of({token: require_weight(word, weigh(word)) for token, word in spellings.items()})

    @classmethod
    def _of(cls, weights: Mapping[int, float]) -> Self:
        tokens = sorted(weights)
        return cls(tokens, [weights[token] for token in tokens])

    def lookup(self, ids: ArrayLike) -> NDArray[np.float64]:
        """Weights float64 of tokens, in the shape of ``ids``."""
        return look_up(ids, self.tokens, self.weights, np.float64(1.0))

    def least(self) -> float:
        """The least weight of any token."""
        return min(1.0, float(self.weights.min(initial=1.0)))

    def __repr__(self) -> str:
        return f"TokenWeights({len(self.tokens)} tokens)"
