"""Which of the similar passages of a segment a search reports."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.passages.query.areas import Areas
from ibidem.passages.query.execution import Execution
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.plan import QueryPlan
from ibidem.passages.search.non_overlapping import count_covered, select_non_overlapping
from ibidem.passages.search.regions import (
    drop_overlapping,
    number_regions,
    select_best,
    select_longest,
    select_maximal,
)
from ibidem.passages.search.similarities import measure_passages
from ibidem.rounding import level, order_by_similarity
from ibidem.store.segments.segment import Segment

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]


# Areas among which a search chooses when its time is over, those with the highest scores: a tenth of a second.
_SELECTED_IN_HASTE = 100_000

# Memory that the selection takes for a token of the areas.
_TOKEN_BYTES = 40


class SegmentPassage(NamedTuple):
    """A passage of a segment that a search reports.

    Attributes:
        document: row in the segment.
        first, last: its first and last token, positions in the segment.
        score: its similarity, for ``select="all"`` that of the best passage of the area, which it is.
        starts, ends: for ``select="all"``, the first and last position at which a passage of the area starts and ends.
    """

    document: int
    first: int
    last: int
    score: float = 0.0
    starts: tuple[int, int] | None = None
    ends: tuple[int, int] | None = None


def select_passages(
    segment: Segment, areas: Areas, plan: QueryPlan, options: SearchOptions, most: int | None, execution: Execution
) -> tuple[list[SegmentPassage], int]:
    """The passages of ``areas`` to report, ``most`` of them, the first in ``order_passages``, in order of position.

    Beside them how many there are in all. The best are not looked for beyond ``most`` and what is equally similar.
    """
    if not len(areas.scores):
        return [], 0
    if options.select == "all":
        rows = _keep_first(segment, areas.starts[:, 0], areas.scores, most)
        return _list_areas(areas, rows), len(areas.scores)
    if options.select == "best":
        most_passages = len(areas.scores) if most is None else most + 1
        areas = _keep_in_haste(areas, execution)
        execution.hold(_TOKEN_BYTES * count_covered(areas))
        passages, scores = select_non_overlapping(segment.tokens, areas, plan, most_passages, execution.stop)
    else:
        passages = _select_of_regions(areas, options, execution)
        scores = measure_passages(segment.tokens, passages, plan)
    rows = _keep_first(segment, passages[:, 0], scores, most)
    return _list_passages(segment, passages[rows], scores[rows]), len(scores)


def _keep_in_haste(areas: Areas, execution: Execution) -> Areas:
    """The ``areas`` among which to choose: those with the highest scores alone if the search has to stop."""
    if not execution.is_stopped:
        return areas
    rows = _keep_highest(areas.scores, _SELECTED_IN_HASTE)
    return Areas._make(column[rows] for column in areas)


def _select_of_regions(areas: Areas, options: SearchOptions, execution: Execution) -> _Ints:
    """The best passage of each document, the longest of each region, or the maximal ones."""
    if options.select == "document":
        return select_best(areas, areas.documents)
    areas = _keep_in_haste(areas, execution)
    if options.select == "maximal":
        return select_maximal(areas)
    regions = number_regions(areas, execution.stop)
    areas = Areas._make(column[: len(regions)] for column in areas)
    passages = select_longest(areas, regions)
    preference = (passages[:, 1] - passages[:, 0]).astype(np.float64)
    is_kept = drop_overlapping(passages, preference, execution.stop)
    return passages[is_kept]


def _keep_first(segment: Segment, starts: _Ints, scores: _Floats, most: int | None) -> npt.NDArray[np.intp]:
    """The rows of the ``most`` passages that come first if they are ordered, ascending; ``starts`` are first tokens."""
    if most is None or len(scores) <= most:
        return np.arange(len(scores))
    levels = level(scores)
    rows = np.flatnonzero(levels >= np.partition(levels, -most)[-most])
    documents, document_of = np.unique(segment.document_of(starts[rows]), return_inverse=True)
    names = [segment.document_id(row) for row in documents.tolist()]
    places = np.argsort(np.array(sorted(range(len(names)), key=names.__getitem__), np.int64))
    order = np.lexsort((starts[rows], places[document_of], -levels[rows]))
    return np.sort(rows[order[:most]])


def order_passages(
    similarities: Sequence[float], places: Callable[[int], tuple[Any, ...]], most: int | None = None
) -> list[int]:
    """The numbers of the ``most`` most similar of some passages, the most similar first.

    Equal ones, but for rounding, come in the order of their ``places``, the ids of documents before all else: not in
    the order in which an index has its documents, which depends on how it came about.
    """
    levels = level(np.array(similarities, np.float64)).tolist()
    least = -math.inf if most is None or most >= len(levels) else sorted(levels)[-most]
    numbers = (number for number, each in enumerate(levels) if each >= least)
    return sorted(numbers, key=lambda number: (-levels[number], *places(number)))[:most]


def _keep_highest(scores: _Floats, most: int | None) -> npt.NDArray[np.intp]:
    """The rows of the ``most`` highest scores, ascending; of equals the first."""
    if most is None or len(scores) <= most:
        return np.arange(len(scores))
    return np.sort(order_by_similarity(scores, most))


def _list_areas(areas: Areas, rows: npt.NDArray[np.intp]) -> list[SegmentPassage]:
    columns = (areas.documents, areas.best, areas.scores, areas.starts, areas.ends)
    return [
        SegmentPassage(
            document=document,
            first=best[0],
            last=best[1],
            score=score,
            starts=(starts[0], starts[1]),
            ends=(ends[0], ends[1]),
        )
        for document, best, score, starts, ends in zip(*(column[rows].tolist() for column in columns), strict=True)
    ]


def _list_passages(segment: Segment, passages: _Ints, scores: _Floats) -> list[SegmentPassage]:
    documents = segment.document_of(passages[:, 0]).tolist()
    return [
        SegmentPassage(document=document, first=first, last=last, score=score)
        for document, (first, last), score in zip(documents, passages.tolist(), scores.tolist(), strict=True)
    ]
