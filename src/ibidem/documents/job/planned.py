"""A deduplication that ranks make by a plan: what each task reads, and where the output goes."""

from typing import Any

from ibidem.documents.choices import Choices
from ibidem.documents.index import DocumentIndex
from ibidem.documents.job.against import digest_state, hold_index, open_fitting
from ibidem.documents.job.stages import STAGES, DedupFileJob, has_all_kept, read_kept
from ibidem.errors import PlanError
from ibidem.jobs.kept import PlannedFiles
from ibidem.jobs.reading import InputSettings
from ibidem.jobs.workspace import Workspace
from ibidem.resources import Resources


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


class PlannedDedup(PlannedFiles, DedupFileJob):
    """The deduplication of a plan."""

    stages = STAGES

    def __init__(self, workspace: Workspace) -> None:
        self._settings = workspace.plan.read_settings(DedupSettings)
        super().__init__(workspace, self._settings)
        self.choices = Choices(**self._settings.choices)
        self.alone, self.ranges, self.adds = self._settings.alone, self._settings.ranges, self._settings.add

    def open_index(self) -> DocumentIndex | None:
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

    def add_kept(self, workspace: Workspace, resources: Resources) -> None:
        """Add the kept documents to the index, if that is requested and no rank that was killed has done so.

        Raises:
            PlanError: the index has changed.
        """
        settings = self._settings
        if settings.against is None or not self.adds:
            return
        with hold_index(settings.against, self.choices) as index:
            if index.generation == 0 if not settings.state else digest_state(index) == settings.state:
                index.add(read_kept(workspace, resources), memory=resources.memory, threads=resources.workers)
            elif not has_all_kept(workspace, index):
                raise self._describe_change()

    def _describe_change(self) -> PlanError:
        return PlanError(f"{self._settings.against}: changed since the plan was made; plan the job again")
