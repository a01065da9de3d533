"""A rank: one process that runs tasks of a plan, with or without others.

Ranks share nothing but the plan's folder. Each begins with its own share of a stage's tasks and continues with those
that nobody is at, so a plan is finished by however many ranks there are, in whatever order they come and go.
"""

import time
import traceback
from contextlib import suppress
from typing import NamedTuple

from ibidem.corpus.failures import Failures
from ibidem.errors import PlanError
from ibidem.jobs.claims import LEASE, claim_task
from ibidem.jobs.reading import join_failures
from ibidem.jobs.stage import Stage, stages_of, tasks_of
from ibidem.jobs.workspace import Stopwatch, Task, Workspace
from ibidem.resources import Progress, Resources

_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.05, 2.0
"""Seconds between two looks at what other ranks are doing."""

_WAITED_SHARE = 0.1
"""Of the time that a rank has waited already, how long it waits until the next look: no more than that is lost."""

_LOOKED_AT_SINGLY = 50
"""Tasks of which each is looked at; whether more are done is seen by listing the folder of their stage."""

_CLEARING = "clearing"
"""The claim of the rank that frees what only the work needed."""

_AGAIN = "mend the cause, then run the plan again to resume it"


class RankReport(NamedTuple):
    """The work that a rank did.

    Attributes:
        tasks: how many it did itself.
        seconds: time taken, waiting included.
        failures: what of the input is not in the result, whichever rank left it out; ``None`` if nothing may be.
    """

    tasks: int
    seconds: float
    failures: Failures | None = None


class _Rank(NamedTuple):
    """A running rank.

    Attributes:
        number, of: which of how many.
        lease: seconds without a sign of life after which a rank of another machine counts as dead.
        known: the tokens of the failures that it found.
    """

    workspace: Workspace
    number: int
    of: int
    resources: Resources
    lease: float
    earlier_failures: set[str]


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
    started, tasks_done = time.perf_counter(), 0
    workspace = Workspace(folder)
    workspace.prepare()
    resources = Resources.of(workspace.plan.memory, threads, progress)
    earlier_failures = {failure.token for failure in workspace.failures_but(set())}
    me = _Rank(workspace, rank, of, resources, lease, earlier_failures)
    try:
        for stage in stages_of(workspace):
            tasks_done += _run_stage(me, stage)
    finally:
        workspace.finish_discarding()
    clean_up(workspace, lease)
    return RankReport(tasks_done, time.perf_counter() - started, join_failures(workspace))


def run_task(workspace: Workspace, stage: Stage, task: Task, resources: Resources) -> None:
    """Do one task, also if another rank does it, and leave its output, or a record of its failure."""
    stopwatch = Stopwatch()
    try:
        with workspace.filling(task) as aside:
            stage.save(stage.work(workspace, task.number, aside, resources), aside)
            workspace.seal(task, aside, stopwatch)
    except Exception as error:
        if workspace.is_done(task):
            return  # another rank did it meanwhile, and may have cleared away what this one needed
        message = _describe(error, workspace)
        with suppress(OSError):  # on a full disk there is no room for the record either
            workspace.put_failure(task, message, "".join(traceback.format_exception(error)))
        if isinstance(error, OSError):
            raise PlanError(f"task {task} failed: {message}; {_AGAIN}") from error
        raise
    workspace.clear_failure(task)
    workspace.discard_meanwhile(list(stage.list_unneeded(workspace, task.number)))


def _describe(error: Exception, workspace: Workspace) -> str:
    """Describe an error. A write that fails, on a full disk for example, does not know the name of its file."""
    if isinstance(error, OSError):
        return f"{error.filename or workspace.folder}: {error.strerror or error}"
    return str(error) or type(error).__name__


def order_tasks(tasks: list[Task], rank: int, of: int) -> list[Task]:
    """A rank's own tasks first, then those of the next rank, and so on: ranks that help do not all help the same."""
    return sorted(tasks, key=lambda task: ((task.number - rank) % of, task.number))


def _run_stage(rank: _Rank, stage: Stage) -> int:
    """Do what can be done of a stage until all of it is done; how many tasks this rank did."""
    workspace = rank.workspace
    remaining_tasks = order_tasks(tasks_of(workspace, stage), rank.number, rank.of)
    total, did, moved_at = len(remaining_tasks), 0, time.perf_counter()
    while remaining_tasks := _leave_out_done(workspace, remaining_tasks):
        finished: set[Task] = set()
        for task in _choose_next(workspace, remaining_tasks, rank.of):
            rank.resources.tell(stage.name, total - len(remaining_tasks) + len(finished), total)
            if _do_unless_claimed(rank, stage, task):
                did, moved_at = did + 1, time.perf_counter()
                finished.add(task)
            elif workspace.is_done(task):
                finished.add(task)
        remaining_tasks = [task for task in remaining_tasks if task not in finished]
        if not finished:
            _wait(time.perf_counter() - moved_at)
    rank.resources.tell(stage.name, total, total)
    return did


def _do_unless_claimed(rank: _Rank, stage: Stage, task: Task) -> bool:
    """Do a task that is not done and that no other rank is at; whether this rank did it."""
    _require_no_failure(rank.workspace, rank.earlier_failures)
    if rank.workspace.is_done(task):
        return False
    with claim_task(rank.workspace.claims, str(task), rank.lease) as has_claim:
        if not has_claim or rank.workspace.is_done(task):
            return False
        run_task(rank.workspace, stage, task, rank.resources)
        return True


def _wait(waited: float) -> None:
    """Wait until the next look, after ``waited`` seconds."""
    time.sleep(min(max(_SHORTEST_PAUSE, _WAITED_SHARE * waited), _LONGEST_PAUSE))


def _leave_out_done(workspace: Workspace, tasks: list[Task]) -> list[Task]:
    """Those of the ``tasks`` of one stage that are not done."""
    if len(tasks) <= _LOOKED_AT_SINGLY:
        return [task for task in tasks if not workspace.is_done(task)]
    tasks_done = workspace.done(tasks[0].stage)
    return [task for task in tasks if task.number not in tasks_done]


def _choose_next(workspace: Workspace, remaining_tasks: list[Task], of: int) -> list[Task]:
    """The tasks to try before the next look: those of the first share of which some are free.

    While a rank does one share, the others do theirs, so what it saw of those is old by then. Claims are looked into
    only when nothing else is left: a look costs the file system a read each.
    """
    claimed = workspace.list_claimed()
    free = [task for task in remaining_tasks if str(task) not in claimed]
    return [task for task in free if (task.number - free[0].number) % of == 0] or remaining_tasks


def _require_no_failure(workspace: Workspace, earlier_failures: set[str]) -> None:
    """Stop if a task has failed since this rank began: it would fail here too."""
    for failure in workspace.failures_but(earlier_failures):
        raise PlanError(
            f"task {failure.task} failed in process {failure.process} of {failure.host}: {failure.message}; {_AGAIN}"
        )


def clean_up(workspace: Workspace, lease: float = LEASE) -> None:
    """Free what only the work needed, once all is done; one rank does it."""
    with claim_task(workspace.claims, _CLEARING, lease) as has_claim:
        if not has_claim or workspace.is_cleared:
            return
        for stage in stages_of(workspace):
            if stage.bulky:
                workspace.discard_outputs(tasks_of(workspace, stage), stage.kept)
            workspace.sweep(stage.name)
        workspace.mark_cleared()
