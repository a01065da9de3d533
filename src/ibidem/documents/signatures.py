"""From texts to shingles, and from shingles to signatures of k minima.

A shingle of ``w`` consecutive tokens is a polynomial of its mixed token ids, modulo 2^64, so the next shingle follows
from the one before with two multiplications. Two given shingles that differ have the same hash with probability
below 2^-62, and two words share an id with probability 2^-32. The hash is the shingle's identity wherever sets are
compared exactly.

A document with fewer than ``w`` tokens is one shingle, that of all its tokens; one without a token has none.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigurationError
from ibidem.hashing import GOLDEN, function_seeds, mix64
from ibidem.kernels import kernel
from ibidem.text import (
    Normalize,
    Texts,
    TokenizerSpec,
    Tokens,
    keep_tokenizer,
    make_tokenizer,
    restore_tokenizer,
)
from ibidem.text.shingles import Shingles

NOTHING = np.uint32(0xFFFFFFFF)
"""The minimum of no values: the whole signature of a document without a shingle."""

# Odd, and 3 modulo 4: the coefficient B - 1 that two exchanged tokens share has one factor of 2 only.
BASE = np.uint64(0xD1342543DE82EF97)

_AHEAD = 256
_UNROLLED = 4


class Functions(NamedTuple):
    """k hash functions of the 32 bits ``x`` of a shingle: ``(x ^ masks[i]) * multipliers[i]`` modulo 2^32.

    Each is a bijection of the 32-bit integers, and its arguments are mixed bits, so under each function every shingle
    of a set is as likely as another to have the least value.

    Attributes:
        multipliers: uint32 [k], odd.
        masks: uint32 [k].
    """

    multipliers: NDArray[np.uint32]
    masks: NDArray[np.uint32]

    @classmethod
    def of(cls, count: int, seed: int = 0) -> "Functions":
        """The first ``count`` functions that ``seed`` names."""
        if not 1 <= count <= 65535:
            raise ValueError(f"a signature has 1 to 65535 values, not {count}")
        seeds = function_seeds(seed, count)
        multipliers = (seeds & np.uint64(0xFFFFFFFF)).astype(np.uint32) | np.uint32(1)
        return cls(multipliers, (seeds >> np.uint64(32)).astype(np.uint32))


class Shingler:
    """Cuts texts into tokens, of which every ``width`` in a row are a shingle.

    Args:
        spec: what ``ibidem.make_tokenizer`` takes, such as ``"words:5"`` or ``"characters:9"``; or a tokenizer.

    Attributes:
        config: what makes the same again.
        inner: the tokenizer of single tokens.
        width: tokens in a shingle.

    Raises:
        ValueError: as of ``make_tokenizer``, or the tokenizer makes one in several shingles alone.
    """

    def __init__(self, spec: TokenizerSpec = "words:5") -> None:
        tokenizer = make_tokenizer(spec)
        self._tokenizer, self.inner, self.width = tokenizer, tokenizer, 1
        if isinstance(tokenizer, Shingles):
            if tokenizer.every > 1:
                raise ValueError(
                    "documents are compared by all shingles, not by one in several: leave out / and its number"
                )
            self.inner, self.width = tokenizer.inner, tokenizer.width
        self.config = tokenizer.config

    @classmethod
    def restore(cls, config: Mapping[str, Any], read: Callable[[str], bytes], place: str) -> Self:
        """Restore the shingler that an index keeps; ``read`` returns the file with a checksum.

        ``place`` is the index in messages.

        Raises:
            ConfigurationError, MissingExtraError: as of ``restore_tokenizer``.
        """
        try:
            return cls(restore_tokenizer(config, read, place))
        except (OverflowError, ValueError) as error:
            raise ConfigurationError(f"{place}: its shingles cannot be made here: {error}") from error

    def keep(self) -> tuple[dict[str, Any], tuple[bytes, ...]]:
        """Return what an index stores: a configuration that names no place, and the contents of its files."""
        return keep_tokenizer(self._tokenizer)

    def tokens(self, texts: Texts) -> Tokens:
        """The single tokens of ``texts``."""
        return self.inner.encode(texts)


class ShingleSets(NamedTuple):
    """The distinct shingles of some documents.

    Attributes:
        values: uint64 [S], ascending within a document.
        bounds: int64 [n + 1]; the shingles of document ``i`` are ``values[bounds[i] : bounds[i + 1]]``.
    """

    values: NDArray[np.uint64]
    bounds: NDArray[np.int64]


def make_signatures(tokens: Tokens, width: int, functions: Functions) -> NDArray[np.uint32]:
    """The least value of each function over the shingles of each document: uint32 [n, k].

    The share of functions that agree is an unbiased estimate of the resemblance, with the variance of
    Binomial(k, resemblance) over k². The signature of a union is the minimum of the signatures.
    """
    minima = np.full((len(tokens.bounds) - 1, len(functions.masks)), NOTHING)
    _lower_minima(tokens.ids, tokens.bounds, width, functions.multipliers, functions.masks, minima)
    return minima


def count_shingles(lengths: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    """Return how many shingles documents of so many tokens have, repeated ones counted."""
    return np.maximum(lengths - (width - 1), np.minimum(lengths, 1))


def make_shingle_sets(
    ids: NDArray[np.uint32], bounds: NDArray[np.int64], rows: NDArray[np.int64], width: int
) -> ShingleSets:
    """The distinct shingles of the documents ``rows`` among those whose tokens ``ids`` and ``bounds`` are."""
    counts = count_shingles(bounds[rows + 1] - bounds[rows], width)
    values, ends = np.empty(int(counts.sum()), np.uint64), np.zeros(len(rows) + 1, np.int64)
    _fill_sets(ids, bounds, rows, width, values, ends)
    return ShingleSets(values[: ends[-1]], ends)


def normalize_shingle(spec: TokenizerSpec, normalize: Normalize) -> TokenizerSpec:
    """The same shingles of words or characters that are normalized; ``spec`` itself if no names are given.

    >>> Shingler(normalize_shingle("words:5", "latin")).config["normalization"]["names"]
    ['latin']
    """
    return make_tokenizer(spec, normalize=normalize).config if normalize else spec


@kernel
def _hash_shingles(
    ids: NDArray[np.uint32],
    first: int,
    count: int,
    width: int,
    out: NDArray[np.uint64],
) -> None:
    """Fill ``out`` with the hashes of ``count`` shingles, the first of which begins at ``first``."""
    leaving, state = np.uint64(1), np.uint64(0)
    for i in range(first, first + width):
        leaving *= BASE
        state = state * BASE + mix64(np.uint64(ids[i]) + GOLDEN)
    out[0] = state
    for s in range(1, count):
        i = first + s - 1
        state = state * BASE + mix64(np.uint64(ids[i + width]) + GOLDEN) - leaving * mix64(np.uint64(ids[i]) + GOLDEN)
        out[s] = state


@kernel
def _lower_minima(
    ids: NDArray[np.uint32],
    bounds: NDArray[np.int64],
    width: int,
    multipliers: NDArray[np.uint32],
    masks: NDArray[np.uint32],
    minima: NDArray[np.uint32],
) -> None:
    hashes = np.empty(_AHEAD, np.uint64)
    bits = np.empty(_AHEAD + _UNROLLED, np.uint32)
    for document in range(bounds.shape[0] - 1):
        length = bounds[document + 1] - bounds[document]
        wide = min(width, length)
        total = length - wide + 1 if length else 0
        least = minima[document]
        for first in range(0, total, _AHEAD):
            count = min(_AHEAD, total - first)
            _hash_shingles(ids, bounds[document] + first, count, wide, hashes)
            for s in range(count):
                bits[s] = np.uint32(mix64(hashes[s]) >> np.uint64(32))
            for s in range(count, count + _UNROLLED):  # a value more than once changes no minimum
                bits[s] = bits[count - 1]
            for s in range(0, count, _UNROLLED):
                a, b, c, d = bits[s], bits[s + 1], bits[s + 2], bits[s + 3]
                for f in range(masks.shape[0]):  # no branch in it, so it runs on as many lanes as the processor has
                    mask, multiplier = masks[f], multipliers[f]
                    low = min(np.uint32((a ^ mask) * multiplier), np.uint32((b ^ mask) * multiplier))
                    high = min(np.uint32((c ^ mask) * multiplier), np.uint32((d ^ mask) * multiplier))
                    least[f] = min(least[f], low, high)


@kernel
def _fill_sets(
    ids: NDArray[np.uint32],
    bounds: NDArray[np.int64],
    rows: NDArray[np.int64],
    width: int,
    values: NDArray[np.uint64],
    ends: NDArray[np.int64],
) -> None:
    n = 0
    for row in range(rows.shape[0]):
        first = bounds[rows[row]]
        length = bounds[rows[row] + 1] - first
        wide = min(width, length)
        count = length - wide + 1 if length else 0
        begin = n
        if count:
            _hash_shingles(ids, first, count, wide, values[begin:])
            values[begin : begin + count].sort()
            n += 1
        for s in range(begin + 1, begin + count):
            if values[s] != values[n - 1]:
                values[n] = values[s]
                n += 1
        ends[row + 1] = n
