"""An earlier run: its pairs of documents, so that a collection with new documents need not be compared anew.

A run keeps, beside its tables, how rare tokens were, how windows were hashed, a digest of each document, and every pair
of passages. The pairs of two documents follow from these two, from the weights of tokens, and from the hash functions
alone. A later run that takes weights and functions from the earlier one compares new documents with each other and with
the old ones, and takes the pairs of old ones as they were; passages, clusters, directions and boilerplate are made of
all pairs, as in a run from scratch.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import xxhash

from ibidem.corpus.writing.run_state import FOLDER, open_state, require_same, seal_state
from ibidem.engine.outputs import open_as, save_output
from ibidem.reuse.bands import Bands
from ibidem.reuse.boxes import PairBoxes, merge_seeds
from ibidem.reuse.collection import Collection, Rarity
from ibidem.reuse.pairs import Pairs
from ibidem.reuse.question import Question
from ibidem.weights import DocumentFrequencies

_Ints = npt.NDArray[np.int64]

_VERSION = 4
"""Of the format of the state."""


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
        tokens, counts: uint32 [V], how often each token occurs; ``total`` and the ``mean`` of their weights: see
            ``Rarity``.
        frequent: uint64, the hashes of the shingles of frequent text.
        bands: how windows were hashed.
        ids: of the documents.
        digests: uint64 [D, 2], the checksum of the text and columns of each.
        pairs: all of them.
        series: the documents int64 [S, 2] and the ranges int64 [S, 4] of the boxes of documents of one series.
    """

    settings: dict[str, Any]
    tokens: npt.NDArray[np.uint32]
    counts: npt.NDArray[np.uint32]
    total: int
    mean: float
    frequent: npt.NDArray[np.uint64]
    bands: Bands
    ids: list[str]
    digests: npt.NDArray[np.uint64]
    pairs: Pairs
    series: tuple[_Ints, _Ints]

    @classmethod
    def of(
        cls, settings: dict[str, Any], collection: Collection, bands: Bands, found_pairs: FoundPairs
    ) -> "EarlierRun":
        """Gather the state of a run, which outlasts the files of the collection."""
        frequencies, boxes = collection.rarity.frequencies, found_pairs.same_series
        documents = np.repeat(boxes.pairs, np.diff(boxes.bounds), axis=0)
        return cls(
            settings,
            np.array(frequencies.tokens),
            np.array(frequencies.counts),
            frequencies.num_documents,
            collection.rarity.mean,
            np.array(collection.subtracted.hashes),
            bands,
            list(collection.ids),
            _digest_all(collection),
            found_pairs.pairs,
            (documents, boxes.boxes - collection.bounds[documents][:, [0, 0, 1, 1]]),
        )

    @property
    def rarity(self) -> Rarity:
        """The source of the weights."""
        return Rarity(DocumentFrequencies(self.tokens, self.counts, self.total), self.mean)

    def find_unchanged(self, collection: Collection) -> npt.NDArray[np.bool_]:
        """Return whether each document of a collection was in this run, with the same text and columns, bool [D]."""
        digests = dict(zip(self.ids, self.digests.tolist(), strict=True))
        documents = zip(collection.ids, _digest_all(collection).tolist(), strict=True)
        return np.array([digests.get(name) == digest for name, digest in documents], np.bool_)

    def add_to(self, found_pairs: FoundPairs, collection: Collection, unchanged: npt.NDArray[np.bool_]) -> FoundPairs:
        """``found_pairs``, and those of this run whose documents are ``unchanged``."""
        known = {name: number for number, name in enumerate(collection.ids) if unchanged[number]}
        numbers = np.array([known.get(name, -1) for name in self.ids], np.int64)
        pairs = self.pairs._replace(documents=numbers[self.pairs.documents])
        documents, ranges = numbers[self.series[0]], self.series[1]
        is_known = (documents >= 0).all(axis=1)
        token_ranges = (ranges + collection.bounds[documents][:, [0, 0, 1, 1]])[is_known]
        boxes = np.concatenate([found_pairs.same_series.boxes, token_ranges])
        added = found_pairs.add(pairs.take(np.flatnonzero((pairs.documents >= 0).all(axis=1))))
        return added._replace(same_series=merge_seeds(boxes, collection.bounds, 0))

    def write(self, folder: Path) -> None:
        """Write it into a new folder."""
        folder.mkdir()
        save_output(self, folder)
        seal_state(folder, _VERSION, self.settings)

    @classmethod
    def read(cls, output: Path) -> "EarlierRun":
        """Read what the run that made the folder ``output`` left.

        Raises:
            CorpusError: the folder holds no run, or is damaged.
            FormatVersionError: it was written by another version of ibidem.
        """
        folder = output / FOLDER
        with open_state(folder, _VERSION, "ibidem reuse"):
            earlier: EarlierRun = open_as(cls)(folder)
            documents = np.concatenate([earlier.pairs.documents.ravel(), earlier.series[0].ravel()])
            if ((documents < 0) | (documents >= len(earlier.ids))).any() or earlier.rarity.mean <= 0:
                raise ValueError("pairs of documents that are not in it")
        return earlier


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


def _digest_all(collection: Collection) -> npt.NDArray[np.uint64]:
    """The checksum of each document's text and columns, uint64 [D, 2]."""
    digests = np.empty((len(collection), 2), np.uint64)
    for document in collection.input.take_turns(range(len(collection)), "texts", "metadata"):
        checksum = xxhash.xxh3_128(collection.input.slice("texts", document))
        checksum.update(b"\0" + collection.input.slice("metadata", document))
        digests[document] = np.frombuffer(checksum.digest(), np.uint64)
    return digests
