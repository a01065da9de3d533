"""A search from end to end: query, plan, candidates, verification, selection, matches."""

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ibidem.options import Selection
from ibidem.passages.filters.candidate_starts import find_candidate_starts
from ibidem.passages.query.execution import Execution, OverBudgetError, StoppedError
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.plan import plan_search
from ibidem.passages.query.query import Query
from ibidem.passages.search.chaining import Hit, QueryPiece, chain_hits, cut_query
from ibidem.passages.search.matches import MatchMaker
from ibidem.passages.search.omissions import NO_TOKENS, describe_omissions
from ibidem.passages.search.selection import SegmentPassage, order_passages, select_passages
from ibidem.passages.search.verification import verify_starts
from ibidem.rounding import reaches
from ibidem.spans import Match
from ibidem.store import Segment
from ibidem.text import Tokens
from ibidem.weights import NoWeightError, Weighting

# The model of a budget, which is work in tokens that a filter reads:
# 1. A search may spend five seconds of a core, or more for much text; a piece of a query twice its equal share of that.
# 2. A piece that does not fit is tried at higher thresholds: small steps until half of its share is spent, then large.
# 3. At last it is searched for copies alone, in as much of the collection as the rest of the share allows.
_BUDGET, _BUDGET_PER_TOKEN = 1.5e9, 8.0
_SHARES, _LEAST_SHARE = 2.0, 0.01
_THRESHOLD_STEP, _LARGE_STEP = 0.05, 0.2

# Pieces after the first 8 may rise by so much at most, so that one common piece does not raise the threshold of all
# others.
_FIRST_PIECES, _FURTHER = 8, 0.2

# The least cost of a search at one threshold, a third of a millisecond.
_TRY_WORK = 100_000.0

# Hits of the pieces of a query that a search within its budget chains: 50 MB. None may be left out before, whatever the
# ``limit``: a hit that is hardly similar may be a part of the longest chain.
_MOST_HITS = 100_000

_Found = list[tuple[Segment, SegmentPassage]]


