"""Contamination as a plan: the stages work on the folder of the plan, which holds the items beside its settings."""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from ibidem.contamination.detector import Detector, make_detector
from ibidem.contamination.items import Evals
from ibidem.contamination.job.files import make_settings
from ibidem.contamination.job.sampling import sample_files
from ibidem.contamination.job.stages import STAGES, Settings
from ibidem.corpus.failures import Failures
from ibidem.corpus.sources import Source
from ibidem.jobs.reading import InputSettings, join_failures, open_shards, read_failures, write_failures
from ibidem.jobs.result import commit_result
from ibidem.jobs.shards import sources_of
from ibidem.jobs.workspace import Workspace
from ibidem.resources import Resources
from ibidem.text import make_tokenizer

__all__ = ["STAGES", "ContaminationSettings", "PlannedContamination", "open_job"]

EVALS_FILE = "evals.json"
"""The items, as they were when the plan was made."""


class ContaminationSettings(InputSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is planned: the arguments of ``decontaminate_files``, the tokenizer as a configuration."""

    threshold: float
    action: str
    format: str
    tokenizer: dict[str, object]


class PlannedContamination:
    """What the stages of a plan work on."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace, self._plan = workspace, workspace.plan
        self._settings = self._plan.read_settings(ContaminationSettings)
        self._evals = read_items(workspace.folder / EVALS_FILE)
        self.recognized, self.parts = self._evals.recognized, self._plan.parts

    @property
    def settings(self) -> Settings:
        """What is asked for."""
        asked = self._settings
        return make_settings(asked.threshold, asked.action, asked.format, asked.columns)

    @property
    def sources(self) -> Sequence[Source]:
        """All files, and pieces of files, in order."""
        return sources_of(self._plan.shards)

    def detector(self, resources: Resources) -> Detector:
        """The items, ready to be looked for; a rank makes it once."""
        return self._workspace.hold("detector", self._make_detector)

    def _make_detector(self) -> Detector:
        tokenizer = make_tokenizer(self._settings.tokenizer)
        sources = sources_of(self._plan.shards, self._settings.make_failures())
        return make_detector(self._evals, tokenizer, sample_files(sources, self._settings.columns, tokenizer))

    def open_part(self, part: int) -> tuple[list[Source], Failures | None]:
        """The sources of a part, unchanged since the plan was made, and where to note what is left out."""
        failures = self._settings.make_failures()
        return open_shards(self._plan.shards_of(part), failures), failures

    def open_again(self, part: int) -> list[Source]:
        """The same sources, when they have been read."""
        return open_shards(self._plan.shards_of(part), read_failures(self._workspace, part))

    def note_failures(self, folder: Path, failures: Failures | None) -> None:
        """Note what a part has left out beside its output in ``folder``."""
        write_failures(folder, failures)

    def join_failures(self) -> Failures | None:
        """What all parts have left out."""
        return join_failures(self._workspace)

    def commit(self, fill: Callable[[Path], object], place: Path) -> None:
        """Make the output of the plan."""
        commit_result(self._plan, place, fill)


def open_job(workspace: Workspace) -> PlannedContamination:
    """What the stages of a plan work on."""
    return PlannedContamination(workspace)


def write_items(path: Path, evals: Evals) -> None:
    """Write items beside a plan."""
    path.write_bytes(msgspec.json.encode(evals))


def read_items(path: Path) -> Evals:
    """Read the items beside a plan."""
    return msgspec.json.decode(path.read_bytes(), type=Evals)
