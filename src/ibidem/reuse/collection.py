"""A collection made ready to be joined with itself: tokens numbered densely, weighed, on disk.

Documents are numbered in the order of their ids, whatever the order of the input, so what follows from these numbers
does not depend on it; a caller may ask for another order. Memory holds a few numbers a document and the vocabulary.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from ibidem.errors import CorpusError
from ibidem.parallel import in_order
from ibidem.resources import Resources
from ibidem.store.files.columns import ColumnWriter
from ibidem.store.format import Column
from ibidem.text import Collection as AnyCollection
from ibidem.text import Documents, Tokenizer, as_batches
from ibidem.text.token_stream import number_tokens
from ibidem.weights import DocumentFrequencies, Weighting

__all__ = ["Collection", "InputRows", "Rarity", "read_collection"]

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]

_DTYPES = {"texts": "|u1", "metadata": "|u1", "numbers": "<i4", "starts": "<u4", "ends": "<u4"}
"""Columns of the input as it comes; ``numbers`` are those of a batch's own vocabulary."""

_RUN = 1 << 20
"""Tokens that are numbered anew at once."""


class Collection(NamedTuple):
    """The documents of one collection, or of two that are compared with each other, in the order of their ids.

    Attributes:
        ids: their ids, ascending if no other order was asked for.
        bounds: int64 [D + 1]; the tokens of document ``d`` are ``tokens[bounds[d] : bounds[d + 1]]``.
        tokens: int32 [T], dense token ids 0 to V-1.
        vocabulary: uint32 [V], ascending: the token of each dense id.
        rarity: what the weights follow from.
        idf: float64 [V], what a token weighs; 1 on the average over running tokens.
        side: int8 [D], 0 for a document of the first collection and 1 for one of the second.
        input: the documents as they were read.
    """

    ids: list[str]
    bounds: _Ints
    tokens: _Ids
    vocabulary: npt.NDArray[np.uint32]
    rarity: "Rarity"
    idf: npt.NDArray[np.float64]
    side: npt.NDArray[np.int8]
    input: "InputRows"

    def __len__(self) -> int:
        return len(self.ids)

    def text(self, document: int) -> str:
        """The text of a document."""
        return str(self.input.slice("texts", document), "utf-8", "surrogatepass")

    def metadata(self, document: int) -> dict[str, Any]:
        """The other columns of its record."""
        return self.input.metadata(document)

    def places(self, document: int) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        """Where each token of a document starts and ends, in code points, both uint32 [n]."""
        first, last = self.input.bounds["numbers"][self.input.order[document] :][:2]
        return self.input.columns["starts"][first:last], self.input.columns["ends"][first:last]


class Rarity(NamedTuple):
    """How rare tokens are in a collection, which says what they weigh.

    Attributes:
        frequencies: how often each token stands in the collection, a running token counting as a document.
        mean: the logarithmic weight of a running token on the average, by which weights are divided.
    """

    frequencies: DocumentFrequencies
    mean: float

    @classmethod
    def of(cls, vocabulary: npt.NDArray[np.uint32], counts: _Ints) -> "Rarity":
        """That of the collection in which the tokens of ``vocabulary`` [V] stand so often."""
        total = max(int(counts.sum()), 1)
        frequencies = DocumentFrequencies(vocabulary, counts, total)
        return cls(frequencies, float((_logarithmic(frequencies, vocabulary) * counts).sum()) / total or 1.0)

    def weights(self, vocabulary: npt.NDArray[np.uint32]) -> npt.NDArray[np.float64]:
        """What tokens weigh, float64 [V]; a token that stands nowhere counts as standing once."""
        weights: npt.NDArray[np.float64] = _logarithmic(self.frequencies, vocabulary) / self.mean
        return weights


def _logarithmic(frequencies: DocumentFrequencies, vocabulary: npt.NDArray[np.uint32]) -> npt.NDArray[np.float64]:
    return Weighting.of("weighted", idf="smooth", frequencies=frequencies).idf_of(vocabulary)


class InputRows(NamedTuple):
    """The columns of the input as they came, a row for each document.

    Attributes:
        columns: the values of all documents.
        bounds: int64 [D + 1], those of ``texts``, of ``metadata`` and of ``numbers``.
        order: int64 [D], the row of each document.
    """

    columns: dict[str, npt.NDArray[Any]]
    bounds: dict[str, _Ints]
    order: _Ints

    def slice(self, name: str, document: int) -> bytes:
        """The bytes of a document in a column."""
        first, last = self.bounds[name][self.order[document] :][:2]
        return bytes(self.columns[name][first:last].tobytes())

    def metadata(self, document: int) -> dict[str, Any]:
        """The other columns of a document's record."""
        decoded: dict[str, Any] = msgspec.json.decode(self.slice("metadata", document))
        return decoded


class _Encoded(NamedTuple):
    """A batch: its documents, their tokens by a vocabulary of the batch, and how often each of this stands there."""

    documents: Documents
    columns: dict[str, npt.NDArray[Any]]
    bounds: _Ints
    vocabulary: npt.NDArray[np.uint32]
    counts: _Ints


def read_collection(
    sides: Iterable[AnyCollection],
    tokenizer: Tokenizer,
    folder: Path,
    resources: Resources,
    rarity: Rarity | None = None,
    order: Callable[[list[str], InputRows], _Ints] | None = None,
) -> Collection:
    """Read one collection, or two, of whatever a caller calls documents, into columns in ``folder``.

    Weights follow from ``rarity``, or from the collection itself. ``order`` gives the rows of the documents int64
    [D] in the order in which they are numbered, from the ids and all else of the rows; that of the ids if not given.

    Raises:
        CorpusError: two documents have one id, or a document cannot be used.
    """
    read = _Read(folder)
    with resources.pool() as pool:
        for side, documents in enumerate(sides):
            encoded = in_order(pool, lambda batch: _encode(batch, tokenizer), as_batches(documents), resources.workers)
            for batch in encoded:
                read.append(batch, side)
                resources.tell("reading", len(read.ids), None)
    return read.finish(rarity, order or _by_id)


