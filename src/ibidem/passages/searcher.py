"""Answering a query over all segments of an index: cut, search, chain, and say where in the texts the matches stand."""

import math
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from ibidem.passages.asked import Asked
from ibidem.passages.chaining import Hit, Piece, chained, pieces
from ibidem.passages.configuration import Configuration
from ibidem.passages.explanation import Explanation
from ibidem.passages.query import Query
from ibidem.passages.search import Plan, search_segment
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

    def search(
        self, tokens: Tokens, threshold: float, recall: float, report: str, verify: bool, name: str
    ) -> list[Match]:
        """The matches of a query, given as ``tokens`` with offsets, most similar first; see ``PassageIndex.search``."""
        whole = Query.of(tokens.ids, self._weighting)
        if not whole.mass:
            raise ValueError("the query holds no token that has a weight, so nothing can be similar to it")
        self._warn_if_short(whole, threshold)
        found, cut = [], list(pieces(len(tokens.ids), self._configuration))
        for piece in cut:
            query = Query.of(tokens.ids[piece.first : piece.last + 1], self._weighting)
            if query.mass:
                found += self._search_piece(piece, query, threshold, recall, report, verify)
        if report != "all" and len(cut) > 1:
            found = chained(found, tokens.ids, self._weighting, threshold)
        with self.explanation.step("matches"):
            matches = [self._match(each, tokens, verify, name) for each in found]
        self.explanation.matches = len(matches)
        return sorted(matches, key=lambda match: -(match.similarity or match.estimate or 0.0))

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

    def _search_piece(
        self,
        piece: Piece,
        query: Query,
        threshold: float,
        recall: float,
        report: str,
        verify: bool,
    ) -> list[Hit]:
        lengths = (self._configuration.min_length, self._configuration.max_length)
        with self.explanation.step("query"):
            asked = self._asked(query, piece, threshold, recall, verify)
            shares = np.empty(0) if asked is None else self._shares(query.vocabulary)
            plan = Plan.of(query, self._weighting, self._scheme, asked, threshold, lengths, shares, self.explanation)
        if not verify:
            plan = plan._replace(fewest=lengths[0], most=lengths[1])
        return [
            Hit(segment, found, piece.first, piece.last)
            for segment in self._segments
            for found in search_segment(segment, plan, report, verify, self._pool, self._workers)
        ]

    def _asked(self, query: Query, piece: Piece, threshold: float, recall: float, verify: bool) -> Asked | None:
        """What is asked of the sketch of a passage; nothing in an exact index."""
        if self._scheme is None:
            return None
        keys = self._sketch(query.tokens, piece.first, piece.last)
        if verify:
            asked = self._scheme.asked(keys, query.tokens, threshold, recall)
        else:
            asked = self._scheme.asked_of_estimates(keys, threshold)
        self.explanation.score = asked.least / max(1, int(asked.counts.max()))
        return asked

    def _sketch(self, tokens: npt.NDArray[np.uint32], first: int, last: int) -> npt.NDArray[np.int64]:
        """The sketch of the query's ``tokens`` from ``first`` to ``last``; matches of one piece share it."""
        if (first, last) not in self._sketches:
            assert self._scheme is not None
            self._sketches[first, last] = self._scheme.sketch(tokens)
        return self._sketches[first, last]

    def _shares(self, vocabulary: npt.NDArray[np.uint32]) -> npt.NDArray[np.float64]:
        """How often each token stands in the collection, as a share of all tokens, float64 [V]."""
        counts, total = np.zeros(len(vocabulary)), 0
        for segment in self._segments:
            tokens, _, in_all = segment.vocabulary()
            total += segment.num_tokens
            if len(tokens):
                place = np.minimum(np.searchsorted(tokens, vocabulary), len(tokens) - 1)
                counts += np.where(tokens[place] == vocabulary, in_all[place], 0)
        return counts / max(total, 1)

    def _match(self, hit: Hit, query: Tokens, verify: bool, name: str) -> Match:
        segment, found = hit.segment, hit.found
        start, end = segment.offsets(found.document, found.first, found.last)
        asked = query.ids[hit.first : hit.last + 1]
        passage = np.asarray(segment.tokens[found.first : found.last + 1])
        estimate = None
        if self._scheme is not None:
            estimate = self._scheme.estimate(self._sketch(asked, hit.first, hit.last), self._scheme.sketch(passage))
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
            estimate=estimate,
            text=segment.text(found.document)[start:end],
            metadata=segment.metadata(found.document),
            starts=starts,
            ends=ends,
        )


def _code_points(segment: Segment, document: int, tokens: tuple[int, int], side: int) -> tuple[int, int]:
    """Where two tokens start (``side`` 0) or end (1)."""
    first, last = (segment.offsets(document, token, token)[side] for token in tokens)
    return first, last
