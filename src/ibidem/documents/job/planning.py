"""Planning a deduplication: which shards go to which part, and what it will take."""

import os
from dataclasses import replace
from pathlib import Path

import msgspec

from ibidem.corpus.sources import ReadingProgress, list_sources
from ibidem.corpus.writing.filtering import CountedDocuments
from ibidem.corpus.writing.output_folder import require_no_archives, require_room
from ibidem.documents.choices import Choices
from ibidem.documents.job.against import digest_state, open_fitting
from ibidem.documents.job.band_records import RECORD_BYTES
from ibidem.documents.job.planned import DedupSettings
from ibidem.documents.job.prediction import predict_dedup
from ibidem.documents.keep_policy import Keep
from ibidem.documents.signatures import Shingler
from ibidem.jobs.plan import Plan, require_rebuildable, write_plan
from ibidem.jobs.reading import InputSettings
from ibidem.jobs.result import list_apart, name_output, require_empty
from ibidem.jobs.shards import choose_parts, describe_shards, sources_of
from ibidem.options import DedupOptions, PlanDedup, takes, values_of
from ibidem.remote.storage import is_remote
from ibidem.resources import Resources
from ibidem.store.creation import may_begin

__all__ = ["plan_dedup"]

_SORTED = 6
"""Times its bytes that a record takes while a range is sorted."""


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
        ValueError: an argument that makes no sense.
    """
    against = None if call.against is None else os.fspath(call.against)
    if against is None and (call.add or call.against_only):
        raise ValueError(f"{'add' if call.add else 'against_only'} needs an index to compare with: against")
    inputs, _ = list_apart(call.inputs, call.folder, call.output, [] if against is None else [against])
    resources = Resources.of(call.memory, None, call.progress)
    output = name_output(call.output)
    if is_remote(output):
        require_empty(output)
        require_no_archives(list_sources(inputs))
    else:
        require_room(Path(output), list_sources(inputs), [*inputs])
    choices = Choices(**values_of(call, DedupOptions)).require_valid()
    Keep.parse(choices.keep)
    choices = replace(choices, shingle=dict(require_rebuildable(Shingler(choices.shingle).config)))
    reading = InputSettings.from_arguments(call.text, call.id, call.max_line, call.on_error, call.encoding)
    failures = reading.make_failures()
    looked_at = ReadingProgress()
    shards = describe_shards(inputs, resources, call.parts, failures, looked_at)
    sources = sources_of(shards, reading.make_failures())
    sample = CountedDocuments(sources, reading.columns, batch_bytes=1 << 20)
    parts = choose_parts(shards, call.parts)
    prediction = predict_dedup(shards, parts, sample, choices, resources.memory)
    records = prediction.documents * choices.banding.bands
    settings = DedupSettings(
        choices=values_of(choices),
        **reading.describe(failures, looked_at.passed_over),
        ranges=max(len(parts), -(-records * _count_record_bytes(choices) // resources.memory)),
        against=None if against is None else name_output(against),
        state="" if against is None else _read_state(against, choices, may_lack=call.add),
        alone=call.against_only,
        add=call.add,
    )
    plan = Plan.of(
        kind="dedup",
        output=output,
        shards=shards,
        parts=parts,
        settings=msgspec.to_builtins(settings),
        memory=resources.memory,
        prediction=prediction,
    )
    write_plan(call.folder, plan)
    return plan


def _read_state(path: str | os.PathLike[str], choices: Choices, *, may_lack: bool) -> str:
    """The state of the index that documents are compared with; empty if there is none, as there may be."""
    if may_lack and may_begin(Path(path)):
        return ""
    with open_fitting(path, choices) as index:
        return digest_state(index)


def _count_record_bytes(choices: Choices) -> int:
    """Memory that a record takes in the task of its range, if its document has company and is in no other record."""
    return _SORTED * RECORD_BYTES + 4 * choices.num_hashes + 8 * choices.banding.bands
