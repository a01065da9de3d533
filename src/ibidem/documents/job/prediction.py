"""The time, memory and disk that a deduplication takes, from a sample of its input."""

from collections.abc import Iterable, Sequence

from ibidem.corpus.opening import compression_of
from ibidem.documents.choices import Choices
from ibidem.documents.job.band_records import RECORD_BYTES
from ibidem.documents.job.reading import make_digester
from ibidem.jobs.plan import STARTING_SECONDS, Prediction, Shard
from ibidem.jobs.sampling import sample_input
from ibidem.resources import Resources
from ibidem.text import Documents

__all__ = ["predict_dedup"]

_PROGRAM_BYTES = 180 << 20
"""Memory of the program itself and its kernels. A rank of ``--processes`` shares some 95 MB of it with the others."""

_BATCHES = 5
"""Times the text of a batch that a rank takes while it reads: two are under way, and one has its tokens."""

_DOCUMENT_BYTES = 60
"""Of files that the choice maps, a document: pages of files count as memory while they are mapped."""

_READINGS = 2
"""Times that the input is read as documents: to be compared, and to be written."""

_COMPRESSING_SECONDS = 5e-9
"""Of one thread, a byte of text, by gzip or Zstandard: what is kept of a compressed file is compressed again."""


def predict_dedup(
    shards: Sequence[Shard],
    parts: Sequence[tuple[int, int]],
    batches: Iterable[Documents],
    choices: Choices,
    memory: int,
) -> Prediction:
    """Predict what it takes to deduplicate ``shards``; ``batches`` reads them from the beginning.

    How many documents are similar is not known ahead, so neither is what their comparison takes.
    """
    digester = make_digester(choices)
    sample = sample_input(shards, batches, lambda batch: len(digester.digest(batch).tokens.ids))
    documents, tokens = round(sample.documents * sample.scale), round(sample.tokens * sample.scale)
    stored = sum(shard.size for shard in shards)
    digests = documents * (4 * choices.num_hashes + (8 + RECORD_BYTES) * choices.banding.bands + 130) + 4 * tokens
    text_bytes = sample.text_bytes * sample.scale * _find_largest_share(shards, parts)
    batch_bytes = Resources(memory, 1, lambda phase, done, total: None).batch_bytes
    return Prediction(
        documents=documents,
        tokens=tokens,
        seconds=(_READINGS * sample.reading + sample.working) * sample.scale
        + _estimate_compressing(shards) * sample.text_bytes * sample.scale
        + STARTING_SECONDS,
        memory=_PROGRAM_BYTES + round(_BATCHES * min(batch_bytes, text_bytes)) + _DOCUMENT_BYTES * documents,
        disk=digests + stored,
        basis=sample.basis,
    )


def _find_largest_share(shards: Sequence[Shard], parts: Sequence[tuple[int, int]]) -> float:
    """The share of the stored bytes that the largest part has."""
    sizes = [sum(shard.size for shard in shards[first:end]) for first, end in parts]
    return max(sizes, default=0) / max(1, sum(sizes))


def _estimate_compressing(shards: Sequence[Shard]) -> float:
    """The seconds that it takes to compress a byte of the kept documents, as the mean of all ``shards``."""
    total = sum(shard.size for shard in shards)
    compressed = sum(shard.size for shard in shards if compression_of(shard.path))
    return _COMPRESSING_SECONDS * compressed / max(1, total)
