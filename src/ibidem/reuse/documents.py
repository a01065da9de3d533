"""The documents of a search as they were read: columns on disk, and the vocabulary of each batch.

A collection is read part by part, by one process or by several.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.corpus.distinct_ids import RepeatedId
from ibidem.corpus.failures import Failures
from ibidem.corpus.inputs import InputPart, note_left_out
from ibidem.corpus.reading import CountedDocuments
from ibidem.engine.outputs import open_as, save_output
from ibidem.errors import CorpusError
from ibidem.locators import COLUMN, Places
from ibidem.parallel import in_order
from ibidem.resources import Resources
from ibidem.store.files.columns import ColumnWriter, open_column, release_pages
from ibidem.store.format import Column
from ibidem.text import Documents, Tokenizer
from ibidem.text.json_values import decode_json, has_surrogate
from ibidem.text.token_stream import number_tokens

_Ints = npt.NDArray[np.int64]

_DTYPES = {"texts": "|u1", "metadata": "|u1", "numbers": "<i4", "starts": "<u4", "ends": "<u4"}
"""Columns of the input as it comes; ``numbers`` are those of a batch's own vocabulary."""

_LOCATORS = f'"{COLUMN}"'.encode()

_KEPT = 64
"""Documents whose pages stay in memory: the system maps up to 2 MB for each that is read."""

_RAGGED = ("texts", "metadata", "numbers")


class DocumentPart(NamedTuple):
    """Documents that one task reads.

    Attributes:
        side: 0 for documents of the first collection and 1 for those of the second.
        documents: a part of the input, or batches that are read once.
    """

    side: int
    documents: InputPart | Iterable[Documents]

    @property
    def skips(self) -> bool:
        """Whether what cannot be read is left out; if not, it is an error."""
        return isinstance(self.documents, InputPart) and self.documents.skips

    def open(self, resources: Resources, left_out: Failures) -> Iterable[Documents]:
        """The documents, in batches; ``left_out`` receives what cannot be read."""
        return self.documents.open(resources, left_out) if isinstance(self.documents, InputPart) else self.documents


class ReadPart(NamedTuple):
    """Documents that were read, D of them in B batches.

    Attributes:
        ids: their ids.
        columns: the values of all documents.
        bounds: int64 [D + 1], those of ``texts``, of ``metadata`` and of ``numbers``.
        side: int8 [D], 0 for a document of the first collection and 1 for one of the second.
        batches: int64 [D], the batch of each.
        vocabulary: uint32, that of each batch in order of first appearance, batch after batch.
        vocabulary_bounds: int64 [B + 1], where each of these begins.
        counts: int64, how often each token of ``vocabulary`` occurs in its batch.
        file_rows: how many documents each file of the part had; none of documents that a caller had in memory.
    """

    ids: list[str]
    columns: dict[str, npt.NDArray[Any]]
    bounds: dict[str, _Ints]
    side: npt.NDArray[np.int8]
    batches: _Ints
    vocabulary: npt.NDArray[np.uint32]
    vocabulary_bounds: _Ints
    counts: _Ints
    file_rows: list[int]

    def tokens(self, row: int, places: Sequence[npt.NDArray[np.int32]]) -> npt.NDArray[np.int32]:
        """The tokens of a document by a vocabulary in which those of each batch have these ``places``."""
        first, last = self.bounds["numbers"][row : row + 2].tolist()
        tokens: npt.NDArray[np.int32] = places[self.batches[row]][self.columns["numbers"][first:last]]
        return tokens


class InputRows(NamedTuple):
    """The documents as they were read, a row for each.

    Attributes:
        parts: the parts that were read.
        starts: int64 [P + 1], the row of the first document of each part.
        order: int64 [D], the row of each document.
    """

    parts: Sequence[ReadPart]
    starts: _Ints
    order: _Ints

    @classmethod
    def of(cls, parts: Sequence[ReadPart]) -> "InputRows":
        """The documents of all parts, as they come."""
        starts = np.cumsum([0, *(len(part.side) for part in parts)])
        return cls(parts, starts, np.arange(starts[-1]))

    def find(self, document: int) -> tuple[ReadPart, int]:
        """The part that a document is in, and its row there."""
        row = int(self.order[document])
        part = int(np.searchsorted(self.starts, row, side="right")) - 1
        return self.parts[part], row - int(self.starts[part])

    def slice(self, name: str, document: int) -> bytes:
        """The bytes of a document in a column."""
        part, row = self.find(document)
        first, last = part.bounds[name][row : row + 2]
        return bytes(part.columns[name][first:last].tobytes())

    def metadata(self, document: int) -> dict[str, Any]:
        """The other columns of a document's record."""
        decoded: dict[str, Any] = decode_json(self.slice("metadata", document))
        return decoded

    def locators(self, document: int) -> Places:
        """The places of a document in its original."""
        raw = self.slice("metadata", document)
        return Places(decode_json(raw) if _LOCATORS in raw else {})

    def places(self, document: int) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        """Return where each token of a document starts and ends, in code points, both uint32 [n]."""
        part, row = self.find(document)
        first, last = part.bounds["numbers"][row : row + 2]
        return part.columns["starts"][first:last], part.columns["ends"][first:last]

    def take_turns(self, documents: Iterable[int], *names: str) -> Iterator[int]:
        """The same documents. Memory keeps the pages of the columns ``names`` for a few of them at a time."""
        count, last = 0, -1
        for document in documents:
            count, last = count + (document != last), document
            if count > _KEPT:
                self.release(*names)
                count = 1
            yield document
        self.release(*names)

    def release(self, *names: str) -> None:
        """Release the memory of the pages of columns that were read; later accesses read them again."""
        for part in self.parts:
            for name in names:
                release_pages(part.columns[name])

    def lengths(self, name: str) -> _Ints:
        """Return how much each document has in a column, int64 [D]."""
        lengths = np.concatenate([np.zeros(0, np.int64), *(np.diff(part.bounds[name]) for part in self.parts)])
        return lengths[self.order]

    def require_distinct_ids(self) -> None:
        """Refuse two documents of one id.

        Raises:
            CorpusError: names the id, and both documents by their number from 0.
        """
        ids = [name for part in self.parts for name in part.ids]
        if len(set(ids)) == len(ids):
            return
        first: dict[str, int] = {}
        for number, name in enumerate(ids):
            if first.setdefault(name, number) != number:
                raise RepeatedId(first[name], number).describe(name)


