"""The words of two passages, as numbers that say which are equal."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.text import Texts, Tokenizer, Tokens
from ibidem.weights import DocumentFrequencies

__all__ = ["TokenizedPair", "count_tokens", "tokenize_pair", "word_tokenizer"]


class TokenizedPair(NamedTuple):
    """Two passages in tokens.

    Attributes:
        a, b: int32 [n] and [m], places in ``vocabulary``.
        vocabulary: uint32 [V], the tokenizer's ids.
        a_places, b_places: int64 [n, 2] and [m, 2], the range of each token in code points of its passage.
    """

    a: NDArray[np.int32]
    b: NDArray[np.int32]
    vocabulary: NDArray[np.uint32]
    a_places: NDArray[np.int64]
    b_places: NDArray[np.int64]


def word_tokenizer(tokenizer: Tokenizer) -> Tokenizer:
    """Return the tokenizer whose tokens do not overlap: that inside of shingles, which do."""
    inner: Tokenizer = getattr(tokenizer, "inner", tokenizer)
    return inner


def tokenize_pair(a: str, b: str, tokenizer: Tokenizer) -> TokenizedPair:
    """The tokens of two passages."""
    tokens = tokenizer.encode(Texts.from_strings([a, b]), offsets=True)
    vocabulary, places = np.unique(tokens.ids, return_inverse=True)
    middle = int(tokens.bounds[1])
    ids = places.astype(np.int32)
    ranges = _ranges(tokens)
    return TokenizedPair(ids[:middle], ids[middle:], vocabulary, ranges[:middle], ranges[middle:])


def count_tokens(texts: list[str], tokenizer: Tokenizer) -> DocumentFrequencies:
    """Count how often each token occurs in ``texts``, each running token counting as a document."""
    ids = tokenizer.encode(Texts.from_strings(texts)).ids
    tokens, counts = np.unique(ids, return_counts=True)
    return DocumentFrequencies(tokens, counts, len(ids))


def _ranges(tokens: Tokens) -> NDArray[np.int64]:
    assert tokens.starts is not None  # offsets were asked for
    assert tokens.ends is not None
    return np.stack([tokens.starts, tokens.ends], axis=1).astype(np.int64)
