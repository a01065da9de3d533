"""One query against one segment: from its sketch to the exact passages."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.parallel import shared_out
from ibidem.passages.query.plan import Plan
from ibidem.passages.schemes.base import Scheme
from ibidem.passages.search.collision_sweep import collided_areas, longest_areas
from ibidem.passages.search.non_overlapping import best_apart
from ibidem.passages.search.regions import (
    NO_AREAS,
    Areas,
    apart,
    best_of_each,
    components,
    highest_of_each,
    longest_of_each,
)
from ibidem.passages.search.verification import Regions, qualifying_areas
from ibidem.store.segment import Segment

__all__ = ["Found", "search_segment"]

_SHARE = 1 << 14
"""Starts from which a thread verifies passages at a time."""


class Found(NamedTuple):
    """A passage of a segment that a search reports.

    Attributes:
        document: row in the segment.
        first, last: its first and last token, positions in the segment.
        starts, ends: for ``report="all"``, the first and last position at which a passage of the area starts and ends.
    """

    document: int
    first: int
    last: int
    starts: tuple[int, int] | None = None
    ends: tuple[int, int] | None = None


def search_segment(
    segment: Segment,
    scheme: Scheme,
    plan: Plan,
    report: str,
    verify: bool,
    pool: ThreadPoolExecutor,
    workers: int,
) -> list[Found]:
    """The passages of one segment that ``plan`` asks for, one a region, or one an area for ``report="all"``."""
    if plan.most < plan.fewest or not segment.num_tokens or not plan.query.mass:
        return []
    areas = _verified_areas(segment, scheme, plan, pool, workers) if verify else _estimated_areas(segment, plan, report)
    plan.explanation.areas += len(areas.scores)
    if not len(areas.scores):
        return []
    if report == "all":
        return [
            Found(int(document), int(best[0]), int(best[1]), (int(s[0]), int(s[1])), (int(e[0]), int(e[1])))
            for document, best, s, e in zip(areas.documents, areas.best, areas.starts, areas.ends, strict=True)
        ]
    if verify and report == "best":
        passages = best_apart(areas, partial(_ending_before, segment, plan))
    else:
        passages = _largely_apart(areas, report, verify)
    documents = segment.document_of(passages[:, 0])
    return [Found(int(row), int(first), int(last)) for row, (first, last) in zip(documents, passages, strict=True)]


def _largely_apart(areas: Areas, report: str, verify: bool) -> npt.NDArray[np.int64]:
    """Of each region the longest passage, or that of the best estimate, int64 [M, 2]; see ``apart``."""
    component = components(areas)
    if not verify and report == "longest":
        passages, preference = areas.best, areas.scores
    elif report == "best":
        passages, preference = best_of_each(areas, component), highest_of_each(areas, component)
    else:
        passages = longest_of_each(areas, component)
        preference = (passages[:, 1] - passages[:, 0]).astype(np.float64)
    return passages[apart(passages, preference)]


def _verified_areas(segment: Segment, scheme: Scheme, plan: Plan, pool: ThreadPoolExecutor, workers: int) -> Areas:
    starts = scheme.starts(segment, plan, pool, workers)
    if not len(starts):
        return NO_AREAS
    plan.explanation.starts_likely += int((starts[:, 1] - starts[:, 0]).sum())
    with plan.explanation.step("verification"):
        regions = _regions(segment, starts)
        parts = [
            Regions(rows, regions.ends[of], regions.documents[of]) for of, rows in shared_out(regions.rows, _SHARE)
        ]
        mapped = pool.map if len(parts) > 1 else map
        found = list(mapped(partial(_qualifying, segment, plan), parts))
        return Areas._make(np.concatenate(column) for column in zip(*found, strict=True))


def _ending_before(
    segment: Segment,
    plan: Plan,
    starts: npt.NDArray[np.int64],
    stops: npt.NDArray[np.int64],
    documents: npt.NDArray[np.int64],
) -> Areas:
    """The areas of single ``starts`` of which no passage reaches its stop."""
    with plan.explanation.step("verification"):
        return _qualifying(segment, plan, Regions(np.stack((starts, starts + 1), axis=1), stops, documents))


def _qualifying(segment: Segment, plan: Plan, regions: Regions) -> Areas:
    """The passages of ``regions`` that are similar."""
    return qualifying_areas(
        segment.tokens, regions, plan.query, plan.weighting, plan.threshold, plan.lengths, plan.most
    )


def _estimated_areas(segment: Segment, plan: Plan, report: str) -> Areas:
    """Every passage whose estimate reaches the threshold; for the report of the longest, those in no longer one."""
    bins = plan.bins(segment, thrifty=False)
    with plan.explanation.step("sweep"):
        swept = longest_areas if report == "longest" else collided_areas
        areas = swept(segment, plan.asked, bins, plan.lengths)
    alive = segment.alive[areas.documents]
    return Areas._make(column[alive] for column in areas)


def _regions(segment: Segment, starts: npt.NDArray[np.int64]) -> Regions:
    """Ranges of ``starts`` [N, 2], divided among the documents that are alive."""
    bounds = segment.token_bounds
    first = np.searchsorted(bounds, starts[:, 0], side="right") - 1
    last = np.searchsorted(bounds, starts[:, 1], side="left") - 1
    counts = last - first + 1
    run = np.repeat(np.arange(len(starts)), counts)
    documents = first[run] + np.arange(len(run)) - np.repeat(np.cumsum(counts) - counts, counts)
    rows = np.stack(
        (np.maximum(starts[run, 0], bounds[documents]), np.minimum(starts[run, 1], bounds[documents + 1])), axis=1
    )
    kept = (rows[:, 0] < rows[:, 1]) & segment.alive[documents]
    return Regions(rows[kept], bounds[documents[kept] + 1], documents[kept])
