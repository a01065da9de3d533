"""Cut a long job into tasks that any number of processes or machines can do.

A plan is a folder. It holds what the job reads, with the size and checksum of each file, the settings, and the tasks;
'ibidem run' does them, 'ibidem status' says how far they are. All that the machines must share is a file system.

Examples:

    ibidem plan index books --to planned.ibidem -o books.plan
    ibidem run books.plan
    ibidem status books.plan
"""

from typing import Any

import click

from ibidem.cli.command import command, verbatim_examples
from ibidem.cli.index import index as index_command
from ibidem.cli.index import make_settings
from ibidem.cli.terminal import counted, progress, sized, tell

_INDEX = """Plan an index of the passages of a collection.

'ibidem run' makes of this plan the index that 'ibidem index' makes with the same options: the same bytes, whatever the
number of parts and ranks. INPUT is read once now, for the checksums, and must not change until the plan is done.

Examples:

    ibidem plan index crawl/*.jsonl.gz --to crawl.ibidem -o crawl.plan
    ibidem plan index books --to planned.ibidem -o books.plan --parts 8 --memory 2G
"""


@click.group(help=verbatim_examples(__doc__ or ""), short_help="Cut a long job into tasks that any machines can do.")
def plan() -> None:
    """Plan a job."""


def _plan_index(inputs: tuple[str, ...], to: str, plan_folder: str, parts: int | None, **settings: Any) -> None:
    from ibidem.plans.index.planning import plan_index

    with progress() as shown:
        made = plan_index(inputs, to, plan_folder, parts=parts, progress=shown, **make_settings(settings))
    predicted = made.prediction
    shards = f"{counted(len(made.shards), 'file')} ({sized(sum(shard.size for shard in made.shards))})"
    tell(f"{plan_folder}: {shards} in {counted(len(made.parts), 'part')}, about {counted(predicted.tokens, 'token')}")
    tell(
        f"{plan_folder}: predicted for one rank: {predicted.seconds:,.0f} s, {sized(predicted.memory)} of memory, "
        f"{sized(predicted.disk)} of disk"
    )
    tell(f"{plan_folder}: next: ibidem run {plan_folder}")


def _options() -> list[click.Parameter]:
    """Those of 'ibidem index', with --to in the place of --output, and what a plan needs."""
    kept = [param for param in index_command.params if param.name not in ("output", "threads")]
    own: list[click.Parameter] = [
        click.Option(["--to"], metavar="INDEX", required=True, type=click.Path(), help="Folder of the new index."),
        click.Option(
            ["-o", "--output", "plan_folder"],
            metavar="PLAN",
            required=True,
            type=click.Path(),
            help="Folder of the new plan.",
        ),
        click.Option(
            ["--parts"],
            metavar="N",
            type=click.IntRange(1),
            help="Tasks that read the input, at most one a file.  [default: one for each 256 MB]",
        ),
    ]
    return [kept[0], *own, *kept[1:]]


_made = command(_INDEX, interrupted="no plan was made")(_plan_index)
_made.name, _made.params = "index", _options()
plan.add_command(_made)
