"""Documents compared with those of an index, before they are compared with each other."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import xxhash
from numpy.typing import NDArray

from ibidem.corpus.writing.filtering import CountedDocuments
from ibidem.documents.choices import Choices
from ibidem.documents.index import DocumentIndex
from ibidem.documents.signatures import Shingler
from ibidem.errors import ConfigurationError, CorpusError
from ibidem.ragged import join_bytes
from ibidem.store.creation import may_begin
from ibidem.text import Documents, Texts


class OldDocument(NamedTuple):
    """A document that resembles one of an index.

    Attributes:
        document: its id.
        duplicate_of: the id of the one that it resembles most.
        similarity: how much it resembles that one.
        exact: whether the texts are the same.
        short: whether it has fewer tokens than a shingle, but one at least.
        empty: whether it has no token.
    """

    document: str
    duplicate_of: str
    similarity: float
    exact: bool
    short: bool
    empty: bool


class NewDocuments:
    """The documents of some batches that resemble none of an index; all documents, if there is no index.

    Attributes:
        old: the others by their number, once the documents were read.
    """

    def __init__(
        self, batches: Iterable[Documents], index: DocumentIndex | None, choices: Choices, *, new_ids: bool = False
    ) -> None:
        self._batches, self._index, self._choices, self._new_ids = batches, index, choices, new_ids
        self.old: dict[int, OldDocument] = {}

    @property
    def counts(self) -> list[int]:
        """How many documents each file had, once they were read from files."""
        return self._batches.counts if isinstance(self._batches, CountedDocuments) else []

    def __iter__(self) -> Iterator[Documents]:
        self.old = {}
        if self._index is None or not len(self._index):
            yield from self._batches
            return
        shingler = Shingler(self._choices.shingle)
        known_ids = self._index.ids() if self._new_ids else set()
        first = 0
        for batch in self._batches:
            nearest = self._index.nearest(batch, threshold=self._choices.threshold)
            is_new = np.array([each is None for each in nearest], np.bool_)
            for name, is_added in zip(batch.ids, is_new.tolist(), strict=True):
                if is_added and name in known_ids:
                    raise CorpusError(f"document id {name!r}: the index has a document of this id; give it another")
            old = _select(batch, (~is_new).nonzero()[0])
            lengths = np.diff(shingler.tokens(old.texts).bounds).tolist()
            listed = zip((~is_new).nonzero()[0].tolist(), old.ids, filter(None, nearest), lengths, strict=True)
            for at, name, one, length in listed:
                self.old[first + at] = OldDocument(name, *one, short=0 < length < shingler.width, empty=length == 0)
            first += len(batch.ids)
            yield _select(batch, is_new.nonzero()[0])


def number_new(count: int, old: Mapping[int, OldDocument]) -> NDArray[np.int64]:
    """For each document that was read its number among the ``count`` new ones; -1 for those in ``old``."""
    rows = np.full(count + len(old), -1)
    rows[~np.isin(np.arange(len(rows)), list(old))] = np.arange(count)
    return rows


def open_fitting(path: str | os.PathLike[str], choices: Choices) -> DocumentIndex:
    """The index at ``path``, which fits the choices.

    Raises:
        ConfigurationError: it was made for other shingles or a higher threshold.
    """
    index = DocumentIndex.open(path)
    configuration = index.configuration
    if configuration.shingles != Shingler(choices.shingle).keep()[0] or configuration.threshold > choices.threshold:
        index.close()
        raise ConfigurationError(
            f"{path}: made for the shingles {configuration.shingles} and similarities from {configuration.threshold} "
            "on; ask for the same shingles, and for no lower threshold"
        )
    return index


@contextmanager
def hold_index(path: str | os.PathLike[str], choices: Choices) -> Iterator[DocumentIndex]:
    """The index to add to, which is made if there is none; nobody else writes to it until the block ends."""
    if may_begin(Path(path)):
        with DocumentIndex.begin(path, choices) as index:
            yield index
        return
    with open_fitting(path, choices) as index, index.hold():
        yield index


def digest_state(index: DocumentIndex) -> str:
    """A checksum of all that an index holds."""
    segments = [segment.entry.checksum for segment in index.segments]
    return xxhash.xxh3_128_hexdigest(msgspec.json.encode([index.generation, segments]))


def _select(batch: Documents, rows: NDArray[np.int64]) -> Documents:
    """Some documents of a batch."""
    if len(rows) == len(batch.ids):
        return batch
    bounds = batch.texts.bounds
    texts = Texts(*join_bytes([batch.texts.data[bounds[row] : bounds[row + 1]].data for row in rows.tolist()]))
    return Documents([batch.ids[row] for row in rows], texts, [batch.metadata[row] for row in rows])


def filter_batches(batches: Iterable[Documents], selected: NDArray[np.bool_]) -> Iterator[Documents]:
    """The documents that are wanted."""
    first = 0
    for batch in batches:
        flags = selected[first : first + len(batch.ids)]
        first += len(batch.ids)
        yield _select(batch, flags.nonzero()[0])
