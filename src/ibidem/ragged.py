"""Sequences of different lengths, back to back in one array: a *ragged* array is its data and its bounds.

Row ``i`` is ``data[bounds[i] : bounds[i + 1]]``, so there is one bound more than there are rows.
"""

from collections.abc import Sequence

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


def join_bytes(rows: Sequence[bytes | memoryview]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Data uint8 [B] and bounds int64 [n + 1] of ``rows``, of which one alone is not copied.

    >>> join_bytes([b"to", b"", b"day"])[0].tobytes()
    b'today'
    """
    data = rows[0] if len(rows) == 1 else b"".join(rows)
    return np.frombuffer(data, np.uint8), bounds_of([len(row) for row in rows])