class _Encoded(NamedTuple):
    """A batch: its documents, their tokens by a vocabulary of the batch, and how often each of these occurs."""

    documents: Documents
    columns: dict[str, npt.NDArray[Any]]
    bounds: _Ints
    vocabulary: npt.NDArray[np.uint32]
    counts: _Ints


def _encode(documents: Documents, tokenizer: Tokenizer) -> _Encoded:
    tokens = tokenizer.encode(documents.texts, offsets=True)
    assert tokens.starts is not None
    assert tokens.ends is not None
    numbers, vocabulary = number_tokens(tokens.ids)
    metadata = np.frombuffer(b"".join(documents.metadata), np.uint8)
    columns: dict[str, npt.NDArray[Any]] = {
        "texts": documents.texts.data,
        "metadata": metadata,
        "numbers": numbers,
        "starts": tokens.starts,
        "ends": tokens.ends,
    }
    return _Encoded(documents, columns, tokens.bounds, vocabulary, np.bincount(numbers, minlength=len(vocabulary)))


def read_documents(tokenizer: Tokenizer, part: DocumentPart, folder: Path, resources: Resources) -> None:
    """Write the documents of a part and their tokens to ``folder``, and what was left out of the part.

    Raises:
        CorpusError: a document cannot be used.
    """
    writer, left_out = _PartWriter(folder), Failures(skips=part.skips)
    with resources.pool() as pool:
        documents = part.open(resources, left_out)
        for batch in in_order(pool, lambda batch: _encode(batch, tokenizer), documents, resources.workers):
            writer.append(batch)
            resources.tell("reading", len(writer.ids), None)
    writer.finish(part.side, documents.counts if isinstance(documents, CountedDocuments) else [])
    note_left_out(folder, left_out)


class _PartWriter:
    """Writes the columns of documents into ``folder``.

    Attributes:
        ids: of the documents that were written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.ids: list[str] = []
        self._writers = {
            name: ColumnWriter(folder, Column(name, dtype, ("n",), "reuse", "")) for name, dtype in _DTYPES.items()
        }
        self._lengths: dict[str, list[_Ints]] = {name: [np.zeros(1, np.int64)] for name in _RAGGED}
        self._vocabularies: list[npt.NDArray[np.uint32]] = []
        self._counts: list[_Ints] = []
        self._batches: list[_Ints] = []

    def append(self, batch: _Encoded) -> None:
        """Write a batch.

        Raises:
            CorpusError: no table can hold the id of a document.
        """
        if (bad_id := next(filter(has_surrogate, batch.documents.ids), None)) is not None:
            raise CorpusError(
                f"document id {bad_id!r}: half of a surrogate pair, which no table can hold; give it another id"
            )
        for name, values in batch.columns.items():
            self._writers[name].append(values.astype(_DTYPES[name], copy=False))
        texts, metadata = batch.documents.texts, batch.documents.metadata
        self._lengths["texts"].append(np.diff(texts.bounds))
        self._lengths["metadata"].append(np.array([len(fields) for fields in metadata], np.int64))
        self._lengths["numbers"].append(np.diff(batch.bounds))
        self._batches.append(np.full(len(texts), len(self._vocabularies)))
        self._vocabularies.append(batch.vocabulary)
        self._counts.append(batch.counts)
        self.ids += batch.documents.ids

    def finish(self, side: int, file_rows: list[int]) -> None:
        """Write what ``open_part`` needs besides the columns."""
        for writer in self._writers.values():
            writer.write_header()
        part = ReadPart(
            ids=self.ids,
            columns={},
            bounds={name: np.cumsum(np.concatenate(lengths)) for name, lengths in self._lengths.items()},
            side=np.full(len(self.ids), side, np.int8),
            batches=np.concatenate([np.zeros(0, np.int64), *self._batches]),
            vocabulary=np.concatenate([np.zeros(0, np.uint32), *self._vocabularies]),
            vocabulary_bounds=np.cumsum([0, *map(len, self._vocabularies)]),
            counts=np.concatenate([np.zeros(0, np.int64), *self._counts]),
            file_rows=file_rows,
        )
        save_output(part, self._folder)


_open_output = open_as(ReadPart)


def open_part(folder: Path) -> ReadPart:
    """The documents that ``read_documents`` wrote to ``folder``; their columns are mapped."""
    part: ReadPart = _open_output(folder)
    columns = {}
    for name, dtype in _DTYPES.items():
        bounds = part.bounds[name if name in _RAGGED else "numbers"]
        columns[name] = open_column(folder / f"{name}.npy", dtype, (int(bounds[-1]),))
    return part._replace(columns=columns)
