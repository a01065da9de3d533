"""What two long passages share by chance: learnt from the rest of the two texts.

The longer two passages are, the more of their words they share by chance; and the fewer words there are, as in a script
whose characters are the tokens, the sooner this happens. The texts themselves show how much: each passage is set
against as many tokens drawn from around the other one.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.evidence import CHANCE, evidence
from ibidem.alignment.weighted_pair import Pair

__all__ = ["Unrelated", "evidence_beyond_the_rest"]

_Box = npt.NDArray[np.int64]
_Counts = npt.NDArray[np.float64] | npt.NDArray[np.int64]


class Unrelated(NamedTuple):
    """Which tokens of two texts show what chance gives: masks [n] and [m].

    A passage that stands in the other text is no chance, and must not pass for it.
    """

    a: npt.NDArray[np.bool_]
    b: npt.NDArray[np.bool_]

    @classmethod
    def outside(cls, pair: Pair, boxes: Iterable[_Box]) -> "Unrelated":
        """The tokens that lie in none of ``boxes``."""
        masks = cls(np.ones(len(pair.a), np.bool_), np.ones(len(pair.b), np.bool_))
        for box in boxes:
            masks.a[box[0] : box[1]] = False
            masks.b[box[2] : box[3]] = False
        return masks


def evidence_beyond_the_rest(pair: Pair, box: _Box, unrelated: Unrelated) -> float:
    """The evidence of a pair of passages, where chance is what the rest of the texts leads to expect, if that is more.

    Expected is that each passage shares with the other what it would share with as many tokens drawn from around that
    one, of those that are ``unrelated``. Where there are not so many, they tell nothing.
    """
    in_a, around_a = _count_inside_and_around(pair, pair.a, unrelated.a, *box[:2])
    in_b, around_b = _count_inside_and_around(pair, pair.b, unrelated.b, *box[2:])
    chance = CHANCE
    for one, other, around in ((in_a, in_b, around_b), (in_b, in_a, around_a)):
        if around.sum() >= other.sum():
            part, whole = _share(pair, one, around * (other.sum() / around.sum()))
            chance = max(chance, part / whole)
    return evidence(*_share(pair, in_a, in_b), chance)


def _count_inside_and_around(
    pair: Pair, text: npt.NDArray[np.int32], unrelated: npt.NDArray[np.bool_], first: int, last: int
) -> tuple[_Counts, _Counts]:
    """How often each token stands in a passage of ``text``, and among the unrelated tokens around it: int64 [V]."""
    around = np.concatenate([text[:first][unrelated[:first]], text[last:][unrelated[last:]]])
    size = len(pair.idf)
    return np.bincount(text[first:last], minlength=size), np.bincount(around, minlength=size)


def _share(pair: Pair, x: _Counts, y: _Counts) -> tuple[float, float]:
    """The weight of what two passages share and of what either has, from the counts [V] of their tokens.

    Counts may be fractions: the weight of a frequency between two whole numbers is interpolated.
    """
    weights = np.concatenate([[0.0], np.cumsum(pair.growth)])
    frequencies = np.arange(len(weights))
    in_x, in_y = (np.interp(each, frequencies, weights) * pair.idf for each in (x, y))
    return float(np.minimum(in_x, in_y).sum()), float(np.maximum(in_x, in_y).sum())
