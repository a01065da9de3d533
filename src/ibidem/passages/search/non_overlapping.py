"""The most similar passages of which no two share a token.

Around a passage that is similar to a query stand others that are similar because they hold a part of it, and words
that agree by chance. They say nothing that the better one does not say. A passage that is similar without any token of
a better one stands for itself, even where it touches that: copies may follow each other.
"""

import heapq
from bisect import bisect_left, insort
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from ibidem.passages.search.regions import Areas, components

__all__ = ["Ends", "best_apart"]

_Ints = npt.NDArray[np.int64]
_Passage = tuple[int, int]

Ends = Callable[[_Ints, _Ints, _Ints], Areas]
"""The areas of single starts int64 [N] in documents int64 [N] whose passages end before places int64 [N]."""


def best_apart(areas: Areas, ends: Ends) -> _Ints:
    """Passages of ``areas``, int64 [M, 2], ascending: the most similar, the most similar of those apart from it, etc.

    Of equally similar passages the longest is chosen, then the first. Those that share a token with a chosen one are
    out. Each area has one start.
    """
    regions = list(_regions(areas))
    queue = [(*_best(region), number) for number, region in enumerate(regions)]
    heapq.heapify(queue)
    chosen: list[_Passage] = []
    while queue:
        _, _, first, last, number = heapq.heappop(queue)
        if _is_free(chosen, first, last):
            insort(chosen, (first, last))
        for region in _regions(_left(regions[number], chosen, ends)):
            heapq.heappush(queue, (*_best(region), len(regions)))
            regions.append(region)
    return np.array(chosen, np.int64).reshape(-1, 2)


def _regions(areas: Areas) -> Iterator[Areas]:
    """The areas of each connected region."""
    component = components(areas)
    order = np.argsort(component, kind="stable")
    bounds = np.flatnonzero(np.diff(component[order])) + 1
    for rows in np.split(order, bounds) if len(order) else []:
        yield _rows(areas, rows)


def _rows(areas: Areas, rows: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> Areas:
    return Areas._make(column[rows] for column in areas)


def _best(region: Areas) -> tuple[float, int, int, int]:
    """A key that is least for the region to choose from first; it ends with the best passage of the region."""
    first, last = region.best.T
    place = np.lexsort((first, first - last, -region.scores))[0]
    return -float(region.scores[place]), int(first[place] - last[place]), int(first[place]), int(last[place])


def _is_free(chosen: list[_Passage], first: int, last: int) -> bool:
    """Whether none of the ``chosen`` passages, ascending and disjoint, has a token of the passage."""
    after = bisect_left(chosen, (first, first))
    return (after == len(chosen) or chosen[after][0] > last) and (after == 0 or chosen[after - 1][1] < first)


def _left(region: Areas, chosen: list[_Passage], ends: Ends) -> Areas:
    """What is left of a region without the passages that share a token with a chosen one."""
    starts = region.starts[:, 0]
    firsts, lasts = np.array(chosen, np.int64).T
    after = np.searchsorted(firsts, starts, side="right")
    stops = np.append(firsts, np.iinfo(np.int64).max)[after]
    free = (np.append(-1, lasts)[after] < starts) & (region.ends[:, 0] < stops)
    region, stops = _rows(region, free), stops[free]
    cut = region.ends[:, 1] >= stops
    if not cut.any():
        return region
    shorter = ends(region.starts[cut, 0], stops[cut], region.documents[cut])
    # A start may have several runs of ends, of which these are the region's.
    runs = set(zip(region.starts[cut, 0].tolist(), region.ends[cut, 0].tolist(), strict=True))
    found = zip(shorter.starts[:, 0].tolist(), shorter.ends[:, 0].tolist(), strict=True)
    shorter = _rows(shorter, np.array([run in runs for run in found], np.bool_))
    joined = Areas._make(np.concatenate(pair) for pair in zip(_rows(region, ~cut), shorter, strict=True))
    return _rows(joined, np.argsort(joined.starts[:, 0], kind="stable"))
