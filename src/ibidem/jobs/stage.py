"""A stage: one of the steps of a job, cut into tasks. It begins when every task of the step before is done."""

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, cast

from ibidem.jobs.workspace import Task, Workspace
from ibidem.resources import Resources

__all__ = ["Stage", "stages_of", "tasks_of"]

_STAGES = {
    "index": "ibidem.passages.job.stages",
    "dedup": "ibidem.documents.job.stages",
    "reuse": "ibidem.reuse.job.stages",
}
"""The module that has the ``STAGES`` of each kind of job. It is loaded when it is needed: a rank starts often."""


class Stage(NamedTuple):
    """One stage of a job.

    Attributes:
        name: of its folder.
        count: how many tasks it has; may be asked once the stages before are done.
        work: does one task: writes its output to the empty folder that it is given.
        bulky: whether its outputs are removed when the plan is done,
        kept: but for these files, which say how many tasks there are.
        list_unneeded: the tasks of bulky stages whose outputs nobody needs once this task of the stage is done.
    """

    name: str
    count: Callable[[Workspace], int]
    work: Callable[[Workspace, int, Path, Resources], None]
    bulky: bool
    kept: tuple[str, ...] = ()
    list_unneeded: Callable[[Workspace, int], Iterable[Task]] = lambda workspace, number: ()


def stages_of(workspace: Workspace) -> list[Stage]:
    """The stages of a plan, in order."""
    return cast(list[Stage], import_module(_STAGES[workspace.plan.kind]).STAGES)


def tasks_of(workspace: Workspace, stage: Stage) -> list[Task]:
    """The tasks of a stage; the stages before are done."""
    return [Task(stage.name, number) for number in range(stage.count(workspace))]
