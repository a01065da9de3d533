"""A rank: one process at work on a plan, with or without others.

Ranks share nothing but the plan's folder. Each begins with its own share of a stage's tasks and goes on with those that
nobody is at, so a plan is finished by however many ranks there are, in whatever order they come and go.
"""

import time
import traceback
from contextlib import suppress
from typing import NamedTuple

from ibidem.errors import PlanError
from ibidem.plans.claims import LEASE, claim_task
from ibidem.plans.stage import Stage
from ibidem.plans.stages import stages_of, tasks_of
from ibidem.plans.workspace import Stopwatch, Task, Workspace
from ibidem.resources import Progress, Resources

__all__ = ["RankReport", "clean_up", "order_tasks", "run_rank", "run_task"]

_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.05, 2.0
"""Seconds between two looks at what other ranks are doing."""


class RankReport(NamedTuple):
    """What a rank did.

    Attributes:
        tasks: how many it did itself.
        seconds: time taken, waiting included.
    """

    tasks: int
    seconds: float


def run_rank(
    folder: str,
    rank: int = 0,
    of: int = 1,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    lease: float = LEASE,
) -> RankReport:
    """Do a rank's share of the plan in ``folder``, and whatever other ranks leave; returns when the plan is done.

    A task that failed before is tried once more.

    Args:
        rank, of: which of how many ranks this is, from 0. Neither the result nor what is already done depends on it.
        threads: of this rank.
        lease: seconds without a sign of life after which a rank of another machine counts as dead.

    Raises:
        PlanError: there is no such plan or rank, the input has changed, or a task failed in another rank.
        IbidemError: a task failed here.
    """
    if not 0 <= rank < of:
        raise PlanError(f"there is no rank {rank} of {of}: ranks are numbered from 0 to {of - 1}")
    started, done = time.perf_counter(), 0
    workspace = Workspace(folder)
    workspace.prepare()
    resources = Resources.of(workspace.plan.memory, threads, progress)
    known = {failure.token for failure in workspace.failures_but(set())}
    for stage in stages_of(workspace):
        done += _run_stage(workspace, stage, (rank, of), resources, lease, known)
    clean_up(workspace)
    return RankReport(done, time.perf_counter() - started)


def run_task(workspace: Workspace, stage: Stage, task: Task, resources: Resources) -> None:
    """Do one task, whoever else is at it, and leave its output; of a failure, word is left."""
    stopwatch = Stopwatch()
    try:
        with workspace.filling(task) as aside:
            stage.work(workspace, task.number, aside, resources)
            workspace.seal(task, aside, stopwatch)
    except Exception as error:
        if workspace.is_done(task):
            return  # another rank did it meanwhile, and may have cleared away what this one needed
        with suppress(OSError):  # on a full disk there is no room for the word either
            message = str(error) or type(error).__name__
            workspace.put_failure(task, message, "".join(traceback.format_exception(error)))
        raise
    workspace.clear_failure(task)


def order_tasks(tasks: list[Task], rank: int, of: int) -> list[Task]:
    """A rank's own tasks first, then those of the next rank, and so on: ranks that help do not all help the same."""
    return sorted(tasks, key=lambda task: ((task.number - rank) % of, task.number))


def _run_stage(
    workspace: Workspace,
    stage: Stage,
    share: tuple[int, int],
    resources: Resources,
    lease: float,
    known: set[str],
) -> int:
    """Do what can be done of a stage until all of it is done; how many tasks this rank did."""
    left = order_tasks(tasks_of(workspace, stage), *share)
    total, did, pause = len(left), 0, _SHORTEST_PAUSE
    while left := _leave_out(left, workspace.done(stage.name)):
        resources.tell(stage.name, total - len(left), total)
        claimed = workspace.list_claimed()
        free = [task for task in left if str(task) not in claimed]
        # Claims are looked into only when nothing else is left: a look costs the file system a read each.
        moved = 0
        for task in free or left:
            _require_no_failure(workspace, known)
            with claim_task(workspace.claims, str(task), lease) as held:
                if held and not workspace.is_done(task):
                    run_task(workspace, stage, task, resources)
                    moved += 1
                    resources.tell(stage.name, total - len(left) + moved, total)
        did += moved
        if not moved:
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
    resources.tell(stage.name, total, total)
    return did


def _leave_out(tasks: list[Task], done: set[int]) -> list[Task]:
    return [task for task in tasks if task.number not in done]


def _require_no_failure(workspace: Workspace, known: set[str]) -> None:
    """Stop if a task has failed since this rank began: it would fail here too."""
    for failure in workspace.failures_but(known):
        raise PlanError(
            f"task {failure.task} failed in process {failure.process} of {failure.host}: {failure.message}; when the "
            "cause is mended, run the plan again: it goes on with what is done"
        )


def clean_up(workspace: Workspace) -> None:
    """Free what only the work needed, once all is done."""
    for stage in stages_of(workspace):
        if stage.bulky:
            workspace.discard_outputs(stage.name, stage.count(workspace), stage.kept)
        workspace.sweep(stage.name)
