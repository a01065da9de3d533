"""An earlier run: its pairs of documents, so that a collection with new documents need not be compared anew.

A run keeps, beside its tables, how rare tokens were, how windows were hashed, a digest of each document, and every pair
of passages. The pairs of two documents follow from these two, from the weights of tokens, and from the hash functions
alone. A later run that takes weights and functions from the earlier one compares new documents with each other and with
the old ones, and takes the pairs of old ones as they were; passages, clusters, directions and boilerplate are made of
all pairs, as in a run from scratch.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import xxhash

from ibidem.corpus.writing.run_state import FOLDER, open_state, require_same, seal_state
from ibidem.reuse.bands import Bands
from ibidem.reuse.boxes import PairBoxes, merge_seeds
from ibidem.reuse.collection import Collection, Rarity
from ibidem.reuse.pairs import Pairs
from ibidem.reuse.question import Question
from ibidem.weights import DocumentFrequencies

if TYPE_CHECKING:
    import pyarrow as pa

_Ints = npt.NDArray[np.int64]

_VERSION = 3
"""Of the format of the state."""

_PLACES = ("a_first", "a_last", "b_first", "b_last")
_COUNTED = ("similarity", "evidence", "summary", "containment")


class FoundPairs(NamedTuple):
    """Pairs of passages, and the boxes of documents of one series, which are not aligned."""

    pairs: Pairs
    same_series: PairBoxes

    def add(self, pairs: Pairs) -> "FoundPairs":
        """These pairs and others, in the order of their documents and places."""
        joined = Pairs.join([self.pairs, pairs])
        return FoundPairs(joined.take(joined.sort()), self.same_series)


class EarlierRun(NamedTuple):
    """The state that a run leaves for a later one.

    Attributes:
        settings: the question, as JSON has it.
        rarity: the source of its weights.
        frequent: uint64, the hashes of the shingles of frequent text.
        bands: how windows were hashed.
        documents: the id and the digest of each.
        pairs: all of them, by the ids of their documents.
        series: the boxes of documents of one series.
    """

    settings: dict[str, Any]
    rarity: Rarity
    frequent: npt.NDArray[np.uint64]
    bands: Bands
    documents: "pa.Table"
    pairs: "pa.Table"
    series: "pa.Table"

    @classmethod
    def of(
        cls, settings: dict[str, Any], collection: Collection, bands: Bands, found_pairs: FoundPairs
    ) -> "EarlierRun":
        """Gather the state of a run."""
        pairs, series = (
            _make_pairs_table(collection, found_pairs),
            _make_series_table(collection, found_pairs.same_series),
        )
        counts, frequent = collection.rarity.frequencies, np.array(collection.subtracted.hashes)
        frequencies = DocumentFrequencies(np.array(counts.tokens), np.array(counts.counts), counts.num_documents)
        rarity = Rarity(frequencies, collection.rarity.mean)  # which outlasts the files of the collection
        return cls(settings, rarity, frequent, bands, _make_documents_table(collection), pairs, series)

    def find_unchanged(self, collection: Collection) -> npt.NDArray[np.bool_]:
        """Return whether each document of a collection was in this run, with the same text and columns, bool [D]."""
        digests = dict(zip(*(column.to_pylist() for column in self.documents.columns), strict=True))
        documents = zip(collection.ids, _digest_all(collection), strict=True)
        return np.array([digests.get(name) == digest for name, digest in documents], np.bool_)

    def add_to(self, found_pairs: FoundPairs, collection: Collection, unchanged: npt.NDArray[np.bool_]) -> FoundPairs:
        """``found_pairs``, and those of this run whose documents are ``unchanged``."""
        numbers = {name: number for number, name in enumerate(collection.ids) if unchanged[number]}
        found_pairs = found_pairs.add(_read_pairs(self.pairs, numbers))
        documents, ranges = _read_places(self.series, numbers)
        token_ranges = ranges + collection.bounds[documents][:, [0, 0, 1, 1]]
        boxes = np.concatenate([found_pairs.same_series.boxes, token_ranges])
        series = merge_seeds(boxes, collection.bounds, 0)
        return found_pairs._replace(same_series=series)

    def write(self, folder: Path) -> None:
        """Write it into a new folder."""
        import pyarrow.parquet as pq

        folder.mkdir()
        self.rarity.frequencies.save(folder / "frequencies.npz")
        np.save(folder / "frequent.npy", self.frequent)
        for name, table in (("documents", self.documents), ("pairs", self.pairs), ("series", self.series)):
            pq.write_table(table, folder / f"{name}.parquet")
        seal_state(folder, _VERSION, self.settings, mean=self.rarity.mean.hex(), bands=self.bands._asdict())

    @classmethod
    def read(cls, output: Path) -> "EarlierRun":
        """Read what the run that made the folder ``output`` left.

        Raises:
            CorpusError: the folder holds no run, or is damaged.
            FormatVersionError: it was written by another version of ibidem.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        folder = output / FOLDER
        with open_state(folder, _VERSION, "ibidem reuse", pa.ArrowException) as facts:
            tables = {name: pq.read_table(folder / f"{name}.parquet") for name in ("documents", "pairs", "series")}
            documents = tables["documents"].select(["document", "digest"])
            rarity = Rarity(DocumentFrequencies.load(folder / "frequencies.npz"), float.fromhex(facts["mean"]))
            frequent = np.load(folder / "frequent.npy", allow_pickle=False).astype(np.uint64)
            bands = Bands(**facts["bands"])
            return cls(dict(facts["settings"]), rarity, frequent, bands, documents, tables["pairs"], tables["series"])


