"""An earlier run, so that a later one looks only for new items or in new files.

A run keeps, beside its tables, its items, the sample by which their words were weighed, and what each file holds of
them. What a file holds of an item follows from the file, the items that were added at the same time, and the sample,
and from nothing else. A later run takes the sample and these findings from the earlier one, and judges all of them
together, as a run from nothing does: the result does not depend on the order in which files and items were added.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import xxhash

from ibidem.contamination.findings import FileFindings
from ibidem.contamination.items import Evals, Item
from ibidem.contamination.rounds import Rounds, WeighedEvals
from ibidem.corpus.inputs import InputPart, Inputs
from ibidem.corpus.opening import open_stored
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.run_state import FOLDER, open_state, require_same, seal_state
from ibidem.engine.outputs import open_as, save_output
from ibidem.errors import ConfigurationError, CorpusError
from ibidem.resources import Resources
from ibidem.text import Tokenizer

_VERSION = 4
"""Of the format of the state."""

_FILES = "files.jsonl"

_CHUNK = 1 << 22


class EarlierRun(NamedTuple):
    """The findings and settings that a run leaves for a later one.

    Attributes:
        settings: how the input was read, as JSON has it.
        evals: the items, those that were added at one time together, and the sample.
        files: what each file holds, by its name and digest.
    """

    settings: dict[str, Any]
    evals: WeighedEvals
    files: Mapping[tuple[str, str], FileFindings]

    def add_evals(self, new: Evals | None) -> list[Evals]:
        """The items of all rounds: those of this run, and of ``new`` those that it has not, as one more.

        Raises:
            CorpusError: an item has the id of another one.
        """
        rounds = self.evals.rounds
        items_by_key = {item.key: item for evals in rounds for item in evals.items}
        items = []
        for item in () if new is None else new.items:
            before = items_by_key.get(item.key)
            if before is None:
                items.append(item)
            elif _content(before) != _content(item):
                raise CorpusError(
                    f"{item.place}: the item {item.instance!r} is another one than in the run to be updated: "
                    "name its eval otherwise, or run anew"
                )
        if new is None or not items:
            return list(rounds)
        files = tuple(f"{path}, " for path in {each.rpartition(": ")[0] for each in new.recognized})
        with_new = {path for path in files if any(item.place.startswith(path) for item in items)}
        recognized = [each for each in new.recognized if f"{each.rpartition(': ')[0]}, " in with_new]
        return [*rounds, Evals(items, recognized)]

    def find(self, files: Sequence[Source], digests: Sequence[str], rounds: Rounds) -> list[FileFindings | None]:
        """What each file holds, if it was read and has not changed.

        Raises:
            CorpusError: something was found that the items of the ``rounds`` do not have.
        """
        found = [self.files.get((file.name, digest)) for file, digest in zip(files, digests, strict=True)]
        for file, findings in zip(files, found, strict=True):
            if findings is not None and not _has_parts(findings, rounds):
                raise CorpusError(f"{file.path}: the run to be updated is damaged: what it found is not in its items")
        return found

    def write(self, folder: Path) -> None:
        """Write it into a new folder."""
        folder.mkdir()
        self.evals.write(folder)
        lines = [msgspec.json.encode((*key, findings)) + b"\n" for key, findings in self.files.items()]
        (folder / _FILES).write_bytes(b"".join(lines))
        seal_state(folder, _VERSION, self.settings)

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
            evals = WeighedEvals.read(folder)
            files = {}
            for line in (folder / _FILES).read_bytes().splitlines():
                name, digest, findings = msgspec.json.decode(line, type=tuple[str, str, FileFindings])
                findings.require_valid(len(evals.rounds))
                files[name, digest] = findings
            earlier = cls(dict(facts["settings"]), evals, files)
        if settings is None:
            raise ConfigurationError("a run can be updated if its tokenizer has a name, not with a function")
        require_same(earlier.settings, settings, settings.keys() | earlier.settings.keys())
        return earlier


def _content(item: Item) -> Item:
    """An item apart from where it was read."""
    return item._replace(place="")


def describe_reading(columns: Columns, tokenizer: Tokenizer, source: str | None) -> dict[str, Any] | None:
    """How the input is read, as a later run has to read it, too; nothing if the tokenizer is a function."""
    if tokenizer.config.get("name") == "callable":
        return None
    facts = {"tokenizer": dict(tokenizer.config), "source": source, **columns._asdict()}
    described: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(facts))
    return described


def _has_parts(findings: FileFindings, rounds: Rounds) -> bool:
    """Whether all that was found lies in the parts of the items."""
    texts = rounds.items.texts[: rounds.bounds[findings.rounds]]
    return all(
        0 <= each.part < len(texts) and 0 <= each.eval_start < each.eval_end <= len(texts[each.part])
        for _, each in findings.occurrences
    )


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


def name_findings(
    files: Inputs, digests: Sequence[str], findings: Sequence[FileFindings]
) -> dict[tuple[str, str], FileFindings]:
    """The findings in each file by its name and digest.

    Files of which something was left out are missing: a later run reads them again, and reports it.
    """
    failing = {failure.path for failure in files.failures or ()}
    return {
        (file.name, digest): each
        for file, digest, each in zip(files.sources, digests, findings, strict=True)
        if file.path not in failing
    }
