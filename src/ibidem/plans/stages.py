"""Which stages a plan has, by its kind, and which tasks a stage has."""

from ibidem.plans.dedup.stages import DEDUP_STAGES
from ibidem.plans.index.stages import INDEX_STAGES
from ibidem.plans.reuse.stages import REUSE_STAGES
from ibidem.plans.stage import Stage
from ibidem.plans.workspace import Task, Workspace

__all__ = ["stages_of", "tasks_of"]

_STAGES = {"index": INDEX_STAGES, "dedup": DEDUP_STAGES, "reuse": REUSE_STAGES}


def stages_of(workspace: Workspace) -> list[Stage]:
    """The stages of a plan, in order."""
    return _STAGES[workspace.plan.kind]


def tasks_of(workspace: Workspace, stage: Stage) -> list[Task]:
    """The tasks of a stage; the stages before are done."""
    return [Task(stage.name, number) for number in range(stage.count(workspace))]