def _by_id(ids: list[str], rows: InputRows) -> _Ints:
    return np.array(sorted(range(len(ids)), key=ids.__getitem__), np.int64)


def _encode(documents: Documents, tokenizer: Tokenizer) -> _Encoded:
    made = tokenizer.encode(documents.texts, offsets=True)
    assert made.starts is not None
    assert made.ends is not None
    numbers, vocabulary = number_tokens(made.ids)
    metadata = np.frombuffer(b"".join(documents.metadata), np.uint8)
    columns: dict[str, npt.NDArray[Any]] = {
        "texts": documents.texts.data,
        "metadata": metadata,
        "numbers": numbers,
        "starts": made.starts,
        "ends": made.ends,
    }
    return _Encoded(documents, columns, made.bounds, vocabulary, np.bincount(numbers, minlength=len(vocabulary)))


class _Read:
    """What has been read so far."""

    def __init__(self, folder: Path) -> None:
        self.ids: list[str] = []
        self._folder = folder
        self._writers = {
            name: ColumnWriter(folder, Column(name, dtype, ("n",), "reuse", "")) for name, dtype in _DTYPES.items()
        }
        self._lengths: dict[str, list[_Ints]] = {
            name: [np.zeros(1, np.int64)] for name in ("texts", "metadata", "numbers")
        }
        self._vocabularies: list[npt.NDArray[np.uint32]] = []
        self._counts: list[_Ints] = []
        self._batches: list[_Ints] = []
        self._sides: list[npt.NDArray[np.int8]] = []

    def append(self, batch: _Encoded, side: int) -> None:
        for name, values in batch.columns.items():
            self._writers[name].append(values.astype(_DTYPES[name], copy=False))
        texts, metadata = batch.documents.texts, batch.documents.metadata
        self._lengths["texts"].append(np.diff(texts.bounds))
        self._lengths["metadata"].append(np.array([len(each) for each in metadata], np.int64))
        self._lengths["numbers"].append(np.diff(batch.bounds))
        self._batches.append(np.full(len(texts), len(self._vocabularies)))
        self._sides.append(np.full(len(texts), side, np.int8))
        self._vocabularies.append(batch.vocabulary)
        self._counts.append(batch.counts)
        self.ids += batch.documents.ids

    def finish(self, rarity: Rarity | None, arrange: Callable[[list[str], InputRows], _Ints]) -> Collection:
        self._require_distinct_ids()
        bounds = {name: np.cumsum(np.concatenate(lengths)) for name, lengths in self._lengths.items()}
        columns = {name: writer.view() for name, writer in self._writers.items()}
        order = arrange(self.ids, InputRows(columns, bounds, np.arange(len(self.ids))))
        source = InputRows(columns, bounds, order)
        vocabulary, counts = self._vocabulary()
        rarity = rarity or Rarity.of(vocabulary, counts)
        tokens = self._number_tokens(vocabulary, source)
        lengths = np.diff(bounds["numbers"])[order]
        return Collection(
            ids=[self.ids[row] for row in order.tolist()],
            bounds=np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]),
            tokens=tokens,
            vocabulary=vocabulary,
            rarity=rarity,
            idf=rarity.weights(vocabulary),
            side=np.concatenate([np.zeros(0, np.int8), *self._sides])[order],
            input=source,
        )

    def _require_distinct_ids(self) -> None:
        if len(set(self.ids)) == len(self.ids):
            return
        first: dict[str, int] = {}
        for number, name in enumerate(self.ids, 1):
            if first.setdefault(name, number) != number:
                raise CorpusError(
                    f"document id {name!r} occurs twice: documents {first[name]} and {number}; "
                    "ids name documents, so give each its own, or name another column as the id"
                )

    def _vocabulary(self) -> tuple[npt.NDArray[np.uint32], _Ints]:
        """The distinct tokens uint32 [V], ascending, and how often each stands in the collection."""
        every = np.concatenate([np.zeros(0, np.uint32), *self._vocabularies])
        vocabulary, place = np.unique(every, return_inverse=True)
        counts = np.concatenate([np.zeros(0, np.int64), *self._counts])
        return vocabulary, np.bincount(place, weights=counts, minlength=len(vocabulary)).astype(np.int64)

    def _number_tokens(self, vocabulary: npt.NDArray[np.uint32], source: InputRows) -> _Ids:
        """All tokens by the common vocabulary, in the order of the documents' ids."""
        places = [np.searchsorted(vocabulary, each).astype(np.int32) for each in self._vocabularies]
        batches = np.concatenate([np.zeros(0, np.int64), *self._batches])
        writer = ColumnWriter(self._folder, Column("tokens", "<i4", ("n",), "reuse", ""))
        numbers, bounds = source.columns["numbers"], source.bounds["numbers"]
        for rows in _runs(source.order, bounds):
            spans = zip(rows.tolist(), bounds[rows].tolist(), bounds[rows + 1].tolist(), strict=True)
            writer.append(np.concatenate([places[batches[row]][numbers[first:last]] for row, first, last in spans]))
        return writer.view()


def _runs(order: _Ints, bounds: _Ints) -> Iterator[_Ints]:
    """``order`` in parts of about ``_RUN`` tokens."""
    ends = np.cumsum(np.diff(bounds)[order])
    cuts = np.flatnonzero(np.diff(ends // _RUN)) + 1
    for first, last in pairwise([0, *cuts.tolist(), len(order)]):
        if first < last:
            yield order[first:last]
