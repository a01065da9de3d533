"""The cost of an index, from a sample of its input and from unit costs that ``benchmarks/plans.py`` measures."""

from collections.abc import Iterable, Sequence

from ibidem.jobs.plan import STARTING_SECONDS, Prediction, Shard
from ibidem.jobs.sampling import BASE_BYTES, sample_input
from ibidem.passages.configuration import Configuration
from ibidem.store.sizing import segment_tokens
from ibidem.text import Documents, make_tokenizer

__all__ = ["predict_index"]

_GATHER_SECONDS = 28e-9
"""Of one thread, a token: keeping the documents of a part, copying them to a segment, and counting tokens."""

_POSITION_SECONDS = 30e-9
"""Of one thread, a token: sorting the positions of an exact index and packing them."""

_WINDOW_SECONDS = 60e-9
"""Of one thread, a token and hash function: compact windows, sorted and packed."""

_WINDOW_BYTES = 0.5
"""On disk, a token and hash function."""

_TOKEN_BYTES = 13.0
"""On disk, a token of an exact index: text, token, place and position."""

_FILLED = 0.6
"""The part that a segment takes of the memory allowed for its tokens."""


def predict_index(
    shards: Sequence[Shard], batches: Iterable[Documents], configuration: Configuration, memory: int
) -> Prediction:
    """Predict what an index of ``shards`` takes; ``batches`` reads them from the beginning."""
    tokenizer = make_tokenizer(configuration.tokenizer)
    sample = sample_input(shards, batches, lambda batch: len(tokenizer.encode(batch.texts, offsets=True).ids))
    tokens = round(sample.tokens * sample.scale)
    functions = configuration.num_hashes
    size = tokens * (_TOKEN_BYTES + _WINDOW_BYTES * functions)
    segments = max(1, -(-tokens // segment_tokens(memory, configuration.token_bytes)))
    work = _GATHER_SECONDS + (_WINDOW_SECONDS * functions if functions else _POSITION_SECONDS)
    return Prediction(
        documents=round(sample.documents * sample.scale),
        tokens=tokens,
        seconds=(sample.reading + sample.working) * sample.scale + tokens * work + STARTING_SECONDS,
        memory=BASE_BYTES + round(_FILLED * min(memory, tokens * configuration.token_bytes)),
        # A part is freed when the segments that need it are there: each rank holds one segment and parts of its size.
        disk=round(size * (1 + min(1.0, 2 / segments))),
        basis=sample.basis,
        disk_of_rank=round(size / segments),
        most_ranks=max(1, segments - 1),
    )
