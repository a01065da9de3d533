"""Pairs of neighbouring tokens: a table of the bigrams of the evals, and their counts in a sample of texts."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.hashing import mix64
from ibidem.kernels import kernel

_Words = npt.NDArray[np.uint64]
_Ints = npt.NDArray[np.int64]


class BigramTable(NamedTuple):
    """A hash table from bigrams to their numbers, behind a filter that rejects most other bigrams.

    Attributes:
        slots: uint64 [2^b, 2], a bigram and its number, from 1, beside each other in memory; zeros in an empty slot.
        filter: uint64 [2^f], each bigram sets two bits of one of these words.
    """

    slots: _Words
    filter: _Words

    @classmethod
    def of(cls, distinct: _Words) -> "BigramTable":
        """The table of ``distinct`` bigrams [B], which are numbered in their order."""
        bits = max(4, int(1.5 * len(distinct)).bit_length())
        slots = np.zeros((1 << bits, 2), np.uint64)
        bloom = np.zeros(1 << max(0, bits + 3 - 6), np.uint64)
        _fill_table(distinct, slots, bloom)
        return cls(slots, bloom)


class BigramCounts(NamedTuple):
    """The counts of bigrams in a sample.

    Attributes:
        times: int64 [B], how often each occurs.
        contexts: int64 [2, B], how often another token than the last time occurs before it, and behind it.
            Bigrams within copies of one text are counted once.
    """

    times: _Ints
    contexts: _Ints


def hash_bigrams(ids: npt.NDArray[np.uint32], bounds: _Ints) -> _Words:
    """The bigram that ends at each token, uint64 [T]; at the first token of a text, 0."""
    return _hash_bigrams(ids, bounds)


def sort_distinct(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The distinct values of [N], ascending; ``numpy.unique`` is several times slower where nearly all differ."""
    sorted_values = np.sort(values)
    return (
        sorted_values[np.concatenate([[True], sorted_values[1:] != sorted_values[:-1]])]
        if len(sorted_values)
        else sorted_values
    )


def count_bigrams(
    ids: npt.NDArray[np.uint32],
    bounds: _Ints,
    table: BigramTable,
    counts: BigramCounts,
    last_tokens: npt.NDArray[np.uint32],
) -> None:
    """Add the bigrams of texts to ``counts``.

    ``last_tokens`` uint32 [2, B] holds the tokens before and behind the last occurrence of each.
    """
    _count_bigrams(ids, bounds, table, counts, last_tokens)


@kernel
def _hash_bigrams(ids: npt.NDArray[np.uint32], bounds: _Ints) -> _Words:
    bigrams = np.zeros(ids.shape[0], np.uint64)
    for text in range(bounds.shape[0] - 1):
        for j in range(bounds[text] + 1, bounds[text + 1]):
            bigrams[j] = mix64(np.uint64(ids[j - 1]) << np.uint64(32) | np.uint64(ids[j]))
    return bigrams


@kernel
def _fill_table(distinct: _Words, slots: _Words, bloom: _Words) -> None:
    mask, filter_mask = np.uint64(slots.shape[0] - 1), np.uint64(bloom.shape[0] - 1)
    for number in range(distinct.shape[0]):
        key = distinct[number]
        slot = key & mask
        while slots[slot, 1] != np.uint64(0):
            slot = (slot + np.uint64(1)) & mask
        slots[slot, 0] = key
        slots[slot, 1] = number + 1
        bits = np.uint64(1) << (key >> np.uint64(58)) | np.uint64(1) << ((key >> np.uint64(52)) & np.uint64(63))
        bloom[(key >> np.uint64(20)) & filter_mask] |= bits


@kernel
def _count_bigrams(
    ids: npt.NDArray[np.uint32],
    bounds: _Ints,
    table: BigramTable,
    counts: BigramCounts,
    last_tokens: npt.NDArray[np.uint32],
) -> None:
    slots, bloom = table
    times, contexts = counts
    mask, filter_mask = np.uint64(slots.shape[0] - 1), np.uint64(bloom.shape[0] - 1)
    for text in range(bounds.shape[0] - 1):
        for j in range(bounds[text] + 1, bounds[text + 1]):
            key = mix64(np.uint64(ids[j - 1]) << np.uint64(32) | np.uint64(ids[j]))
            bits = np.uint64(1) << (key >> np.uint64(58)) | np.uint64(1) << ((key >> np.uint64(52)) & np.uint64(63))
            if bloom[(key >> np.uint64(20)) & filter_mask] & bits != bits:
                continue
            slot = key & mask
            while slots[slot, 1] != np.uint64(0) and slots[slot, 0] != key:
                slot = (slot + np.uint64(1)) & mask
            if slots[slot, 1] == np.uint64(0):
                continue
            number = np.int64(slots[slot, 1]) - 1
            times[number] += 1
            token_before = ids[j - 2] if j > bounds[text] + 1 else np.uint32(0)
            token_behind = ids[j + 1] if j + 1 < bounds[text + 1] else np.uint32(0)
            if contexts[0, number] == 0 or last_tokens[0, number] != token_before:
                contexts[0, number] += 1
                last_tokens[0, number] = token_before
            if contexts[1, number] == 0 or last_tokens[1, number] != token_behind:
                contexts[1, number] += 1
                last_tokens[1, number] = token_behind
