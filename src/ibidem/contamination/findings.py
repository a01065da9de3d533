"""What files hold of the items: each document that has an occurrence, and how much was read."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec
import numpy as np
import numpy.typing as npt

from ibidem.contamination.detector import Occurrence
from ibidem.contamination.rounds import Rounds
from ibidem.corpus.faults import missing_column
from ibidem.corpus.inputs import InputPart
from ibidem.parallel import in_order
from ibidem.resources import Resources
from ibidem.text import Documents
from ibidem.text.json_values import replace_surrogates


class Place(msgspec.Struct, frozen=True, array_like=True):
    """A document: its number in its file, its row from 0, its id, and its source."""

    number: int
    row: int
    id: str
    source: str


class FileFindings(msgspec.Struct, frozen=True, kw_only=True):
    """The findings in a file, or in a piece of one.

    Attributes:
        documents, rows, tokens: how many it has; the rows include those that were left out.
        rounds: of how many rounds the items were looked for.
        occurrences: and the document of each, which they do not name themselves.
    """

    documents: int
    rows: int
    tokens: int
    rounds: int
    occurrences: list[tuple[Place, Occurrence]]

    def join(self, later: "FileFindings") -> "FileFindings":
        """These findings and those of later rounds in the same file."""
        both = sorted((*self.occurrences, *later.occurrences), key=lambda each: (each[0].number, each[1].part))
        return msgspec.structs.replace(self, rounds=later.rounds, occurrences=both)

    def append(self, piece: "FileFindings") -> "FileFindings":
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

    def skip_rows(self, left_out: npt.NDArray[np.int64]) -> "FileFindings":
        """These findings where rows, int64 [R], were left out, which count all the same."""
        if not len(left_out):
            return self
        total = self.documents + len(left_out)
        rows = np.delete(np.arange(total), left_out)
        placed = [
            (msgspec.structs.replace(place, row=int(rows[place.number])), each) for place, each in self.occurrences
        ]
        return msgspec.structs.replace(self, rows=total, occurrences=placed)

    def require_valid(self, rounds: int) -> None:
        """Raise a ``ValueError`` if the numbers of documents and of ``rounds`` cannot be."""
        numbers = (place.number for place, _ in self.occurrences)
        if not (1 <= self.rounds <= rounds and self.tokens >= 0 and 0 <= self.documents <= self.rows) or not all(
            0 <= number < self.documents for number in numbers
        ):
            raise ValueError("findings without their documents or rounds")


class FileToRead(NamedTuple):
    """A file, or a piece of one, whose documents are looked through.

    Attributes:
        name: of the file, which is the source of its documents if no column names that.
        path: of the file, for messages.
        documents: in batches, to be read once.
        first_round: the first of the rounds whose items are looked for.
    """

    name: str
    path: str
    documents: Iterable[Documents]
    first_round: int = 0


class _Batch(NamedTuple):
    """Documents of a file, and the number of the first of them there."""

    file: int
    first: int
    documents: Documents


def look_through(
    rounds: Rounds, files: Sequence[FileToRead], source: str | None, resources: Resources
) -> list[FileFindings]:
    """Look for the items in the documents of files, and note what each file holds of them.

    Args:
        source: the column that names the source of a document, or nothing.

    Raises:
        CorpusError: a document cannot be used, or a file has not this column.
    """
    documents, tokens = [0] * len(files), [0] * len(files)
    occurrences: list[list[tuple[Place, Occurrence]]] = [[] for _ in files]

    def look(batch: _Batch) -> tuple[int, int, int, list[tuple[Place, Occurrence]]]:
        number, first, texts = batch
        found, size = rounds.find(texts, files[number].first_round)
        name = files[number].name
        placed = [(_place(texts, each.document, first, source, name), each._replace(document=0)) for each in found]
        return number, len(texts.ids), size, placed

    with resources.pool() as pool:
        for file, count, size, found in in_order(pool, look, _read(files, source), 2 * resources.workers):
            documents[file] += count
            tokens[file] += size
            occurrences[file] += found
            resources.tell("reading", sum(documents), None)
    return [
        FileFindings(documents=count, rows=count, tokens=size, rounds=len(rounds.detectors), occurrences=found)
        for count, size, found in zip(documents, tokens, occurrences, strict=True)
    ]


def _read(files: Sequence[FileToRead], source: str | None) -> Iterator[_Batch]:
    for number, file in enumerate(files):
        first = 0
        for batch in file.documents:
            if not first:
                require_column(batch, source, file.path)
            yield _Batch(number, first, batch)
            first += len(batch.ids)


def _place(documents: Documents, row: int, first: int, source: str | None, file: str) -> Place:
    number, name = first + row, find_source(documents, row, source, file)
    return Place(number, number, replace_surrogates(documents.ids[row]), replace_surrogates(name))


def find_source(documents: Documents, number: int, column: str | None, file: str | None) -> str:
    """Find the source of a document of a batch: its file if no ``column`` is named, the host of a URL.

    >>> from ibidem.text import Document, Documents
    >>> pages = Documents.of([Document("1", "Good bread.", {"url": "https://baker.example/bread"})])
    >>> find_source(pages, 0, "url", None)
    'baker.example'
    """
    if column is None:
        return file or ""
    value = json.loads(documents.metadata[number]).get(column)
    name = "" if value is None else str(value)
    return (urlsplit(name).hostname or name) if "://" in name else name


def require_column(documents: Documents, column: str | None, path: str) -> None:
    """Raise a ``CorpusError`` if no document of a batch has the column that names sources."""
    if column is None or any(column in json.loads(fields) for fields in documents.metadata):
        return
    names = dict.fromkeys(name for fields in documents.metadata for name in json.loads(fields))
    raise missing_column(path, "source", column, names)


def join_findings(
    parts: Iterable[InputPart], pieces: Iterable[FileFindings | None], known: Sequence[FileFindings | None]
) -> list[FileFindings]:
    """What each file holds: the findings in its pieces, and those that are ``known`` of earlier rounds.

    Args:
        pieces: what was found in each file of the parts, or piece of a file; nothing of those that were not read.
    """
    files: list[FileFindings | None] = []
    sources = (source for part in parts for source in part.sources)
    for source, new in zip(sources, pieces, strict=True):
        if not source.begin:
            files.append(new)
        elif new is not None and (before := files[-1]) is not None:
            files[-1] = before.append(new)
    return [_join(before, new) for before, new in zip(known, files, strict=True)]


def _join(before: FileFindings | None, new: FileFindings | None) -> FileFindings:
    if before is not None and new is not None:
        return before.join(new)
    findings = before or new
    assert findings is not None
    return findings
