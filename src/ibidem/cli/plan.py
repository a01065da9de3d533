"""Cut a long job into tasks that any number of processes or machines can do.

A plan is a folder. It holds what the job reads, with the size and checksum of each file, the settings, and the tasks;
'ibidem run' does them, 'ibidem status' says how far they are. All that the machines must share is a file system.

Examples:

    ibidem plan index books -o planned.ibidem --plan books.plan
    ibidem run books.plan
    ibidem status books.plan
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ibidem.cli.command import command, verbatim_examples
from ibidem.cli.decontaminate import decontaminate as decontaminate_command
from ibidem.cli.dedup import dedup as dedup_command
from ibidem.cli.dedup_passages import require_options_of
from ibidem.cli.index import index as index_command
from ibidem.cli.index import make_settings
from ibidem.cli.options import OutputPath, read_ignored, read_lines
from ibidem.cli.reuse import complete_settings
from ibidem.cli.reuse import reuse as reuse_command
from ibidem.cli.terminal import format_size, progress, tell
from ibidem.counts import format_count
from ibidem.options import (
    PlanContamination,
    PlanDedup,
    PlanPassageDedup,
    ReuseFormats,
    ReuseOptions,
    name_fields,
    select_fields,
)

if TYPE_CHECKING:
    from ibidem.corpus.failures import Failures
    from ibidem.jobs.plan import Plan

_INDEX = """Plan an index of the passages of a collection.

'ibidem run' makes of this plan the index that 'ibidem index' makes with the same options: the same bytes, whatever the
number of parts and ranks. INPUT is read once now, for the checksums, and must not change until the plan is done.

