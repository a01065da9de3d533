"""Documents compared with those of an index, before they are compared with each other, and added to it in the end.

With an index to add to there are two things to change, the index and the output. A note in the folder of the work says
which documents are about to be added, the index is changed in one commit, and then the output gets its name. The same
call, made again, sees from the note and the index how far the work came.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ibidem.corpus.reading import CountedDocuments
from ibidem.documents.index import DocumentIndex
from ibidem.documents.rules import Rules
from ibidem.documents.signatures import Shingler
from ibidem.errors import ConfigurationError, CorpusError
from ibidem.ragged import join_bytes
from ibidem.store.creation import may_begin
from ibidem.system import disk
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


@dataclass(frozen=True)
class Against:
    """The index that documents are compared with first.

    Attributes:
        index: as it is here; a copy in another process is opened anew.
        generation: of the index, that documents are compared with.
        adds: whether what is kept is added to it.
        renames: whether a document whose id the index has gets another one.
        added_ids: those of documents that an interrupted call of the same work has added.
    """

    index: DocumentIndex
    generation: int
    adds: bool
    renames: bool = False
    added_ids: frozenset[str] = frozenset()

    @classmethod
    def of(cls, index: DocumentIndex, addition: "Addition | None", *, adds: bool, renames: bool) -> "Against":
        """The index as it is, or as it was before ``addition``, if it has that."""
        if addition is not None and addition.is_done(index):
            return cls(index, addition.generation, adds, renames, frozenset(addition.ids))
        return cls(index, index.generation, adds, renames)

    @property
    def is_changed(self) -> bool:
        """Whether the index is no longer the one that documents are compared with."""
        return self.index.generation != self.generation

    @property
    def taken_ids(self) -> set[str]:
        """The ids that no document may have that is added."""
        return self.index.ids() - self.added_ids if self.adds else set()


class NewDocuments:
    """The documents of some batches that resemble none of an index; all documents, if there is no index.

    Attributes:
        old: the others by their number, once the documents were read.
    """

    def __init__(self, batches: Iterable[Documents], against: Against | None, rules: Rules) -> None:
        self._batches, self._against, self._rules = batches, against, rules
        self.old: dict[int, OldDocument] = {}

    @property
    def counts(self) -> list[int]:
        """How many documents each file had, once they were read from files."""
        return self._batches.counts if isinstance(self._batches, CountedDocuments) else []

    def __iter__(self) -> Iterator[Documents]:
        self.old = {}
        if self._against is None or not self._against.generation:
            yield from self._batches
            return
        index = self._against.index
        if self._against.is_changed:
            raise CorpusError(f"{index.path}: it was changed meanwhile; run the command again")
        shingler = Shingler(self._rules.shingle)
        taken_ids = set() if self._against.renames else self._against.taken_ids
        first = 0
        for batch in self._batches:
            nearest = index.nearest(batch, threshold=self._rules.threshold)
            is_new = np.array([each is None for each in nearest], np.bool_)
            for name, is_added in zip(batch.ids, is_new.tolist(), strict=True):
                if is_added and name in taken_ids:
                    raise CorpusError(f"document id {name!r}: the index has a document of this id; give it another")
            old = _select(batch, (~is_new).nonzero()[0])
            lengths = np.diff(shingler.tokens(old.texts).bounds).tolist()
            listed = zip((~is_new).nonzero()[0].tolist(), old.ids, filter(None, nearest), lengths, strict=True)
            for at, name, one, length in listed:
                self.old[first + at] = OldDocument(name, *one, short=0 < length < shingler.width, empty=length == 0)
            first += len(batch.ids)
            yield _select(batch, is_new.nonzero()[0])


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


@contextmanager
def open_against(path: str | os.PathLike[str] | None, rules: Rules, *, adds: bool) -> Iterator[DocumentIndex | None]:
    """The index at ``path``, which fits the rules; where documents are added to it, nobody else writes to it meanwhile.

    If there is none to add to, it is made.

    Raises:
        ConfigurationError: it was made for other shingles or a higher threshold.
        LockedError: another process writes to it.
    """
    if path is None:
        yield None
    elif adds and may_begin(Path(path)):
        choices = {name: getattr(rules, name) for name in ("threshold", "recall", "num_hashes", "seed")}
        with DocumentIndex.begin(path, rules.shingle, **choices) as index:
            yield index
    else:
        with _open_fitting(path, rules) as index, index.hold() if adds else nullcontext():
            yield index


def _open_fitting(path: str | os.PathLike[str], rules: Rules) -> DocumentIndex:
    index = DocumentIndex.open(path)
    configuration = index.configuration
    if configuration.shingles != Shingler(rules.shingle).keep()[0] or configuration.threshold > rules.threshold:
        index.close()
        raise ConfigurationError(
            f"{path}: made for the shingles {configuration.shingles} and similarities from {configuration.threshold} "
            "on; ask for the same shingles, and for no lower threshold"
        )
    return index


def find_old(index: DocumentIndex | None, note: Path, origin: str, *, adds: bool, renames: bool) -> Against | None:
    """The index that documents are compared with, as it was before an interrupted call of this work added to it."""
    if index is None:
        return None
    return Against.of(index, Addition.read(note, origin) if adds else None, adds=adds, renames=renames)


ADDITION = "addition.json"
"""The file of a work that holds an ``Addition``."""


def is_being_added(folder: Path) -> bool:
    """Whether documents may have been added to an index, of which the output has no name yet."""
    return (folder / ADDITION).exists()


class Addition(msgspec.Struct, frozen=True):
    """The note that documents are about to be added to an index.

    Attributes:
        origin: all that the work depends on, but for the index.
        generation: of the index before.
        ids: those of the documents.
    """

    origin: str
    generation: int
    ids: list[str]

    @classmethod
    def read(cls, file: Path, origin: str) -> "Addition | None":
        """The note that an interrupted call of this work left; one of another work is removed."""
        try:
            addition = msgspec.json.decode(file.read_bytes(), type=cls)
        except (FileNotFoundError, msgspec.DecodeError):
            addition = None
        if addition is None or addition.origin != origin:
            disk.remove(file)
            return None
        return addition

    def write(self, file: Path) -> None:
        """Put the note on the disk."""
        disk.write_file(file, msgspec.json.encode(self))
        disk.sync_folder(file.parent)

    def is_done(self, index: DocumentIndex) -> bool:
        """Whether the index has the documents."""
        return index.generation > self.generation and index.ids().issuperset(self.ids)
