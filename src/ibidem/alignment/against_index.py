"""Aligning a text with all documents of a collection: find its sources, then align it with each of them.

An alignment begins with similar windows. Of a likely source the places are known that share most with the text; if
there are no similar windows even there, the document is skipped, unless it may be summed up. Whole documents are
aligned with the others.
"""

from collections.abc import Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from ibidem.alignment.align_tokens import AlignmentOptions, align_tokens
from ibidem.alignment.ignored import IgnoredTexts, NamedTexts
from ibidem.alignment.lengths import default_length, require_settings, window_lengths
from ibidem.alignment.longest_runs import LongestRuns
from ibidem.alignment.passage_pairs import SEED
from ibidem.alignment.seeds import has_seed
from ibidem.alignment.selection import SIMILAR
from ibidem.alignment.sources.retrieval import Apply, LikelySource, likely_sources
from ibidem.alignment.text_quotations import Quoting
from ibidem.alignment.weighted_pair import TF, OrderedPair, weigh_in_order
from ibidem.evidence.null_model import SAMPLE, NullModel, learn_null_model
from ibidem.spans import Alignment, Ignored, Match
from ibidem.store import Segment
from ibidem.text import Document, Texts, Tokenizer, Tokens
from ibidem.text.token_counts import merge_counts
from ibidem.weights import DocumentFrequencies, Weighting

_STRETCH = 1 << 12
"""Tokens in a row of the collection that are in a sample of it."""

_AROUND = 64
"""Tokens: a place, and as many before and behind it, are searched for similar windows."""


def token_frequencies(segments: Sequence[Segment]) -> DocumentFrequencies:
    """How often each token occurs in documents that are not removed, each running token counting as a document."""
    tokens, _, counts = merge_counts([segment.alive_vocabulary() for segment in segments])
    return DocumentFrequencies(tokens, np.minimum(counts, np.iinfo(np.uint32).max), int(counts.sum()))


class CollectionAligner:
    """Aligns texts with the documents in the segments of an exact index, as they are.

    Attributes:
        generation: that of the index.
        weighting: that of an alignment of two texts, but the rarity of tokens is counted in the collection.
    """

    def __init__(self, segments: Sequence[Segment], generation: int, tokenizer: Tokenizer) -> None:
        self.generation = generation
        self._frequencies = token_frequencies(segments)
        self.weighting = Weighting.of("weighted", tf=TF, idf="smooth", frequencies=self._frequencies)
        self._segments, self._tokenizer = segments, tokenizer
        self._model = learn_from_segments(segments)

    def align(
        self, query: Document, options: AlignmentOptions, apply: Apply = map, ignore: NamedTexts = ()
    ) -> tuple[list[Match], list[Ignored]]:
        """See ``PassageIndex.align``. Parts of the work that do not depend on each other are done by ``apply``."""
        require_settings(options.threshold, options.min_pair_length, options.expect)
        tokens = self._tokenizer.encode(Texts.from_strings([query.text]), offsets=True)
        ignored: list[Ignored] = []
        if ignore:
            texts = IgnoredTexts(ignore, self._tokenizer)
            tokens, ignored = texts.take_out(tokens, options.threshold, [query.id])
        frequencies, threshold = self._frequencies, min(options.threshold, SIMILAR)
        sources = likely_sources(tokens.ids, self._segments, frequencies, self._model, threshold, options.expect, apply)
        aligned = apply(lambda source: self._align_source(tokens, source, query.id, options), sources)
        matches = sorted(chain.from_iterable(aligned), key=lambda match: (match.query_start, match.query_end))
        return matches, ignored

    def find_runs(self, text: str, min_length: int) -> LongestRuns:
        """See ``PassageIndex.find_runs``."""
        tokens = self._tokenizer.encode(Texts.from_strings([text]), offsets=True)
        return LongestRuns(tokens, self._segments, self._frequencies, min_length)

    def _align_source(self, query: Tokens, source: LikelySource, name: str, options: AlignmentOptions) -> list[Match]:
        """The passages that the text shares with one of its likely sources."""
        first, last = source.segment.token_bounds[source.row : source.row + 2].tolist()
        shortest = options.min_pair_length or default_length(len(query.ids), last - first)
        windows = window_lengths(len(query.ids), last - first, shortest)
        weighed = weigh_in_order(query.ids, source.segment.tokens[first:last], self.weighting, windows[0])
        if not options.summaries and not source.quotes and not _has_seed(weighed, windows, source.places - [0, first]):
            return []
        share = (last - first) / max(self._frequencies.num_documents, 1)
        quoting = Quoting.of_known(options.expect, options.min_pair_length, self._model, share)
        alignments = align_tokens(_beside(query, source), self.weighting, options, quoting=quoting, weighed=weighed)
        return [_match(alignment, source, name) for alignment in alignments]


def learn_from_segments(segments: Sequence[Segment]) -> NullModel:
    """What the documents of segments share by chance, from evenly spaced stretches of them."""
    pieces, lengths = [np.empty(0, np.uint32)], [np.empty(0, np.int64)]
    every = max(sum(int(segment.token_bounds[-1]) for segment in segments) // SAMPLE, 1) * _STRETCH
    for segment in segments:
        bounds = segment.token_bounds
        for first in range(0, int(bounds[-1]), every):
            last = min(first + _STRETCH, int(bounds[-1]))
            rows = np.arange(np.searchsorted(bounds, first, "right") - 1, np.searchsorted(bounds, last))
            starts, ends = np.maximum(bounds[rows], first), np.minimum(bounds[rows + 1], last)
            stays = segment.alive[rows]
            pieces += [segment.tokens[start:end] for start, end in zip(starts[stays], ends[stays], strict=True)]
            lengths.append((ends - starts)[stays])
    sizes = np.concatenate(lengths)
    ends = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return learn_null_model(np.concatenate(pieces), ends, np.full(len(sizes), -1, np.int32), _STRETCH / every)


def _has_seed(weighed: OrderedPair, windows: list[int], places: npt.NDArray[np.int64]) -> bool:
    """Whether an alignment of a text with a source would find similar windows around one of its best ``places``.

    ``places`` int64 [P, 2] are tokens of the text, and of the source.
    """
    pair = weighed.pair
    for place in places[:, ::-1] if weighed.exchanged else places:
        (a_first, b_first), (a_last, b_last) = np.maximum(place - _AROUND, 0).tolist(), (place + 2 * _AROUND).tolist()
        surroundings = pair._replace(a=pair.a[a_first:a_last], b=pair.b[b_first:b_last])
        if min(len(surroundings.a), len(surroundings.b)) < windows[0]:
            return True
        if any(has_seed(surroundings._replace(window=window), SEED) for window in windows):
            return True
    return False


def _beside(query: Tokens, source: LikelySource) -> Tokens:
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


def _match(alignment: Alignment, source: LikelySource, name: str) -> Match:
    segment, row = source.segment, source.row
    return Match(
        query_name=name,
        query_start=alignment.a_start,
        query_end=alignment.a_end,
        document=segment.document_id(row),
        start=alignment.b_start,
        end=alignment.b_end,
        similarity=alignment.similarity,
        text=segment.text(row)[alignment.b_start : alignment.b_end],
        metadata=segment.metadata_if_readable(row),
        kind=alignment.kind,
        containment=alignment.containment,
        expected=alignment.expected,
    )
