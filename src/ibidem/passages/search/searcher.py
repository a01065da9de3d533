"""A search from end to end: query, plan, candidates, verification, selection, matches."""

import math
import warnings
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from ibidem.passages.query.execution import Execution
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.plan import Plan, plan_search
from ibidem.passages.query.query import Query
from ibidem.passages.query.sketch_query import SketchQuery
from ibidem.passages.schemes.base import Scheme
from ibidem.passages.schemes.sketched import SketchScheme
from ibidem.passages.search.chaining import Hit, QueryPiece, chain_hits, cut_query
from ibidem.passages.search.matches import MatchMaker, first_of_each_document
from ibidem.passages.search.regions import Areas
from ibidem.passages.search.segment_search import estimate_areas, verify_starts
from ibidem.passages.search.selection import select_passages
from ibidem.spans import Match
from ibidem.store import Segment
from ibidem.text import Tokens
from ibidem.weights import Weighting

__all__ = ["Searcher"]


class Searcher:
    """Answers one query over the segments of one generation of an index.

    Args:
        segments: the segments.
        scheme: finds the candidates.
        weighting: weighs the tokens.
        lengths: tokens of the shortest and the longest passage of the search.
        execution: threads and statistics.
    """

    def __init__(
        self,
        segments: Sequence[Segment],
        scheme: Scheme,
        weighting: Weighting,
        lengths: tuple[int, int],
        execution: Execution,
    ) -> None:
        self._segments = [segment for segment in segments if segment.num_tokens]
        self._scheme, self._weighting, self._lengths = scheme, weighting, lengths
        self._execution = execution

    def search(self, tokens: Tokens, options: SearchOptions, name: str) -> list[Match]:
        """The matches of a query, given as ``tokens`` with offsets, most similar first; see ``PassageIndex.search``."""
        whole = Query.of(tokens.ids, self._weighting)
        if not whole.mass:
            raise ValueError("the query holds no token that has a weight, so nothing can be similar to it")
        _warn_if_short(whole, options.threshold, self._lengths[0])
        pieces = list(cut_query(len(tokens.ids), self._lengths))
        hits = [hit for piece in pieces for hit in self._search_piece(piece, tokens.ids, options)]
        if len(pieces) > 1 and options.select != "all":
            hits = chain_hits(hits, tokens.ids, self._weighting, options.threshold)
        statistics = self._execution.statistics
        with statistics.step("matches"):
            matches = MatchMaker(tokens, name, self._weighting, self._scheme, options.verify).make(hits)
        if options.select == "document":
            matches = first_of_each_document(matches)
        statistics.matches = len(matches)
        return matches

    def _search_piece(self, piece: QueryPiece, tokens: npt.NDArray[np.uint32], options: SearchOptions) -> Iterator[Hit]:
        with self._execution.statistics.step("query"):
            query = Query.of(tokens[piece.first : piece.last + 1], self._weighting)
            if not query.mass:
                return
            sketch = self._sketch(query, options)
            plan = plan_search(query, self._weighting, options, self._lengths, sketch)
        if plan.is_empty:
            return
        for segment, areas in self._find_areas(plan, options):
            self._execution.statistics.areas += len(areas.scores)
            for passage in select_passages(segment, areas, plan, options):
                yield Hit(segment=segment, passage=passage, first=piece.first, last=piece.last)

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
        """The sketch of a query, and the score that candidates must reach."""
        if not isinstance(self._scheme, SketchScheme):
            if options.verify:
                return None
            raise ValueError("an exact index estimates nothing: leave verify as it is")
        if options.verify:
            sketch = self._scheme.query_similarity(query.tokens, options.threshold, options.recall)
        else:
            sketch = self._scheme.query_estimate(query.tokens, options.threshold)
        self._execution.statistics.score = sketch.collisions_needed
        return sketch


def _warn_if_short(query: Query, threshold: float, min_length: int) -> None:
    fewest = query.fewest_tokens(threshold)
    if fewest < min_length:
        enough = math.ceil(min_length / threshold)
        warnings.warn(
            f"passages similar to this query may have as few as {fewest} token{'s' if fewest > 1 else ''}, and "
            f"this index holds passages of {min_length} or more: shorter ones are not found. "
            f"From about {enough} tokens on, a query misses nothing",
            stacklevel=5,
        )
