"""An earlier run, so that a later one looks only in new files.

A run keeps, beside its tables, its items, the sample by which their words were weighed, and what each file holds of
them. What a file holds follows from the file, the items and the sample, and from nothing else. A later run takes items,
sample and these findings from the earlier one, and judges all of them together, as a run from nothing does: the result
does not depend on the order in which files were added.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import xxhash

from ibidem.contamination.findings import FileFindings
from ibidem.contamination.items import Evals
from ibidem.corpus.inputs import InputPart, Inputs
from ibidem.corpus.opening import open_stored
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.run_state import FOLDER, open_state, require_same, seal_state
from ibidem.engine.outputs import open_as, save_output
from ibidem.errors import ConfigurationError
from ibidem.resources import Resources
from ibidem.text import Tokenizer, Tokens

_VERSION = 5
"""Of the format of the state."""

_CHUNK = 1 << 22


class WeighedEvals(NamedTuple):
    """Items, and the tokens of the sample of the training data by which their words are weighed."""

    evals: Evals
    sample: Tokens


class KnownFile(NamedTuple):
    """A file that was looked through: its name, its checksum, and what it holds."""

    name: str
    digest: str
    findings: FileFindings


class EarlierRun(NamedTuple):
    """The findings that a run leaves for a later one: its items and their sample, and what each file holds of them."""

    weighed: WeighedEvals
    files: Sequence[KnownFile]

    @classmethod
    def of(
        cls, weighed: WeighedEvals, files: Inputs, digests: Sequence[str], findings: Sequence[FileFindings]
    ) -> "EarlierRun":
        """Gather what a run leaves: of each file its checksum, and what it holds.

        Files of which something was left out are missing: a later run reads them again, and reports it.
        """
        failing = {failure.path for failure in files.failures or ()}
        known = [
            KnownFile(file.name, digest, each)
            for file, digest, each in zip(files.sources, digests, findings, strict=True)
            if file.path not in failing
        ]
        return cls(weighed, known)

    def find(self, files: Sequence[Source], digests: Sequence[str]) -> list[FileFindings | None]:
        """What each file holds, if it was read and has not changed."""
        known = {(each.name, each.digest): each.findings for each in self.files}
        return [known.get((file.name, digest)) for file, digest in zip(files, digests, strict=True)]

    def write(self, folder: Path, settings: dict[str, Any]) -> None:
        """Write it into a new folder, with how the input was read, as JSON has it."""
        folder.mkdir()
        save_output(self, folder)
        seal_state(folder, _VERSION, settings)

    @classmethod
    def read(cls, output: str | os.PathLike[str], settings: dict[str, Any] | None) -> "EarlierRun":
        """Read what the run that made the folder ``output`` left.

        Args:
            settings: how the input is read; nothing if nobody knows whether that is the same.

        Raises:
            ConfigurationError: the input is not read as in that run.
            CorpusError: the folder holds no run, or is damaged.
            FormatVersionError: it was written by another version of ibidem.
        """
        folder = Path(output) / FOLDER
        with open_state(folder, _VERSION, "ibidem decontaminate") as facts:
            earlier: EarlierRun = open_as(cls)(folder)
            earlier._require_valid()
        if settings is None:
            raise ConfigurationError("a run can be updated if its tokenizer has a name, not with a function")
        require_same(facts["settings"], settings, settings.keys() | facts["settings"].keys())
        return earlier

    def _require_valid(self) -> None:
        """Raise a ``ValueError`` if numbers are none of places in what they count."""
        ids, bounds = self.weighed.sample.ids, self.weighed.sample.bounds
        if not len(bounds) or bounds[0] != 0 or bounds[-1] != len(ids) or (np.diff(bounds) < 0).any():
            raise ValueError("bounds that are not those of the sample")
        for _, _, findings in self.files:
            numbers = [each.document.number for each in findings.occurrences]
            if not all(0 <= number < findings.documents <= findings.rows for number in numbers):
                raise ValueError("findings without their documents")


def describe_reading(columns: Columns, tokenizer: Tokenizer, source: str | None) -> dict[str, Any] | None:
    """How the input is read, as a later run has to read it, too; nothing if the tokenizer is a function."""
    if tokenizer.config.get("name") == "callable":
        return None
    facts = {"tokenizer": dict(tokenizer.config), "source": source, **columns._asdict()}
    described: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(facts))
    return described


def digest_part(part: InputPart, folder: Path, resources: Resources) -> None:
    """Write the checksum of each file of a part, or whose first piece is in it."""
    save_output([digest_file(source) for source in part.sources if not source.begin], folder)


def read_digests(folders: Iterable[Path]) -> list[str]:
    """The checksums of all files, which ``digest_part`` wrote."""
    open_digests = open_as(list[str])
    return [digest for folder in folders for digest in open_digests(folder)]


def digest_file(source: Source) -> str:
    """The checksum of a whole file; one behind a URL is fetched for it."""
    digest = xxhash.xxh3_128()
    with open_stored(source._replace(piece=None, progress=None)) as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
