"""Segments that one process adds to an index: a build, an addition, or what a merge writes.

Documents stream: only a few batches are in memory at a time. They are written as segments, of which each gets its
postings when all of its documents are there.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from ibidem.resources import Resources, give_back_memory
from ibidem.store import Segment
from ibidem.store.segments.writer import SegmentWriter
from ibidem.store.sizing import TOKEN_BYTES, segment_tokens
from ibidem.store.writer import Writer
from ibidem.stored_index import BuildReport, require_new
from ibidem.text import Documents, Tokens
from ibidem.text.token_counts import count_tokens, merge_counts
from ibidem.weights import DocumentFrequencies

POSTINGS_SHARE = 0.7
"""Share of the memory that postings may take before they are written. Texts, sorting and the program take the rest."""

_MANY_TOKENS = 1 << 20
"""Fewer tokens leave no memory behind that is worth the time to give it back."""

WritePostings = Callable[[SegmentWriter, int, ThreadPoolExecutor, Callable[[int], None]], int]
"""Writes the postings of a segment within some memory, in threads; it tells how many tokens are done, and returns how
many postings there are."""


def build_segments(
    writer: Writer,
    batches: Iterable[tuple[Documents, Tokens]],
    choose_postings: Callable[[DocumentFrequencies | None], WritePostings],
    *,
    min_length: int,
    known_ids: set[str],
    freeze: bool,
    resources: Resources,
    token_bytes: int = TOKEN_BYTES,
) -> BuildReport:
    """Write ``batches`` with their tokens as new segments of the index that ``writer`` writes; the caller commits.

    Args:
        choose_postings: what writes the postings, given the frequencies that were counted, if any were.
        min_length: tokens of the shortest passage; the report names documents that have fewer.
        known_ids: ids that a document must not have; those of the batches are added to it.
        freeze: whether to count the frequencies of these documents, if there are any, and keep them in the index.
        token_bytes: memory that a token of a segment takes while the segment is built.

    Raises:
        CorpusError: a document has an id that another has.
    """
    start, lengths = time.perf_counter(), dict[str, int]()
    new_batches = _require_new(batches, known_ids, min_length, lengths)
    segments = fill_segments(writer, new_batches, resources, token_bytes, counts=freeze)
    frequencies = add_frequencies(segments) if freeze else None
    if frequencies is not None:
        writer.put_frequencies(frequencies.tokens, frequencies.counts, frequencies.num_documents)
    tokens, done, postings = sum(segment.num_tokens for segment in segments), 0, 0

    def advance(more: int) -> None:
        nonlocal done
        done += more
        resources.tell("indexing", done, tokens)

    if segments:
        write_postings = choose_postings(frequencies)
        for segment in segments:
            with resources.pool() as pool:
                postings += write_postings(segment, int(resources.memory * POSTINGS_SHARE), pool, advance)
    return BuildReport(
        documents=sum(segment.num_documents for segment in segments),
        tokens=tokens,
        postings=postings,
        short=list(lengths),
        empty=[name for name, length in lengths.items() if not length],
        recovered=list(writer.recovered),
        seconds=time.perf_counter() - start,
    )


def _require_new(
    batches: Iterable[tuple[Documents, Tokens]], known_ids: set[str], min_length: int, short: dict[str, int]
) -> Iterator[tuple[Documents, Tokens]]:
    """The batches, whose ids are new; ``short`` takes the lengths of documents that have fewer tokens, by their ids."""
    for documents, tokens in batches:
        require_new(documents.ids, known_ids)
        lengths = np.diff(tokens.bounds)
        short |= {documents.ids[row]: int(lengths[row]) for row in np.flatnonzero(lengths < min_length)}
        yield documents, tokens
        del documents, tokens  # the next are made meanwhile


def fill_segments(
    writer: Writer,
    batches: Iterable[tuple[Documents, Tokens]],
    resources: Resources,
    token_bytes: int = TOKEN_BYTES,
    *,
    counts: bool,
) -> list[SegmentWriter]:
    """Write documents as segments, as large as the memory allows; a longer document is a segment of its own.

    Which document goes to which segment depends on the lengths of the documents alone, not on the batches.

    Args:
        counts: whether to count the tokens of each segment.
    """
    segments: list[SegmentWriter] = []
    written_tokens, most_tokens = 0, segment_tokens(resources.memory, token_bytes)
    for documents, tokens in batches:
        held = segments[-1].num_tokens if segments else None
        for first, end, begins in cut_by_tokens(np.diff(tokens.bounds), held, most_tokens):
            if begins:
                _complete(segments[-1:], counts)
                segments.append(writer.new_segment())
            segments[-1].append_documents(documents.rows(first, end), tokens.rows(first, end))
        written_tokens += len(tokens.ids)
        del documents, tokens  # the next are made meanwhile
        resources.tell("reading", written_tokens, None)
    _complete(segments[-1:], counts)
    return segments


def _complete(segments: list[SegmentWriter], counts: bool) -> None:
    """Count the tokens of segments that have all their documents, if that is wanted."""
    for segment in segments:
        if segment.num_tokens > _MANY_TOKENS:
            give_back_memory()
        if counts:
            segment.put_vocabulary(*count_tokens(*segment.tokens()))


def cut_by_tokens(
    lengths: npt.NDArray[np.int64], open_tokens: int | None, most: int
) -> Iterator[tuple[int, int, bool]]:
    """Deal documents of ``lengths`` [D] out to segments, in order, of at most ``most`` tokens each.

    Args:
        open_tokens: the tokens of the segment that is open; ``None`` if there is none.

    Yields:
        Rows that go to one segment, half open, and whether this is a new one.
    """
    ends = np.cumsum(lengths)
    first, before = 0, 0
    while first < len(lengths):
        room = most - open_tokens if open_tokens is not None else -1
        end = int(np.searchsorted(ends, before + room, "right"))
        begins = end <= first
        if begins:  # a document fits into an empty segment, however long it is
            end = max(first + 1, int(np.searchsorted(ends, before + most, "right")))
        yield first, end, begins
        reached = int(ends[end - 1])
        open_tokens = (0 if begins or open_tokens is None else open_tokens) + reached - before
        first, before = end, reached


def add_frequencies(segments: Sequence[SegmentWriter | Segment]) -> DocumentFrequencies | None:
    """In how many documents of all segments, whose tokens were counted, each token occurs; ``None`` of no document."""
    documents = sum(segment.num_documents for segment in segments)
    if not documents:
        return None
    # The files of a segment are closed while others are read.
    vocabularies = (segment.vocabulary() for segment in segments)
    counts = [(tokens.copy(), in_documents.copy(), in_all.copy()) for tokens, in_documents, in_all in vocabularies]
    tokens, in_documents, _ = merge_counts(counts)
    return DocumentFrequencies(tokens, in_documents, documents)
