"""An explanation that ranks make by a plan: why two documents of a collection were found or not."""

from pathlib import Path

from ibidem.jobs.result import commit_result, link_file
from ibidem.jobs.stage import COMMIT
from ibidem.jobs.workspace import Workspace
from ibidem.resources import Resources
from ibidem.reuse.explain import EXPLAIN, REASONS
from ibidem.reuse.job.planned import PlannedReuse
from ibidem.reuse.job.stages import COLLECT, READ

__all__ = ["STAGES", "PlannedExplanation", "open_job"]

STAGES = [READ, COLLECT, EXPLAIN, COMMIT]


class PlannedExplanation(PlannedReuse):
    """The explanation of a plan."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.pair = self._settings.explain

    def commit(self, workspace: Workspace, folder: Path, resources: Resources) -> None:
        """Give the output its name."""
        reasons = workspace.load(EXPLAIN) / REASONS
        commit_result(self._plan, folder, lambda target: link_file(reasons, target / REASONS))


def open_job(workspace: Workspace) -> PlannedExplanation:
    """Open a plan as the job that its stages work on."""
    return PlannedExplanation(workspace)
