"""The input and settings of the stages: the documents of a call, the files of a command, or those of a plan."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
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
from ibidem.text import Documents, Tokenizer, Tokens

__all__ = ["ContaminationJob", "Job", "Settings", "describe_reading"]


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
        parts: for each part the first of its sources and the one after its last.
        least_tokens: running tokens of the training data that the documents belong to, if these are more.
    """

    threshold: float
    source: str | None
    recognized: Sequence[str]
    sources: Sequence[Source]
    parts: Sequence[tuple[int, int]]
    least_tokens: int = 0

    @property
    @abstractmethod
    def rounds(self) -> Rounds:
        """The items, ready to be looked for; made once."""

    @abstractmethod
    def open_part(self, part: int) -> tuple[Sequence[Source], Failures | None]:
        """The sources of a part, to be read first, and where to note what is left out."""

    @abstractmethod
    def read(self, source: Source, size: int) -> Iterator[Documents]:
        """The documents of a source, in batches of about ``size`` bytes of text."""

    def digest(self, source: int) -> str:
        """Names the bytes of the file that a source is, or is the first piece of; empty if it is not to be known."""
        return ""

    def known(self, source: int) -> SourceFindings | None:
        """The findings of an earlier run in a file, if it is the same file."""
        return None

    def note_failures(self, folder: Path, failures: Failures | None) -> None:
        """Note what a part has left out beside its output in ``folder``, unless that is noted once for all parts."""
        return


class ContaminationJob(Job):
    """The search for items in files, and the new folder that it makes.

    Attributes:
        settings: the settings.
        tokenizer: makes the tokens of documents and items.
        evals: the items, those that were added at one time together.
        earlier: the run that is updated.
        passed_over: how many files of folders hold no text, by what they are.
    """

    tokenizer: Tokenizer
    earlier: EarlierFindings | None
    passed_over: Mapping[str, int] = MappingProxyType({})

    def __init__(self, settings: Settings, evals: Sequence[Evals]) -> None:
        self.settings, self.evals = settings, evals
        self.threshold, self.source = settings.threshold, settings.source
        self.recognized = [each for added in evals for each in added.recognized]

    @abstractmethod
    def open_sample(self) -> Sequence[Source]:
        """The sources, to be sampled."""

    @abstractmethod
    def open_again(self, part: int) -> list[Source]:
        """The sources of a part, when they have been read."""

    @abstractmethod
    def join_failures(self) -> Failures | None:
        """The rows and files that all parts have left out."""

    @abstractmethod
    def commit(self, fill: Callable[[Path], object], place: Path) -> None:
        """Commit as the output what ``fill`` writes to a folder."""

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
