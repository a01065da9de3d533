"""The order of postings: ascending keys, by a stable radix sort.

It sorts numbers with their places, by three digits of eleven bits, the lowest first. Of many large keys the nine
highest bits come first: the keys that share them are a part, and each part is sorted on its own, in the cache. Pieces
and parts are sorted in threads. The values of a key are fetched by its place afterwards: the postings of a block of
texts are few enough to stay in the cache, and positions are places.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ibidem.kernels import kernel

_DIGIT_BITS = 11
# Digits of a key: as many as 32 bits need.
_DIGITS = 3

# Bits of the digit by which large keys are parted, of the other digits, and the fewest keys for which that is done.
_PART_BITS = 9
_INNER_BITS = 12
_PARTED_FROM = 1 << 20
# Keys, and parts of them, that a thread takes at a time.
_PIECE = 1 << 22
_PARTS = 1 << 6

_Words = npt.NDArray[np.uint32]
_Longs = npt.NDArray[np.uint64]

Run = Callable[..., Iterable[Any]]
"""Calls a function for each item, as ``map`` does, or as threads do."""


def sort_stably(keys: _Words, run: Run = map) -> tuple[_Words, _Words]:
    """The ``keys`` [n] in ascending order, and their places, those of equal keys ascending; both uint32 [n]."""
    plain = np.ascontiguousarray(keys, np.uint32).view()
    plain.flags.writeable = False  # Numba compiles a kernel anew for writable arrays
    if len(plain) >= _PARTED_FROM and (bits := int(plain.max()).bit_length()) > 2 * _DIGIT_BITS:
        return _sort_parts(plain, bits, run)
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


def _sort_parts(keys: _Words, bits: int, run: Run) -> tuple[_Words, _Words]:
    """Sort keys of so many ``bits``, part by part."""
    inner = bits - _PART_BITS
    values, ends = _part(keys, np.uint64(inner), run)
    bounds = np.concatenate((np.zeros(1, np.int64), ends))
    digits = -(-inner // _INNER_BITS)
    ordered, places = np.empty(len(keys), np.uint32), np.empty(len(keys), np.uint32)
    groups = [bounds[first : first + _PARTS + 1] for first in range(0, len(ends), _PARTS)]
    list(run(lambda group: _order_parts(values, group, digits, ordered, places), groups))
    return ordered, places


def _part(keys: _Words, shift: np.uint64, run: Run) -> tuple[_Longs, npt.NDArray[np.int64]]:
    """Order keys by their bits from ``shift`` on: each with its place in the lower half, and where each part ends."""
    firsts = range(0, len(keys), _PIECE)
    pieces = [keys[first : first + _PIECE] for first in firsts]
    counts = np.array(list(run(partial(_count_parts, shift), pieces)))
    ends = np.cumsum(counts.T).reshape(counts.T.shape).T  # keys of a part follow those of the piece before
    values = np.empty(len(keys), np.uint64)
    list(run(partial(_scatter_piece, values, shift), pieces, firsts, np.ascontiguousarray(ends - counts)))
    return values, ends[-1]


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


@kernel
def _count_parts(shift: np.uint64, keys: _Words) -> npt.NDArray[np.int64]:
    """How many keys each part has, int64 [2^9]; the bits from ``shift`` on say which one."""
    counts = np.zeros(1 << _PART_BITS, np.int64)
    for key in keys:
        counts[np.uint64(key) >> shift] += 1
    return counts


@kernel
def _scatter_piece(values: _Longs, shift: np.uint64, keys: _Words, first: int, places: npt.NDArray[np.int64]) -> None:
    """Write ``keys``, whose places begin with ``first``, to where those of each part begin, ``places`` [2^9]."""
    for i in range(keys.shape[0]):
        part = np.uint64(keys[i]) >> shift
        values[np.uint64(places[part])] = (np.uint64(keys[i]) << np.uint64(32)) | np.uint64(first + i)
        places[part] += 1


@kernel
def _order_parts(values: _Longs, bounds: npt.NDArray[np.int64], digits: int, keys: _Words, origins: _Words) -> None:
    """Order the values of each part by so many ``digits``, lowest first, and write both halves into two columns."""
    longest = np.int64(0)
    for part in range(bounds.shape[0] - 1):
        longest = max(longest, bounds[part + 1] - bounds[part])
    room, places = np.empty(longest, np.uint64), np.empty(1 << _INNER_BITS, np.uint64)
    mask = np.uint64((1 << _INNER_BITS) - 1)
    for part in range(bounds.shape[0] - 1):
        low, high = bounds[part], bounds[part + 1]
        one, other, shift = values[low:high], room[: high - low], np.uint64(32)
        for _ in range(digits):
            places[:] = 0
            for value in one:
                places[(value >> shift) & mask] += np.uint64(1)
            end = np.uint64(0)
            for j in range(places.shape[0]):
                count = places[j]
                places[j] = end
                end += count
            for value in one:
                digit = (value >> shift) & mask
                other[places[digit]] = value
                places[digit] += np.uint64(1)
            one, other, shift = other, one, shift + np.uint64(_INNER_BITS)
        for i in range(high - low):
            keys[low + i] = np.uint32(one[i] >> np.uint64(32))
            origins[low + i] = np.uint32(one[i] & np.uint64(0xFFFFFFFF))
