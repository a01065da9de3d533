"""Ranges of start positions, as filters pass them on: half open and ascending, int64 [N, 2]."""

import numpy as np
import numpy.typing as npt

__all__ = ["join_ranges"]


def join_ranges(ranges: npt.NDArray[np.int64], gap: int) -> npt.NDArray[np.int64]:
    """The ``ranges`` [N, 2], those joined that have at most ``gap`` positions between them.

    >>> join_ranges(np.array([[0, 2], [2, 5], [7, 9], [12, 13]]), 2).tolist()
    [[0, 9], [12, 13]]
    """
    apart = np.flatnonzero(ranges[1:, 0] - ranges[:-1, 1] > gap)
    firsts, lasts = np.append(0, apart + 1)[: len(ranges)], np.append(apart, -1)[: len(ranges)]
    return np.stack((ranges[firsts, 0], ranges[lasts, 1]), axis=1)
