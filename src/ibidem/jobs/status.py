"""How far a plan is: what is done, who is at what, what failed, what is left."""

import os
import time
from typing import NamedTuple

import msgspec

from ibidem.jobs.claims import LEASE, is_dead, read_claim
from ibidem.jobs.stage import stages_of, tasks_of
from ibidem.jobs.workspace import Task, Workspace


class Running(msgspec.Struct, frozen=True):
    """A task that a rank is at, and for how many seconds; ``lost`` if the rank shows no sign of life."""

    task: str
    host: str
    process: int
    seconds: float
    lost: bool


class StageStatus(msgspec.Struct, frozen=True):
    """How far a stage is.

    Attributes:
        tasks: how many it has; ``None`` while that is not known.
        seconds: time that the tasks which are done took, all together.
        processor: seconds of processor time that they took.
        peak_memory: the most that a process had held at the end of a task, in bytes.
    """

    stage: str
    tasks: int | None
    done: int
    running: list[Running]
    failed: dict[str, str]
    seconds: float
    processor: float
    peak_memory: int


class PlanStatus(msgspec.Struct, frozen=True):
    """How far a plan is, stage by stage."""

    plan: str
    kind: str
    output: str
    stages: list[StageStatus]

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do."""
        return all(stage.tasks == stage.done for stage in self.stages)


class _Look(NamedTuple):
    """The workspace that is looked at, and when."""

    workspace: Workspace
    now: float
    lease: float


def read_status(folder: str | os.PathLike[str], *, lease: float = LEASE) -> PlanStatus:
    """How far the plan in ``folder`` is.

    Raises:
        PlanError: there is none.
    """
    workspace = Workspace(folder)
    look = _Look(workspace, time.time(), lease)
    stages, known = [], True
    for stage in stages_of(workspace):
        tasks = tasks_of(workspace, stage) if known else None
        status = _stage_status(look, stage.name, tasks)
        known = known and status.done == status.tasks
        stages.append(status)
    return PlanStatus(str(workspace.folder), workspace.plan.kind, workspace.plan.output, stages)


def _stage_status(look: _Look, name: str, tasks: list[Task] | None) -> StageStatus:
    records = [record for task in tasks or () if (record := look.workspace.record(task)) is not None]
    left = [task for task in tasks or () if not look.workspace.is_done(task)]
    failures = {str(task): failure.message for task in left if (failure := look.workspace.failure(task)) is not None}
    return StageStatus(
        stage=name,
        tasks=None if tasks is None else len(tasks),
        done=len(records),
        running=[running for task in left if (running := _running(look, task)) is not None],
        failed=failures,
        seconds=sum(record.seconds for record in records),
        processor=sum(record.processor for record in records),
        peak_memory=max((record.peak_memory for record in records), default=0),
    )


def _running(look: _Look, task: Task) -> Running | None:
    folder, name = look.workspace.claims, str(task)
    claim = read_claim(folder, name)
    if claim is None:
        return None
    return Running(name, claim.host, claim.process, look.now - claim.since, is_dead(folder, name, look.lease))
