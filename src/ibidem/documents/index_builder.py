"""Documents as postings: under each band, the key of a document is the hash of that band of its signature.

The store's functions are the bands. The start of a posting is the position of the document's first token, and it has no
extents. Two documents of one key may still differ in the band, one in 2^32: whatever is found is compared anyway.
"""

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from ibidem.agreement.banding import Banding
from ibidem.arguments import require_fraction
from ibidem.documents.candidates import hash_bands
from ibidem.documents.signatures import Functions, Shingler, make_signatures
from ibidem.hashing import require_seed
from ibidem.resources import Resources
from ibidem.store import SegmentWriter, Writer
from ibidem.store.sizing import segment_tokens
from ibidem.stored_index import require_new
from ibidem.text import Documents, Texts, Tokens

BandedBatch = tuple[Documents, Tokens, NDArray[np.uint32]]
"""A batch of n documents, their tokens, and uint32 [n, bands], the keys of their bands."""


class DocumentConfiguration(msgspec.Struct, frozen=True, kw_only=True):
    """The choices behind a document index; it is written into the index, and all that is added or asked obeys it."""

    kind: Literal["documents"] = "documents"
    shingles: dict[str, Any]
    threshold: float = 0.8
    recall: float = 0.99
    num_hashes: int = 128
    seed: int = 0

    def __post_init__(self) -> None:
        require_fraction("threshold", self.threshold)
        require_seed(self.seed)
        Banding.for_recall(self.threshold, self.num_hashes, self.recall)  # refuses what no signature can have

    @property
    def banding(self) -> Banding:
        """The bands that find a document at the threshold with the recall asked for."""
        return Banding.for_recall(self.threshold, self.num_hashes, self.recall)


class DocumentReport(msgspec.Struct, frozen=True, kw_only=True):
    """A report on the documents added to an index.

    Attributes:
        documents, tokens: how many were written.
        seconds: time taken.
        short: ids of those with fewer tokens than a shingle; each is one shingle.
        empty: ids of those without a token; only a query of the same text finds them.
        recovered: what a writer that died had left behind; it has been cleared away.
    """

    documents: int
    tokens: int
    seconds: float
    short: list[str]
    empty: list[str]
    recovered: list[str]


class Bander:
    """Makes the keys of the bands of texts; calls may run at the same time in several threads."""

    def __init__(self, shingler: Shingler, functions: Functions, banding: Banding) -> None:
        self.width = shingler.width
        self._shingler, self._functions, self._banding = shingler, functions, banding

    @classmethod
    def of(cls, shingler: Shingler, configuration: DocumentConfiguration) -> "Bander":
        """The one that a configuration asks for."""
        functions = Functions.of(configuration.num_hashes, configuration.seed)
        return cls(shingler, functions, configuration.banding)

    def __call__(self, texts: Texts) -> tuple[Tokens, NDArray[np.uint32]]:
        """The tokens of ``texts``, and the keys of their bands, uint32 [n, bands]."""
        tokens = self._shingler.tokens(texts)
        return tokens, self._make_keys(tokens)

    def band(self, documents: Documents) -> BandedBatch:
        """A batch with its tokens and keys."""
        return documents, *self(documents.texts)

    def band_again(self, batch: tuple[Documents, Tokens]) -> BandedBatch:
        """The same of a batch that a segment holds."""
        return *batch, self._make_keys(batch[1])

    def _make_keys(self, tokens: Tokens) -> NDArray[np.uint32]:
        hashes = hash_bands(make_signatures(tokens, self.width, self._functions), self._banding)
        return (hashes & np.uint64(0xFFFFFFFF)).astype(np.uint32)


def write_segments(
    writer: Writer, batches: Iterable[BandedBatch], known_ids: set[str], resources: Resources
) -> tuple[list[str], NDArray[np.int64]]:
    """Write ``batches`` as segments, as few as memory allows; the ids of all documents, and how long each is.

    Raises:
        CorpusError: a document has an id that is among ``known_ids``, or that another has.
    """
    most_tokens = segment_tokens(resources.memory)
    ids: list[str] = []
    lengths: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
    segment: SegmentWriter | None = None
    keys: list[NDArray[np.uint32]] = []
    for documents, tokens, its_keys in batches:
        require_new(documents.ids, known_ids)
        if segment is None or segment.num_tokens + len(tokens.ids) > most_tokens:
            _write_postings(segment, keys)
            segment, keys = writer.new_segment(), []
        segment.append_documents(documents, tokens)
        keys.append(its_keys)
        ids += documents.ids
        lengths.append(np.diff(tokens.bounds))
        resources.tell("reading", len(ids), None)
    _write_postings(segment, keys)
    return ids, np.concatenate(lengths)


def _write_postings(segment: SegmentWriter | None, keys: list[NDArray[np.uint32]]) -> None:
    if segment is None:
        return
    bounds, table = segment.tokens()[1], np.concatenate(keys)
    rows = np.flatnonzero(bounds[1:] > bounds[:-1])  # a document without a token is found by nothing
    starts = bounds[rows].astype(np.uint32)
    for band in range(table.shape[1]):
        its_keys: NDArray[Any] = table[rows, band]
        order = np.argsort(its_keys, kind="stable")
        segment.append_postings(its_keys[order], starts[order], np.empty((len(rows), 0), np.uint16))
