"""Planning to find contamination: which shards go to which part, and what it will take."""

from collections.abc import Callable
from pathlib import Path

from ibidem.contamination.detector import make_detector
from ibidem.contamination.job.earlier import EarlierFindings, digest_file
from ibidem.contamination.job.files import gather_rounds, make_settings, read_earlier
from ibidem.contamination.job.planned import EARLIER_FOLDER, EVALS_FILE, ContaminationSettings, write_items
from ibidem.contamination.job.sampling import sample_files
from ibidem.contamination.rounds import Rounds
from ibidem.jobs.plan import STARTING_SECONDS, Plan, Prediction, Shard, require_rebuildable
from ibidem.jobs.planning import Draft
from ibidem.jobs.sampling import BASE_BYTES, sample_input
from ibidem.jobs.shards import sources_of
from ibidem.options import EvalColumns, PlanContamination, takes
from ibidem.text import make_tokenizer

_TOKEN_BYTES = 150
"""Memory that a token of an item takes: its weight, its seeds, its place in the table of bigrams."""

_BATCHES = 6
"""Times its text that a batch takes while it is looked through, for each thread."""


@takes(PlanContamination)
def plan_contamination(call: PlanContamination) -> Plan:
    """Write a plan to ``folder`` that looks for the items of ``evals`` in the files ``inputs`` and writes ``output``.

    The items are copied into the plan, and so is what is needed of the run ``update``. The other arguments are those of
    ``ibidem decontaminate``.

    Args:
        text, id, max_line, encoding, on_error: as ``ibidem.read`` takes them.
        memory: what a rank may take, besides the items.
        parts: how many tasks read the input; one for each 256 MB if not given.
        progress: called with the number of bytes of the input that were read.

    Raises:
        PlanError: ``folder`` exists or is a URL, an input is a pipe, or the tokenizer is a function.
        CorpusError: an input or an item cannot be read, or ``output`` cannot be made.
        ValueError: an argument is out of its range.
    """
    draft = Draft(call, call.evals)
    columns = draft.reading.columns
    settings_of_call = make_settings(call, columns)
    tokenizer = make_tokenizer(call.tokenizer, normalize=call.normalize)
    earlier = None if call.update is None else read_earlier(call.update, settings_of_call, tokenizer)
    rounds = gather_rounds(draft.others, EvalColumns.of(call), earlier)
    draft.require_room(rewrites=settings_of_call.action != "report")
    draft.read(draft.inputs, list if earlier is None else lambda shards: _join_known(shards, earlier))
    settings = ContaminationSettings(
        **{name: getattr(settings_of_call, name) for name in ("threshold", "action", "format", "also", "source")},
        tokenizer=dict(require_rebuildable(tokenizer.config)),
        update=earlier is not None,
        **draft.describe_reading(),
    )
    sample = [earlier.sample] if earlier is not None else list(sample_files(draft.open_sources(), columns, tokenizer))
    detectors = Rounds.of([make_detector(each, tokenizer, sample) for each in rounds])
    files: dict[str, Callable[[Path], object]] = {EVALS_FILE: lambda path: write_items(path, rounds)}
    if earlier is not None:
        files[EARLIER_FOLDER] = earlier.write
    prediction = _predict(draft, detectors, is_written=settings_of_call.action != "report")
    return draft.write("contamination", settings, prediction, files)


def _join_known(shards: list[Shard], earlier: EarlierFindings) -> list[Shard]:
    """The shards; those of a file that the earlier run has looked through are one, so that it is known again."""
    names = {name for name, _ in earlier.files}
    joined: list[Shard] = []
    for shard in shards:
        if shard.piece is None or shard.name not in names:
            joined.append(shard)
            continue
        whole = joined[-1] if joined and joined[-1].path == shard.path else None
        if whole is not None and whole.piece is None:
            continue  # it is in the whole file already
        if not shard.piece.begin:
            [source] = sources_of([shard])
            digest = digest_file(source)
            if (shard.name, digest) in earlier.files:
                shard = Shard(shard.path, shard.name, shard.piece.of, digest)
        joined.append(shard)
    return joined


def _predict(draft: Draft, rounds: Rounds, *, is_written: bool) -> Prediction:
    """Predict what it takes, from a sample of the input."""
    sample = sample_input(draft.shards, draft.sample(), lambda batch: rounds.find(batch)[1])
    stored = sum(shard.size for shard in draft.shards)
    readings = 2 if is_written else 1
    return Prediction(
        documents=round(sample.documents * sample.scale),
        tokens=round(sample.tokens * sample.scale),
        seconds=(readings * sample.reading + sample.working) * sample.scale + STARTING_SECONDS,
        memory=BASE_BYTES
        + _TOKEN_BYTES * sum(len(each.parts.ids) for each in rounds.detectors)
        + _BATCHES * draft.resources.batch_bytes,
        disk=2 * stored if is_written else 1 << 20,
        basis=sample.basis,
    )
