"""A stage: one of the steps of a plan. It begins when every task of the step before is done."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from ibidem.plans.workspace import Task, Workspace
from ibidem.resources import Resources

__all__ = ["Stage"]


class Stage(NamedTuple):
    """One stage of a plan.

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
