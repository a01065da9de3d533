"""Ids of a whole collection, compared without holding them: by hashes, sorted in each part, range by range."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import CorpusError
from ibidem.hashing import hash_strings
from ibidem.store.files.sorted_runs import ROW_RECORD, cut_into_runs, read_by_hash, write_runs
from ibidem.text import Documents

_NAME = "ids"

_COUNT = "ids.npy"

_RUN_BYTES = 64 << 20


class RepeatedIdError(CorpusError):
    """Two documents have one id; their numbers are known, and not their places."""


class RepeatedId(NamedTuple):
    """Two documents of one id, by their numbers in the collection."""

    first: int
    second: int

    def describe(self, name: str) -> RepeatedIdError:
        """Return the error that names the id, and both documents by their number from 1, for the caller to raise."""
        return RepeatedIdError(
            f"document id {name!r} occurs twice: documents {self.first + 1} and {self.second + 1}; "
            "ids name documents, so give each its own, or name another column as the id"
        )


class IdRecorder:
    """Takes down the ids of documents that pass."""

    def __init__(self) -> None:
        self._hashes = [np.zeros((0, 2), np.uint64)]

    def record(self, batches: Iterable[Documents]) -> Iterator[Documents]:
        """The same batches."""
        for batch in batches:
            self._hashes.append(hash_strings([name.encode("utf-8", "surrogatepass") for name in batch.ids]))
            yield batch

    def write(self, folder: Path) -> None:
        """Leave hashes of all ids in a folder, sorted, with the rows of their documents."""
        hashes = np.concatenate(self._hashes)
        write_id_hashes(folder, len(hashes), lambda rows: hashes[rows], _RUN_BYTES)


def write_id_hashes(folder: Path, rows: int, read: Callable[[slice], NDArray[np.uint64]], memory: int) -> None:
    """Leave the hashes of the ids of so many documents in a folder; ``read`` gives those of some, uint64 [n, 2]."""

    def make_run(part: slice) -> NDArray[Any]:
        records = np.empty(part.stop - part.start, ROW_RECORD)
        records["hash"], records["row"] = read(part), np.arange(part.start, part.stop)
        return records

    write_runs(folder, _NAME, map(make_run, cut_into_runs(rows, ROW_RECORD, memory)))
    np.save(folder / _COUNT, rows)


def find_repeated_id(folders: Sequence[Path], memory: int) -> RepeatedId | None:
    """The first document whose id another one before it has, if there is one, and that one.

    Args:
        folders: what ``IdRecorder`` left of each part.
        memory: bytes to stay within, more or less.
    """
    starts = np.cumsum([0, *(int(np.load(folder / _COUNT)) for folder in folders)])
    first_repeated: RepeatedId | None = None
    for records in read_by_hash(folders, _NAME, ROW_RECORD, starts, memory):
        repeats = np.flatnonzero((records["hash"][1:] == records["hash"][:-1]).all(axis=1))
        if len(repeats):
            position = repeats[np.argmin(records["row"][repeats + 1])]
            pair = RepeatedId(*records["row"][position : position + 2].tolist())
            first_repeated = (
                pair if first_repeated is None else min(first_repeated, pair, key=lambda repeated: repeated.second)
            )
    return first_repeated
