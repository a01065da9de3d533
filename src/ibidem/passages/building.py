"""Building: documents are read, turned into tokens and written as segments; then their windows are made.

The first pass streams: of the documents only a few batches are in memory at a time. It also counts how often each token
occurs, so that weights which depend on the whole collection are known before the first window is made.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import numpy as np

from ibidem.errors import CorpusError
from ibidem.passages.configuration import Configuration
from ibidem.passages.parallel import in_order
from ibidem.passages.positions import write_positions
from ibidem.passages.postings import write_postings
from ibidem.passages.schemes import Scheme
from ibidem.passages.vocabulary import count_tokens, merge_counts
from ibidem.store.collection import require_new
from ibidem.store.segment_writer import SegmentWriter
from ibidem.store.writer import Writer
from ibidem.text import Document, Documents, Tokenizer, Tokens
from ibidem.weights import DocumentFrequencies

__all__ = ["BuildReport", "Progress", "as_batches", "build_segments", "memory_bytes", "segment_tokens", "tokenized"]

Progress = Callable[[str, int, int | None], None]
"""Called with a phase, what is done of it, and the whole, or ``None`` where that is not known."""

BATCH_BYTES = 8 << 20

POSTINGS_SHARE = 0.55
"""Of the memory, what postings may take before they are written; the rest is for texts, sorting and the program."""


class BuildReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was added to an index.

    Attributes:
        documents, tokens, postings: how many were written.
        short: ids of the documents that have fewer tokens than the shortest passage, in order. They are stored, but
            no search finds them.
        recovered: what a writer that died had left behind; it has been cleared away.
        seconds: time taken.
    """

    documents: int
    tokens: int
    postings: int
    short: list[str]
    recovered: list[str]
    seconds: float


def memory_bytes(memory: str | int) -> int:
    """Bytes of a size such as ``"512M"`` or ``"1.5G"``; at least 64 MiB."""
    units = {"K": 10, "M": 20, "G": 30, "T": 40}
    try:
        text = str(memory).strip().upper().removesuffix("IB").removesuffix("B")
        shift = units.get(text[-1:], 0)
        size = int(float(text[:-1] if shift else text) * (1 << shift))
    except (ValueError, OverflowError):
        raise ValueError(f"a memory size is a number of bytes or reads like 512M or 1.5G, not {memory!r}") from None
    if size < 64 << 20:
        raise ValueError(f"building needs a memory size of 64M or more, not {memory!r}")
    return size


