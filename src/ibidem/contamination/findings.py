"""What files hold of the items: each occurrence, and how much was read."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec
import numpy as np
import numpy.typing as npt

from ibidem.contamination.detector import Detector, Occurrence
from ibidem.corpus.faults import missing_column
from ibidem.corpus.inputs import InputPart
from ibidem.parallel import in_order
from ibidem.resources import Resources
from ibidem.text import Documents
from ibidem.text.json_values import replace_surrogates


class FileFindings(msgspec.Struct, frozen=True, kw_only=True):
    """The findings in a file, or in a piece of one.

    Attributes:
        documents, rows, tokens: how many it has; the rows include those that were left out.
    """

    documents: int
    rows: int
    tokens: int
    occurrences: list[Occurrence]

    def append(self, piece: "FileFindings") -> "FileFindings":
        """These findings and those in the next piece of the same file."""
        behind = [_shift(each, self.documents, self.rows) for each in piece.occurrences]
        return FileFindings(
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
            each._replace(document=each.document._replace(row=int(rows[each.document.number])))
            for each in self.occurrences
        ]
        return msgspec.structs.replace(self, rows=total, occurrences=placed)


def _shift(occurrence: Occurrence, documents: int, rows: int) -> Occurrence:
    """The same occurrence behind so many documents and rows."""
    document = occurrence.document
    return occurrence._replace(document=document._replace(number=document.number + documents, row=document.row + rows))


class FileToRead(NamedTuple):
    """A file, or a piece of one, whose documents are looked through.

    Attributes:
        name: of the file, which is the source of its documents if no column names that.
        path: of the file, for messages.
        documents: in batches, to be read once.
    """

    name: str
    path: str
    documents: Iterable[Documents]


class _Batch(NamedTuple):
    """Documents of a file, and the number of the first of them there."""

    file: int
    first: int
    documents: Documents


def look_through(
    detector: Detector, files: Sequence[FileToRead], source: str | None, resources: Resources
) -> list[FileFindings]:
    """Look for the items in the documents of files, and note what each file holds of them.

    Args:
        source: the column that names the source of a document, or nothing.

    Raises:
        CorpusError: a document cannot be used, or a file has not this column.
    """
    documents, tokens = [0] * len(files), [0] * len(files)
    occurrences: list[list[Occurrence]] = [[] for _ in files]

    def look(batch: _Batch) -> tuple[int, int, int, list[Occurrence]]:
        number, first, texts = batch
        found, size = detector.find(texts)
        named = [_name_source(each, texts, source, files[number].name) for each in found]
        return number, len(texts.ids), size, [_shift(each, first, first) for each in named]

    with resources.pool() as pool:
        for file, count, size, found in in_order(pool, look, _read(files, source), 2 * resources.workers):
            documents[file] += count
            tokens[file] += size
            occurrences[file] += found
            resources.tell("reading", sum(documents), None)
    return [
        FileFindings(documents=count, rows=count, tokens=size, occurrences=found)
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


def _name_source(occurrence: Occurrence, documents: Documents, column: str | None, file: str) -> Occurrence:
    name = find_source(documents, occurrence.document.number, column, file)
    return occurrence._replace(document=occurrence.document._replace(source=replace_surrogates(name)))


def find_source(documents: Documents, number: int, column: str | None, file: str) -> str:
    """Find the source of a document of a batch: its file if no ``column`` is named, the host of a URL.

    >>> from ibidem.text import Document, Documents
    >>> pages = Documents.of([Document("1", "Good bread.", {"url": "https://baker.example/bread"})])
    >>> find_source(pages, 0, "url", "")
    'baker.example'
    """
    if column is None:
        return file
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
    """What each file holds: the findings in its pieces, or those that are ``known`` of an earlier run.

    Args:
        pieces: what was found in each file of the parts, or piece of a file; nothing of those that were not read.
    """
    files: list[FileFindings] = []
    sources = (source for part in parts for source in part.sources)
    for source, piece in zip(sources, pieces, strict=True):
        if source.begin:
            assert piece is not None  # a file that was not read is in one piece
            files[-1] = files[-1].append(piece)
        else:
            findings = known[len(files)] or piece
            assert findings is not None
            files.append(findings)
    return files
