"""Contamination as a plan: the stages work on the folder of the plan, which holds the items beside its settings."""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from ibidem.contamination.items import Evals
from ibidem.contamination.job.earlier import EarlierFindings, SourceFindings, digest_file
from ibidem.contamination.job.files import make_settings
from ibidem.contamination.job.job import ContaminationJob
from ibidem.contamination.job.stages import STAGES
from ibidem.corpus.failures import Failures
from ibidem.corpus.sources import Source
from ibidem.jobs.reading import InputSettings, join_failures, open_shards, read_failures, write_failures
from ibidem.jobs.result import commit_result
from ibidem.jobs.shards import sources_of
from ibidem.jobs.workspace import Workspace
from ibidem.text import make_tokenizer

__all__ = ["STAGES", "ContaminationSettings", "PlannedContamination", "open_job"]

EVALS_FILE = "evals.json"
"""The items, as they were when the plan was made."""

EARLIER_FOLDER = "earlier"
"""The folder of the run that is updated."""


class ContaminationSettings(InputSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The planned settings: the arguments of ``decontaminate_files``, the tokenizer as a configuration."""

    threshold: float
    action: str
    format: str
    tokenizer: dict[str, object]
    update: bool = False
    also: tuple[str, ...] = ()
    source: str | None = None


class PlannedContamination(ContaminationJob):
    """The work of the stages of a plan; the job of a rank is made once."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace, self._plan = workspace, workspace.plan
        self._settings = self._plan.read_settings(ContaminationSettings)
        super().__init__(
            make_settings(self._settings, self._settings.columns), read_items(workspace.folder / EVALS_FILE)
        )
        self.tokenizer = make_tokenizer(self._settings.tokenizer)
        self.sources, self.parts = sources_of(self._plan.shards), self._plan.parts
        self.passed_over = self._settings.passed_over
        self.earlier = EarlierFindings.read_state(workspace.folder / EARLIER_FOLDER) if self._settings.update else None

    def open_sample(self) -> Sequence[Source]:
        """All files; what cannot be read of them is noted by the tasks that read them."""
        return sources_of(self._plan.shards, self._settings.make_failures())

    def digest(self, source: int) -> str:
        """Names the bytes of the file that a shard is, or is the first piece of; empty for other pieces."""
        shard = self._plan.shards[source]
        if shard.piece is not None and shard.piece.begin:
            return ""
        return shard.checksum if shard.piece is None else digest_file(self.sources[source])

    def known(self, source: int) -> SourceFindings | None:
        """The findings of the run that is updated in a file, if it is the same file; such a file is not cut."""
        shard, earlier = self._plan.shards[source], self.earlier
        return None if earlier is None or shard.piece is not None else earlier.files.get((shard.name, shard.checksum))

    def open_part(self, part: int) -> tuple[list[Source], Failures | None]:
        """The sources of a part, unchanged since the plan was made, and where to note what is left out."""
        failures = self._settings.make_failures()
        return open_shards(self._plan.shards_of(part), failures, self._settings.encoding), failures

    def open_again(self, part: int) -> list[Source]:
        """The same sources, when they have been read."""
        return open_shards(self._plan.shards_of(part), read_failures(self._workspace, part), self._settings.encoding)

    def note_failures(self, folder: Path, failures: Failures | None) -> None:
        """Note what a part has left out beside its output in ``folder``."""
        write_failures(folder, failures)

    def join_failures(self) -> Failures | None:
        """The rows and files that all parts have left out."""
        return join_failures(self._workspace)

    def commit(self, fill: Callable[[Path], object], place: Path) -> None:
        """Make the output of the plan."""
        commit_result(self._plan, place, fill)


def open_job(workspace: Workspace) -> PlannedContamination:
    """The work of the stages of a plan."""
    return PlannedContamination(workspace)


def write_items(path: Path, evals: Sequence[Evals]) -> None:
    """Write items beside a plan, those that were added at one time together."""
    path.write_bytes(msgspec.json.encode(evals))


def read_items(path: Path) -> list[Evals]:
    """Read the items beside a plan."""
    return msgspec.json.decode(path.read_bytes(), type=list[Evals])
