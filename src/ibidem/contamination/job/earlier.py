"""Findings of an earlier run, so that a later run looks only for new items or in new files.

A run keeps, beside its tables, its items, the sample by which their words were weighed, and what each file holds of
them. What a file holds of an item follows from the file, the items that were added at the same time, and the sample,
and from nothing else. A later run takes the sample and these findings from the earlier one, and judges all of them
together, as a run from nothing does: the result does not depend on the order in which files and items were added.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import xxhash

from ibidem.contamination.detector import Occurrence
from ibidem.contamination.items import Evals, Item
from ibidem.corpus.opening import open_stored
from ibidem.corpus.sources import Source
from ibidem.engine.earlier import open_state, require_same, seal_state
from ibidem.errors import CorpusError
from ibidem.text import Tokens

_VERSION = 2
"""Of the format of the state."""

_CHUNK = 1 << 22


class Place(msgspec.Struct, frozen=True, array_like=True):
    """A document: its number in its file, its row from 1, its id, and its source."""

    number: int
    row: int
    id: str
    source: str


class SourceFindings(msgspec.Struct, frozen=True, kw_only=True):
    """The findings in a source, which is a file or a piece of one.

    Attributes:
        documents, rows, tokens: how many it has; the rows include those that were left out.
        rounds: of how many rounds the items were looked for.
        digest: names the bytes of the file; empty if it is not to be known again.
        occurrences: and the document of each, which they do not name themselves.
    """

    documents: int
    rows: int
    tokens: int
    rounds: int
    digest: str
    occurrences: list[tuple[Place, Occurrence]]

    def join(self, later: "SourceFindings") -> "SourceFindings":
        """These findings and those of later rounds in the same source."""
        both = sorted((*self.occurrences, *later.occurrences), key=lambda each: (each[0].number, each[1].part))
        return msgspec.structs.replace(self, rounds=later.rounds, occurrences=both)

    def append(self, piece: "SourceFindings") -> "SourceFindings":
        """These findings and those in the next piece of the same file."""
        behind = [
            (Place(place.number + self.documents, place.row + self.rows, place.id, place.source), each)
            for place, each in piece.occurrences
        ]
        return msgspec.structs.replace(
            self,
            documents=self.documents + piece.documents,
            rows=self.rows + piece.rows,
            tokens=self.tokens + piece.tokens,
            occurrences=[*self.occurrences, *behind],
        )


class EarlierFindings(NamedTuple):
    """The findings and settings that a run leaves for a later one.

    Attributes:
        settings: how the input was read, as JSON has it.
        evals: the items, those that were added at one time together.
        sample: the documents by which their words were weighed.
        files: what each file holds, by its name and digest.
    """

    settings: dict[str, Any]
    evals: Sequence[Evals]
    sample: Tokens
    files: Mapping[tuple[str, str], SourceFindings]

    def require_settings(self, settings: dict[str, Any]) -> None:
        """Raise a ``ConfigurationError`` unless the input is read as in the earlier run."""
        require_same(self.settings, settings, settings.keys() | self.settings.keys())

    def add_evals(self, given: Evals | None) -> list[Evals]:
        """The items of all rounds: those of this run, and of ``evals`` those that it has not, as one more.

        Raises:
            CorpusError: an item has the id of another one.
        """
        items_by_key = {item.key: item for evals in self.evals for item in evals.items}
        new = []
        for item in () if given is None else given.items:
            before = items_by_key.get(item.key)
            if before is None:
                new.append(item)
            elif _content(before) != _content(item):
                raise CorpusError(
                    f"{item.place}: the item {item.instance!r} is another one than in the run to be updated: "
                    "name its eval otherwise, or run anew"
                )
        if given is None or not new:
            return list(self.evals)
        files = tuple(f"{path}, " for path in {each.rpartition(": ")[0] for each in given.recognized})
        with_new = {path for path in files if any(item.place.startswith(path) for item in new)}
        recognized = [each for each in given.recognized if f"{each.rpartition(': ')[0]}, " in with_new]
        return [*self.evals, Evals(new, recognized)]

    def write(self, folder: Path) -> None:
        """Write it into a new folder."""
        folder.mkdir()
        np.save(folder / "sample_ids.npy", self.sample.ids)
        np.save(folder / "sample_bounds.npy", self.sample.bounds)
        (folder / "evals.json").write_bytes(msgspec.json.encode(self.evals))
        lines = [msgspec.json.encode((name, findings)) + b"\n" for (name, _), findings in self.files.items()]
        (folder / "files.jsonl").write_bytes(b"".join(lines))
        seal_state(folder, _VERSION, self.settings)

    @classmethod
    def read(cls, folder: Path) -> "EarlierFindings":
        """Read what ``write`` has written.

        Raises:
            CorpusError: the folder holds no findings, or is damaged.
            FormatVersionError: they were written by another version of ibidem.
        """
        with open_state(folder, _VERSION, "ibidem decontaminate") as facts:
            ids, bounds = (np.load(folder / f"sample_{name}.npy", allow_pickle=False) for name in ("ids", "bounds"))
            evals = msgspec.json.decode((folder / "evals.json").read_bytes(), type=list[Evals])
            files = {}
            for line in (folder / "files.jsonl").read_bytes().splitlines():
                name, findings = msgspec.json.decode(line, type=tuple[str, SourceFindings])
                files[name, findings.digest] = findings
            sample = Tokens(ids.astype(np.uint32), bounds.astype(np.int64))
            return cls(dict(facts["settings"]), evals, sample, files)


def _content(item: Item) -> Item:
    """An item apart from where it was read."""
    return item._replace(place="")


def digest_file(source: Source) -> str:
    """The checksum of a whole file, as plans have it; one behind a URL is fetched for it."""
    digest = xxhash.xxh3_128()
    with open_stored(source._replace(piece=None, progress=None)) as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def join_pieces(
    sources: Sequence[Source], findings: Sequence[SourceFindings], failing: Collection[str]
) -> dict[tuple[str, str], SourceFindings]:
    """Join the findings in each file, the pieces of one together; those that cannot be recognized later are left out.

    ``failing`` are the paths of files of which something was left out: a later run reads them again, and reports it.
    """
    files: dict[str, tuple[str, SourceFindings]] = {}
    for source, finding in zip(sources, findings, strict=True):
        before = files.get(source.path)
        files[source.path] = source.name, finding if before is None else before[1].append(finding)
    return {
        (name, finding.digest): finding
        for path, (name, finding) in files.items()
        if finding.digest and path not in failing
    }
