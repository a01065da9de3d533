"""A passage of one text that sums up the whole of the other: it has words from everywhere, and no place like it.

No passage of the other text is similar to a digest, but most of what the digest says stands somewhere in it. What is
asked is how surprising that is, compared with how much of the first text stands somewhere in the other anyhow.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.alignment.evidence import evidence

__all__ = ["Digest", "densest", "find_digest"]

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]

CONDENSED = 3
"""A digest is at most the n-th part of what it sums up: a longer one is a version of it."""

STEPS = 6
"""Shares, from the least towards 1, for which the most surprising passage is sought."""


class Digest(NamedTuple):
    """Tokens ``start`` to ``end`` of a text, half open, and how surprising it is what they have of the other."""

    start: int
    end: int
    evidence: float


def find_digest(text: _Ids, other: _Ids, idf: _Floats, text_taken: _Ints, other_taken: _Ints) -> Digest | None:
    """The passage of ``text`` int32 [n] that has most from everywhere in ``other`` int32 [m], if it is a digest.

    ``text_taken`` and ``other_taken`` int64 [R, 2] are passages of the two that were found to be similar. A digest may
    hold similar passages, but its evidence is what is left without them, and none may stand outside.
    """
    weights = idf[text]
    held = np.bincount(other, minlength=len(idf)) > 0
    least = (1 + _share(weights, held[text])) / 2  # lacking half of what the text as a whole lacks
    start, end = densest(weights, held[text], least, STEPS)
    outside = (text_taken[:, 0] >= end) | (text_taken[:, 1] <= start)
    if outside.any() or len(other) < CONDENSED * (end - start):
        return None
    if _share(weights[start:end], held[text[start:end]]) < least:
        return None
    weights = weights * _free(len(text), text_taken)
    held = np.bincount(other[_free(len(other), other_taken)], minlength=len(idf)) > 0
    whole = float(weights[start:end].sum())
    part = whole * _share(weights[start:end], held[text[start:end]])
    return Digest(start, end, evidence(part, whole, _share(weights, held[text])))


def _share(weights: _Floats, held: npt.NDArray[np.bool_]) -> float:
    """How much of the weight of some tokens is that of those which the other text has."""
    total = float(weights.sum())
    return float(weights[held].sum()) / total if total > 0 else 0.0


def _free(length: int, taken: _Ints) -> npt.NDArray[np.bool_]:
    """Which of ``length`` tokens lie in none of ``taken``."""
    free = np.ones(length, np.bool_)
    for start, end in taken.tolist():
        free[start:end] = False
    return free


@kernel
def densest(weights: _Floats, held: npt.NDArray[np.bool_], least: float, steps: int) -> tuple[int, int]:
    """The half-open range of tokens whose evidence is greatest, of those that stand for a share of ``least`` or more.

    ``weights`` [n] are those of the tokens, ``held`` [n] says which of them the other text has; chance is the share
    held over all. For a given share, the log likelihood ratio of a range is a sum over its tokens, and the best range
    is the one of greatest sum (Bentley, Programming Pearls, CACM 27, 1984). Shares are tried in ``steps``.
    """
    part, whole = 0.0, 0.0
    for p in range(weights.shape[0]):
        whole += weights[p]
        if held[p]:
            part += weights[p]
    best, best_start, best_end = 0.0, 0, 0
    chance = part / whole if whole > 0.0 else 0.0
    for step in range(steps):
        share = least + (1.0 - least) * step / steps
        if not 0.0 < chance < share:
            continue
        gain, loss = math.log(share / chance), math.log((1.0 - share) / (1.0 - chance))
        total, start = 0.0, 0
        for p in range(weights.shape[0]):
            if total <= 0.0:
                total, start = 0.0, p
            total += weights[p] * (gain if held[p] else loss)
            if total > best:
                best, best_start, best_end = total, start, p + 1
    return best_start, best_end
