"""Contamination as a plan: the stages work on the folder of the plan, which holds the items beside its settings."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ibidem.contamination.detector import make_detector
from ibidem.contamination.items import Evals
from ibidem.contamination.job.earlier import EarlierRun, Found, digest_file
from ibidem.contamination.job.files import describe_reading, make_settings
from ibidem.contamination.job.sampling import join_tokens, sample_files
from ibidem.contamination.job.stages import STAGES, Settings
from ibidem.contamination.rounds import Rounds
from ibidem.corpus.failures import Failures
from ibidem.corpus.sources import Source
from ibidem.jobs.reading import InputSettings, join_failures, open_shards, read_failures, write_failures
from ibidem.jobs.result import commit_result
from ibidem.jobs.shards import sources_of
from ibidem.jobs.workspace import Workspace
from ibidem.resources import Resources
from ibidem.text import Tokens, make_tokenizer

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


class PlannedContamination:
    """The work of the stages of a plan."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace, self._plan = workspace, workspace.plan
        self._settings = self._plan.read_settings(ContaminationSettings)
        self.evals = read_items(workspace.folder / EVALS_FILE)
        self.recognized = [each for evals in self.evals for each in evals.recognized]
        self.parts = self._plan.parts

    @property
    def settings(self) -> Settings:
        """The settings."""
        return make_settings(self._settings, self._settings.columns)

    @property
    def sources(self) -> Sequence[Source]:
        """All files, and pieces of files, in order."""
        return sources_of(self._plan.shards)

    @property
    def _earlier(self) -> EarlierRun | None:
        """The run that is updated; a rank reads it once."""
        if not self._settings.update:
            return None
        return self._workspace.hold("earlier", lambda: EarlierRun.read_state(self._workspace.folder / EARLIER_FOLDER))

    def rounds(self, resources: Resources) -> Rounds:
        """The items, ready to be looked for; a rank makes them once."""
        return self._workspace.hold("rounds", self._make_rounds)

    def _make_rounds(self) -> Rounds:
        tokenizer, sample = make_tokenizer(self._settings.tokenizer), self.sample()
        return Rounds.of([make_detector(evals, tokenizer, [sample]) for evals in self.evals])

    def sample(self) -> Tokens:
        """The documents by which words are weighed."""
        if self._earlier is not None:
            return self._earlier.sample
        return self._workspace.hold("sample", self._read_sample)

    def _read_sample(self) -> Tokens:
        tokenizer = make_tokenizer(self._settings.tokenizer)
        sources = sources_of(self._plan.shards, self._settings.make_failures())
        return join_tokens(sample_files(sources, self._settings.columns, tokenizer))

    def digest(self, source: int) -> str:
        """Names the bytes of the file that a shard is, or is the first piece of; empty for other pieces."""
        shard = self._plan.shards[source]
        if shard.piece is not None and shard.piece.begin:
            return ""
        return shard.checksum if shard.piece is None else digest_file(self.sources[source])

    def known(self, source: int) -> Found | None:
        """The findings of the run that is updated in a file, if it is the same file; such a file is not cut."""
        shard, earlier = self._plan.shards[source], self._earlier
        return None if earlier is None or shard.piece is not None else earlier.files.get((shard.name, shard.checksum))

    def describe_run(self) -> dict[str, Any] | None:
        """How the input is read, as a later run has to read it, too."""
        return describe_reading(self.settings, make_tokenizer(self._settings.tokenizer))

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

    @property
    def passed_over(self) -> Mapping[str, int]:
        """Those that were counted when the plan was made."""
        return self._settings.passed_over

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
