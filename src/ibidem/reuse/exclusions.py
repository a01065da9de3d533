"""Exclusions: the reasons for which passages are left out, since they are no reuse or are not paired.

- *crowded*: the text occurs in too many places for a pair of each two; each place is aligned with the first and the
  next one alone, and so is in their cluster (:func:`ibidem.reuse.boxes.thin_crowded`).
- *series*: documents that have the same value in a column, such as one newspaper, are not aligned with each other.
- *trivial*: the passages have fewer than eight distinct tokens in common: numbers in columns, a word repeated.

Frequent text and phrases of a list were taken out before documents were compared (:mod:`ibidem.reuse.subtraction`).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.kernels import kernel
from ibidem.reuse.boxes import PairBoxes
from ibidem.reuse.collection import Collection
from ibidem.reuse.pairs import Pairs

_Ints = npt.NDArray[np.int64]
_Flags = npt.NDArray[np.bool_]

_LEAST_DISTINCT = 8


class SeriesBoxes(NamedTuple):
    """Boxes of documents of different series, and those of documents of one."""

    different_series: PairBoxes
    same_series: PairBoxes


def leave_series_out(boxes: PairBoxes, series: Sequence[object]) -> SeriesBoxes:
    """Separate the boxes of documents that have the same value in ``series`` [D]; ``None`` is no value."""
    is_different = find_different(boxes.pairs, series)
    return SeriesBoxes(_select_pairs(boxes, is_different), _select_pairs(boxes, ~is_different))


def find_different(pairs: _Ints, series: Sequence[object]) -> _Flags:
    """Which ``pairs`` of documents, int64 [P, 2], are not two of one series; a document with itself is not, either."""
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


def find_reasons(collection: Collection, pairs: Pairs) -> list[str | None]:
    """Return why each pair is no reuse by its own text: ``"trivial"``, or ``None``."""
    spans = pairs.ranges + collection.bounds[pairs.documents][:, [0, 0, 1, 1]]
    shared = _count_shared(collection.tokens, spans, len(collection.idf))
    trivial = shared < np.minimum(_LEAST_DISTINCT, np.minimum(spans[:, 1] - spans[:, 0], spans[:, 3] - spans[:, 2]))
    return ["trivial" if is_trivial else None for is_trivial in trivial.tolist()]


@kernel
def _count_shared(tokens: npt.NDArray[np.int32], spans: _Ints, size: int) -> _Ints:
    """Count the distinct tokens, of ``size`` in all, that both ranges of each of ``spans`` [N, 4] hold: int64 [N]."""
    stamps, counts = np.zeros(size, np.int64), np.zeros(spans.shape[0], np.int64)
    for x in range(spans.shape[0]):
        for p in range(spans[x, 0], spans[x, 1]):
            stamps[tokens[p]] = 2 * x + 1
        for p in range(spans[x, 2], spans[x, 3]):
            if stamps[tokens[p]] == 2 * x + 1:
                stamps[tokens[p]] = 2 * x + 2
                counts[x] += 1
    return counts
