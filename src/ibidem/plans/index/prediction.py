"""What a job will take: from a sample of its input, and from unit costs that ``benchmarks/plans.py`` measures."""

import time
import zlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ibidem.corpus.opening import compression_of, open_stored, suffix_of
from ibidem.passages.configuration import Configuration
from ibidem.plans.plan import Prediction, Shard
from ibidem.plans.shards import sources_of
from ibidem.text import Documents, make_tokenizer

__all__ = ["predict_index"]

_SAMPLE_BYTES = 16 << 20
"""Text that is read to see how many tokens it gives, and how fast."""

_PREFIX_BYTES = 4 << 20
"""Stored bytes that are decompressed to see how much they hold."""

_RECORD_BYTES = 30
"""What a record of JSON lines or CSV takes besides its text and metadata: names, quotes, commas."""

_GATHER_SECONDS = 25e-9
"""Of one thread, a token: copying documents from the parts to a segment, and counting tokens."""

_POSITION_SECONDS = 30e-9
"""Of one thread, a token: sorting the positions of an exact index and packing them."""

_WINDOW_SECONDS = 60e-9
"""Of one thread, a token and hash function: compact windows, sorted and packed."""

_WINDOW_BYTES = 0.5
"""On disk, a token and hash function."""

_TOKEN_BYTES = 14.0
"""On disk, a token of an exact index: text, token, place and position."""

_BASE_BYTES = 250 << 20
"""Memory of the program itself, its kernels and the batches under way."""


class _Sample(NamedTuple):
    """What a sample of the input holds, and what one thread took to read it and make its tokens."""

    documents: int
    tokens: int
    text_bytes: int
    stored_bytes: int
    seconds: float


def predict_index(
    shards: Sequence[Shard], batches: Iterable[Documents], configuration: Configuration, memory: int
) -> Prediction:
    """Predict what an index of ``shards`` takes; ``batches`` reads them from the beginning."""
    sample = _read_sample(batches, configuration)
    records = sum(shard.size * _expansion(shard) for shard in shards)
    scale = records / max(1, sample.stored_bytes)
    if sample.text_bytes < _SAMPLE_BYTES:
        scale = 1.0  # the sample is the whole input
    tokens = round(sample.tokens * scale)
    functions = configuration.num_hashes
    work = _GATHER_SECONDS + (_WINDOW_SECONDS * functions if functions else _POSITION_SECONDS)
    disk = tokens * (_TOKEN_BYTES + _WINDOW_BYTES * functions)
    stored = sum(shard.size for shard in shards)
    return Prediction(
        documents=round(sample.documents * scale),
        tokens=tokens,
        seconds=sample.seconds * scale + tokens * work + 1.0,
        memory=_BASE_BYTES + min(memory, round(tokens * configuration.token_bytes)),
        disk=round(2 * disk),
        basis=f"{sample.tokens:,} tokens in a sample of {sample.text_bytes:,} bytes of text, read in "
        f"{sample.seconds:.2f} s by one thread; {stored:,} stored bytes are about {records:,.0f} of records",
    )


def _read_sample(batches: Iterable[Documents], configuration: Configuration) -> _Sample:
    tokenizer = make_tokenizer(configuration.tokenizer)
    documents = tokens = text_bytes = stored = 0
    began, seconds = time.perf_counter(), 0.0
    for number, batch in enumerate(batches):
        found = tokenizer.encode(batch.texts, offsets=True)
        now = time.perf_counter()
        # The first batch loads kernels.
        seconds += now - began if number else min(now - began, 0.2)
        began = now
        documents += len(batch.ids)
        tokens += len(found.ids)
        text_bytes += batch.texts.nbytes
        stored += batch.texts.nbytes + sum(map(len, batch.metadata)) + _RECORD_BYTES * len(batch.ids)
        if text_bytes >= _SAMPLE_BYTES:
            break
    return _Sample(documents, tokens, text_bytes, stored, seconds)


def _expansion(shard: Shard) -> float:
    """Bytes of records to one stored byte, from the beginning of the file."""
    [source] = sources_of([shard])
    compression = compression_of(shard.path)
    if compression is None and suffix_of(shard.path) not in (".parquet", ".pq"):
        return 1.0
    if compression is None:
        return _parquet_expansion(shard)
    with open_stored(source) as stream:
        prefix = stream.read(_PREFIX_BYTES)
    return len(_decompress_prefix(prefix, compression)) / max(1, len(prefix))


def _parquet_expansion(shard: Shard) -> float:
    import pyarrow.parquet as pq

    from ibidem.corpus.opening import open_seekable

    [source] = sources_of([shard])
    with open_seekable(source) as stream:
        metadata = pq.ParquetFile(stream).metadata
        rows = sum(metadata.row_group(number).total_byte_size for number in range(metadata.num_row_groups))
    return float(rows / max(1, shard.size))


def _decompress_prefix(prefix: bytes, compression: str) -> bytes:
    """What the beginning of a compressed file holds; its end is cut off."""
    if compression == "gzip":
        return zlib.decompressobj(31).decompress(prefix)
    import io

    import pyarrow

    pieces = []
    stream = pyarrow.CompressedInputStream(io.BytesIO(prefix), compression)
    try:
        while piece := stream.read(1 << 20):
            pieces.append(piece)
    except OSError:
        pass  # the end of the prefix
    return b"".join(pieces)
