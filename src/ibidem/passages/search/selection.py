"""Which of the similar passages of a segment a search reports."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.plan import Plan
from ibidem.passages.search.non_overlapping import select_non_overlapping
from ibidem.passages.search.regions import (
    Areas,
    drop_overlapping,
    find_highest_scores,
    number_regions,
    select_best,
    select_longest,
)
from ibidem.store.segment import Segment

__all__ = ["SegmentPassage", "select_passages"]


class SegmentPassage(NamedTuple):
    """A passage of a segment that a search reports.

    Attributes:
        document: row in the segment.
        first, last: its first and last token, positions in the segment.
        starts, ends: for ``select="all"``, the first and last position at which a passage of the area starts and ends.
    """

    document: int
    first: int
    last: int
    starts: tuple[int, int] | None = None
    ends: tuple[int, int] | None = None


def select_passages(segment: Segment, areas: Areas, plan: Plan, options: SearchOptions) -> list[SegmentPassage]:
    """The passages of ``areas`` to report: the best, the longest of each region, or every area."""
    selection = options.selection_in_region
    if not len(areas.scores):
        return []
    if selection == "all":
        return _list_areas(areas)
    if selection == "best" and options.verify:
        passages = select_non_overlapping(segment.tokens, areas, plan)
    elif selection == "best":
        regions = number_regions(areas)
        passages = select_best(areas, regions)
        passages = passages[drop_overlapping(passages, find_highest_scores(areas, regions))]
    elif options.verify:
        passages = select_longest(areas, number_regions(areas))
        passages = passages[drop_overlapping(passages, (passages[:, 1] - passages[:, 0]).astype(np.float64))]
    else:
        passages = areas.best[drop_overlapping(areas.best, areas.scores)]
    return _list_passages(segment, passages)


def _list_areas(areas: Areas) -> list[SegmentPassage]:
    columns = (areas.documents, areas.best, areas.starts, areas.ends)
    return [
        SegmentPassage(
            document=document,
            first=best[0],
            last=best[1],
            starts=(starts[0], starts[1]),
            ends=(ends[0], ends[1]),
        )
        for document, best, starts, ends in zip(*(column.tolist() for column in columns), strict=True)
    ]


def _list_passages(segment: Segment, passages: npt.NDArray[np.int64]) -> list[SegmentPassage]:
    documents = segment.document_of(passages[:, 0]).tolist()
    return [
        SegmentPassage(document=document, first=first, last=last)
        for document, (first, last) in zip(documents, passages.tolist(), strict=True)
    ]
