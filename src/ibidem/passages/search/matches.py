"""From hits to matches: where a hit is in the texts, and how similar it is."""

from collections.abc import Sequence

import numpy as np

from ibidem.passages.search.chaining import Hit
from ibidem.similarity import jaccard
from ibidem.spans import Match
from ibidem.store.segments.segment import Segment
from ibidem.text import Tokens
from ibidem.weights import Weighting


class MatchMaker:
    """Makes the matches of one query, given as tokens with offsets."""

    def __init__(self, query: Tokens, name: str, weighting: Weighting) -> None:
        self._query, self._name, self._weighting = query, name, weighting
        self._document: tuple[str, int] | None = None  # the last one
        self._text: str | None = None  # of that document, once a second match needs it

    def make(self, hits: Sequence[Hit]) -> list[Match]:
        """The matches of some hits, in their order."""
        return [self._match(hit) for hit in hits]

    def _match(self, hit: Hit) -> Match:
        segment, segment_passage = hit.segment, hit.passage
        start, end = segment.offsets(segment_passage.document, segment_passage.first, segment_passage.last)
        part = self._query.ids[hit.first : hit.last + 1]
        passage = np.asarray(segment.tokens[segment_passage.first : segment_passage.last + 1])
        assert self._query.starts is not None
        assert self._query.ends is not None
        return Match(
            query_name=self._name,
            query_start=int(self._query.starts[hit.first]),
            query_end=int(self._query.ends[hit.last]),
            document=segment.document_id(segment_passage.document),
            start=start,
            end=end,
            similarity=jaccard(part, passage, self._weighting),
            text=self._text_between(segment, segment_passage.document, start, end),
            metadata=segment.metadata_if_readable(segment_passage.document),
            starts=segment_passage.starts
            and _find_code_points(segment, segment_passage.document, segment_passage.starts, 0),
            ends=segment_passage.ends and _find_code_points(segment, segment_passage.document, segment_passage.ends, 1),
        )

    def _text_between(self, segment: Segment, document: int, start: int, end: int) -> str:
        """The text of a document between two code points; further matches of the document share its whole text."""
        key = segment.name, document
        if key != self._document:
            self._document, self._text = key, None
            return segment.text_between(document, start, end)
        if self._text is None:
            self._text = segment.text(document)
        return self._text[start:end]


def _find_code_points(segment: Segment, document: int, tokens: tuple[int, int], side: int) -> tuple[int, int]:
    """Where two tokens start (``side`` 0) or end (1)."""
    first, last = (segment.offsets(document, token, token)[side] for token in tokens)
    return first, last
