"""Answering a query over all segments of an index: cut, search, chain, and say where in the texts the matches stand."""

import math
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from ibidem.passages.configuration import Configuration
from ibidem.passages.query.options import Question
from ibidem.passages.query.plan import Plan
from ibidem.passages.query.query import Query
from ibidem.passages.query.sketch_query import Asked
from ibidem.passages.query.statistics import Explanation
from ibidem.passages.search.chaining import Hit, Piece, chained, pieces
from ibidem.passages.search.segment_search import search_segment
from ibidem.similarity import jaccard
from ibidem.spans import Match
from ibidem.store import Segment
from ibidem.text import Tokens
from ibidem.weights import DocumentFrequencies

__all__ = ["Searcher"]


class Searcher:
    """Answers one query over the segments of one generation of an index."""

    def __init__(
        self,
        segments: Sequence[Segment],
        configuration: Configuration,
        frequencies: DocumentFrequencies | None,
        pool: ThreadPoolExecutor,
        workers: int,
    ) -> None:
        self._segments = segments
        self._configuration = configuration
        self._weighting = configuration.weighting(frequencies)
        self._scheme = configuration.make_scheme(frequencies)
        self._pool, self._workers = pool, workers
        self._sketches: dict[tuple[int, int], npt.NDArray[np.int64]] = {}  # of the pieces of the query
        self.explanation = Explanation()

    def search(self, tokens: Tokens, question: Question, name: str) -> list[Match]:
        """The matches of a query, given as ``tokens`` with offsets, most similar first; see ``PassageIndex.search``."""
        whole = Query.of(tokens.ids, self._weighting)
        if not whole.mass:
            raise ValueError("the query holds no token that has a weight, so nothing can be similar to it")
        self._warn_if_short(whole, question.threshold)
        found, cut = [], list(pieces(len(tokens.ids), self._configuration))
        for piece in cut:
            part = tokens.ids[piece.first : piece.last + 1]
            query = whole if len(cut) == 1 else Query.of(part, self._weighting)
            if query.mass:
                found += self._search_piece(piece, query, question)
        if question.report != "all" and len(cut) > 1:
            found = chained(found, tokens.ids, self._weighting, question.threshold)
        with self.explanation.step("matches"):
            matches = [self._match(each, tokens, question.verify, name) for each in found]
        matches.sort(key=lambda match: -(match.similarity or match.estimate or 0.0))
        if question.report == "document":
            matches = _first_of_each_document(matches)
        self.explanation.matches = len(matches)
        return matches

    def _warn_if_short(self, query: Query, threshold: float) -> None:
        fewest = query.fewest_tokens(threshold)
        if fewest < self._configuration.min_length:
            enough = math.ceil(self._configuration.min_length / threshold)
            warnings.warn(
                f"passages similar to this query may have as few as {fewest} token{'s' if fewest > 1 else ''}, and "
                f"this index holds passages of {self._configuration.min_length} or more: shorter ones are not found. "
                f"From about {enough} tokens on, a query misses nothing",
                stacklevel=5,
            )

    def _search_piece(self, piece: Piece, query: Query, question: Question) -> list[Hit]:
        lengths = (self._configuration.min_length, self._configuration.max_length)
        with self.explanation.step("query"):
            asked = self._asked(query, piece, question)
            plan = Plan.of(self._segments, query, self._weighting, asked, question, lengths, self.explanation)
        return [
            Hit(segment, found, piece.first, piece.last)
            for segment in self._segments
            for found in search_segment(
                segment, self._scheme, plan, question.of_region, question.verify, self._pool, self._workers
            )
        ]

    def _asked(self, query: Query, piece: Piece, question: Question) -> Asked:
        """What is asked of the sketch of a passage."""
        keys = self._sketch(query.tokens, piece.first, piece.last)
        if question.verify:
            asked = self._scheme.asked(keys, query.tokens, question.threshold, question.recall)
        else:
            asked = self._scheme.asked_of_estimates(keys, question.threshold)
        self.explanation.score = asked.collisions
        return asked

    def _sketch(self, tokens: npt.NDArray[np.uint32], first: int, last: int) -> npt.NDArray[np.int64]:
        """The sketch of the query's ``tokens`` from ``first`` to ``last``; matches of one piece share it."""
        if (first, last) not in self._sketches:
            self._sketches[first, last] = self._scheme.sketch(tokens)
        return self._sketches[first, last]

    def _match(self, hit: Hit, query: Tokens, verify: bool, name: str) -> Match:
        segment, found = hit.segment, hit.found
        start, end = segment.offsets(found.document, found.first, found.last)
        asked = query.ids[hit.first : hit.last + 1]
        passage = np.asarray(segment.tokens[found.first : found.last + 1])
        assert query.starts is not None
        assert query.ends is not None
        starts = ends = None
        if found.starts is not None and found.ends is not None:
            starts = _code_points(segment, found.document, found.starts, 0)
            ends = _code_points(segment, found.document, found.ends, 1)
        return Match(
            query=name,
            query_start=int(query.starts[hit.first]),
            query_end=int(query.ends[hit.last]),
            document=segment.document_id(found.document),
            start=start,
            end=end,
            similarity=jaccard(asked, passage, self._weighting) if verify else None,
            estimate=self._scheme.estimate(self._sketch(asked, hit.first, hit.last), self._scheme.sketch(passage)),
            text=segment.text(found.document)[start:end],
            metadata=segment.metadata(found.document),
            starts=starts,
            ends=ends,
        )


def _first_of_each_document(matches: list[Match]) -> list[Match]:
    first: dict[str, Match] = {}
    for match in matches:
        first.setdefault(match.document, match)
    return list(first.values())


def _code_points(segment: Segment, document: int, tokens: tuple[int, int], side: int) -> tuple[int, int]:
    """Where two tokens start (``side`` 0) or end (1)."""
    first, last = (segment.offsets(document, token, token)[side] for token in tokens)
    return first, last