_FREE = {"date", "keep_boilerplate", "quotations", "texts", "columns"}
"""Options that may change when a run is updated: no pair depends on them."""


def read_settings(output: Path) -> dict[str, Any]:
    """The question of the run that made the folder ``output``, as JSON has it.

    Raises:
        CorpusError: the folder holds no run, or is damaged.
        FormatVersionError: it was written by another version of ibidem.
    """
    with open_state(output / FOLDER, _VERSION, "ibidem reuse") as facts:
        return {"ignore": [], **facts["settings"]}


def require_updatable(output: Path, question: Question, *, apart: bool) -> None:
    """Refuse to update a run that asked something else, or with two collections that are kept ``apart``.

    Raises:
        ValueError: there are two collections.
        CorpusError: the folder ``output`` holds no run, or is damaged.
        FormatVersionError: it was written by another version of ibidem.
        ConfigurationError: it asked something else.
    """
    settings = read_settings(output)
    require_same(settings, question.describe(), settings.keys() - _FREE)
    if apart:
        raise ValueError("only a run on one collection can be updated: leave out against")


def digest_run(output: Path) -> str:
    """A checksum of all that the run of a folder left for a later one."""
    checksum = xxhash.xxh3_128()
    for file in sorted((output / FOLDER).glob("*")):
        checksum.update(file.name.encode() + file.read_bytes())
    return checksum.hexdigest()


def _make_documents_table(collection: Collection) -> "pa.Table":
    import pyarrow as pa

    digests = pa.array(_digest_all(collection), pa.string(), size=len(collection))  # not held as objects of Python
    return pa.table({"document": pa.array(collection.ids, pa.string()), "digest": digests})


def _digest_all(collection: Collection) -> Iterator[str]:
    """The digest of each document's text and columns."""
    for document in collection.input.take_turns(range(len(collection)), "texts", "metadata"):
        checksum = xxhash.xxh3_128(collection.input.slice("texts", document))
        checksum.update(b"\0" + collection.input.slice("metadata", document))
        yield checksum.hexdigest()


def _make_pairs_table(collection: Collection, found_pairs: FoundPairs) -> "pa.Table":
    import pyarrow as pa

    pairs = found_pairs.pairs
    columns = {name: getattr(pairs, name) for name in _COUNTED}
    measures = {name: pa.array(column, mask=np.isnan(column)) for name, column in columns.items()}
    return pa.table(_make_place_columns(collection, pairs.documents, pairs.ranges) | measures)


def _make_series_table(collection: Collection, boxes: PairBoxes) -> "pa.Table":
    import pyarrow as pa

    documents = np.repeat(boxes.pairs, np.diff(boxes.bounds), axis=0)
    return pa.table(
        _make_place_columns(collection, documents, boxes.boxes - collection.bounds[documents][:, [0, 0, 1, 1]])
    )


def _make_place_columns(collection: Collection, documents: _Ints, ranges: _Ints) -> dict[str, Any]:
    import pyarrow as pa

    names = {
        side: pa.array([collection.ids[document] for document in documents[:, number].tolist()], pa.string())
        for number, side in enumerate("ab")
    }
    return names | {name: ranges[:, number] for number, name in enumerate(_PLACES)}


def _read_places(table: "pa.Table", numbers: dict[str, int]) -> tuple[_Ints, _Ints]:
    """The documents [N, 2] and the ranges [N, 4] of the rows of which both documents have numbers."""
    rows, documents = _select_known(table, numbers)
    ranges = np.stack([table.column(name).to_numpy() for name in _PLACES], axis=1)
    return documents, ranges[rows].astype(np.int64).reshape(-1, 4)


def _select_known(table: "pa.Table", numbers: dict[str, int]) -> tuple[_Ints, _Ints]:
    """The rows of a table of which both documents have numbers, and these, the smaller first."""
    a, b = (np.array([numbers.get(name, -1) for name in table.column(side).to_pylist()], np.int64) for side in "ab")
    rows = np.flatnonzero((a >= 0) & (b >= 0))
    return rows, np.stack([a[rows], b[rows]], axis=1)


def _read_pairs(table: "pa.Table", numbers: dict[str, int]) -> Pairs:
    documents, ranges = _read_places(table, numbers)
    rows, _ = _select_known(table, numbers)
    measures = (table.column(name).to_numpy()[rows] for name in _COUNTED)
    return Pairs(documents, ranges, *measures)
