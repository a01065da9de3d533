"""A search from end to end: query, plan, candidates, verification, selection, matches."""

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from heapq import nlargest

import msgspec
import numpy as np
import numpy.typing as npt

from ibidem.passages.query.execution import Execution, OverBudgetError, StoppedError
from ibidem.passages.query.options import SearchOptions, Selection
from ibidem.passages.query.plan import Plan, plan_search
from ibidem.passages.query.query import Query
from ibidem.passages.query.sketch_query import SketchQuery
from ibidem.passages.schemes.base import Scheme
from ibidem.passages.schemes.sketched import SketchScheme
from ibidem.passages.search.chaining import Hit, QueryPiece, chain_hits, cut_query
from ibidem.passages.search.matches import MatchMaker, first_of_each_document
from ibidem.passages.search.omissions import describe_omissions
from ibidem.passages.search.regions import Areas
from ibidem.passages.search.segment_search import estimate_areas, verify_starts
from ibidem.passages.search.selection import SegmentPassage, select_passages
from ibidem.rounding import EQUAL
from ibidem.spans import Match
from ibidem.store import Segment
from ibidem.text import Tokens
from ibidem.weights import Weighting

__all__ = ["NoWeightError", "Searcher"]

_BUDGET = 5e8
"""Tokens that the filters and walks of one search may look at: one to four seconds of one core."""

_BUDGET_PER_TOKEN = 8.0
"""The budget is at least this many times the tokens of the collection, so a large collection has a larger one."""

_SHARES, _LEAST_SHARE = 2.0, 0.01
"""What a piece of a query may take: two equal shares of what is left of the budget, or 1 % of it if that is more."""

_FIRST_PIECES, _FURTHER = 8, 0.2
"""After so many pieces, one that would need a threshold higher by more than this is left out; the next begin there."""

_THRESHOLD_STEP = 0.05
"""The threshold is raised in steps of this size until the search fits its budget."""

_HITS_KEPT = 4
"""The best hits of all pieces of a query are kept for chaining: ``limit`` times this many."""

_HITS_GATHERED = 8
"""Hits are gathered up to this many times those that are kept, and then reduced to the best."""

_Found = list[tuple[Segment, SegmentPassage]]


class NoWeightError(ValueError):
    """The query holds no token that has a weight."""


