"""Where passages end: short pairs grow, and pairs that were found in a narrow place climb again where there is room.

A pair that was extended between others, or around one seed, may end where another climb would still move its ends. It
is moved there unless something speaks against it, so that what is promised of ends has these exceptions alone.
"""

import numpy as np
import numpy.typing as npt

from ibidem.alignment.block_pairs import SURE
from ibidem.alignment.blocks import make_blocks
from ibidem.alignment.extension import GROW, climb, extend_box, measure
from ibidem.alignment.null_model import Unrelated
from ibidem.alignment.seeds import next_seed
from ibidem.alignment.selection import SIMILAR, Criteria, judge, overlaps
from ibidem.alignment.weighted_pair import Pair

__all__ = ["climb_again", "lengthen_rewritten", "may_move"]

_Ints = npt.NDArray[np.int64]

_STARTS = 40
"""Places that are tried for a passage that is lengthened, about: each one for a least length of so many tokens."""


def lengthen_rewritten(pair: Pair, counts: _Ints, boxes: _Ints, criteria: Criteria) -> _Ints:
    """Those of ``boxes`` int64 [B, 4] that are too short, grown to the least length.

    Where a passage was copied, its copy ends sharply: a short one is all there is, often a notice or a title, and stays
    as it is. Where it was rewritten the evidence fades, and the ends are where most of it is, not where the rewriting
    ends. So pairs with enough evidence that are not surely similar grow.
    """
    grown = []
    for box in boxes:
        if max(box[1] - box[0], box[3] - box[2]) < criteria.min_length:
            strength, similarity = measure(pair, counts, box)
            if strength >= criteria.nats and similarity < SURE:
                grown.append(_lengthen(pair, counts, box, criteria.min_length))
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


def climb_again(pair: Pair, counts: _Ints, found: _Ints, criteria: Criteria, unrelated: Unrelated | None) -> _Ints:
    """The pairs ``found`` int64 [R, 4] with their ends where their evidence is greatest, if they may move there.

    A pair moves once, as a climb from where one ended leads nowhere. It may have to wait until another has moved away,
    so there are no more rounds than pairs.
    """
    found = found.copy()
    for _ in range(len(found)):
        moved = False
        for x in range(len(found)):
            better, others = extend_box(pair, counts, found[x]), np.delete(found, x, axis=0)
            if (better == found[x]).all() or not may_move(pair, found[x], better, others, criteria):
                continue
            if judge(pair, counts, better, criteria, unrelated) > 0:
                found[x], moved = better, True
        if not moved:
            break
    return found


def may_move(pair: Pair, box: _Ints, better: _Ints, others: _Ints, criteria: Criteria) -> bool:
    """Whether a pair of passages may move from ``box`` to ``better`` with the pairs ``others`` [R, 4] beside it.

    It may not overlap another pair, or leave its place, or lose windows that are surely similar and meet no other pair.
    """
    if overlaps(better, others).any() or not overlaps(box, better[np.newaxis]).all():
        return False
    reach, lengths = pair.window - 1, np.array([len(pair.a), len(pair.b)])
    first, last = np.maximum(box[::2] - reach, 0), np.minimum(box[1::2] + reach, lengths)
    around = pair._replace(a=pair.a[first[0] : last[0]], b=pair.b[first[1] : last[1]])
    met = np.vstack([others, better]) - np.repeat(first, 2)
    whole = np.array([0, len(around.a), 0, len(around.b)])
    lost, _ = next_seed(around, make_blocks(around, SIMILAR), SURE, criteria.nats, whole, met)
    return lost < 0
