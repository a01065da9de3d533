"""Planning to find reuse: which shards go to which part, and what it will take."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Unpack

import msgspec

from ibidem.corpus.failures import OnError
from ibidem.corpus.opening import LARGEST_LINE
from ibidem.corpus.reading import read_sources
from ibidem.jobs.plan import Plan, require_rebuildable, write_plan
from ibidem.jobs.reading import InputSettings
from ibidem.jobs.result import list_apart, name_output, require_empty
from ibidem.jobs.shards import choose_parts, describe_shards, sources_of
from ibidem.remote.storage import is_remote
from ibidem.resources import Progress, Resources
from ibidem.reuse.job.planned import ReuseSettings
from ibidem.reuse.job.prediction import predict_reuse
from ibidem.reuse.job.stages import require_updatable
from ibidem.reuse.outputs.earlier import EarlierRun, digest_run
from ibidem.reuse.outputs.exports import find_export
from ibidem.reuse.outputs.folder import FORMATS, require_absent
from ibidem.reuse.question import Question, QuestionKeywords
from ibidem.text import Normalize, make_tokenizer

__all__ = ["plan_reuse"]


def plan_reuse(
    inputs: Iterable[str],
    output: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    against: Iterable[str] = (),
    text: str = "text",
    id: str = "id",
    max_line: str | int = LARGEST_LINE,
    encoding: str | None = None,
    on_error: OnError = "stop",
    format: str = "parquet",
    also: Sequence[str] = (),
    update: str | os.PathLike[str] | None = None,
    memory: str | int = "1G",
    parts: int | None = None,
    progress: Progress | None = None,
    normalize: Normalize = (),
    **question: Unpack[QuestionKeywords],
) -> Plan:
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
        progress: told how many bytes of the input have been looked at.

    Raises:
        PlanError: something stands at ``folder`` or it is a URL, an input is a pipe, or the tokenizer is a function.
        CorpusError: an input cannot be read, or ``output`` cannot be made.
        ConfigurationError: the run to be updated was made with other settings.
        ValueError: an argument that makes no sense.
    """
    given, compared = list_apart(inputs, folder, output, [*against, *([] if update is None else [os.fspath(update)])])
    compared = compared[: len(compared) - (update is not None)]
    reading = InputSettings.from_arguments(text, id, max_line, on_error, encoding)
    place = name_output(output)
    if is_remote(place):
        require_empty(place)
    else:
        require_absent(Path(output))
    _require_formats(format, also)
    tokenizer = make_tokenizer(question.get("tokenizer", "words"), normalize=normalize)
    chosen = Question.of(**question | {"tokenizer": tokenizer})
    described = chosen.describe()
    require_rebuildable(described["tokenizer"])
    if update is not None:
        require_updatable(EarlierRun.read(Path(update)), chosen, apart=bool(compared))
    resources = Resources.of(memory, None, progress)
    failures = reading.make_failures()
    shards = describe_shards(given, resources, parts, failures)
    others = describe_shards(compared, resources, parts, failures)
    cut = choose_parts(shards, parts)
    cut += [(low + len(shards), high + len(shards)) for low, high in choose_parts(others, parts) if others]
    settings = ReuseSettings(
        question=described,
        others=len(shards) if others else None,
        **reading.describe(failures),
        format=format,
        also=tuple(also),
        update=None if update is None else os.path.abspath(update),
        state="" if update is None else digest_run(Path(update)),
    )
    sources = sources_of(shards, reading.make_failures())
    sample = read_sources(sources, reading.columns, batch_bytes=1 << 20)
    plan = Plan.of(
        kind="reuse",
        output=place,
        shards=[*shards, *others],
        parts=cut,
        settings=msgspec.to_builtins(settings),
        memory=resources.memory,
        prediction=predict_reuse([*shards, *others], sample, chosen, resources.memory),
    )
    write_plan(folder, plan)
    return plan


def _require_formats(format: str, also: Sequence[str]) -> None:
    if format not in FORMATS:
        raise ValueError(f"a format is one of {', '.join(FORMATS)}, not {format!r}")
    for export in also:
        find_export(export)
