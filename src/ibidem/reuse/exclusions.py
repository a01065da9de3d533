"""Exclusions: the reasons for which passages are left out, since they are not paired.

- *crowded*: the text occurs in too many places for a pair of each two; each place is aligned with the first and the
  next one alone, and so is in their cluster (:func:`ibidem.reuse.boxes.thin_crowded`).
- *series*: documents that have the same value in a column, such as one newspaper, are not aligned with each other.

Frequent text and phrases of a list were taken out before documents were compared (:mod:`ibidem.reuse.subtraction`).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.reuse.boxes import PairBoxes

_Ints = npt.NDArray[np.int64]
_Flags = npt.NDArray[np.bool_]


class SeriesBoxes(NamedTuple):
    """Boxes of documents of different series, and those of documents of one."""

    different_series: PairBoxes
    same_series: PairBoxes


def leave_series_out(boxes: PairBoxes, series: Sequence[object] | None) -> SeriesBoxes:
    """Separate the boxes of documents that have the same value, but for ``None``, in ``series`` [D] (if given)."""
    is_different = find_different(boxes.pairs, series)
    return SeriesBoxes(_select_pairs(boxes, is_different), _select_pairs(boxes, ~is_different))


def find_different(pairs: _Ints, series: Sequence[object] | None) -> _Flags:
    """Which ``pairs`` of documents, int64 [P, 2], are not two of one series; a document with itself is not, either."""
    if series is None:
        return np.ones(len(pairs), np.bool_)
    same = [series[a] is not None and series[a] == series[b] and a != b for a, b in pairs.tolist()]
    return ~np.array(same, np.bool_)


def leave_own_out(boxes: PairBoxes, documents: _Flags) -> PairBoxes:
    """The boxes without those of a document with itself, for the ``documents`` bool [D]."""
    is_own = (boxes.pairs[:, 0] == boxes.pairs[:, 1]) & documents[boxes.pairs[:, 0]]
    return _select_pairs(boxes, ~is_own)


def _select_pairs(boxes: PairBoxes, is_selected: _Flags) -> PairBoxes:
    sizes = np.diff(boxes.bounds)
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes[is_selected])])
    return PairBoxes(boxes.pairs[is_selected], bounds, boxes.boxes[np.repeat(is_selected, sizes)])