class Searcher:
    """Answers one query over the segments of one generation of an index.

    A search has a budget. Where passages are so many that a search at the threshold would take more, it is done at the
    lowest higher threshold that fits, and says so: it gives what a search at that threshold gives.

    Args:
        segments: the segments.
        scheme: finds the candidates.
        weighting: weighs the tokens.
        lengths: tokens of the shortest and the longest passage of the search.
        execution: threads, budget and statistics.
        collection_tokens: tokens of the whole collection, if ``segments`` are not all of it.
    """

    def __init__(
        self,
        segments: Sequence[Segment],
        scheme: Scheme,
        weighting: Weighting,
        lengths: tuple[int, int],
        execution: Execution,
        collection_tokens: int | None = None,
    ) -> None:
        self._segments = [segment for segment in segments if segment.num_tokens]
        self._scheme, self._weighting, self._lengths = scheme, weighting, lengths
        self._execution = execution
        self._tokens = collection_tokens or sum(segment.num_tokens for segment in self._segments)

    def search(self, tokens: Tokens, options: SearchOptions, name: str) -> list[Match]:
        """The matches of a query, given as ``tokens`` with offsets, most similar first; see ``PassageIndex.search``.

        What was left out, and what would find it, is told in the ``notes`` of the statistics.

        Raises:
            NoWeightError: no token of the query has a weight.
        """
        whole = Query.of(tokens.ids, self._weighting)
        if not whole.mass:
            raise NoWeightError("the query holds no token that has a weight, so nothing can be similar to it")
        if not (options.verify or isinstance(self._scheme, SketchScheme)):
            raise ValueError("an exact index estimates nothing: leave verify as it is")
        statistics = self._execution.statistics
        statistics.threshold = options.threshold
        pieces = list(cut_query(len(tokens.ids), self._lengths))
        with self._execution.deadline(options.timeout):
            hits = self._search_pieces(pieces, tokens.ids, whole, options)
        if len(pieces) > 1 and options.select != "all":
            hits = chain_hits(hits, tokens.ids, self._weighting, statistics.threshold)
            statistics.passages = max(statistics.passages, len(hits))
        if options.count_all:
            statistics.passages = _count_matches(hits, options.select)
        hits = _keep_best(hits, options.limit)
        with statistics.step("matches"):
            matches = MatchMaker(tokens, name, self._weighting, self._scheme, options.verify).make(hits)
        if options.verify and statistics.threshold > options.threshold:
            # Pieces that were searched before the threshold was raised have found more than the others could.
            matches = [match for match in matches if (match.similarity or 0.0) >= statistics.threshold * (1.0 - EQUAL)]
        if options.select == "document":
            matches = first_of_each_document(matches)
        statistics.matches = len(matches)
        statistics.notes = tuple(
            describe_omissions(
                whole, options, self._lengths[0], self._execution, is_exact=not isinstance(self._scheme, SketchScheme)
            )
        )
        return matches

    def _search_pieces(
        self, pieces: list[QueryPiece], tokens: npt.NDArray[np.uint32], whole: Query, options: SearchOptions
    ) -> list[Hit]:
        """The hits of all pieces of a query, the ``whole`` one. Pieces with the same tokens are searched once.

        A piece after one that needed a higher threshold begins with that.
        """
        if len(pieces) > 1 and options.select == "document":
            options = msgspec.structs.replace(
                options, select="best"
            )  # hits are chained before documents are told apart
        statistics = self._execution.statistics
        statistics.pieces = statistics.pieces_left = len(pieces)
        most = None if options.limit is None or options.count_all or len(pieces) == 1 else _HITS_KEPT * options.limit
        parts = [tokens[piece.first : piece.last + 1] for piece in pieces]
        known: dict[bytes, _Found | None] = {}
        hits: list[Hit] = []
        left = self._budget(options)
        distinct = len({part.tobytes() for part in parts})
        for piece, part in zip(pieces, parts, strict=True):
            if part.tobytes() not in known:
                allowed = left * min(1.0, max(_LEAST_SHARE, _SHARES / (distinct - len(known))))
                highest = 1.0 if len(known) < _FIRST_PIECES else min(1.0, options.threshold + _FURTHER)
                query = whole if len(pieces) == 1 else Query.of(part, self._weighting)
                self._execution.allow(allowed)
                known[part.tobytes()] = self._search_piece(query, options, highest)
                options = msgspec.structs.replace(options, threshold=statistics.threshold)
                if math.isfinite(left):
                    left -= allowed - self._execution.left
            found = known[part.tobytes()]
            if found is not None:
                hits += [Hit(segment=each, passage=one, first=piece.first, last=piece.last) for each, one in found]
                if most is not None and len(hits) > _HITS_GATHERED * most:
                    hits = _keep_best(hits, most)
            if self._execution.is_stopped:
                break
            statistics.pieces_left -= found is not None
        return _keep_best(hits, most)

    def _budget(self, options: SearchOptions) -> float:
        """What a search may take."""
        if not options.bounded:
            return math.inf
        return max(_BUDGET, _BUDGET_PER_TOKEN * self._tokens)

    def _search_piece(self, query: Query, options: SearchOptions, highest: float) -> _Found | None:
        """The passages similar to one piece, at the lowest threshold up to the ``highest`` that fits the budget.

        If none does, those that are equal to the piece, in as much of the collection as fits, if the highest is 1.
        ``None`` if nothing fits.
        """
        if not query.mass:
            return []
        statistics = self._execution.statistics
        for threshold in _raise_threshold(options.threshold, highest):
            statistics.threshold = threshold
            with suppress(OverBudgetError):
                return self._search_at(query, msgspec.structs.replace(options, threshold=threshold))
        if highest == 1.0:
            self._execution.allow(self._execution.left, in_part=True)
            with suppress(OverBudgetError):
                return self._search_at(query, msgspec.structs.replace(options, threshold=1.0))
        statistics.threshold = min(highest, options.threshold + _FURTHER)
        return None

    def _search_at(self, query: Query, options: SearchOptions) -> _Found:
        """The similar passages of all segments, or of those that were searched when the time was over."""
        with self._execution.statistics.step("query"):
            sketch = self._sketch(query, options)
            plan = plan_search(query, self._weighting, options, self._lengths, sketch)
        found: _Found = []
        if plan.is_empty:
            return found
        in_all = 0
        with suppress(StoppedError):
            for segment, areas in self._find_areas(plan, options):
                self._execution.statistics.areas += len(areas.scores)
                most = None if options.count_all else options.limit
                passages, count = select_passages(segment, areas, plan, options, most, self._execution)
                found += [(segment, passage) for passage in passages]
                in_all += count
        self._execution.statistics.passages += in_all
        return found

    def _find_areas(self, plan: Plan, options: SearchOptions) -> Iterator[tuple[Segment, Areas]]:
        """The similar passages of each segment."""
        if not options.verify:
            for segment in self._segments:
                yield segment, estimate_areas(segment, plan, options, self._execution)
            return
        candidates = self._scheme.candidate_starts(self._segments, plan, self._execution)
        for segment, starts in zip(self._segments, candidates, strict=True):
            yield segment, verify_starts(segment, starts, plan, self._execution)

    def _sketch(self, query: Query, options: SearchOptions) -> SketchQuery | None:
        """The sketch of a query, and the score that candidates must reach; an exact index has none."""
        if not isinstance(self._scheme, SketchScheme):
            return None
        if options.verify:
            sketch = self._scheme.query_similarity(query.tokens, options.threshold, options.recall)
        else:
            sketch = self._scheme.query_estimate(query.tokens, options.threshold)
        self._execution.statistics.score = sketch.collisions_needed
        return sketch


def _raise_threshold(threshold: float, highest: float) -> Iterator[float]:
    """The threshold, and higher ones up to the ``highest``."""
    while threshold < highest:
        yield threshold
        threshold = round(threshold + _THRESHOLD_STEP, 9)
    yield highest


def _keep_best(hits: list[Hit], most: int | None) -> list[Hit]:
    """The ``most`` hits with the best scores, in their order."""
    if most is None or len(hits) <= most:
        return hits
    best = nlargest(most, range(len(hits)), key=lambda number: hits[number].passage.score)
    return [hits[number] for number in sorted(best)]


def _count_matches(hits: list[Hit], select: Selection) -> int:
    """How many matches hits make if there is no limit."""
    if select != "document":
        return len(hits)
    return len({(hit.segment.name, hit.passage.document) for hit in hits})
