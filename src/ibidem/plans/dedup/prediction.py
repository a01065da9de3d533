"""What a deduplication takes, from a sample of its input."""

from collections.abc import Iterable, Sequence

from ibidem.corpus.opening import compression_of
from ibidem.documents.dedup import Choices, make_digester
from ibidem.plans.dedup.band_records import RECORD_BYTES
from ibidem.plans.plan import Prediction, Shard
from ibidem.plans.sampling import BASE_BYTES, STARTING_SECONDS, sample_input
from ibidem.text import Documents

__all__ = ["predict_dedup"]

_DOCUMENT_BYTES = 250
"""Memory that a document takes while it is chosen which stay."""

_READINGS = 2
"""Times that the input is read as documents: to be compared, and to be written."""

_COMPRESSING_SECONDS = {"gzip": 47e-9, "zstd": 5e-9}
"""Of one thread, a byte of text: what is kept of a compressed file is compressed again."""


def predict_dedup(shards: Sequence[Shard], batches: Iterable[Documents], choices: Choices, memory: int) -> Prediction:
    """Predict what it takes to deduplicate ``shards``; ``batches`` reads them from the beginning.

    How many documents are similar is not known ahead, so neither is what their comparison takes.
    """
    digester = make_digester(choices)
    sample = sample_input(shards, batches, lambda batch: len(digester.digest(batch).tokens.ids))
    documents, tokens = round(sample.documents * sample.scale), round(sample.tokens * sample.scale)
    stored = sum(shard.size for shard in shards)
    digests = documents * (4 * choices.num_hashes + (8 + RECORD_BYTES) * choices.banding.bands + 60) + 4 * tokens
    return Prediction(
        documents=documents,
        tokens=tokens,
        seconds=(_READINGS * sample.reading + sample.working) * sample.scale
        + _estimate_compressing(shards) * sample.text_bytes * sample.scale
        + STARTING_SECONDS,
        memory=BASE_BYTES + _DOCUMENT_BYTES * documents + min(memory // 4, digests),
        disk=digests + stored,
        basis=sample.basis,
    )


def _estimate_compressing(shards: Sequence[Shard]) -> float:
    """The seconds that it takes to compress a byte of what is kept, as the mean of all ``shards``."""
    total = sum(shard.size for shard in shards)
    seconds = (shard.size * _COMPRESSING_SECONDS.get(compression_of(shard.path) or "", 0.0) for shard in shards)
    return sum(seconds) / max(1, total)
