"""Planning to find reuse: which shards go to which part, and what it will take."""

import os
from collections.abc import Sequence
from pathlib import Path

from ibidem.jobs.plan import Plan, require_rebuildable
from ibidem.jobs.planning import Draft
from ibidem.options import PlanReuse, ReuseOptions, takes, values_of
from ibidem.reuse.job.planned import ReuseSettings
from ibidem.reuse.job.prediction import predict_reuse
from ibidem.reuse.job.stages import require_updatable
from ibidem.reuse.outputs.earlier import EarlierRun, digest_run
from ibidem.reuse.outputs.exports import find_export
from ibidem.reuse.outputs.folder import FORMATS
from ibidem.reuse.question import Question


@takes(PlanReuse)
def plan_reuse(call: PlanReuse) -> Plan:
    """Write a plan to ``folder`` that finds the reuse in the files ``inputs`` and writes its tables to ``output``.

    Args:
        against: other files; the documents of ``inputs`` are compared with these alone.
        text, id, max_line, encoding, on_error: as ``ibidem.read`` takes them.
        format: of the tables, one of ``"parquet"``, ``"jsonl"`` and ``"csv"``.
        also: formats beside the tables: ``"graphml"``, ``"web-annotation"``, ``"pan"``.
        update: the folder of an earlier run on a part of the documents, which must not change until the plan is done.
        explain: the ids of two documents. If given, ``output`` gets no tables but ``summary.json``, which says why the
            two were found or not.
        normalize: names of normalizations, as ``ibidem.find_reuse`` takes them.
        question: what is asked, as ``ibidem.find_reuse`` takes it.
        memory: what a rank may take, besides the tokens, the ids and what is found.
        parts: how many tasks read the input; one for each 256 MB if not given.
        progress: called with the number of bytes of the input that were read.

    Raises:
        PlanError: ``folder`` exists or is a URL, an input is a pipe, or the tokenizer is a function.
        CorpusError: an input cannot be read, or ``output`` cannot be made.
        ConfigurationError: the run to be updated was made with other settings.
        ValueError: an argument is out of its range.
    """
    update = None if call.update is None else os.path.abspath(call.update)
    others = [call.against] if isinstance(call.against, str) else list(call.against)
    draft = Draft(call, [*others, *([] if update is None else [update])])
    draft.require_room(rewrites=False)
    _require_formats(call.format, call.also)
    question = Question(**values_of(call, ReuseOptions)).require_valid()
    described = question.describe()
    require_rebuildable(described["tokenizer"])
    if update is not None and call.explain is not None:
        raise ValueError("update and explain exclude each other: documents of an earlier run are not compared again")
    if update is not None:
        require_updatable(EarlierRun.read(Path(update)), question, apart=bool(others))
    own = len(draft.read(draft.inputs))
    settings = ReuseSettings(
        question=described,
        others=own if draft.read(others) else None,
        **draft.describe_reading(),
        format=call.format,
        also=tuple(call.also),
        update=update,
        state="" if update is None else digest_run(Path(update)),
        explain=call.explain,
    )
    prediction = predict_reuse(draft.shards, draft.sample(), question, draft.resources.memory)
    return draft.write("reuse" if call.explain is None else "explanation", settings, prediction)


def _require_formats(format: str, also: Sequence[str]) -> None:
    if format not in FORMATS:
        raise ValueError(f"a format is one of {', '.join(FORMATS)}, not {format!r}")
    for export in also:
        find_export(export)
