"""Postings in order of key and start, by a radix sort.

A list of postings is far longer than the cache, and a comparison sort looks at each some twenty times, in an order that
must be gathered afterwards. Here a posting is two words, key with start and its extents, and moves as a whole once for
each digit of the first.
"""

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel

__all__ = ["by_key_and_start"]

DIGIT_BITS = 12
"""As many places as stay in the first two caches."""


def by_key_and_start(
    keys: npt.NDArray[np.uint32], starts: npt.NDArray[np.uint32], extents: npt.NDArray[np.uint16]
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.uint16]]:
    """The postings ``keys`` [P], ``starts`` [P] and ``extents`` [P, 3] sorted by (key, start); equal ones as given."""
    words = _packed(keys, starts, extents)
    others = np.empty_like(words)
    for shift, bits in (*_digits(0, starts), *_digits(32, keys)):
        _scatter(words, others, shift, bits)
        words, others = others, words
    return _unpacked(words)  # type: ignore[no-any-return]


def _digits(first: int, values: npt.NDArray[np.uint32]) -> list[tuple[int, int]]:
    """Shift and bits of the digits of ``values`` that begin at the bit ``first``, the lowest before the others."""
    bits = int(values.max(initial=0)).bit_length()
    number = -(-bits // DIGIT_BITS)
    cuts = [bits * digit // number for digit in range(number + 1)] if number else [0]
    return [(first + low, high - low) for low, high in pairwise(cuts)]


@kernel
def _packed(keys: Any, starts: Any, extents: Any) -> Any:
    """Key and start in one word, extents in another: uint64 [P, 2]."""
    words = np.empty((keys.shape[0], 2), np.uint64)
    for i in range(keys.shape[0]):
        words[i, 0] = np.uint64(keys[i]) << np.uint64(32) | np.uint64(starts[i])
        low, middle, high = np.uint64(extents[i, 0]), np.uint64(extents[i, 1]), np.uint64(extents[i, 2])
        words[i, 1] = low | middle << np.uint64(16) | high << np.uint64(32)
    return words


@kernel
def _unpacked(words: Any) -> Any:
    size = words.shape[0]
    keys, starts, extents = np.empty(size, np.uint32), np.empty(size, np.uint32), np.empty((size, 3), np.uint16)
    for i in range(size):
        keys[i], starts[i] = np.uint32(words[i, 0] >> np.uint64(32)), np.uint32(words[i, 0] & np.uint64(0xFFFFFFFF))
        extents[i, 0] = np.uint16(words[i, 1] & np.uint64(0xFFFF))
        extents[i, 1] = np.uint16(words[i, 1] >> np.uint64(16) & np.uint64(0xFFFF))
        extents[i, 2] = np.uint16(words[i, 1] >> np.uint64(32))
    return keys, starts, extents


@kernel
def _scatter(words: Any, others: Any, shift: Any, bits: Any) -> None:
    """Write ``words`` to ``others`` in the order of the ``bits`` above ``shift`` of their first column."""
    lowest, mask = np.uint64(shift), (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    places = np.zeros((1 << bits) + 1, np.int64)
    for i in range(words.shape[0]):
        places[np.int64(words[i, 0] >> lowest & mask) + 1] += 1
    places = np.cumsum(places)
    for i in range(words.shape[0]):
        digit = np.int64(words[i, 0] >> lowest & mask)
        place = places[digit]
        others[place, 0], others[place, 1] = words[i, 0], words[i, 1]
        places[digit] = place + 1
