"""Reuse that ranks find by a plan: what each task reads, and where the tables go."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ibidem.corpus.reading import read_sources
from ibidem.errors import PlanError
from ibidem.jobs.reading import InputSettings, join_failures, open_shards, write_failures
from ibidem.jobs.result import commit_result, link_tree
from ibidem.jobs.workspace import Workspace
from ibidem.resources import Resources
from ibidem.reuse.job.stages import GATHER, STAGES, ReuseJob
from ibidem.reuse.outputs.earlier import EarlierRun, digest_run
from ibidem.reuse.outputs.exports import write_outputs
from ibidem.reuse.outputs.result import Reuse
from ibidem.reuse.question import Question
from ibidem.reuse.reading.parts import PartReader, ReadPart
from ibidem.text import Documents

__all__ = ["STAGES", "PlannedReuse", "ReuseSettings", "open_job"]

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

    @classmethod
    def of(cls, workspace: Workspace) -> "ReuseSettings":
        """Those of a plan."""
        return workspace.plan.read_settings(cls)

    def make_question(self) -> Question:
        """Return the question, validated."""
        return Question(**self.question).require_valid()


class PlannedReuse(ReuseJob):
    """The reuse of a plan."""

    is_cut = True

    def __init__(self, workspace: Workspace) -> None:
        self._workspace, self._plan = workspace, workspace.plan
        self._settings = ReuseSettings.of(workspace)
        self.question, self.parts = self._settings.make_question(), len(self._plan.parts)
        self.apart = self._settings.others is not None
        self._failures = self._settings.make_failures()

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
        first, others = self._plan.parts[part][0], self._settings.others
        self._failures = self._settings.make_failures()
        sources = open_shards(self._plan.shards_of(part), self._failures)
        side = int(others is not None and first >= others)
        return {side: read_sources(sources, self._settings.columns, resources.batch_bytes)}

    def keep_part(self, reader: PartReader, folder: Path) -> ReadPart:
        """Write the part that was read to disk, with a list of what could not be read."""
        reader.finish()
        write_failures(folder, self._failures)
        return reader.part()

    def keep_result(self, reuse: Reuse, folder: Path) -> Reuse:
        """Write the tables."""
        (folder / _RESULT).mkdir()
        settings, failures = self._settings, join_failures(self._workspace)
        write_outputs(reuse, folder / _RESULT, settings.format, settings.also, failures, settings.passed_over)
        return reuse

    def commit(self, workspace: Workspace, folder: Path, resources: Resources) -> None:
        """Give the output its name."""
        made = workspace.load(GATHER) / _RESULT
        commit_result(self._plan, folder, lambda target: link_tree(made, target))


def open_job(workspace: Workspace) -> PlannedReuse:
    """Open a plan as the job that its stages work on."""
    return PlannedReuse(workspace)
