"""Sequences of different lengths, back to back in one array: a *ragged* array is its data and its bounds.

Row ``i`` is ``data[bounds[i] : bounds[i + 1]]``, so there is one bound more than there are rows.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray


def bounds_of(lengths: ArrayLike) -> NDArray[np.int64]:
    """The bounds of rows of these ``lengths`` [n], int64 [n + 1].

    >>> bounds_of([2, 0, 3]).tolist()
    [0, 2, 2, 5]
    """
    row_lengths = np.asarray(lengths, np.int64)
    bounds = np.zeros(len(row_lengths) + 1, np.int64)
    np.cumsum(row_lengths, out=bounds[1:])
    return bounds


def cut_rows(bounds: NDArray[np.int64], size: int) -> Iterator[tuple[int, int]]:
    """Yield half-open ranges of rows of about ``size`` entries each; a row is never cut.

    >>> list(cut_rows(bounds_of([2, 2, 2, 9, 1]), 4))
    [(0, 1), (1, 3), (3, 4), (4, 5)]
    """
    cuts = np.flatnonzero(np.diff(bounds[1:] // size)) + 1
    for first, last in pairwise([0, *cuts.tolist(), len(bounds) - 1]):
        if first < last:
            yield first, last


def count_earlier(keys: ArrayLike) -> NDArray[np.int64]:
    """How many entries before each of ``keys`` [N] are equal to it, int64 [N].

    >>> count_earlier([7, 3, 7, 7])
    array([0, 0, 1, 2])
    """
    keys = np.asarray(keys)
    order = np.argsort(keys, kind="stable")
    is_first = np.append(True, keys[order][1:] != keys[order][:-1])[: len(order)]
    places = np.arange(len(order))
    earlier = np.zeros(len(order), np.int64)
    earlier[order] = places - np.maximum.accumulate(np.where(is_first, places, 0))
    return earlier


def join_bytes(rows: Sequence[bytes | memoryview]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Data uint8 [B] and bounds int64 [n + 1] of ``rows``, of which one alone is not copied.

    >>> join_bytes([b"to", b"", b"day"])[0].tobytes()
    b'today'
    """
    data = rows[0] if len(rows) == 1 else b"".join(rows)
    return np.frombuffer(data, np.uint8), bounds_of([len(row) for row in rows])
