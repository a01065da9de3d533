"""Packed blocks: how postings, and the keys that lists of postings have, are kept in memory and on disk."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Blocks"]


class Blocks(NamedTuple):
    """Rows, which are postings or keys, in packed blocks.

    Attributes:
        rows: int64 [B + 1], where each block begins among the rows.
        bytes: int64 [B + 1], where each block begins in ``packed``.
        packed: uint8 [Z], the blocks.
    """

    rows: NDArray[np.int64]
    bytes: NDArray[np.int64]
    packed: NDArray[np.uint8]
