"""The ids of the documents of a run, in the order of reading, and what becomes of one that occurs again.

A record that a feed repeats, shards that each count from 0, a page that was crawled twice: later documents of an id are
an error that names both places, are left out, or get a number behind their id. The register takes 24 bytes a document.
Reading a file again gives the same.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ibidem.arguments import DuplicateIds
from ibidem.corpus.failures import Failure
from ibidem.corpus.formats import describe_row
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.errors import CorpusError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ibidem.text import Documents

_OF_INDEX = -1
"""The place of the documents of an index."""

_ROW_BITS = 40

_ADVICE = "ids name documents: give each its own, name another column (id, --id), or number later ones (duplicate_ids)"


class IdRegister:
    """Gives documents out whose ids differ.

    Args:
        policy: what becomes of a document whose id an earlier one has.
    """

    def __init__(self, policy: DuplicateIds) -> None:
        self.policy = policy
        self._known = _KnownIds()
        self._sources: list[Source] = []
        self._files: dict[tuple[str, int], _FileIds] = {}
        self._numbers: dict[str, int] = {}
        self._has_warned = False

    @classmethod
    def of(cls, columns: Columns) -> "IdRegister | None":
        """A new register for documents that are read so, if their ids must differ."""
        return None if columns.duplicate_ids is None else cls(columns.duplicate_ids)

    def add_known(self, ids: Iterable[str]) -> None:
        """Learn the ids of documents that are not read, but in an index."""
        import numpy as np

        remaining = iter(ids)
        while some := list(islice(remaining, 1 << 16)):
            self._known.add(_hash(some), np.full(len(some), _OF_INDEX))

    def filter(self, source: Source, batches: "Iterable[Documents]") -> "Iterator[Documents]":
        """The documents of a source, those of a repeated id under another one, or none of them.

        Raises:
            CorpusError: an id is repeated, and that is an error; the message names both places.
        """
        key = (source.path, source.begin)
        if key not in self._files:
            self._files[key] = _FileIds(len(self._sources), 0, {}, [])
            self._sources.append(source)
        position = 0
        for batch in batches:
            self._learn(source, key, batch, position)
            changed = _change(batch, self._files[key].changes, position)
            position += len(batch.ids)
            if len(changed.ids):
                yield changed

    def settle(self, source: Source) -> "SettledIds | None":
        """What was found of a source that was read; ``None`` if no id in it is repeated."""
        file = self._files.get((source.path, source.begin))
        return SettledIds(file.changes, file.left_out) if file is not None and file.changes else None

    def _learn(self, source: Source, key: tuple[str, int], batch: "Documents", position: int) -> None:
        """Register the documents of a batch that were not read before."""
        import numpy as np

        file = self._files[key]
        begin = max(0, file.read - position)
        ids = batch.ids[begin:]
        if not ids:
            return
        self._files[key] = file._replace(read=position + len(batch.ids))
        numbers = np.arange(position + begin, position + len(batch.ids))
        # A number may be one that a later id has; what becomes of both must not depend on the size of a batch.
        size = 1 if self.policy == "number" and any("#" in id for id in ids) else len(ids)
        for first in range(0, len(ids), size):
            self._register(source, file, ids[first : first + size], numbers[first : first + size])

    def _register(self, source: Source, file: "_FileIds", ids: list[str], numbers: "NDArray[np.int64]") -> None:
        for row, first in self._known.add(_hash(ids), (file.number << _ROW_BITS) + numbers):
            number = int(numbers[row])
            raw_row = _find_row(source, number)
            file.changes[number], failure = self._decide(source, ids[row], raw_row, first)
            if failure is not None:
                file.left_out.append(failure)

    def _decide(self, source: Source, id: str, row: int, first: int) -> tuple[str | None, Failure | None]:
        """The id that takes the place of a repeated one, or the failure of a document that is left out."""
        if self.policy == "number":
            new = self._number(id)
            self._warn_once(source, row, f"a second document of the id {id!r} is named {new!r}")
            return new, None
        if self.policy == "error" and not source.skips:
            raise CorpusError(
                f"{describe_row(source, row)}: {self._describe_cause(id, first, describe_row)}; {_ADVICE}"
            )
        message = f"{_name_row(source, row)}: {self._describe_cause(id, first, _name_row)}"
        failure = Failure(source.path, source.begin, row, message, "repeated id", id)
        if source.failures is not None:
            source.failures.recall([failure])
        if self.policy == "first":
            self._warn_once(source, row, f"a second document of the id {id!r} is left out")
        return None, failure

    def _number(self, id: str) -> str:
        """A new id: the id with the next number behind it."""
        import numpy as np

        while True:
            self._numbers[id] = number = self._numbers.get(id, 1) + 1
            new = f"{id}#{number}"
            if not self._known.add(_hash([new]), np.array([_OF_INDEX])):
                return new

    def _warn_once(self, source: Source, row: int, event: str) -> None:
        if not self._has_warned:
            self._has_warned = True
            warnings.warn(f"{describe_row(source, row)}: {event}, and so on", stacklevel=2)

    def _describe_cause(self, id: str, first: int, name_row: Callable[[Source, int], str]) -> str:
        if first == _OF_INDEX:
            return f"the index has a document of the id {id!r}"
        earlier = self._sources[first >> _ROW_BITS]
        number = first & ((1 << _ROW_BITS) - 1)
        return f"a second document of the id {id!r}; the first is {name_row(earlier, _find_row(earlier, number))}"


class SettledIds(NamedTuple):
    """What becomes of the documents of one file whose ids are repeated; a task of another process has it, too.

    Attributes:
        changes: the ids that take the place of theirs, by the numbers of the documents; ``None`` for none.
        left_out: the failures of those that are left out, by their rows.
    """

    changes: dict[int, str | None]
    left_out: list[Failure]

    def filter(self, source: Source, batches: "Iterable[Documents]") -> "Iterator[Documents]":
        """The documents of the source under other ids, or left out and noted."""
        if source.failures is not None:
            source.failures.recall(self.left_out)
        position = 0
        for batch in batches:
            changed = _change(batch, self.changes, position)
            position += len(batch.ids)
            if len(changed.ids):
                yield changed


class _FileIds(NamedTuple):
    """What is known of a file.

    Attributes:
        number: of the file.
        read: how many of its documents were registered.
        changes, left_out: as ``SettledIds`` has them.
    """

    number: int
    read: int
    changes: dict[int, str | None]
    left_out: list[Failure]


class _KnownIds:
    """Hashes of ids and the places of their first documents, in sorted arrays of growing sizes."""

    def __init__(self) -> None:
        self._levels: list[tuple[NDArray[np.uint64], NDArray[np.int64]]] = []

    def add(self, hashes: "NDArray[np.uint64]", places: "NDArray[np.int64]") -> list[tuple[int, int]]:
        """Add ids; give the row of each that was known, or that comes before in ``hashes``, and the first place."""
        import numpy as np

        order = np.lexsort((np.arange(len(hashes)), hashes[:, 1], hashes[:, 0]))
        hashes, places = hashes[order], places[order]
        is_first = np.append(True, (hashes[1:] != hashes[:-1]).any(axis=1))
        firsts = np.maximum.accumulate(np.where(is_first, np.arange(len(hashes)), 0))
        first_places = places[firsts]
        for level, level_places in self._levels:
            at = np.minimum(np.searchsorted(level[:, 0], hashes[:, 0]), len(level) - 1)
            found = (level[at] == hashes).all(axis=1)
            first_places = np.where(found, level_places[at], first_places)
            is_first &= ~found
        self._merge(hashes[is_first], places[is_first])
        repeated = np.flatnonzero(~is_first)
        rows = order[repeated]
        in_order = np.argsort(rows)
        return list(zip(rows[in_order].tolist(), first_places[repeated][in_order].tolist(), strict=True))

    def _merge(self, hashes: "NDArray[np.uint64]", places: "NDArray[np.int64]") -> None:
        import numpy as np

        if not len(hashes):
            return
        while self._levels and len(self._levels[-1][1]) < 2 * len(places):
            others, other_places = self._levels.pop()
            hashes, places = np.concatenate([others, hashes]), np.concatenate([other_places, places])
        order = np.argsort(hashes[:, 0], kind="stable")
        self._levels.append((hashes[order], places[order]))


def _name_row(source: Source, row: int) -> str:
    """Name a row without reading its file again, as one of many that are left out: in a piece of a file, from there."""
    of_piece = f" from byte {source.begin:,}" if source.begin else ""
    return f"{source.path}, row {row}{of_piece}"


def _hash(ids: list[str]) -> "NDArray[np.uint64]":
    from ibidem.hashing import hash_strings

    return hash_strings([id.encode("utf-8", "surrogatepass") for id in ids])


def _find_row(source: Source, number: int) -> int:
    """The row in its file of a document that was read, behind the rows that the reader has left out."""
    if source.failures is None:
        return number
    import numpy as np

    others = source.failures.unread_rows_of(source)
    return number + int(np.searchsorted(others - np.arange(len(others)), number, side="right"))


def _change(batch: "Documents", changes: dict[int, str | None], position: int) -> "Documents":
    """The documents of a batch, the first of which has the number ``position``, as the ``changes`` say."""
    if not changes or not any(position + row in changes for row in range(len(batch.ids))):
        return batch
    ids = [changes.get(position + row, id) for row, id in enumerate(batch.ids)]
    kept = batch.select([row for row, id in enumerate(ids) if id is not None])
    return kept._replace(ids=[id for id in ids if id is not None])
