"""Documents compared with those of an index, before they are compared with each other, and added to it in the end.

With an index to add to there are two things to change, the index and the output. A note in the folder of the work says
which documents are about to be added, the index is changed in one commit, and then the output gets its name. The same
call, made again, sees from the note and the index how far the work came.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from ibidem.documents.index import DocumentIndex, Nearest
from ibidem.documents.rules import Rules
from ibidem.documents.signatures import Shingler
from ibidem.errors import ConfigurationError, CorpusError
from ibidem.store.creation import may_begin
from ibidem.system import disk
from ibidem.text import Documents


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

    @property
    def is_changed(self) -> bool:
        """Whether the index is no longer the one that documents are compared with."""
        return self.index.generation != self.generation

    @property
    def taken_ids(self) -> set[str]:
        """The ids that no document may have that is added."""
        return self.index.ids() - self.added_ids if self.adds else set()


def look_up(
    against: Against, batches: Iterable[Documents], threshold: float, known: dict[int, Nearest]
) -> Iterator[Documents]:
    """The batches; ``known`` takes the documents that resemble one of the index, by their numbers.

    Raises:
        CorpusError: the index was changed, or has a document of an id that is to be added.
    """
    index = against.index
    if against.is_changed:
        raise CorpusError(f"{index.path}: it was changed meanwhile; run the command again")
    taken_ids, first = set() if against.renames else against.taken_ids, 0
    for batch in batches:
        for number, (name, nearest) in enumerate(zip(batch.ids, index.nearest(batch, threshold), strict=True), first):
            if nearest is not None:
                known[number] = nearest
            elif name in taken_ids:
                raise CorpusError(f"document id {name!r}: the index has a document of this id; give it another")
        first += len(batch.ids)
        yield batch


@contextmanager
def open_against(
    path: str | os.PathLike[str] | None, rules: Rules, folder: Path, origin: str, *, adds: bool, renames: bool
) -> Iterator[Against | None]:
    """The index at ``path``, which fits the rules; where documents are added to it, nobody else writes to it meanwhile.

    If there is none to add to, it is made. What an interrupted call of this work has added does not count.

    Args:
        folder: that of the work, which may hold the note of such a call.
        origin: all that the work depends on, but for the index.

    Raises:
        ConfigurationError: it was made for other shingles or a higher threshold.
        LockedError: another process writes to it.
    """
    if path is None:
        yield None
    elif not adds:
        with _open_fitting(path, rules) as index:
            yield Against(index, index.generation, adds, renames)
    else:
        with _open_or_make(path, rules) as index:
            addition = Addition.read(folder, origin)
            if addition is not None and addition.is_done(index):
                yield Against(index, addition.generation, adds, renames, frozenset(addition.ids))
            else:
                yield Against(index, index.generation, adds, renames)


@contextmanager
def _open_or_make(path: str | os.PathLike[str], rules: Rules) -> Iterator[DocumentIndex]:
    """An index that nobody else writes to meanwhile."""
    if may_begin(Path(path)):
        choices = {name: getattr(rules, name) for name in ("threshold", "recall", "num_hashes", "seed")}
        with DocumentIndex.begin(path, rules.shingle, **choices) as index:
            yield index
    else:
        with _open_fitting(path, rules) as index, index.hold():
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


_ADDITION = "addition.json"
"""The file of a work that holds an ``Addition``."""


def is_being_added(folder: Path) -> bool:
    """Whether documents may have been added to an index, of which the output has no name yet."""
    return (folder / _ADDITION).exists()


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
    def read(cls, folder: Path, origin: str) -> "Addition | None":
        """The note that an interrupted call left in the folder of this work; one of another work is removed."""
        file = folder / _ADDITION
        try:
            addition = msgspec.json.decode(file.read_bytes(), type=cls)
        except (FileNotFoundError, msgspec.DecodeError):
            addition = None
        if addition is None or addition.origin != origin:
            disk.remove(file)
            return None
        return addition

    def write(self, folder: Path) -> None:
        """Put the note into the folder of the work, on the disk."""
        disk.write_file(folder / _ADDITION, msgspec.json.encode(self))
        disk.sync_folder(folder)

    def is_done(self, index: DocumentIndex) -> bool:
        """Whether the index has the documents."""
        return index.generation > self.generation and index.ids().issuperset(self.ids)