Examples:

    ibidem plan index crawl/*.jsonl.gz -o crawl.ibidem --plan crawl.plan
    ibidem plan index books -o planned.ibidem --plan books.plan --parts 8 --memory 2G
"""

_DEDUP = """Plan to remove the near-duplicates from a collection.

'ibidem run' writes what 'ibidem dedup' writes with the same options: the same bytes, whatever the number of parts and
ranks. INPUT is read once now, for the checksums, and must not change until the plan is done.

Examples:

    ibidem plan dedup crawl/*.jsonl.gz -o crawl.unique --plan crawl.plan
    ibidem plan dedup books -o planned.unique --plan unique.plan --keep longest
    ibidem plan dedup crawl/*.jsonl.gz -o crawl.new --plan new.plan --against seen.ibidem
    ibidem plan dedup books -o planned.clean --plan clean.plan --passages --min-length 40
"""

_REUSE = """Plan to find the passages that occur more than once in a collection.

'ibidem run' writes what 'ibidem reuse' writes with the same options: the same bytes, whatever the number of parts and
ranks. INPUT is read once now, for the checksums, and must not change until the plan is done.

Examples:

    ibidem plan reuse crawl/*.jsonl.gz -o crawl.reuse --plan crawl.plan
    ibidem plan reuse books -o planned.reuse --plan reuse.plan --format jsonl --texts

With --explain A B, OUT holds no tables but summary.json: why these two documents share what they do.
"""


_DECONTAMINATE = """Plan to find the items of evaluations in training data.

'ibidem run' writes what 'ibidem decontaminate' writes with the same options: the same bytes, whatever the number of
parts and ranks. The items are copied into the plan. TRAIN is read once now, for the checksums, and must not change
until the plan is done.

Examples:

    ibidem plan decontaminate crawl/*.jsonl.gz --evals quiz.jsonl -o crawl.leaks --plan crawl.plan
    ibidem plan decontaminate books --evals quiz.jsonl -o planned.leaks --plan leaks.plan --action remove
"""


@click.group(help=verbatim_examples(__doc__ or ""), short_help="Cut a long job into tasks that any machines can do.")
def plan() -> None:
    """Plan a job."""


def _plan_index(inputs: tuple[str, ...], to: str, plan_folder: str, **settings: Any) -> None:
    from ibidem.passages.job.planning import plan_index

    _plan(plan_index, inputs, to, plan_folder, **make_settings(settings))


def _plan_dedup(inputs: tuple[str, ...], to: str, plan_folder: str, passages: bool, **settings: Any) -> None:
    from ibidem.documents.job.planning import plan_dedup
    from ibidem.reuse.removal.planning import plan_passage_dedup

    require_options_of(passages)
    make, declaration = (plan_passage_dedup, PlanPassageDedup) if passages else (plan_dedup, PlanDedup)
    choices = select_fields(declaration, settings | {"ignore": read_ignored(settings["ignore"], settings)})
    _plan(make, inputs, to, plan_folder, failures=settings["failures"], **choices)


def _plan_reuse(
    inputs: tuple[str, ...],
    to: str,
    plan_folder: str,
    phrases: str | None,
    ignore: tuple[str, ...],
    **settings: Any,
) -> None:
    from ibidem.reuse.job.planning import plan_reuse
    from ibidem.reuse.outputs.earlier import EarlierRun

    earlier = None if settings["update"] is None else EarlierRun.read(Path(settings["update"]))
    settings |= {"phrases": read_lines(phrases), "ignore": read_ignored(ignore, settings)}
    settings = complete_settings(settings, earlier)
    _plan(plan_reuse, inputs, to, plan_folder, **settings)


def _plan_contamination(inputs: tuple[str, ...], to: str, plan_folder: str, **settings: Any) -> None:
    from ibidem.contamination.job.planning import plan_contamination

    _plan(plan_contamination, inputs, to, plan_folder, **settings)


def _plan(
    make: "Callable[..., Plan]",
    inputs: tuple[str, ...],
    to: str,
    folder: str,
    failures: "Failures | None" = None,
    **settings: Any,
) -> None:
    """Make a plan and report its contents; ``failures`` receive what could not be read."""
    from ibidem.jobs.reading import InputSettings

    on_error = "stop" if failures is None else "skip"
    with progress() as on_progress:
        new_plan = make(inputs, to, folder, progress=on_progress, on_error=on_error, **settings)
    _tell_plan(folder, new_plan)
    if failures is not None:
        failures.recall(list(new_plan.read_settings(InputSettings).left_out))


def _tell_plan(folder: str, plan: "Plan") -> None:
    from ibidem.jobs.shards import find_giants

    prediction = plan.prediction
    shards = f"{format_count(plan.num_files, 'file')} ({format_size(sum(shard.size for shard in plan.shards))})"
    tokens = format_count(prediction.tokens, "token")
    tell(f"{folder}: {shards} in {format_count(len(plan.parts), 'part')}, about {tokens}")
    tell(
        f"{folder}: predicted for one rank: {prediction.seconds:,.0f} s of one core, "
        f"{format_size(prediction.memory)} of memory, {format_size(prediction.disk)} of disk"
    )
    for giant in find_giants(plan):
        size = format_size(giant.size)
        tell(f"{folder}: {giant.path}: {size} that one task reads: only JSON lines are cut, if not compressed")
    tell(f"{folder}: next: ibidem run {folder}")


def _options(
    planned_command: click.Command, result: click.Option, names: tuple[str, ...] | None = None
) -> list[click.Parameter]:
    """The options of a planned command: its own ones, or those of them in ``names``, and those of a plan."""
    parameters = [param for param in planned_command.params if param.name not in ("output", "threads")]
    if names is not None:
        parameters = [param for param in parameters if param.name in names]
    plan_options: list[click.Parameter] = [
        result,
        click.Option(
            ["--plan", "plan_folder"],
            metavar="PLAN",
            required=True,
            type=OutputPath(),
            help="Folder of the new plan.",
        ),
        click.Option(
            ["--parts"],
            metavar="N",
            type=click.IntRange(1),
            help="Tasks that read the input; of files, JSON lines alone are cut.  [default: one for each 256 MB]",
        ),
    ]
    left_out = [
        param for param in planned_command.params if isinstance(param, click.Option) and param not in parameters
    ]
    return [
        parameters[0],
        *plan_options,
        *parameters[1:],
        *(_refuse(planned_command, param) for param in left_out if param.name != "output"),
    ]


_ADVICE = {"threads": "give it to ibidem run", "html": "make a report of the result with ibidem report"}
"""The advice in place of an option that a plan does not take."""


def _refuse(planned_command: click.Command, option: click.Option) -> click.Option:
    """A hidden option that refuses an option of the command that its plan does not take."""

    def refuse(context: click.Context, param: click.Parameter, value: object) -> None:
        if context.get_parameter_source(option.name or "") is click.core.ParameterSource.COMMANDLINE:
            advice = _ADVICE.get(option.name or "", f"use ibidem {planned_command.name} itself")
            raise click.UsageError(f"a plan does not take {option.opts[-1]}: {advice}")

    names = [*option.opts, *option.secondary_opts]
    declarations = [*names, option.name or ""]
    return click.Option(declarations, is_flag=option.is_flag, hidden=True, expose_value=False, callback=refuse)


def _result(metavar: str, help_text: str) -> click.Option:
    return click.Option(["-o", "--output", "to"], metavar=metavar, required=True, type=OutputPath(), help=help_text)


def _add(name: str, words: str, run: Callable[..., None], options: list[click.Parameter]) -> None:
    subcommand = command(words, interrupted="no plan was made")(run)
    subcommand.name, subcommand.params = name, options
    plan.add_command(subcommand)


_ALWAYS = ("inputs", "text", "id", "max_line", "encoding", "failures", "memory")

_add("index", _INDEX, _plan_index, _options(index_command, _result("INDEX", "Folder of the new index.")))
_add(
    "dedup",
    _DEDUP,
    _plan_dedup,
    _options(
        dedup_command,
        _result("OUT", "Folder to be made."),
        (*_ALWAYS, *name_fields(PlanDedup), *name_fields(PlanPassageDedup), "passages"),
    ),
)
_add(
    "reuse",
    _REUSE,
    _plan_reuse,
    _options(
        reuse_command,
        _result("OUT", "Folder to be made."),
        (*_ALWAYS, "against", *name_fields(ReuseOptions), *name_fields(ReuseFormats), "update", "explain"),
    ),
)
_add(
    "decontaminate",
    _DECONTAMINATE,
    _plan_contamination,
    _options(
        decontaminate_command,
        _result("OUT", "Folder to be made."),
        (*_ALWAYS, *name_fields(PlanContamination)),
    ),
)
