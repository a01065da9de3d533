"""Length bands: the lengths of similar passages divided into ranges, for a sharper length filter in each.

Within a band the longest passage says how much of the query can be reached from a start, the shortest how heavy a
passage is at least. The closer the two are, the fewer starts pass by chance. See Xiao, Wang, Lin, Yu: "Efficient
similarity joins for near duplicate detection", WWW 2008, for length and overlap bounds of this kind.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.passages.filters.distinct_counts import LENGTHS, DistinctCounts
from ibidem.passages.query.query import Query

# A band is worth dividing if its longest passage has this many times the tokens of its shortest, or more. Set by hand;
# ``benchmarks/search_index.py`` measures what follows from it.
_STEEP = 1.6


class LengthBands(NamedTuple):
    """Ranges of lengths, and bounds on the weight of their passages.

    Attributes:
        longest: int64 [R], tokens of the longest passage of each band, ascending.
        mass: float64 [R], the least weight of a passage of the band, as a share of the query's.
        typical: float64 [R], the least weight in most places of the collection.
        rows: int64 [R], the row of ``DistinctCounts`` that counts for the band, -1 if none does.
        per_distinct: the least weight that each distinct token adds, as a share of the query's.
    """

    longest: npt.NDArray[np.int64]
    mass: npt.NDArray[np.float64]
    typical: npt.NDArray[np.float64]
    rows: npt.NDArray[np.int64]
    per_distinct: float


def divide_lengths(query: Query, lengths: tuple[int, int]) -> Iterator[LengthBands]:
    """Divide ``lengths`` into one, two, four and eight bands, where each token adds to the weight of a passage."""
    steps = math.log(lengths[1] / lengths[0]) / math.log(_STEEP)
    for count in (1, 2, 4, 8):
        if count == 1 or steps > count / 2:
            steepness = (lengths[1] / lengths[0]) ** (1 / count)
            between = {int(lengths[0] * steepness**band) for band in range(1, count)}
            bounds = np.array(sorted({*lengths, *between}))
            shortest, longest = (bounds[:-1], bounds[1:]) if len(bounds) > 1 else (bounds, bounds)
            mass = (query.least_step / query.mass * shortest).astype(np.float64)
            rows = np.full(len(mass), -1)
            yield LengthBands(longest=longest, mass=mass, typical=mass, rows=rows, per_distinct=0.0)


def divide_at_counted_lengths(query: Query, lengths: tuple[int, int], counts: DistinctCounts) -> LengthBands:
    """Divide ``lengths`` at those for which distinct tokens were counted."""
    counted_lengths = LENGTHS[: len(counts.typical)]
    inner = counted_lengths[(counted_lengths > lengths[0]) & (counted_lengths < lengths[1])]
    bounds = np.concatenate(([lengths[0]], inner, [lengths[1]]))
    shortest, longest = bounds[:-1], bounds[1:]
    rows = np.searchsorted(counted_lengths, shortest, side="right") - 1
    mass, per_distinct = query.least_step / query.mass * shortest, query.least_first / query.mass
    typical = np.maximum(mass, per_distinct * np.append(0, counts.typical)[rows + 1])
    return LengthBands(longest=longest, mass=mass, typical=typical, rows=rows, per_distinct=per_distinct)
