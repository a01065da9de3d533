"""Planning an index, and predicting its cost from a sample and unit costs, which ``benchmarks/plans.py`` measures."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from ibidem.arguments import Layout
from ibidem.errors import IndexExistsError
from ibidem.jobs.plan import STARTING_SECONDS, Plan, Prediction, Shard, require_rebuildable
from ibidem.jobs.planning import Draft
from ibidem.jobs.sampling import BASE_BYTES, sample_input
from ibidem.options import PlanIndex, takes
from ibidem.passages.configuration import Configuration
from ibidem.passages.job.planned import FREQUENCIES_FILE, IndexSettings
from ibidem.remote.storage import Storage, is_remote
from ibidem.store.remote.publication import Publication
from ibidem.store.sizing import segment_tokens
from ibidem.text import Documents, make_tokenizer

_GATHER_SECONDS = 28e-9
"""Of one thread, a token: keeping the documents of a part, copying them to a segment, and counting tokens."""

_POSITION_SECONDS = 30e-9
"""Of one thread, a token: sorting the positions of an exact index and packing them."""

_WINDOW_SECONDS = 60e-9
"""Of one thread, a token and hash function: compact windows, sorted and packed."""

_WINDOW_BYTES = 0.5
"""On disk, a token and hash function."""

_TOKEN_BYTES: dict[Layout, float] = {"plain": 13.0, "compact": 6.7}
"""On disk, a token of an exact index: text, token, place and position."""

_FILLED = 0.6
"""The part that a segment takes of the memory allowed for its tokens."""


@takes(PlanIndex)
def plan_index(call: PlanIndex) -> Plan:
    """Write a plan to ``folder`` that makes an index of the files ``inputs`` at ``output``.

    Args:
        text, id, max_line, encoding, on_error: as ``ibidem.read`` takes them.
        tokenizer: a name, a configuration or a tokenizer that has one; no function.
        normalize: names of normalizations, as ``ibidem.make_tokenizer`` takes them.
        family, scheme, num_hashes, seed, min_length, max_length, tf, idf, weight_units, layout, frequencies: as
            ``PassageIndex.build`` takes them.
        memory: what a rank may take; as of a build, the sizes of segments follow from it.
        parts: how many tasks read the input; one for each ``PART_BYTES`` if not given.
        progress: called with the number of bytes of the input that were read.

    Raises:
        PlanError: ``folder`` exists or is a URL, an input is a pipe, or the tokenizer is a function.
        IndexExistsError: ``output`` exists.
        CorpusError: an input cannot be read, or ``output`` or ``folder`` is one or lies where it must not.
    """
    draft = Draft(call)
    _require_room(draft.output)
    config = make_tokenizer(call.tokenizer, normalize=call.normalize).config
    configuration = Configuration.of(dict(require_rebuildable(config)), call)
    draft.read(draft.inputs)
    settings = IndexSettings(
        configuration=msgspec.to_builtins(configuration),
        **draft.describe_reading(),
        frequencies=call.frequencies is not None,
    )
    prediction = predict_index(draft.shards, draft.sample(), configuration, draft.resources.memory)
    files = {} if call.frequencies is None else {FREQUENCIES_FILE: call.frequencies.save}
    return draft.write("index", settings, prediction, files)


def predict_index(
    shards: Sequence[Shard], batches: Iterable[Documents], configuration: Configuration, memory: int
) -> Prediction:
    """Predict what an index of ``shards`` takes; ``batches`` reads them from the beginning."""
    tokenizer = make_tokenizer(configuration.tokenizer)
    sample = sample_input(shards, batches, lambda batch: len(tokenizer.encode(batch.texts, offsets=True).ids))
    tokens = round(sample.tokens * sample.scale)
    functions = configuration.num_hashes
    size, plain = (
        tokens * (_TOKEN_BYTES[layout] + _WINDOW_BYTES * functions) for layout in (configuration.chosen_layout, "plain")
    )
    segments = max(1, -(-tokens // segment_tokens(memory, configuration.token_bytes)))
    work = _GATHER_SECONDS + (_WINDOW_SECONDS * functions if functions else _POSITION_SECONDS)
    return Prediction(
        documents=round(sample.documents * sample.scale),
        tokens=tokens,
        seconds=(sample.reading + sample.working) * sample.scale + tokens * work + STARTING_SECONDS,
        memory=BASE_BYTES + round(_FILLED * min(memory, tokens * configuration.token_bytes)),
        # A part is freed when the segments that need it are there: each rank holds one segment and parts of its size,
        # and a segment is plain until it is packed.
        disk=round(size + plain * min(1.0, 2 / segments)),
        basis=sample.basis,
        disk_of_rank=round(plain / segments),
        most_ranks=max(1, segments - 1),
    )


def _require_room(output: str) -> None:
    if is_remote(output):
        Publication(Storage(output)).require_room()
        return
    place = Path(output)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise IndexExistsError(f"{output}: this path is taken; an index needs a folder of its own")
