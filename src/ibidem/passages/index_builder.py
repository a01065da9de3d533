"""Building an index in two passes: the first reads documents and writes their tokens, the second writes postings.

The first pass streams: only a few batches of documents are in memory at a time. It also counts how often each token
occurs, so that weights which depend on the whole collection are known before the first window is made.
"""

import time
from collections.abc import Callable, Iterable, Iterator

import msgspec
import numpy as np
import numpy.typing as npt

from ibidem.collection_index import require_new
from ibidem.parallel import in_order
from ibidem.passages.configuration import Configuration
from ibidem.passages.schemes.base import Scheme
from ibidem.resources import Resources, give_back_memory
from ibidem.store.segments.writer import SegmentWriter
from ibidem.store.sizing import segment_tokens
from ibidem.store.writer import Writer
from ibidem.text import Documents, Tokenizer, Tokens, cut_batches
from ibidem.text.long_texts.tokens import encode_texts
from ibidem.text.token_counts import count_tokens, merge_counts
from ibidem.weights import DocumentFrequencies

__all__ = ["BuildReport", "build_segments", "cut_by_tokens", "fill_segments", "index_segment", "tokenize_batches"]

POSTINGS_SHARE = 0.7
"""Share of the memory that postings may take before they are written. Texts, sorting and the program take the rest."""


_MANY_TOKENS = 1 << 20
"""Fewer tokens leave no memory behind that is worth the time to give it back."""


class BuildReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was added to an index.

    Attributes:
        documents, tokens, postings: how many were written.
        short: ids of the documents that have fewer tokens than the shortest passage, in order. They are stored, but
            no search finds them.
        recovered: what an interrupted writer had left behind, and this one cleared away.
        seconds: time taken.
    """

    documents: int
    tokens: int
    postings: int
    short: list[str]
    recovered: list[str]
    seconds: float


def build_segments(
    writer: Writer,
    batches: Iterable[tuple[Documents, Tokens]],
    configuration: Configuration,
    *,
    known_ids: set[str],
    frequencies: DocumentFrequencies | None,
    freeze: bool,
    resources: Resources,
) -> BuildReport:
    """Write ``batches`` with their tokens as new segments of the index that ``writer`` writes; the caller commits.

    Args:
        known_ids: ids that a document must not have; those of the batches are added to it.
        frequencies: the frequencies behind the weights, if they are known already.
        freeze: whether to count the frequencies of these documents, if there are any, and keep them in the index.
    """
    started = time.perf_counter()
    segments, short = _write_documents(writer, batches, configuration, known_ids, resources)
    if sum(segment.num_tokens for segment in segments) > _MANY_TOKENS:
        give_back_memory()
    counts = [count_tokens(*segment.tokens()) for segment in segments]
    for segment, counted in zip(segments, counts, strict=True):
        segment.put_vocabulary(*counted)
    if freeze:
        vocabulary, in_documents, _ = merge_counts(counts)
        frequencies = DocumentFrequencies(vocabulary, in_documents, sum(each.num_documents for each in segments))
        if frequencies.num_documents:
            writer.put_frequencies(frequencies.tokens, frequencies.counts, frequencies.num_documents)
    scheme = configuration.make_scheme(frequencies)
    postings = _write_postings(segments, scheme, resources)
    return BuildReport(
        documents=sum(segment.num_documents for segment in segments),
        tokens=sum(segment.num_tokens for segment in segments),
        postings=postings,
        short=short,
        recovered=list(writer.recovered),
        seconds=time.perf_counter() - started,
    )


def _write_documents(
    writer: Writer,
    batches: Iterable[tuple[Documents, Tokens]],
    configuration: Configuration,
    known_ids: set[str],
    resources: Resources,
) -> tuple[list[SegmentWriter], list[str]]:
    """Write the documents as segments that fit the memory. Returns them, and the ids of too short documents."""
    short: list[str] = []

    def note_short() -> Iterator[tuple[Documents, Tokens]]:
        for documents, tokens in batches:
            require_new(documents.ids, known_ids)
            lengths = np.diff(tokens.bounds)
            short.extend(documents.ids[row] for row in np.flatnonzero(lengths < configuration.min_length))
            yield documents, tokens
            del documents, tokens  # the next are made meanwhile

    most = segment_tokens(resources.memory, configuration.token_bytes)
    return fill_segments(writer, note_short(), resources, most), short


def fill_segments(
    writer: Writer, batches: Iterable[tuple[Documents, Tokens]], resources: Resources, most: int
) -> list[SegmentWriter]:
    """Write documents as segments of at most ``most`` tokens each; a longer document is a segment of its own.

    Which document goes to which segment depends on the lengths of the documents alone, not on the batches.
    """
    segments: list[SegmentWriter] = []
    written = 0
    for documents, tokens in batches:
        held = segments[-1].num_tokens if segments else None
        for first, end, begins in cut_by_tokens(np.diff(tokens.bounds), held, most):
            if begins:
                segments.append(writer.new_segment())
            segments[-1].append_documents(documents.rows(first, end), tokens.rows(first, end))
        written += len(tokens.ids)
        del documents, tokens  # the next are made meanwhile
        resources.tell("reading", written, None)
    return segments


def cut_by_tokens(lengths: npt.NDArray[np.int64], held: int | None, most: int) -> Iterator[tuple[int, int, bool]]:
    """Deal documents of ``lengths`` [D] out to segments, in order, of at most ``most`` tokens each.

    Args:
        held: the tokens of the segment that is open; ``None`` if there is none.

    Yields:
        Rows that go to one segment, half open, and whether this is a new one.
    """
    ends = np.cumsum(lengths)
    first, before = 0, 0
    while first < len(lengths):
        room = most - held if held is not None else -1
        end = int(np.searchsorted(ends, before + room, "right"))
        begins = end <= first
        if begins:  # a document fits into an empty segment, however long it is
            end = max(first + 1, int(np.searchsorted(ends, before + most, "right")))
        yield first, end, begins
        reached = int(ends[end - 1])
        held = (0 if begins or held is None else held) + reached - before
        first, before = end, reached


def _write_postings(segments: list[SegmentWriter], scheme: Scheme, resources: Resources) -> int:
    """Write the postings of all segments. Returns how many there are."""
    done, total = 0, sum(segment.num_tokens for segment in segments)

    def advance(tokens_done: int) -> None:
        nonlocal done
        done += tokens_done
        resources.tell("indexing", done, total)

    return sum(index_segment(segment, scheme, resources, advance) for segment in segments)


def index_segment(
    segment: SegmentWriter, scheme: Scheme, resources: Resources, advance: Callable[[int], None] = lambda tokens: None
) -> int:
    """Write the postings of a segment whose documents and vocabulary are written. Returns how many there are."""
    with resources.pool() as pool:
        return scheme.write_postings(segment, int(resources.memory * POSTINGS_SHARE), pool, advance)


def tokenize_batches(
    batches: Iterable[Documents], tokenizer: Tokenizer, resources: Resources
) -> Iterator[tuple[Documents, Tokens]]:
    """``batches`` in parts that the memory allows, each with its tokens and their offsets."""

    def encode(documents: Documents) -> tuple[Documents, Tokens]:
        return documents, encode_texts(tokenizer, documents.texts)

    with resources.pool() as pool:
        yield from in_order(pool, encode, cut_batches(batches, resources.batch_bytes), resources.workers + 1)
