"""Building an index of sketches: documents become segments, and each segment gets the windows of all its passages."""

import time
from collections.abc import Iterable

import numpy as np

from ibidem.resources import Resources
from ibidem.sketches.index.configuration import SketchConfiguration
from ibidem.sketches.index.window_postings import write_postings
from ibidem.store.segments.writer import SegmentWriter
from ibidem.store.sizing import segment_tokens
from ibidem.store.writer import Writer
from ibidem.stored_index import BuildReport, require_new
from ibidem.text import Documents, Tokens
from ibidem.text.token_counts import count_tokens, merge_counts
from ibidem.weights import DocumentFrequencies

# Share of the memory that postings may take before they are written.
_POSTINGS_SHARE = 0.7


def write_segments(
    writer: Writer,
    batches: Iterable[tuple[Documents, Tokens]],
    configuration: SketchConfiguration,
    frequencies: DocumentFrequencies | None,
    known_ids: set[str],
    resources: Resources,
) -> BuildReport:
    """Write ``batches`` with their tokens as segments, as few as memory allows (Zhang et al., Algorithm 1).

    Document frequencies behind the weights that are not known are counted over these documents, and kept.

    Raises:
        CorpusError: a document has an id that is among ``known_ids``, or that another has.
    """
    start = time.perf_counter()
    segments, short = list[SegmentWriter](), list[str]()
    for documents, tokens in batches:
        require_new(documents.ids, known_ids)
        lengths = np.diff(tokens.bounds)
        short.extend(documents.ids[row] for row in np.flatnonzero(lengths < configuration.min_length))
        if not segments or segments[-1].num_tokens + len(tokens.ids) > segment_tokens(resources.memory):
            segments.append(writer.new_segment())
        segments[-1].append_documents(documents, tokens)
        resources.tell("reading", sum(segment.num_tokens for segment in segments), None)
    if frequencies is None and configuration.needs_frequencies and segments:
        frequencies = _count_frequencies(segments)
        writer.put_frequencies(frequencies.tokens, frequencies.counts, frequencies.num_documents)
    return BuildReport(
        documents=sum(segment.num_documents for segment in segments),
        tokens=sum(segment.num_tokens for segment in segments),
        postings=_write_windows(segments, configuration, frequencies, resources),
        short=short,
        recovered=list(writer.recovered),
        seconds=time.perf_counter() - start,
    )


def _count_frequencies(segments: list[SegmentWriter]) -> DocumentFrequencies:
    tokens, in_documents, _ = merge_counts([count_tokens(*segment.tokens()) for segment in segments])
    return DocumentFrequencies(tokens, in_documents, sum(segment.num_documents for segment in segments))


def _write_windows(
    segments: list[SegmentWriter],
    configuration: SketchConfiguration,
    frequencies: DocumentFrequencies | None,
    resources: Resources,
) -> int:
    """Write the posting lists of segments; return how many windows they have."""
    if not segments:
        return 0
    scheme, total = configuration.make_scheme(frequencies), sum(segment.num_tokens for segment in segments)
    tokens_done = postings = 0

    def advance(tokens: int) -> None:
        nonlocal tokens_done
        tokens_done += tokens
        resources.tell("indexing", tokens_done, total)

    with resources.pool() as pool:
        for segment in segments:
            memory = int(resources.memory * _POSTINGS_SHARE)
            postings += write_postings(segment, scheme, configuration.max_length, memory, pool, advance)
    return postings
