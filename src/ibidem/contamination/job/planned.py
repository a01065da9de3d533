"""Contamination as a plan: the stages work on the folder of the plan, which holds the items beside its settings."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import msgspec

from ibidem.contamination.items import Evals
from ibidem.contamination.job.earlier import EarlierFindings, SourceFindings, digest_file
from ibidem.contamination.job.files import make_settings
from ibidem.contamination.job.job import ContaminationJob
from ibidem.contamination.job.stages import STAGES
from ibidem.corpus.sources import Source
from ibidem.jobs.kept import PlannedFiles
from ibidem.jobs.reading import InputSettings
from ibidem.jobs.shards import sources_of
from ibidem.jobs.stage import Stage
from ibidem.jobs.workspace import Workspace
from ibidem.text import make_tokenizer

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


class PlannedContamination(PlannedFiles, ContaminationJob):
    """The work of the stages of a plan; the job of a rank is made once."""

    stages: ClassVar[list[Stage]] = STAGES

    def __init__(self, workspace: Workspace) -> None:
        settings = workspace.plan.read_settings(ContaminationSettings)
        super().__init__(workspace, settings)
        earlier = EarlierFindings.read(workspace.folder / EARLIER_FOLDER) if settings.update else None
        items, tokenizer = read_items(workspace.folder / EVALS_FILE), make_tokenizer(settings.tokenizer)
        self.set_up(make_settings(settings, settings.columns), items, tokenizer, earlier)

    def open_sample(self) -> Sequence[Source]:
        """All files; what cannot be read of them is noted by the tasks that read them."""
        return sources_of(self._plan.shards, self._input.make_failures())

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


def write_items(path: Path, evals: Sequence[Evals]) -> None:
    """Write items beside a plan, those that were added at one time together."""
    path.write_bytes(msgspec.json.encode(evals))


def read_items(path: Path) -> list[Evals]:
    """Read the items beside a plan."""
    return msgspec.json.decode(path.read_bytes(), type=list[Evals])
