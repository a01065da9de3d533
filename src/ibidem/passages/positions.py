"""Postings of the exact scheme: for every token the positions at which it stands.

A key is a token, and a posting a position in the segment's token stream: four bytes a token, and no hash function.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.store.segment_writer import SegmentWriter

__all__ = ["ordered_positions", "write_positions"]

_DIGIT_BITS = 11
_DIGITS = 3
"""Digits of a token: as many as 32 bits need."""


def write_positions(segment: SegmentWriter, progress: Callable[[int], None]) -> int:
    """Write the positions of all tokens of a segment whose documents are written; returns how many there are."""
    tokens, _ = segment.tokens()
    keys, starts = ordered_positions(tokens)
    segment.append_postings(keys, starts, np.empty((len(keys), 0), np.uint16))
    progress(len(keys))
    return len(keys)


def ordered_positions(tokens: npt.NDArray[np.uint32]) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """The ``tokens`` [n] in ascending order, and their positions, those of equal tokens ascending; both uint32 [n]."""
    plain = np.ascontiguousarray(tokens, np.uint32).view()
    plain.flags.writeable = False  # Numba compiles a kernel anew for writable arrays
    counts = _digit_counts(plain)
    ends = np.cumsum(counts, axis=1)
    begins = ends - counts
    one, other = np.empty(len(plain), np.uint64), np.empty(len(plain), np.uint64)
    _scatter_tokens(plain, begins[0], one)
    _scatter(one, np.uint64(_DIGIT_BITS), begins[1], other)
    halves = one.view(np.uint32)  # has been read: the result takes its place
    keys, starts = halves[: len(plain)], halves[len(plain) :]
    _scatter_apart(other, begins[2], keys, starts)
    return keys, starts


@kernel
def _digit_counts(tokens: Any) -> Any:
    """How often each value of each digit occurs, lowest digit first, int64 [3, 2^11]."""
    counts = np.zeros((_DIGITS, 1 << _DIGIT_BITS), np.int64)
    low = np.uint32((1 << _DIGIT_BITS) - 1)
    for token in tokens:
        counts[0, token & low] += 1
        counts[1, (token >> np.uint32(_DIGIT_BITS)) & low] += 1
        counts[2, token >> np.uint32(2 * _DIGIT_BITS)] += 1
    return counts


@kernel
def _scatter_tokens(tokens: Any, places: Any, ordered: Any) -> None:
    """Order tokens by their lowest digit, each with its position in the upper half: uint64 [n]."""
    low = np.uint32((1 << _DIGIT_BITS) - 1)
    for position in range(tokens.shape[0]):
        digit = tokens[position] & low
        ordered[places[digit]] = (np.uint64(position) << np.uint64(32)) | np.uint64(tokens[position])
        places[digit] += 1


@kernel
def _scatter(values: Any, shift: Any, places: Any, ordered: Any) -> None:
    """Order ``values`` by the digit that begins at bit ``shift``; equal ones keep their order."""
    low = np.uint64((1 << _DIGIT_BITS) - 1)
    for value in values:
        digit = (value >> shift) & low
        ordered[places[digit]] = value
        places[digit] += 1


@kernel
def _scatter_apart(values: Any, places: Any, keys: Any, starts: Any) -> None:
    """Order ``values`` by the highest digit of their lower halves, and take the halves apart."""
    for value in values:
        token = np.uint32(value & np.uint64(0xFFFFFFFF))
        digit = token >> np.uint32(2 * _DIGIT_BITS)
        keys[places[digit]], starts[places[digit]] = token, np.uint32(value >> np.uint64(32))
        places[digit] += 1
