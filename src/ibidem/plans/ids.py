"""Ids of a whole collection, compared without holding them: by hashes, sorted in each part, range by range."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.documents.column_spool import hash_strings
from ibidem.text import Documents

__all__ = ["IdRecorder", "RepeatedId", "find_repeated_id"]

_HASHES, _ROWS = "id_hashes.npy", "id_rows.npy"

_COMPARING = 96
"""Memory that an id takes while it is compared: its hash and its row, sorted."""


class RepeatedId(NamedTuple):
    """Two documents of one id, by their numbers in the collection."""

    first: int
    second: int


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
        order = np.lexsort((hashes[:, 1], hashes[:, 0]))
        np.save(folder / _HASHES, hashes[order])
        np.save(folder / _ROWS, order)


def find_repeated_id(folders: Sequence[Path], memory: int) -> RepeatedId | None:
    """The first document whose id another one before it has, if there is one, and that one.

    Args:
        folders: what ``IdRecorder`` left of each part.
        memory: bytes to stay within, more or less.
    """
    parts = [_Part.open(folder) for folder in folders]
    starts = np.cumsum([0, *(len(part.rows) for part in parts)])
    passes = max(1, -(-int(starts[-1]) * _COMPARING // memory))
    found = []
    for number in range(passes):
        low, high = ((each << 64) // passes for each in (number, number + 1))
        pieces = [part.between(low, high) for part in parts]
        hashes = np.concatenate([piece.hashes for piece in pieces])
        rows = np.concatenate([piece.rows + start for piece, start in zip(pieces, starts, strict=False)])
        order = np.lexsort((rows, hashes[:, 1], hashes[:, 0]))
        again = np.flatnonzero((hashes[order[1:]] == hashes[order[:-1]]).all(axis=1))
        found += [RepeatedId(int(rows[order[at]]), int(rows[order[at + 1]])) for at in again]
    return min(found, key=lambda pair: pair.second, default=None)


class _Part(NamedTuple):
    """Hashes uint64 [n, 2], ascending, and the rows int64 [n] of their documents."""

    hashes: NDArray[np.uint64]
    rows: NDArray[np.int64]

    @classmethod
    def open(cls, folder: Path) -> "_Part":
        hashes, rows = (np.load(folder / name, mmap_mode="r") for name in (_HASHES, _ROWS))
        return cls(hashes, rows)

    def between(self, low: int, high: int) -> "_Part":
        """Those whose first number is at least ``low`` and below ``high``."""
        numbers = self.hashes[:, 0]
        first = int(np.searchsorted(numbers, np.uint64(low)))
        end = len(numbers) if high >> 64 else int(np.searchsorted(numbers, np.uint64(high)))
        return _Part(np.array(self.hashes[first:end]), np.array(self.rows[first:end]))
