"""A look at the beginning of the input, from which it is predicted how much there is and how long it takes."""

import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ibidem.corpus.opening import compression_of, open_stored, suffix_of
from ibidem.jobs.plan import Shard
from ibidem.jobs.shards import sources_of
from ibidem.text import Documents

_SAMPLE_BYTES = 16 << 20
"""Text that is read to see how many tokens it gives, and how fast."""

_PREFIX_BYTES = 4 << 20
"""Stored bytes that are decompressed to see how much they hold."""

_RECORD_BYTES = 30
"""Bytes of a record of JSON lines or CSV besides its text and metadata: names, quotes, commas."""

_LOADING_SECONDS = 0.2
"""The most that a first batch may take: it loads kernels."""

BASE_BYTES = 195 << 20
"""Memory of the program itself, its kernels and the batches under way."""


class InputSample(NamedTuple):
    """A sample of the input, and the processor time that it took.

    Attributes:
        text_bytes: of the texts alone.
        reading, working: seconds of processor time of reading batches, and of the work on them.
        scale: how many times as much the whole input is.
        basis: this, in words.
    """

    documents: int
    tokens: int
    text_bytes: int
    reading: float
    working: float
    scale: float
    basis: str


class _Loading(NamedTuple):
    """The time that the first batch took, and its size."""

    working: float
    text_bytes: int


def sample_input(
    shards: Sequence[Shard], batches: Iterable[Documents], work: Callable[[Documents], int]
) -> InputSample:
    """Look at the first of ``batches``, which read ``shards``; ``work`` does with each what takes time, and gives its
    number of tokens.
    """
    documents = tokens = text_bytes = records = 0
    reading = working = 0.0
    first = _Loading(0.0, 0)
    began = time.process_time()
    for number, batch in enumerate(batches):
        reading_began = time.process_time()
        tokens += work(batch)
        now = time.process_time()
        reading += reading_began - began
        working += now - reading_began if number else min(now - reading_began, _LOADING_SECONDS)
        began = now
        if not number:
            first = _Loading(working, batch.texts.nbytes)
        documents += len(batch.ids)
        text_bytes += batch.texts.nbytes
        records += batch.texts.nbytes + sum(map(len, batch.metadata)) + _RECORD_BYTES * len(batch.ids)
        if text_bytes >= _SAMPLE_BYTES:
            break
    if text_bytes > first.text_bytes:  # the first batch took as long as the others, but for what it loaded
        working = (working - first.working) * text_bytes / (text_bytes - first.text_bytes)
    stored = sum(shard.size for shard in shards)
    whole = sum(shard.size * _expansion(shard) for shard in shards)
    # A smaller sample is the whole input.
    scale = whole / max(1, records) if text_bytes >= _SAMPLE_BYTES else 1.0
    basis = (
        f"{tokens:,} tokens in a sample of {text_bytes:,} bytes of text, which took "
        f"{reading:.2f} s of one core to read and {working:.2f} s to work on; {stored:,} stored bytes are "
        f"about {whole:,.0f} of records"
    )
    return InputSample(
        documents=documents,
        tokens=tokens,
        text_bytes=text_bytes,
        reading=reading,
        working=working,
        scale=scale,
        basis=basis,
    )


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
    import pyarrow as pa
    import pyarrow.parquet as pq

    from ibidem.corpus.opening import open_seekable

    [source] = sources_of([shard])
    with open_seekable(source) as stream:
        try:
            metadata = pq.ParquetFile(stream).metadata
        except (pa.ArrowException, OSError):  # reading says what is wrong with it
            return 1.0
        rows = sum(metadata.row_group(number).total_byte_size for number in range(metadata.num_row_groups))
    return float(rows / max(1, shard.size))


def _decompress_prefix(prefix: bytes, compression: str) -> bytes:
    """The text at the beginning of a compressed file; its end is cut off, or it is damaged."""
    if compression == "gzip":
        try:
            return zlib.decompressobj(31).decompress(prefix)
        except zlib.error:
            return b""  # reading says what is wrong with it
    import io

    from ibidem.corpus.compression import open_decompressor

    pieces = []
    stream = open_decompressor(io.BytesIO(prefix), compression)
    try:
        while piece := stream.read(1 << 20):
            pieces.append(piece)
    except OSError:
        pass  # the end of the prefix
    return b"".join(pieces)
