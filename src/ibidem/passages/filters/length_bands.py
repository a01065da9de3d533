"""Passages by length: rungs, the longest passage of which is not much longer than its shortest."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.passages.filters.distinct_counts import LENGTHS, Growth
from ibidem.passages.query.query import Query

__all__ = ["Rungs", "ladders", "rungs_of_octaves"]

_STEEP = 1.6
"""A rung whose longest passage has less than so many times the tokens of its shortest is not divided."""


class Rungs(NamedTuple):
    """Passages by length, and what they are known to weigh.

    Attributes:
        longest: int64 [R], tokens, ascending.
        mass: float64 [R], the least mass of a passage of the rung, as a share of the query's.
        typical: float64 [R], the same in most places of the collection.
        rows: int64 [R], where the distinct tokens of its passages are counted, see ``Growth``; -1 where they are not.
        per_distinct: mass that each distinct token adds at least, as a share of the query's.
    """

    longest: npt.NDArray[np.int64]
    mass: npt.NDArray[np.float64]
    typical: npt.NDArray[np.float64]
    rows: npt.NDArray[np.int64]
    per_distinct: float


def ladders(query: Query, lengths: tuple[int, int]) -> Iterator[Rungs]:
    """One rung for all ``lengths``, two, four and eight, where each token adds to the mass of a passage."""
    steps = math.log(lengths[1] / lengths[0]) / math.log(_STEEP)
    for count in (1, 2, 4, 8):
        if count == 1 or steps > count / 2:
            steepness = (lengths[1] / lengths[0]) ** (1 / count)
            between = {int(lengths[0] * steepness**rung) for rung in range(1, count)}
            bounds = np.array(sorted({*lengths, *between}))
            shortest, longest = (bounds[:-1], bounds[1:]) if len(bounds) > 1 else (bounds, bounds)
            mass = (query.least_step / query.mass * shortest).astype(np.float64)
            yield Rungs(longest, mass, mass, np.full(len(mass), -1), 0.0)


def rungs_of_octaves(query: Query, lengths: tuple[int, int], counted: Growth) -> Rungs:
    """Rungs that begin at the lengths for which distinct tokens are ``counted``."""
    octaves = LENGTHS[: len(counted.typical)]
    bounds = np.concatenate(([lengths[0]], octaves[(octaves > lengths[0]) & (octaves < lengths[1])], [lengths[1]]))
    shortest, longest = bounds[:-1], bounds[1:]
    rows = np.searchsorted(octaves, shortest, side="right") - 1
    mass, per_distinct = query.least_step / query.mass * shortest, query.least_first / query.mass
    typical = per_distinct * np.append(0, counted.typical)[rows + 1]
    return Rungs(longest, mass, np.maximum(mass, typical), rows, per_distinct)
