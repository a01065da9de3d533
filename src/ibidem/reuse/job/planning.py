"""Planning to find reuse: which shards go to which part, and what it will take."""

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from ibidem.corpus.reading import read_sources
from ibidem.corpus.sources import ReadingProgress
from ibidem.jobs.plan import Plan, require_rebuildable, write_plan
from ibidem.jobs.reading import InputSettings
from ibidem.jobs.result import list_apart, name_output, require_empty
from ibidem.jobs.shards import choose_parts, describe_shards, sources_of
from ibidem.options import PlanReuse, ReuseOptions, takes, values_of
from ibidem.remote.storage import is_remote
from ibidem.resources import Resources
from ibidem.reuse.job.planned import ReuseSettings
from ibidem.reuse.job.prediction import predict_reuse
from ibidem.reuse.job.stages import require_updatable
from ibidem.reuse.outputs.earlier import EarlierRun, digest_run
from ibidem.reuse.outputs.exports import find_export
from ibidem.reuse.outputs.folder import FORMATS, require_absent
from ibidem.reuse.question import Question

__all__ = ["plan_reuse"]


@takes(PlanReuse)
def plan_reuse(call: PlanReuse) -> Plan:
    """Write a plan to ``folder`` that finds the reuse in the files ``inputs`` and writes its tables to ``output``.

    Args:
        against: other files; the documents of ``inputs`` are compared with these alone.
        text, id, max_line, encoding, on_error: as ``ibidem.read`` takes them.
        format: of the tables, one of ``"parquet"``, ``"jsonl"`` and ``"csv"``.
        also: formats beside the tables: ``"graphml"``, ``"web-annotation"``, ``"pan"``.
        update: the folder of an earlier run on a part of the documents, which must not change until the plan is done.
        normalize: names of normalizations, as ``ibidem.find_reuse`` takes them.
        question: what is asked, as ``ibidem.find_reuse`` takes it.
        memory: what a rank may take, besides the tokens, the ids and what is found.
        parts: how many tasks read the input; one for each 256 MB if not given.
        progress: called with the number of bytes of the input that were read.

    Raises:
        PlanError: ``folder`` exists or is a URL, an input is a pipe, or the tokenizer is a function.
        CorpusError: an input cannot be read, or ``output`` cannot be made.
        ConfigurationError: the run to be updated was made with other settings.
        ValueError: an argument that makes no sense.
    """
    update = None if call.update is None else os.path.abspath(call.update)
    others = [call.against] if isinstance(call.against, str) else list(call.against)
    inputs, _ = list_apart(call.inputs, call.folder, call.output, [*others, *([] if update is None else [update])])
    reading = InputSettings.from_arguments(call.text, call.id, call.max_line, call.on_error, call.encoding)
    output = name_output(call.output)
    if is_remote(output):
        require_empty(output)
    else:
        require_absent(Path(output))
    _require_formats(call.format, call.also)
    question = Question(**values_of(call, ReuseOptions)).require_valid()
    described = question.describe()
    require_rebuildable(described["tokenizer"])
    if update is not None:
        require_updatable(EarlierRun.read(Path(update)), question, apart=bool(others))
    resources = Resources.of(call.memory, None, call.progress)
    failures = reading.make_failures()
    looked_at = ReadingProgress()
    shards = describe_shards(inputs, resources, call.parts, failures, looked_at)
    compared = describe_shards(others, resources, call.parts, failures, looked_at)
    parts = choose_parts(shards, call.parts)
    parts += [(low + len(shards), high + len(shards)) for low, high in choose_parts(compared, call.parts) if compared]
    settings = ReuseSettings(
        question=described,
        others=len(shards) if compared else None,
        **reading.describe(failures, looked_at.passed_over),
        format=call.format,
        also=tuple(call.also),
        update=update,
        state="" if update is None else digest_run(Path(update)),
    )
    sources = sources_of(shards, reading.make_failures())
    sample = read_sources(sources, reading.columns, batch_bytes=1 << 20)
    plan = Plan.of(
        kind="reuse",
        output=output,
        shards=[*shards, *compared],
        parts=parts,
        settings=msgspec.to_builtins(settings),
        memory=resources.memory,
        prediction=predict_reuse([*shards, *compared], sample, question, resources.memory),
    )
    write_plan(call.folder, plan)
    return plan


def _require_formats(format: str, also: Sequence[str]) -> None:
    if format not in FORMATS:
        raise ValueError(f"a format is one of {', '.join(FORMATS)}, not {format!r}")
    for export in also:
        find_export(export)