class QuerySearch:
    """The search for one query over the segments of one generation of an index.

    A search has a budget of work. If a search at the given threshold would exceed it, the threshold is raised step by
    step until the search fits. The result is then that of a search at the raised threshold, and a note says so.

    Args:
        segments: the segments.
        weighting: gives the tokens their weights.
        lengths: the least and the greatest length of a passage, in tokens.
        execution: threads, budget and statistics.
        collection_tokens: how many tokens the whole collection has, if ``segments`` are only a part of it.
    """

    def __init__(
        self,
        segments: Sequence[Segment],
        weighting: Weighting,
        lengths: tuple[int, int],
        execution: Execution,
        collection_tokens: int | None = None,
    ) -> None:
        self._segments = [segment for segment in segments if segment.num_tokens]
        self._weighting, self._lengths = weighting, lengths
        self._execution = execution
        self._tokens = collection_tokens or sum(segment.num_tokens for segment in self._segments)

    def search(self, tokens: Tokens, options: SearchOptions, name: str) -> list[Match]:
        """The matches of a query, most similar first; see ``PassageIndex.search``.

        ``tokens`` are those of the query, with their offsets. The ``notes`` of the statistics say what was left out,
        and how to find it.

        Raises:
            NoWeightError: no token of the query has a weight.
        """
        query = Query.of(tokens.ids, self._weighting)
        if not query.mass:
            raise NoWeightError
        statistics = self._execution.statistics
        statistics.threshold = options.threshold
        pieces = list(cut_query(len(tokens.ids), self._lengths))
        with self._execution.deadline(options.timeout):
            hits = self._search_pieces(pieces, tokens.ids, query, options)
        if len(pieces) > 1 and options.select != "all":
            hits = _order_hits(chain_hits(hits, tokens.ids, self._weighting, statistics.threshold))
            hits = _keep_first_of_each_document(hits) if options.select == "document" else hits
            statistics.passages = len(hits)
        hits = _order_hits(hits, options.limit)
        if statistics.threshold > options.threshold:
            # Pieces that were searched before the threshold was raised may have found passages below it.
            hits = [hit for hit in hits if reaches(hit.passage.score, statistics.threshold)]
        with statistics.step("matches"):
            matches = MatchMaker(tokens, name, self._weighting).make(hits)
        statistics.matches = len(matches)
        omissions = describe_omissions(query, options, self._lengths[0], self._execution)
        statistics.notes = tuple(omissions) if self._tokens else (NO_TOKENS,)
        return matches

    def _search_pieces(
        self, pieces: list[QueryPiece], tokens: npt.NDArray[np.uint32], whole_query: Query, options: SearchOptions
    ) -> list[Hit]:
        """The hits of all ``pieces`` of the query ``whole_query``. Pieces with the same tokens are searched once.

        If a piece needs a higher threshold, the pieces after it begin at that threshold.
        """
        are_chained = len(pieces) > 1 and options.select != "all"
        if are_chained:
            # What is best can be chosen only after the hits of the pieces have been chained.
            select: Selection = "best" if options.select == "document" else options.select
            options = replace(options, select=select, limit=None)
        most_hits = _MOST_HITS if are_chained and options.bounded else math.inf
        statistics = self._execution.statistics
        statistics.pieces = statistics.pieces_left = len(pieces)
        parts = [tokens[piece.first : piece.last + 1] for piece in pieces]
        passages_of: dict[bytes, _Found | None] = {}
        hits: list[Hit] = []
        budget_left = self._budget(options)
        distinct = len({part.tobytes() for part in parts})
        for piece, part in zip(pieces, parts, strict=True):
            if part.tobytes() not in passages_of:
                piece_budget = budget_left * min(1.0, max(_LEAST_SHARE, _SHARES / (distinct - len(passages_of))))
                highest = 1.0 if len(passages_of) < _FIRST_PIECES else min(1.0, round(options.threshold + _FURTHER, 9))
                query = whole_query if len(pieces) == 1 else Query.of(part, self._weighting)
                spent_before = self._execution.spent
                passages_of[part.tobytes()] = self._search_piece(query, options, piece_budget, highest)
                options = replace(options, threshold=statistics.threshold)
                budget_left = max(0.0, budget_left - (self._execution.spent - spent_before))
            piece_passages = passages_of[part.tobytes()]
            has_room = piece_passages is not None and len(hits) + len(piece_passages) <= most_hits
            if piece_passages is not None and has_room:
                hits += [
                    Hit(segment=segment, passage=passage, first=piece.first, last=piece.last)
                    for segment, passage in piece_passages
                ]
            if self._execution.is_stopped:
                break
            statistics.pieces_left -= has_room
        return hits

    def _budget(self, options: SearchOptions) -> float:
        """How much work a search may do."""
        if not options.bounded:
            return math.inf
        return max(_BUDGET, _BUDGET_PER_TOKEN * self._tokens)

    def _search_piece(self, query: Query, options: SearchOptions, allowed: float, highest: float) -> _Found | None:
        """The passages that are similar to one piece, at the first threshold that fits the budget ``allowed``.

        The thresholds that are tried rise from that of the options to ``highest``. If none of them fits and ``highest``
        is 1, the search looks for passages equal to the piece, in as much of the collection as the budget allows. If
        even that does not fit, or ``highest`` is below 1, the piece is left out: ``None``.
        """
        if not query.mass:
            return []
        statistics = self._execution.statistics
        if allowed < _TRY_WORK:
            return None
        spent_before = self._execution.spent
        threshold = options.threshold
        while True:
            statistics.threshold = threshold
            self._execution.allow(allowed - (self._execution.spent - spent_before))
            with suppress(OverBudgetError):
                return self._search_at(query, replace(options, threshold=threshold))
            if threshold >= highest:
                break
            step = _THRESHOLD_STEP if self._execution.spent - spent_before < allowed / 2 else _LARGE_STEP
            threshold = min(highest, round(threshold + step, 9))
        if highest == 1.0:
            self._execution.allow(allowed - (self._execution.spent - spent_before), in_part=True)
            was_cut, statistics.cut = statistics.cut, False
            passages = self._search_at(query, replace(options, threshold=1.0))
            if passages or not statistics.cut:
                statistics.cut |= was_cut
                return passages
            statistics.cut = was_cut
        statistics.threshold = min(highest, round(options.threshold + _FURTHER, 9))
        return None

    def _search_at(self, query: Query, options: SearchOptions) -> _Found:
        """The similar passages of all segments, or of those that were searched before the time or budget ran out.

        Raises:
            OverBudgetError: the budget is not enough, and the search may not be done in part.
        """
        self._execution.charge(_TRY_WORK)
        with self._execution.statistics.step("query"):
            plan = plan_search(query, self._weighting, options, self._lengths)
        segment_passages: _Found = []
        if plan.is_empty:
            return segment_passages
        total = 0
        try:
            candidates = find_candidate_starts(self._segments, plan, self._execution)
            for segment, starts in zip(self._segments, candidates, strict=True):
                areas = verify_starts(segment, starts, plan, self._execution)
                self._execution.statistics.areas += len(areas.scores)
                most = None if options.count_all else options.limit
                passages, count = select_passages(segment, areas, plan, options, most, self._execution)
                segment_passages += [(segment, passage) for passage in passages]
                total += count
        except StoppedError:
            pass
        except OverBudgetError:
            self._execution.cut()
        self._execution.statistics.passages += total
        return segment_passages


def _order_hits(hits: list[Hit], most: int | None = None) -> list[Hit]:
    """The ``most`` most similar hits, ordered as ``order_passages`` says."""

    def place(number: int) -> tuple[str, int, int]:
        segment, passage, first, _ = hits[number]
        return segment.document_id(passage.document), passage.first, first

    order = order_passages([hit.passage.score for hit in hits], place, most)
    return [hits[number] for number in order]


def _keep_first_of_each_document(hits: list[Hit]) -> list[Hit]:
    """The first hit of each document."""
    first: dict[tuple[str, int], Hit] = {}
    for hit in hits:
        first.setdefault((hit.segment.name, hit.passage.document), hit)
    return list(first.values())
