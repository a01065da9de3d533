"""Rewritten passages that are shorter than asked for grow to the least length."""

import numpy as np
import numpy.typing as npt

from ibidem.alignment.block_pairs import SURE
from ibidem.alignment.extension import GROW, Measures, climb
from ibidem.alignment.selection import Criteria
from ibidem.alignment.weighted_pair import Pair

_Ints = npt.NDArray[np.int64]

_STARTS = 40
"""Places that are tried for a passage that is lengthened, about: each one for a least length of so many tokens."""


def lengthen_rewritten(measures: Measures, boxes: _Ints, criteria: Criteria) -> _Ints:
    """Those of ``boxes`` int64 [B, 4] that are too short, grown to the least length.

    Where a passage was copied, its copy ends sharply: a short one is all there is, often a notice or a title, and stays
    as it is. Where it was rewritten the evidence fades, and the ends are where most of it is, not where the rewriting
    ends. So pairs with enough evidence that are not surely similar grow.
    """
    grown = []
    short = boxes[np.maximum(boxes[:, 1] - boxes[:, 0], boxes[:, 3] - boxes[:, 2]) < criteria.min_pair_length]
    if len(short):
        strength, similarity = measures.of_boxes(short).T
        for box in short[(strength >= criteria.nats) & (similarity < SURE)]:
            grown.append(_lengthen(measures.pair, measures.counts, box, criteria.min_pair_length))
    return np.array(grown, np.int64).reshape(-1, 4)


def _lengthen(pair: Pair, counts: _Ints, box: _Ints, length: int) -> _Ints:
    """The pair with most evidence that a climb outwards reaches where the longer passage has grown to ``length``."""
    side, text = (0, pair.a) if box[1] - box[0] >= box[3] - box[2] else (2, pair.b)
    first, last = int(box[side]), int(box[side + 1])
    best, strength = box, -np.inf
    for start in range(max(0, last - length), min(first, len(text) - length) + 1, -(-length // _STARTS)):
        wider = box.copy()
        wider[side : side + 2] = start, start + length
        reached, _ = climb(pair, counts, wider, GROW)
        if reached > strength:
            best, strength = wider, reached
    return best
