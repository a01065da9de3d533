"""The order of postings: ascending keys, by a stable radix sort.

It sorts numbers with their places, by three digits of eleven bits. The values of a key are fetched by its place
afterwards: the postings of a block of texts are few enough to stay in the cache, and positions are places.
"""

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel

_DIGIT_BITS = 11
# Digits of a key: as many as 32 bits need.
_DIGITS = 3


def sort_stably(keys: npt.NDArray[np.uint32]) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """The ``keys`` [n] in ascending order, and their places, those of equal keys ascending; both uint32 [n]."""
    plain = np.ascontiguousarray(keys, np.uint32).view()
    plain.flags.writeable = False  # Numba compiles a kernel anew for writable arrays
    counts = _count_digits(plain)
    ends = np.cumsum(counts, axis=1)
    begins = ends - counts
    buffer, second_buffer = np.empty(len(plain), np.uint64), np.empty(len(plain), np.uint64)
    _scatter_keys(plain, begins[0], buffer)
    _scatter(buffer, np.uint64(_DIGIT_BITS), begins[1], second_buffer)
    halves = buffer.view(np.uint32)  # has been read: the result takes its place
    sorted_keys, places = halves[: len(plain)], halves[len(plain) :]
    _scatter_apart(second_buffer, begins[2], sorted_keys, places)
    return sorted_keys, places


@kernel
def _count_digits(keys: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
    """How often each value of each digit occurs, lowest digit first, int64 [3, 2^11]."""
    counts = np.zeros((_DIGITS, 1 << _DIGIT_BITS), np.int64)
    low = np.uint32((1 << _DIGIT_BITS) - 1)
    for key in keys:
        counts[0, key & low] += 1
        counts[1, (key >> np.uint32(_DIGIT_BITS)) & low] += 1
        counts[2, key >> np.uint32(2 * _DIGIT_BITS)] += 1
    return counts


@kernel
def _scatter_keys(keys: npt.NDArray[np.uint32], places: npt.NDArray[np.int64], output: npt.NDArray[np.uint64]) -> None:
    """Order keys by their lowest digit, each with its place in the upper half: uint64 [n]."""
    low = np.uint32((1 << _DIGIT_BITS) - 1)
    for i in range(keys.shape[0]):
        digit = keys[i] & low
        output[places[digit]] = (np.uint64(i) << np.uint64(32)) | np.uint64(keys[i])
        places[digit] += 1


@kernel
def _scatter(
    values: npt.NDArray[np.uint64], shift: np.uint64, places: npt.NDArray[np.int64], output: npt.NDArray[np.uint64]
) -> None:
    """Order ``values`` by the digit that begins at bit ``shift``; equal ones keep their order."""
    low = np.uint64((1 << _DIGIT_BITS) - 1)
    for value in values:
        digit = (value >> shift) & low
        output[places[digit]] = value
        places[digit] += 1


@kernel
def _scatter_apart(
    values: npt.NDArray[np.uint64],
    places: npt.NDArray[np.int64],
    keys: npt.NDArray[np.uint32],
    origins: npt.NDArray[np.uint32],
) -> None:
    """Order ``values`` by the highest digit of their lower halves, and write the two halves into two columns."""
    for value in values:
        key = np.uint32(value & np.uint64(0xFFFFFFFF))
        digit = key >> np.uint32(2 * _DIGIT_BITS)
        keys[places[digit]], origins[places[digit]] = key, np.uint32(value >> np.uint64(32))
        places[digit] += 1