def segment_tokens(memory: int, token_bytes: int = 8) -> int:
    """The most tokens of a segment that is built within ``memory`` bytes, of which each takes ``token_bytes``."""
    return min(2**32 - 1, memory // token_bytes)


def as_batches(documents: Iterable[Any]) -> Iterator[Documents]:
    """Batches of whatever a caller calls documents: batches, ``Document``s, strings, (id, text) pairs or mappings.

    A string, or a mapping without an id, gets its number, from 0, as id.
    """
    if isinstance(documents, (str, bytes, Mapping, Documents)):
        raise TypeError(f"documents are given as a list or another iterable, not as one {type(documents).__name__}")
    waiting: list[Document] = []
    size = 0
    for number, item in enumerate(documents):
        if isinstance(item, Documents):
            if waiting:
                yield Documents.of(waiting)
                waiting, size = [], 0
            yield item
            continue
        document = _as_document(item, number)
        waiting.append(document)
        size += len(document.text)
        if size >= BATCH_BYTES or len(waiting) >= 65536:
            yield Documents.of(waiting)
            waiting, size = [], 0
    if waiting:
        yield Documents.of(waiting)


def _as_document(item: Any, number: int) -> Document:
    if isinstance(item, Document):
        if not (isinstance(item.id, str) and isinstance(item.text, str)):
            raise CorpusError(
                f"document {number}: id and text must be strings, not {item.id!r:.80} and {item.text!r:.80}"
            )
        return item
    if isinstance(item, str):
        return Document(str(number), item)
    if isinstance(item, dict):
        if not isinstance(item.get("text"), str):
            raise CorpusError(
                f"document {number}: a mapping needs a string under 'text'; it has {sorted(map(str, item))}"
            )
        rest = {name: value for name, value in item.items() if name not in ("id", "text")}
        document_id = item.get("id")
        return Document(str(number if document_id is None else document_id), item["text"], rest)
    if isinstance(item, tuple) and len(item) == 2 and isinstance(item[1], str):
        return Document(str(item[0]), item[1])
    raise CorpusError(
        f"document {number}: expected a Document, a string, an (id, text) pair or a mapping, not {item!r:.80}"
    )


def build_segments(
    writer: Writer,
    batches: Iterable[tuple[Documents, Tokens]],
    configuration: Configuration,
    *,
    known_ids: set[str],
    frequencies: DocumentFrequencies | None,
    freeze: bool,
    memory: int,
    threads: int | None,
    progress: Progress | None,
) -> BuildReport:
    """Write ``batches`` with their tokens as new segments of the index that ``writer`` writes; the caller commits.

    Args:
        known_ids: ids that a document must not have; those of the batches are added to it.
        frequencies: the frequencies behind the weights, where they are known already.
        freeze: whether to count the frequencies of these documents, if there are any, and keep them in the index.
        memory: bytes to stay within, more or less.
    """
    tell: Progress = progress or (lambda phase, done, total: None)
    started = time.perf_counter()
    segments, short = _read(writer, batches, configuration, known_ids, memory, tell)
    counts = [count_tokens(*segment.tokens()) for segment in segments]
    for segment, counted in zip(segments, counts, strict=True):
        segment.put_vocabulary(*counted)
    if freeze:
        vocabulary, in_documents, _ = merge_counts(counts)
        frequencies = DocumentFrequencies(vocabulary, in_documents, sum(each.num_documents for each in segments))
        if frequencies.num_documents:
            writer.put_frequencies(frequencies.tokens, frequencies.counts, frequencies.num_documents)
    scheme = configuration.make_scheme(frequencies)
    postings = _index(segments, scheme, configuration.max_length, memory, threads, tell)
    return BuildReport(
        documents=sum(segment.num_documents for segment in segments),
        tokens=sum(segment.num_tokens for segment in segments),
        postings=postings,
        short=short,
        recovered=list(writer.recovered),
        seconds=time.perf_counter() - started,
    )


def _read(
    writer: Writer,
    batches: Iterable[tuple[Documents, Tokens]],
    configuration: Configuration,
    known_ids: set[str],
    memory: int,
    tell: Progress,
) -> tuple[list[SegmentWriter], list[str]]:
    """Write the documents as segments, as many as the memory asks for, and name those too short for any passage."""
    most = segment_tokens(memory, configuration.token_bytes)
    segments: list[SegmentWriter] = []
    short: list[str] = []
    for documents, tokens in batches:
        require_new(documents.ids, known_ids)
        short.extend(documents.ids[row] for row in np.flatnonzero(np.diff(tokens.bounds) < configuration.min_length))
        if not segments or segments[-1].num_tokens + len(tokens.ids) > most:
            segments.append(writer.new_segment())
        segments[-1].append_documents(documents, tokens)
        tell("reading", sum(segment.num_tokens for segment in segments), None)
    return segments, short


def _index(
    segments: list[SegmentWriter],
    scheme: Scheme | None,
    max_length: int,
    memory: int,
    threads: int | None,
    tell: Progress,
) -> int:
    """Write the postings of all segments; how many there are."""
    done, total = 0, sum(segment.num_tokens for segment in segments)

    def advance(tokens_done: int) -> None:
        nonlocal done
        done += tokens_done
        tell("indexing", done, total)

    if scheme is None:
        return sum(write_positions(segment, advance) for segment in segments)
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        try:
            room = int(memory * POSTINGS_SHARE)
            return sum(write_postings(segment, scheme, max_length, room, pool, advance) for segment in segments)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def tokenized(
    batches: Iterable[Documents], tokenizer: Tokenizer, threads: int | None
) -> Iterator[tuple[Documents, Tokens]]:
    """Each of ``batches`` with its tokens and their offsets."""
    workers = threads or os.cpu_count() or 1

    def encode(documents: Documents) -> tuple[Documents, Tokens]:
        return documents, tokenizer.encode(documents.texts, offsets=True)

    with ThreadPoolExecutor(workers) as pool:
        yield from in_order(pool, encode, batches, workers + 1)
