"""Planning to remove repeated passages: which shards go to which part, and what it will take."""

from dataclasses import replace

from ibidem.alignment.ignored import list_texts
from ibidem.jobs.plan import Plan, require_rebuildable
from ibidem.jobs.planning import Draft
from ibidem.options import PassageDedupOptions, PlanPassageDedup, takes, values_of
from ibidem.reuse.job.prediction import predict_reuse
from ibidem.reuse.question import Question
from ibidem.reuse.removal.cutting import require_action
from ibidem.reuse.removal.planned import PassageSettings
from ibidem.reuse.removal.repeated import PassageChoices
from ibidem.text import make_tokenizer


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
        ValueError: an argument is out of its range.
    """
    require_action(call.action)
    draft = Draft(call)
    draft.require_room(rewrites=True)
    ignore = list_texts(call.ignore, call.text, call.id)
    choices = PassageChoices(**values_of(call, PassageDedupOptions) | {"ignore": ignore}).require_valid()
    config = dict(require_rebuildable(make_tokenizer(choices.tokenizer).config))
    draft.read(draft.inputs)
    settings = PassageSettings(
        choices=values_of(replace(choices, tokenizer=config)), **draft.describe_reading(), action=call.action
    )
    similar = Question(
        tokenizer=config,
        threshold=choices.threshold,
        min_pair_length=choices.min_length,
        recall=choices.recall,
    )
    prediction = predict_reuse(draft.shards, draft.sample(), similar, draft.resources.memory)
    return draft.write("passages", settings, prediction)
