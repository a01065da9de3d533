"""Sets of similar passages as areas of the plane of starts and ends: what a search of a segment gives."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Areas(NamedTuple):
    """Rectangles of passages: every start of a range with every end of a range; ordered by first start.

    Attributes:
        starts: int64 [N, 2], token positions of the first and the last start.
        ends: int64 [N, 2], positions of the last token of the shortest and the longest passage.
        best: int64 [N, 2], first and last token of the passage with the highest score; of equals, the longest.
        scores: float64 [N], its score.
        documents: int64 [N], row of the document in its segment.
    """

    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    best: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float64]
    documents: npt.NDArray[np.int64]


_NO_PAIRS = np.empty((0, 2), np.int64)

NO_AREAS = Areas(_NO_PAIRS, _NO_PAIRS, _NO_PAIRS, np.empty(0), np.empty(0, np.int64))


def join_areas(parts: Sequence[Areas]) -> Areas:
    """The areas of all ``parts``, of which there is one at least, one after the other."""
    return Areas._make(np.concatenate(columns) for columns in zip(*parts, strict=True))
