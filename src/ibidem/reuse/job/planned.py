"""Reuse that ranks find, or explain, by a plan: what each task reads, and where the tables go."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

from ibidem.errors import PlanError
from ibidem.jobs.kept import PlannedFiles
from ibidem.jobs.reading import InputSettings
from ibidem.jobs.result import link_tree
from ibidem.jobs.stage import COMMIT, Stage
from ibidem.jobs.workspace import Workspace
from ibidem.resources import Resources
from ibidem.reuse.explain import EXPLAIN, REASONS
from ibidem.reuse.job.stages import COLLECT, GATHER, READ, STAGES, ReuseJob
from ibidem.reuse.outputs.earlier import EarlierRun, digest_run
from ibidem.reuse.outputs.exports import write_outputs
from ibidem.reuse.outputs.result import Reuse
from ibidem.reuse.question import Question
from ibidem.system import disk
from ibidem.text import Documents

_RESULT = "result"


class ReuseSettings(InputSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a planned search for reuse.

    Attributes:
        question: the fields of ``Question``, the tokenizer as a configuration.
        others: the first of the shards that the rest are compared with; ``None`` for one collection.
        format, also: of the tables, and the formats beside them.
        update: the folder of an earlier run on a part of the documents, an absolute path, if there is one.
        state: what ``digest_run`` gives for it.
        explain: the ids of two documents; if given, nothing is made but the reasons why they were found or not.
    """

    question: dict[str, Any]
    others: int | None = None
    format: str = "parquet"
    also: tuple[str, ...] = ()
    update: str | None = None
    state: str = ""
    explain: tuple[str, str] | None = None


class PlannedReuse(PlannedFiles, ReuseJob):
    """The reuse of a plan."""

    stages: ClassVar[list[Stage]] = STAGES
    is_cut = True

    def __init__(self, workspace: Workspace) -> None:
        self._settings = workspace.plan.read_settings(ReuseSettings)
        super().__init__(workspace, self._settings)
        self.question = Question(**self._settings.question).require_valid()
        self.apart, self.pair = self._settings.others is not None, self._settings.explain

    @property
    def earlier(self) -> EarlierRun | None:  # type: ignore[override]
        """The run that is updated, as it was when the plan was made; a rank reads it once.

        Raises:
            PlanError: it has changed.
        """
        return None if self._settings.update is None else self._workspace.hold("earlier", self._read_earlier)

    def _read_earlier(self) -> EarlierRun:
        path = Path(self._settings.update or "")
        if digest_run(path) != self._settings.state:
            raise PlanError(f"{path}: changed since the plan was made; plan the job again")
        return EarlierRun.read(path)

    def open_part(self, part: int, resources: Resources) -> dict[int, Iterable[Documents]]:
        """The documents of the files of a part, as they were when the plan was made."""
        others = self._settings.others
        side = int(others is not None and self.bounds[part][0] >= others)
        return {side: self.read_files(part, resources)}

    def keep_result(self, reuse: Reuse, folder: Path) -> None:
        """Write the tables."""
        (folder / _RESULT).mkdir()
        settings = self._settings
        write_outputs(reuse, folder / _RESULT, settings.format, settings.also, self.join_failures(), self.passed_over)

    def commit(self, workspace: Workspace, folder: Path, resources: Resources) -> None:
        """Give the output its name."""
        made = workspace.output(GATHER.name) / _RESULT
        self.make_result(folder, lambda target: link_tree(made, target))


class PlannedExplanation(PlannedReuse):
    """The explanation of a plan: why two documents of a collection were found or not."""

    stages: ClassVar[list[Stage]] = [READ, COLLECT, EXPLAIN, COMMIT]

    def commit(self, workspace: Workspace, folder: Path, resources: Resources) -> None:
        """Give the output its name."""
        reasons = workspace.output(EXPLAIN.name) / REASONS
        self.make_result(folder, lambda target: disk.link(reasons, target / REASONS))
