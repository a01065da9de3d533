"""The words of two passages, as numbers that say which are equal."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.text import Texts, Tokenizer, Tokens, make_tokenizer
from ibidem.weights import DocumentFrequencies

_UNSEEN = 300
"""Running tokens added to those that were counted: in a few words, even a rare one has a large share."""

_PART = 8 << 20
"""Characters of the texts whose tokens are counted at a time."""


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

    def count_frequencies(self) -> DocumentFrequencies:
        """How often each token occurs in both passages, each running token counting as a document."""
        ids = np.concatenate([self.a, self.b])
        return DocumentFrequencies(*np.unique(self.vocabulary[ids], return_counts=True), len(ids))


def word_tokenizer(tokenizer: Tokenizer) -> Tokenizer:
    """Return the tokenizer whose tokens do not overlap: that inside of shingles, which do."""
    inner: Tokenizer = getattr(tokenizer, "inner", tokenizer)
    return inner


def whole_word_tokenizer(tokenizer: Tokenizer) -> Tokenizer:
    """Return the tokenizer that cuts a text into the words that are counted in it.

    It is the one whose tokens do not overlap, unless these are characters or parts of words: then ``words``, to which
    the same spellings count as the same. The tokens of a function, or of another package, are its words.
    """
    inner = word_tokenizer(tokenizer)
    if inner.config["name"] not in ("bpe", "characters"):
        return inner
    return make_tokenizer({"name": "words", "normalization": inner.config.get("normalization")})


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
    tokens, counts = np.zeros(0, np.uint32), np.zeros(0, np.int64)
    for part in _parts(texts):
        more, times = np.unique(tokenizer.encode(Texts.from_strings(part)).ids, return_counts=True)
        tokens, places = np.unique(np.concatenate([tokens, more]), return_inverse=True)
        counts = np.bincount(places, np.concatenate([counts, times]), len(tokens)).astype(np.int64)
    return DocumentFrequencies(tokens, counts, int(counts.sum()))


def _parts(texts: list[str]) -> Iterator[list[str]]:
    """The texts in parts, so that not the tokens of all are in memory."""
    part: list[str] = []
    size = 0
    for text in texts:
        part.append(text)
        size += len(text)
        if size >= _PART:
            yield part
            part, size = [], 0
    if part:
        yield part


def _ranges(tokens: Tokens) -> NDArray[np.int64]:
    assert tokens.starts is not None  # offsets were asked for
    assert tokens.ends is not None
    return np.stack([tokens.starts, tokens.ends], axis=1).astype(np.int64)


def token_evidence(vocabulary: NDArray[np.uint32], frequencies: DocumentFrequencies) -> NDArray[np.float64]:
    """The evidence float64 [V] that two texts give by sharing each token, in nats: -ln of its share of running tokens.

    ``frequencies`` count running tokens, at least one of each here.
    """
    counts = np.maximum(frequencies.lookup(vocabulary), 1)
    return np.log((frequencies.num_documents + _UNSEEN) / counts.astype(np.float64))
