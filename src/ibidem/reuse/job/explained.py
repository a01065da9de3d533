"""An explanation that ranks make by a plan: why two documents of a collection were found or not."""

from pathlib import Path
from typing import ClassVar

from ibidem.jobs.stage import COMMIT, Stage
from ibidem.jobs.workspace import Workspace
from ibidem.resources import Resources
from ibidem.reuse.explain import EXPLAIN, REASONS
from ibidem.reuse.job.planned import PlannedReuse
from ibidem.reuse.job.stages import COLLECT, READ


class PlannedExplanation(PlannedReuse):
    """The explanation of a plan."""

    stages: ClassVar[list[Stage]] = [READ, COLLECT, EXPLAIN, COMMIT]

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.pair = self._settings.explain

    def commit(self, workspace: Workspace, folder: Path, resources: Resources) -> None:
        """Give the output its name."""
        reasons = workspace.output(EXPLAIN.name) / REASONS
        self.make_result(folder, lambda target: self.place_file(reasons, target / REASONS))
