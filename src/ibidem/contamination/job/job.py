"""The input and settings of the stages: the documents of a call, the files of a command, or those of a plan."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ibidem.contamination.detector import make_detector
from ibidem.contamination.items import Evals
from ibidem.contamination.job.earlier import EarlierFindings, SourceFindings
from ibidem.contamination.job.sampling import join_tokens, sample_files
from ibidem.contamination.rounds import Rounds
from ibidem.corpus.failures import Failures
from ibidem.corpus.formats import read_source
from ibidem.corpus.rows import Columns, join_small_batches
from ibidem.corpus.sources import Source
from ibidem.jobs.kept import FileJob
from ibidem.resources import Resources
from ibidem.text import Documents, Tokenizer, Tokens


class Settings(NamedTuple):
    """The settings of a job.

    Attributes:
        format: of the tables.
        columns: how the training data is read.
        also: the formats in which leaks are written beside the tables.
        source: the column of the training data that names sources, or nothing.
    """

    threshold: float
    action: str
    format: str
    columns: Columns
    also: tuple[str, ...] = ()
    source: str | None = None


class Job(ABC):
    """The search for items, as the stages conduct it.

    Attributes:
        threshold: the least share of a part of an item in a leak.
        source: the column of the training data that names sources, or nothing.
        recognized: the format that each file of evals was recognized as.
        sources: all files, and pieces of files, in order. The documents of a caller are one, without a name.
        parts: how many parts the input has.
        bounds: for each part the first of its sources and the one after its last.
        failures: what could not be read, of the part that was opened last; ``None`` if that would have been an error.
        least_tokens: running tokens of the training data that the documents belong to, if these are more.
    """

    threshold: float
    source: str | None
    recognized: Sequence[str]
    sources: Sequence[Source]
    parts: int = 1
    bounds: Sequence[tuple[int, int]] = ((0, 1),)
    failures: Failures | None = None
    least_tokens: int = 0

    @property
    @abstractmethod
    def rounds(self) -> Rounds:
        """The items, ready to be looked for; made once."""

    def open_part(self, part: int, resources: Resources) -> Sequence[Source]:
        """The sources of a part, to be read first."""
        return self.sources

    @abstractmethod
    def read(self, source: Source, size: int) -> Iterator[Documents]:
        """The documents of a source, in batches of about ``size`` bytes of text."""

    def digest(self, source: int) -> str:
        """Names the bytes of the file that a source is, or is the first piece of; empty if it is not to be known."""
        return ""

    def known(self, source: int) -> SourceFindings | None:
        """The findings of an earlier run in a file, if it is the same file."""
        return None


class ContaminationJob(FileJob, Job):
    """The search for items in files, and the new folder that it makes.

    Attributes:
        settings: the settings.
        tokenizer: makes the tokens of documents and items.
        evals: the items, those that were added at one time together.
        earlier: the run that is updated.
    """

    settings: Settings
    tokenizer: Tokenizer
    evals: Sequence[Evals]
    earlier: EarlierFindings | None

    def set_up(
        self, settings: Settings, evals: Sequence[Evals], tokenizer: Tokenizer, earlier: EarlierFindings | None
    ) -> None:
        """Take what is looked for, and how."""
        self.settings, self.evals, self.tokenizer, self.earlier = settings, evals, tokenizer, earlier
        self.threshold, self.source = settings.threshold, settings.source
        self.recognized = [each for added in evals for each in added.recognized]

    def open_sample(self) -> Sequence[Source]:
        """The sources, to be sampled."""
        return self.sources

    def open_part(self, part: int, resources: Resources) -> Sequence[Source]:
        """The sources of a part, to be read first."""
        return self.read_files(part, resources).files

    @cached_property
    def rounds(self) -> Rounds:
        """The items, ready to be looked for; made once."""
        return Rounds.of([make_detector(evals, self.tokenizer, [self.sample]) for evals in self.evals])

    @cached_property
    def sample(self) -> Tokens:
        """The documents by which words are weighed."""
        if self.earlier is not None:
            return self.earlier.sample
        return join_tokens(sample_files(self.open_sample(), self.settings.columns, self.tokenizer))

    def read(self, source: Source, size: int) -> Iterator[Documents]:
        """The documents of a file, in batches of about ``size`` bytes of text."""
        return join_small_batches(read_source(source, self.settings.columns, size), size)


def describe_reading(settings: Settings, tokenizer: Tokenizer) -> dict[str, Any] | None:
    """How the input is read, as a later run has to read it, too; nothing if the tokenizer is a function."""
    if tokenizer.config.get("name") == "callable":
        return None
    facts = {"tokenizer": dict(tokenizer.config), "source": settings.source, **settings.columns._asdict()}
    described: dict[str, Any] = json.loads(json.dumps(facts))
    return described
