"""Which pairs of passages are reported: the best of those that are similar, long, and beyond chance."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.block_pairs import SURE
from ibidem.alignment.extension import Measures
from ibidem.alignment.shared_by_chance import (
    PART,
    Unrelated,
    evidence_beyond_the_rest,
    has_counterparts,
    is_copied,
    measure_unforetold,
)
from ibidem.alignment.weighted_pair import Pair
from ibidem.rounding import SLACK

_Ints = npt.NDArray[np.int64]


SIMILAR = 0.3
"""The similarity of passages that are looked for, whatever the threshold. It was chosen by cross-validation on PAN 2013
(decision 11)."""


PLENTY = 4.0
"""With so many times the evidence that is asked for, it does not matter which tokens foretell others. To count them
takes memory in proportion to the square of the distinct tokens."""


class Criteria(NamedTuple):
    """The conditions for a pair of passages to be reported.

    Attributes:
        threshold: the least similarity.
        min_pair_length: the least length of the longer passage, in tokens.
        nats: the least evidence against chance.
    """

    threshold: float
    min_pair_length: int
    nats: float


def judge(measures: Measures, box: _Ints, criteria: Criteria, unrelated: Unrelated | None) -> float:
    """The evidence of a pair of passages that meets the criteria; 0 for any other.

    A pair that is not surely similar must have the evidence where each token counts once in a passage, too, and less
    where the one before foretells it (decision 19): two passages that repeat the same few words, or share
    phrases that such texts are full of, as classes of one form, do not meet the criteria. In passages longer than
    ``PART``, what texts like these share anyhow adds up to more than chance gives elsewhere: they are set against the
    ``unrelated`` tokens, once these are known, and against all places of the texts, unless they are copies token for
    token: a text that repeats itself has them everywhere.
    """
    pair = measures.pair
    strength, similarity = measures.of(box)
    lengths = box[1] - box[0], box[3] - box[2]
    if similarity < criteria.threshold - SLACK or strength < criteria.nats or max(lengths) < criteria.min_pair_length:
        return 0.0
    if similarity < SURE and measure_unforetold(pair, box, PLENTY * criteria.nats) < criteria.nats:
        return 0.0
    if min(lengths) > PART and unrelated is not None:
        strength = evidence_beyond_the_rest(pair, box, unrelated)
    if strength < criteria.nats:
        return 0.0
    stands_out = min(lengths) <= PART or has_counterparts(pair, measures.counts, box) or is_copied(pair, box)
    return strength if stands_out else 0.0


def stands_up(pair: Pair, box: _Ints, criteria: Criteria, unrelated: Unrelated) -> bool:
    """Whether a pair of passages that was judged without the ``unrelated`` tokens meets the criteria with them, too."""
    if min(box[1] - box[0], box[3] - box[2]) <= PART:
        return True
    strength = evidence_beyond_the_rest(pair, box, unrelated)
    return strength > 0 and strength >= criteria.nats


def select(measures: Measures, boxes: _Ints, criteria: Criteria, unrelated: Unrelated | None) -> _Ints:
    """Those of ``boxes``, in the order of their rows, that meet the criteria and overlap none with more evidence."""
    selected = np.empty((0, 4), np.int64)
    if not len(boxes):
        return selected
    evidence, similarity = measures.of_boxes(boxes).T
    boxes = boxes[(evidence >= criteria.nats) & (similarity >= criteria.threshold - SLACK)]
    strength = np.array([judge(measures, box, criteria, unrelated) for box in boxes])
    for x in np.argsort(-strength, kind="stable").tolist():
        if strength[x] > 0 and not overlaps(boxes[x], selected).any():
            selected = np.vstack([selected, boxes[x]])
    return selected


def overlaps(box: _Ints, others: _Ints) -> npt.NDArray[np.bool_]:
    """Which of ``others`` [R, 4] share tokens with ``box`` in both texts."""
    meets = (others[:, ::2] < box[1::2]) & (box[::2] < others[:, 1::2])
    return meets[:, 0] & meets[:, 1]
