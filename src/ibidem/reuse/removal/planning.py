"""Planning to remove repeated passages: which shards go to which part, and what it will take."""

from dataclasses import replace
from pathlib import Path

import msgspec

from ibidem.alignment.ignored import list_texts
from ibidem.corpus.sources import ReadingProgress, list_sources
from ibidem.corpus.writing.filtering import CountedDocuments
from ibidem.corpus.writing.output_folder import require_no_archives, require_room
from ibidem.jobs.plan import Plan, require_rebuildable, write_plan
from ibidem.jobs.reading import InputSettings
from ibidem.jobs.result import list_apart, name_output, require_empty
from ibidem.jobs.shards import choose_parts, describe_shards, sources_of
from ibidem.options import PassageDedupOptions, PlanPassageDedup, takes, values_of
from ibidem.remote.storage import is_remote
from ibidem.resources import Resources
from ibidem.reuse.job.prediction import predict_reuse
from ibidem.reuse.question import Question
from ibidem.reuse.removal.cutting import require_action
from ibidem.reuse.removal.planned import PassageSettings
from ibidem.reuse.removal.repeated import PassageChoices
from ibidem.text import make_tokenizer

__all__ = ["plan_passage_dedup"]


@takes(PlanPassageDedup)
def plan_passage_dedup(call: PlanPassageDedup) -> Plan:
    """Write a plan to ``folder`` that removes the repeated passages of the files ``inputs``, into a new ``output``.

    Args:
        text, id, max_line, encoding, on_error: as ``ibidem.read`` takes them.
        threshold, min_length, keep, boundary, tokenizer, normalize, ignore, recall, seed: as
            ``ibidem.deduplicate_passages`` takes them.
        action: what is done with repeated passages: ``"remove"``, ``"mask"``, or ``"annotate"``, which lists them in a
            column.
        memory: what a rank may take, besides the tokens, the ids and the passages.
        parts: how many tasks read the input; one for each 256 MB if not given.
        progress: called with the number of bytes of the input that were read.

    Raises:
        PlanError: something exists at ``folder`` or it is a URL, an input is a pipe, or the tokenizer is a function.
        CorpusError: an input cannot be read, or ``output`` cannot be made.
        ValueError: an argument that makes no sense.
    """
    require_action(call.action)
    inputs, _ = list_apart(call.inputs, call.folder, call.output)
    resources = Resources.of(call.memory, None, call.progress)
    output = name_output(call.output)
    if is_remote(output):
        require_empty(output)
        require_no_archives(list_sources(inputs))
    else:
        require_room(Path(output), list_sources(inputs), [*inputs])
    ignore = list_texts(call.ignore, call.text, call.id)
    choices = PassageChoices(**values_of(call, PassageDedupOptions) | {"ignore": ignore}).require_valid()
    config = dict(require_rebuildable(make_tokenizer(choices.tokenizer).config))
    reading = InputSettings.from_arguments(call.text, call.id, call.max_line, call.on_error, call.encoding)
    failures = reading.make_failures()
    looked_at = ReadingProgress()
    shards = describe_shards(inputs, resources, call.parts, failures, looked_at)
    sample = CountedDocuments(sources_of(shards, reading.make_failures()), reading.columns, batch_bytes=1 << 20)
    similar = Question(
        tokenizer=config, **{name: getattr(choices, name) for name in ("threshold", "min_length", "recall")}
    )
    settings = PassageSettings(
        choices=values_of(replace(choices, tokenizer=config)),
        **reading.describe(failures, looked_at.passed_over),
        action=call.action,
    )
    plan = Plan.of(
        kind="passages",
        output=output,
        shards=shards,
        parts=choose_parts(shards, call.parts),
        settings=msgspec.to_builtins(settings),
        memory=resources.memory,
        prediction=predict_reuse(shards, sample, similar, resources.memory),
    )
    write_plan(call.folder, plan)
    return plan
