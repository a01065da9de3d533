"""Series: documents that have the same value in a column, such as one newspaper, are not compared with each other."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.reuse.boxes import PairBoxes, keep_pairs


class SeriesBoxes(NamedTuple):
    """Boxes of documents of different series, and those of documents of one."""

    different_series: PairBoxes
    same_series: PairBoxes


def leave_series_out(boxes: PairBoxes, series: Sequence[object] | None) -> SeriesBoxes:
    """Separate the boxes of documents that have the same value, but for ``None``, in ``series`` [D] (if given)."""
    is_different = find_different(boxes.pairs, series)
    return SeriesBoxes(keep_pairs(boxes, is_different), keep_pairs(boxes, ~is_different))


def find_different(pairs: npt.NDArray[np.int64], series: Sequence[object] | None) -> npt.NDArray[np.bool_]:
    """Which ``pairs`` of documents, int64 [P, 2], are not two of one series; a document with itself is not, either."""
    if series is None:
        return np.ones(len(pairs), np.bool_)
    same = [series[a] is not None and series[a] == series[b] and a != b for a, b in pairs.tolist()]
    return ~np.array(same, np.bool_)
