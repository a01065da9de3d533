"""A deduplication that ranks make by a plan: what each task reads, and where the output goes."""

import shutil
from pathlib import Path
from typing import Any

from ibidem.documents.choices import Choices
from ibidem.documents.index import DocumentIndex
from ibidem.documents.job.against import NewDocuments, digest_state, hold_index, open_fitting
from ibidem.documents.job.stages import (
    CHOOSE,
    CLUSTERS,
    KEPT,
    REMOVED,
    STAGES,
    SUMMARY,
    WRITE,
    DedupFileJob,
    has_all_kept,
    read_kept,
)
from ibidem.errors import PlanError
from ibidem.jobs.kept import PlannedFiles, join_kept
from ibidem.jobs.reading import InputSettings
from ibidem.jobs.result import append_file, commit_result
from ibidem.jobs.workspace import Workspace
from ibidem.resources import Resources

__all__ = ["STAGES", "DedupSettings", "PlannedDedup", "open_job"]


class DedupSettings(InputSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a planned deduplication.

    Attributes:
        choices: the fields of ``Choices``, the shingles as a configuration.
        ranges: how many tasks compare documents, each those of some hash values.
        against: the index that documents are compared with first, an absolute path or a URL, if there is one.
        state: what ``digest_state`` gives for that index; empty if there is none yet.
        add: whether what is kept goes into that index.
        alone: whether documents are compared with the index alone.
    """

    choices: dict[str, Any]
    ranges: int = 1
    against: str | None = None
    state: str = ""
    alone: bool = False
    add: bool = False

    @classmethod
    def of(cls, workspace: Workspace) -> "DedupSettings":
        """Those of a plan."""
        return workspace.plan.read_settings(cls)

    def make_choices(self) -> Choices:
        """Return the rules for what is a near-duplicate, and which of them stays."""
        return Choices(**self.choices)


class PlannedDedup(PlannedFiles, DedupFileJob):
    """The deduplication of a plan."""

    def __init__(self, workspace: Workspace) -> None:
        self._settings = DedupSettings.of(workspace)
        super().__init__(workspace, self._settings)
        self.choices = self._settings.make_choices()
        self.alone, self.ranges = self._settings.alone, self._settings.ranges

    def open_part(self, part: int, resources: Resources) -> NewDocuments:
        """The documents of a part that resemble none of the index."""
        files = self.read_files(part, resources)
        return NewDocuments(files, self._open_index(), self.choices, new_ids=self._settings.add)

    def _open_index(self) -> DocumentIndex | None:
        """The index that documents are compared with, as it was when the plan was made; a rank opens it once.

        Raises:
            PlanError: it has changed.
        """
        settings = self._settings
        if not settings.state:
            return None
        index = self._workspace.hold("against", lambda: open_fitting(settings.against or "", self.choices))
        if digest_state(index) != settings.state:
            raise self._describe_change()
        return index

    def commit(self, workspace: Workspace, folder: Path, resources: Resources) -> None:
        """Give the output its name."""
        parts = [workspace.load(WRITE, part) for part in range(self.parts)]

        def fill(target: Path) -> None:
            join_kept(self._plan, [part / KEPT for part in parts], target / KEPT)
            for part in parts:
                append_file(part / REMOVED, target / REMOVED)
            for name in (CLUSTERS, SUMMARY):
                shutil.copyfile(workspace.load(CHOOSE) / name, target / name)

        commit_result(self._plan, folder, fill, lambda: self._add_kept(resources))

    def _add_kept(self, resources: Resources) -> None:
        """Add the kept documents to the index, if that is requested and no rank that was killed has done so.

        Raises:
            PlanError: the index has changed.
        """
        settings = self._settings
        if settings.against is None or not settings.add:
            return
        with hold_index(settings.against, self.choices) as index:
            if index.generation == 0 if not settings.state else digest_state(index) == settings.state:
                index.add(read_kept(self._workspace, resources), memory=resources.memory, threads=resources.workers)
            elif not has_all_kept(self._workspace, index):
                raise self._describe_change()

    def _describe_change(self) -> PlanError:
        return PlanError(f"{self._settings.against}: changed since the plan was made; plan the job again")


def open_job(workspace: Workspace) -> PlannedDedup:
    """Open a plan as the job that its stages work on."""
    return PlannedDedup(workspace)
