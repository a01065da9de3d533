"""Planning a deduplication, and predicting its time, memory and disk from a sample of the input."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from ibidem.corpus.opening import compression_of
from ibidem.documents.choices import Choices
from ibidem.documents.job.against import digest_state, open_fitting
from ibidem.documents.job.band_records import RECORD_BYTES
from ibidem.documents.job.planned import DedupSettings
from ibidem.documents.job.reading import make_digester
from ibidem.documents.keep_policy import Keep
from ibidem.documents.signatures import Shingler
from ibidem.jobs.plan import STARTING_SECONDS, Plan, Prediction, Shard, require_rebuildable
from ibidem.jobs.planning import Draft
from ibidem.jobs.result import name_output
from ibidem.jobs.sampling import sample_input
from ibidem.options import DedupOptions, PlanDedup, takes, values_of
from ibidem.resources import Resources
from ibidem.store.creation import may_begin
from ibidem.text import Documents

_SORTED = 6
"""Times its bytes that a record takes while a range is sorted."""

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


@takes(PlanDedup)
def plan_dedup(call: PlanDedup) -> Plan:
    """Write a plan to ``folder`` that deduplicates the files ``inputs`` into a new folder ``output``.

    Args:
        text, id, max_line, encoding, on_error: as ``ibidem.read`` takes them.
        against: an index of documents, which must not change until the plan is done; what resembles one of them is
            removed before the rest is compared.
        against_only: compare documents with that index alone, and not with each other.
        add: put what is kept into that index, which is made if there is none.
        normalize: names of normalizations, as ``ibidem.deduplicate`` takes them.
        choices: what is a near-duplicate and which of them stays, as ``ibidem.deduplicate`` takes it.
        memory: what a rank may take for its task, besides the program itself. The documents of one cluster are held
            together, however large it is.
        parts: how many tasks read the input; one for each 256 MB if not given.
        progress: called with the number of bytes of the input that were read.

    Raises:
        PlanError: ``folder`` exists or is a URL, an input is a pipe, or the tokenizer is a function.
        CorpusError: an input cannot be read, or ``output`` cannot be made.
        ConfigurationError: the index was made for other shingles or a higher threshold.
        ValueError: an argument is out of its range.
    """
    against = None if call.against is None else os.fspath(call.against)
    if against is None and (call.add or call.against_only):
        raise ValueError(f"{'add' if call.add else 'against_only'} needs an index to compare with: against")
    draft = Draft(call, [] if against is None else [against])
    draft.require_room(rewrites=True)
    choices = Choices(**values_of(call, DedupOptions)).require_valid()
    Keep.parse(choices.keep)
    choices = replace(choices, shingle=dict(require_rebuildable(Shingler(choices.shingle).config)))
    draft.read(draft.inputs)
    memory = draft.resources.memory
    prediction = predict_dedup(draft.shards, draft.parts, draft.sample(), choices, memory)
    records = prediction.documents * choices.banding.bands
    settings = DedupSettings(
        choices=values_of(choices),
        **draft.describe_reading(),
        ranges=max(len(draft.parts), -(-records * _count_record_bytes(choices) // memory)),
        against=None if against is None else name_output(against),
        state="" if against is None else _read_state(against, choices, may_lack=call.add),
        alone=call.against_only,
        add=call.add,
    )
    return draft.write("dedup", settings, prediction)


def _read_state(path: str | os.PathLike[str], choices: Choices, *, may_lack: bool) -> str:
    """The state of the index that documents are compared with; empty if there is none, as there may be."""
    if may_lack and may_begin(Path(path)):
        return ""
    with open_fitting(path, choices) as index:
        return digest_state(index)


def _count_record_bytes(choices: Choices) -> int:
    """Memory that a record takes in the task of its range, if its document has company and is in no other record."""
    return _SORTED * RECORD_BYTES + 4 * choices.num_hashes + 8 * choices.banding.bands


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
