"""Which documents share a bucket of a band, found by ranges of the bands' hash values.

The task that reads a part leaves a record for each document and band, a hash value and the number of the document, laid
out by ranges of the values. The task of a range reads its records from all parts, and nothing else, to see which
documents have company.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.store.files.columns import ColumnWriter
from ibidem.store.format import Column

RECORD_BYTES = 16

_HASHES = Column("record_hashes", "<u8", ("n",), "plan", "")
_ROWS = Column("record_rows", "<i8", ("n",), "plan", "")
_BOUNDS = "record_bounds.npy"


class BandRecords(NamedTuple):
    """Records of one range: hash values uint64 [r], and numbers of documents int64 [r]."""

    hashes: NDArray[np.uint64]
    rows: NDArray[np.int64]


class BandRecordsWriter:
    """Writes the records of a part into a folder, batch after batch; each batch has a run for every range."""

    def __init__(self, folder: Path, ranges: int) -> None:
        self._folder, self._ranges, self._documents = folder, ranges, 0
        self._hashes, self._rows = ColumnWriter(folder, _HASHES), ColumnWriter(folder, _ROWS)
        self._bounds: list[NDArray[np.int64]] = []

    def append(self, bands: NDArray[np.uint64]) -> None:
        """Append the next documents; ``bands`` [n, b] are the hashes of their bands."""
        hashes = bands.reshape(-1)
        rows = self._documents + np.repeat(np.arange(len(bands)), bands.shape[1])
        of = (hashes % np.uint64(self._ranges)).astype(np.int64)
        order = np.argsort(of, kind="stable")
        counts = np.bincount(of, minlength=self._ranges)
        self._bounds.append(self._hashes.rows + np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]))
        self._hashes.append(hashes[order])
        self._rows.append(rows[order])
        self._documents += len(bands)

    def finish(self) -> None:
        """Put everything on the disk."""
        self._hashes.finish()
        self._rows.finish()
        np.save(self._folder / _BOUNDS, np.array(self._bounds, np.int64).reshape(-1, self._ranges + 1))


def read_records(folder: Path, number: int) -> BandRecords:
    """The records of range ``number`` that a part has in ``folder``."""
    bounds = np.load(folder / _BOUNDS)[:, number : number + 2].tolist()
    # An empty file cannot be mapped.
    if not any(low < high for low, high in bounds):
        return BandRecords(np.zeros(0, np.uint64), np.zeros(0, np.int64))
    hashes, rows = (np.load(folder / column.file, mmap_mode="r") for column in (_HASHES, _ROWS))
    return BandRecords(
        np.concatenate([hashes[low:high] for low, high in bounds]),
        np.concatenate([rows[low:high] for low, high in bounds]),
    )


def find_company(
    folders: list[Path], starts: NDArray[np.int64], number: int, numbers: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The texts, ascending, that have the hash of a band in common with another, in range ``number``.

    Args:
        folders: those with the records of each part.
        starts: int64 [P + 1], the number of the first document of each part.
        numbers: int64 [n], for each document the number of its text, from 1; 0 if it takes no part.
    """
    parts = [read_records(folder, number) for folder in folders]
    hashes = np.concatenate([part.hashes for part in parts])
    texts = numbers[np.concatenate([part.rows + start for part, start in zip(parts, starts, strict=False)])] - 1
    taking_part = texts >= 0
    hashes, texts = hashes[taking_part], texts[taking_part]
    order = np.argsort(hashes, kind="stable")
    hashes, texts = hashes[order], texts[order]
    same = hashes[1:] == hashes[:-1]
    shared = np.zeros(len(hashes), np.bool_)
    shared[1:] |= same
    shared[:-1] |= same
    return np.unique(texts[shared])
