"""One query against one segment: from its sketch to the exact passages."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.passages.areas import Areas, apart, best_of_each, components, highest_of_each, longest_of_each
from ibidem.passages.asked import Asked
from ibidem.passages.collisions import BIN
from ibidem.passages.explanation import Explanation
from ibidem.passages.likely import TokenTable, likely_starts, token_table
from ibidem.passages.occurrences import occurring_starts
from ibidem.passages.query import Query
from ibidem.passages.schemes import Scheme
from ibidem.passages.sweep import collided_areas, longest_areas
from ibidem.passages.verification import Regions, qualifying_areas
from ibidem.store.segment import Segment
from ibidem.weights import Weighting

__all__ = ["Found", "Plan", "search_segment"]


_SHARE = (1 << 18) // BIN
"""Bins below which a thread of its own is not worth its while."""


class Plan(NamedTuple):
    """What a search asks of every segment.

    Attributes:
        query: the query and its weights.
        weighting: the weights of the index.
        scheme: the scheme of the index, and
        asked: what is asked of the sketch of a passage; none in an exact index.
        threshold: least similarity.
        lengths: tokens of the shortest and the longest passage of the index.
        fewest, most: tokens that a similar passage has at least and at most.
        table: the query's rare tokens; none in an exact index.
        explanation: where the search writes down what it did.
    """

    query: Query
    weighting: Weighting
    scheme: Scheme | None
    asked: Asked | None
    threshold: float
    lengths: tuple[int, int]
    fewest: int
    most: int
    table: TokenTable | None
    explanation: Explanation

    @classmethod
    def of(
        cls,
        query: Query,
        weighting: Weighting,
        scheme: Scheme | None,
        asked: Asked | None,
        threshold: float,
        lengths: tuple[int, int],
        shares: npt.NDArray[np.float64],
        explanation: Explanation,
    ) -> "Plan":
        """Plan a verified search; ``shares`` float64 [V] says how common each token of the query is."""
        fewest, most = max(lengths[0], query.fewest_tokens(threshold)), query.most_tokens(threshold, lengths[1])
        return cls(
            query,
            weighting,
            scheme,
            asked,
            threshold,
            lengths,
            fewest,
            most,
            None if asked is None or most < fewest else token_table(query, shares, threshold, (fewest, most)),
            explanation,
        )


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
    segment: Segment, plan: Plan, report: str, verify: bool, pool: ThreadPoolExecutor, workers: int
) -> list[Found]:
    """The passages of one segment that ``plan`` asks for, one a region, or one an area for ``report="all"``."""
    if plan.most < plan.fewest or not segment.num_tokens or not plan.query.mass:
        return []
    areas = _verified_areas(segment, plan, pool, workers) if verify else _estimated_areas(segment, plan, report)
    plan.explanation.areas += len(areas.scores)
    if report == "all":
        return [
            Found(int(document), int(best[0]), int(best[1]), (int(s[0]), int(s[1])), (int(e[0]), int(e[1])))
            for document, best, s, e in zip(areas.documents, areas.best, areas.starts, areas.ends, strict=True)
        ]
    component = components(areas)
    if not verify and report == "longest":
        passages, preference = areas.best, areas.scores
    elif report == "best":
        passages, preference = best_of_each(areas, component), highest_of_each(areas, component)
    else:
        passages = longest_of_each(areas, component)
        preference = (passages[:, 1] - passages[:, 0]).astype(np.float64)
    passages = passages[apart(passages, preference)]
    documents = segment.document_of(passages[:, 0])
    return [Found(int(row), int(first), int(last)) for row, (first, last) in zip(documents, passages, strict=True)]


def _verified_areas(segment: Segment, plan: Plan, pool: ThreadPoolExecutor, workers: int) -> Areas:
    if plan.scheme is None:
        with plan.explanation.step("postings"):
            lengths = plan.fewest, plan.most
            starts = occurring_starts(segment, plan.query, plan.threshold, lengths, pool, workers, plan.explanation)
    else:
        bins = _candidates(segment, plan, (plan.fewest, plan.most), thrifty=True)
        share = max(_SHARE, -(-len(bins) // workers))
        work = partial(_likely_starts, segment.tokens, bins, plan, share)
        with plan.explanation.step("tokens"):
            starts = np.concatenate(list(pool.map(work, range(0, len(bins), share))))
    plan.explanation.starts_likely += int((starts[:, 1] - starts[:, 0]).sum())
    with plan.explanation.step("verification"):
        return qualifying_areas(
            segment.tokens,
            _regions(segment, starts),
            plan.query,
            plan.weighting,
            plan.threshold,
            plan.lengths,
            plan.most,
        )


def _candidates(segment: Segment, plan: Plan, lengths: tuple[int, int], thrifty: bool) -> npt.NDArray[np.bool_]:
    """The bins of starts in which enough collisions are possible."""
    assert plan.scheme is not None
    assert plan.asked is not None
    with plan.explanation.step("postings"):
        bins = plan.scheme.bins(segment, plan.asked, lengths, thrifty, plan.explanation)
    plan.explanation.bins += len(bins)
    plan.explanation.bins_collided += int(np.count_nonzero(bins))
    return bins


def _likely_starts(
    tokens: npt.NDArray[np.uint32], bins: npt.NDArray[np.bool_], plan: Plan, share: int, first: int
) -> npt.NDArray[np.int64]:
    """The likely starts in the ``share`` of the bins that begins with bin ``first``."""
    assert plan.table is not None
    begin, end = first * BIN, (first + share) * BIN + plan.most
    part = likely_starts(
        tokens[begin:end], bins[first : first + share], plan.query, plan.table, plan.threshold, (plan.fewest, plan.most)
    )
    return part + begin


def _estimated_areas(segment: Segment, plan: Plan, report: str) -> Areas:
    """Every passage whose estimate reaches the threshold; for the report of the longest, those in no longer one."""
    assert plan.asked is not None
    bins = _candidates(segment, plan, plan.lengths, thrifty=False)
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
