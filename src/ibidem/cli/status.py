"""Report how far a plan is.

Reports, stage by stage, what is done, which rank has which task, what failed and what is left.

The exit status is 0 if the plan is done, 1 if something is left, and 2 if a task failed.

Examples:

    ibidem status books.plan
    ibidem status books.plan --json
"""

import sys
from typing import TYPE_CHECKING

import click

from ibidem.cli.command import command
from ibidem.cli.options import InputPath, as_json
from ibidem.cli.run import tell_if_gone
from ibidem.cli.terminal import console, format_size, is_terminal, tell, write_json

if TYPE_CHECKING:
    from ibidem.jobs.status import PlanStatus


@command(__doc__)
@click.argument("plan", type=InputPath())
@as_json
@click.pass_context
def status(context: click.Context, plan: str, as_json: bool) -> None:
    """Report how far the plan is."""
    from ibidem.jobs.status import read_status

    state = read_status(plan)
    if as_json or not is_terminal(sys.stdout):
        write_json(state)
    else:
        _show(state)
    failures = {task: message for stage in state.stages for task, message in stage.failed.items()}
    for task, message in failures.items():
        tell(f"{plan}: task {task} failed: {message} (all that is known: {plan}/failures/{task}.json)")
    if state.is_done:
        tell_if_gone(plan)
    else:
        tell(f"{plan}: next: ibidem run {plan}")
    context.exit(2 if failures else 0 if state.is_done else 1)


def _show(state: "PlanStatus") -> None:
    from rich.table import Table

    table = Table(
        "stage", "tasks", "done", "running", "failed", "left", "seconds", "of a core", "peak memory", box=None
    )
    for column in table.columns[1:]:
        column.justify = "right"
    for stage in state.stages:
        tasks_left = "?" if stage.tasks is None else str(stage.tasks - stage.done)
        tasks = "?" if stage.tasks is None else str(stage.tasks)
        peak = format_size(stage.peak_memory) if stage.peak_memory else ""
        numbers = (tasks, str(stage.done), str(len(stage.running)), str(len(stage.failed)), tasks_left)
        table.add_row(stage.stage, *numbers, f"{stage.seconds:.1f}", f"{stage.processor:.1f}", peak)
    screen = console()
    screen.print(f"{state.kind} {state.output}: {'done' if state.is_done else 'not done'}")
    screen.print(table)
    for stage in state.stages:
        for task_run in stage.running:
            sign = "lost: another rank will take it over" if task_run.lost else f"for {task_run.seconds:.0f} s"
            screen.print(f"  {task_run.task} in process {task_run.process} of {task_run.host}, {sign}")
