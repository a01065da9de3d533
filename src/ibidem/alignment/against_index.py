"""Aligning a text with all documents of a collection: find its sources, then align it with each of them."""

from collections.abc import Sequence

import numpy as np

from ibidem.alignment.align import align_tokens, require_settings
from ibidem.alignment.selection import SIMILAR
from ibidem.alignment.source_retrieval import Source, likely_sources
from ibidem.spans import Alignment, Match
from ibidem.store import Segment
from ibidem.text import Texts, Tokenizer, Tokens
from ibidem.text.token_counts import merge_counts
from ibidem.weights import DocumentFrequencies, Weighting

__all__ = ["CollectionAligner", "token_frequencies"]


def token_frequencies(segments: Sequence[Segment]) -> DocumentFrequencies:
    """How often each token stands in ``segments``, each running token counting as a document."""
    tokens, _, counts = merge_counts([segment.vocabulary() for segment in segments])
    return DocumentFrequencies(tokens, np.minimum(counts, np.iinfo(np.uint32).max), int(counts.sum()))


class CollectionAligner:
    """Aligns texts with the documents in the segments of an exact index, as they stand.

    Attributes:
        generation: that of the index.
        weighting: rare tokens weigh more, as in an alignment of two texts, but counted in the collection.
    """

    def __init__(self, segments: Sequence[Segment], generation: int, tokenizer: Tokenizer) -> None:
        self.generation = generation
        self.weighting = Weighting.of("weighted", idf="smooth", frequencies=token_frequencies(segments))
        self._segments, self._tokenizer = segments, tokenizer

    def align(self, text: str, threshold: float, min_length: int | None, name: str, summaries: bool) -> list[Match]:
        """See ``PassageIndex.align``."""
        require_settings(threshold, min_length)
        query = self._tokenizer.encode(Texts.from_strings([text]), offsets=True)
        matches = []
        for source in likely_sources(query.ids, self._segments, min(threshold, SIMILAR)):
            found = align_tokens(_beside(query, source), self.weighting, threshold, min_length, summaries=summaries)
            matches += [_match(each, source, name) for each in found]
        return sorted(matches, key=lambda match: (match.query_start, match.query_end))


def _beside(query: Tokens, source: Source) -> Tokens:
    """The tokens of a text and of one of its sources, as a batch of two texts."""
    segment = source.segment
    first, last = segment.token_bounds[source.row : source.row + 2].tolist()
    starts, ends = segment.token_offsets(first, last)
    assert query.starts is not None
    assert query.ends is not None
    return Tokens(
        np.concatenate([query.ids, segment.tokens[first:last]]),
        np.array([0, len(query.ids), len(query.ids) + last - first], np.int64),
        np.concatenate([query.starts, starts]),
        np.concatenate([query.ends, ends]),
    )


def _match(found: Alignment, source: Source, name: str) -> Match:
    segment, row = source.segment, source.row
    return Match(
        query_name=name,
        query_start=found.a_start,
        query_end=found.a_end,
        document=segment.document_id(row),
        start=found.b_start,
        end=found.b_end,
        similarity=found.similarity,
        estimate=None,
        text=segment.text(row)[found.b_start : found.b_end],
        metadata=segment.metadata_if_readable(row),
        kind=found.kind,
        containment=found.containment,
    )
