"""What finding reuse takes, from a sample of the input."""

from collections.abc import Iterable, Sequence

from ibidem.plans.plan import Prediction, Shard
from ibidem.plans.sampling import BASE_BYTES, sample_input
from ibidem.reuse.find import Question
from ibidem.text import Documents, make_tokenizer

__all__ = ["predict_reuse"]

_TOKEN_SECONDS = 2.5e-6
"""Of one thread, a token: numbering it, hashing its windows for all bands, and joining these."""

_TOKEN_BYTES = 80
"""On disk, a token: its text, its places, itself twice, and its records in all bands."""

_JOINING_BYTES = 12
"""Memory that a token takes: itself, and its share of what is joined."""


def predict_reuse(shards: Sequence[Shard], batches: Iterable[Documents], question: Question, memory: int) -> Prediction:
    """Predict what it takes to find the reuse in ``shards``; ``batches`` reads them from the beginning.

    How much is reused is not known ahead, so neither is what the alignment takes.
    """
    tokenizer = make_tokenizer(question.tokenizer)
    sample = sample_input(shards, batches, lambda batch: len(tokenizer.encode(batch.texts, offsets=True).ids))
    tokens = round(sample.tokens * sample.scale)
    return Prediction(
        documents=round(sample.documents * sample.scale),
        tokens=tokens,
        seconds=(sample.reading + sample.working) * sample.scale + tokens * _TOKEN_SECONDS + 3.0,
        memory=BASE_BYTES + min(memory, _JOINING_BYTES * tokens) + 4 * tokens,
        disk=_TOKEN_BYTES * tokens,
        basis=sample.basis,
    )
