"""Which stages a plan has, by its kind, and which tasks a stage has."""

from importlib import import_module
from typing import cast

from ibidem.plans.stage import Stage
from ibidem.plans.workspace import Task, Workspace

__all__ = ["stages_of", "tasks_of"]

_HOMES = {
    "index": ("ibidem.plans.index.stages", "INDEX_STAGES"),
    "dedup": ("ibidem.plans.dedup.stages", "DEDUP_STAGES"),
    "reuse": ("ibidem.plans.reuse.stages", "REUSE_STAGES"),
}
"""The stages of one kind are loaded alone: each rank is a process that starts."""


def stages_of(workspace: Workspace) -> list[Stage]:
    """The stages of a plan, in order."""
    module, name = _HOMES[workspace.plan.kind]
    return cast(list[Stage], getattr(import_module(module), name))


def tasks_of(workspace: Workspace, stage: Stage) -> list[Task]:
    """The tasks of a stage; the stages before are done."""
    return [Task(stage.name, number) for number in range(stage.count(workspace))]
