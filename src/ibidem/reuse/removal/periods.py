"""The stretch of a text in which one passage follows itself, and the length of the passage."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

_Ids = npt.NDArray[np.int32]
_Ints = npt.NDArray[np.int64]

_CANDIDATES = 8
"""Distances that are tried: those at which most tokens occur again."""

_SAME = 0.9
"""A period repeats as much as its multiples do but for this share: the least of them is that of the passage."""


class Repetition(NamedTuple):
    """A stretch of tokens that repeats its first ``period`` tokens: where it begins and where it ends."""

    first: int
    last: int
    period: int


def find_repetition(tokens: _Ids, similarity: float) -> Repetition | None:
    """The longest stretch of ``tokens`` [n] of which the share ``similarity`` is the same one period later."""
    stretches = [_find_at(tokens, distance, similarity) for distance in _list_distances(tokens)]
    repetitions = [each for each in stretches if each.last - each.first >= 2 * each.period]
    longest = max((each.last - each.first for each in repetitions), default=0)
    as_long = (each for each in repetitions if each.last - each.first >= _SAME * longest)
    return min(as_long, key=lambda each: each.period, default=None)


def _list_distances(tokens: _Ids) -> list[int]:
    """The commonest distances from a token to its next occurrence."""
    order = np.argsort(tokens, kind="stable")
    distances = np.diff(order)[np.diff(tokens[order]) == 0]
    values, counts = np.unique(distances, return_counts=True)
    common: list[int] = values[np.argsort(-counts, kind="stable")[:_CANDIDATES]].tolist()
    return common


def _find_at(tokens: _Ids, period: int, similarity: float) -> Repetition:
    """The stretch with the greatest sum, if a token that occurs again a period later adds, and any other takes away."""
    scores = np.where(tokens[:-period] == tokens[period:], 1 - similarity, -similarity)
    sums = np.concatenate(([0.0], np.cumsum(scores)))
    lowest = np.minimum.accumulate(sums)
    last = int(np.argmax(sums - lowest))
    first = int(np.argmin(sums[: last + 1]))
    return Repetition(first, last + period if last > first else first, period)
