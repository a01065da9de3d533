"""A stage: one of the steps of a job, cut into tasks. It begins when every task of the step before is done."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple, cast

from ibidem.jobs.workspace import Memory
from ibidem.resources import Resources


class Stage(NamedTuple):
    """One stage of a job.

    Attributes:
        name: of its folder.
        count: how many tasks it has; may be asked once the stages before are done.
        work: does one task, and gives its output; large ones are written to the folder that it is given.
        bulky: whether its outputs are removed when the plan is done,
        kept: but for these files, which say how many tasks there are.
        save: writes what ``work`` gave to the folder of the task; nothing if ``work`` has written it.
        open: opens the folder, as the stages after it take it.
    """

    name: str
    count: Callable[[Any], int]
    work: Callable[[Any, int, Path, Resources], Any]
    bulky: bool
    kept: tuple[str, ...] = ()
    save: Callable[[Any, Path], None] = lambda output, folder: None
    open: Callable[[Path], Any] = lambda folder: folder


def count_one(workspace: Any) -> int:
    """The number of tasks of a stage that is not cut."""
    return 1


def count_parts(workspace: Any) -> int:
    """The number of tasks of a stage that has one for each part of the input."""
    return cast(int, workspace.job.parts)


def _commit(workspace: Any, number: int, folder: Path, resources: Resources) -> None:
    workspace.job.commit(workspace, folder, resources)


COMMIT = Stage("commit", count_one, _commit, bulky=False)
"""The stage that gives the output of a job its name."""


def run_here(stages: Iterable[Stage], workspace: Memory, folder: Path, resources: Resources) -> None:
    """Do all tasks in this process, one after another.

    Args:
        folder: for what is written that memory does not hold, to be removed by the caller.
    """
    for stage in stages:
        for number in range(stage.count(workspace)):
            workspace.put(stage, number, stage.work(workspace, number, folder, resources), folder)
