"""Records of a whole collection, taken in the order of their hashes without holding them all.

Each part leaves its records in runs that are sorted. Whoever reads them takes a range of hashes from all runs at a
time, as many as memory holds.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROW_RECORD = np.dtype([("hash", "<u8", 2), ("row", "<i8")])
"""A hash of 128 bits, and the number of a document."""

SIZED_RECORD = np.dtype([*ROW_RECORD.descr, ("size", "<i8")])
"""The same with a number more."""

# Times its bytes that a record takes while it is sorted.
_WORKING = 6

_Records = NDArray[Any]


def cut_into_runs(rows: int, record: np.dtype[Any], memory: int) -> Iterator[slice]:
    """Slices of so many rows, each of as many as can be sorted at a time."""
    most = max(1, memory // (_WORKING * record.itemsize))
    return (slice(first, min(first + most, rows)) for first in range(0, rows, most))


def write_runs(folder: Path, name: str, runs: Iterable[_Records]) -> None:
    """Leave records in a folder under a name; each of ``runs`` is sorted by hash, records of one hash by row."""
    bounds = [0]
    with _records_file(folder, name).open("xb") as file:
        for run in runs:
            file.write(_sort_by_hash(run).view(np.uint8).data)
            bounds.append(bounds[-1] + len(run))
    np.save(_bounds_file(folder, name), np.array(bounds))


def read_by_hash(
    folders: Sequence[Path], name: str, record: np.dtype[Any], starts: NDArray[np.int64], memory: int
) -> Iterator[_Records]:
    """All records, sorted by hash, those of one hash by row; never are records of one hash in two pieces.

    Args:
        starts: int64 [P + 1], what is added to the rows of each folder.
        memory: bytes to stay within, more or less.
    """
    total = sum(int(np.load(_bounds_file(folder, name))[-1]) for folder in folders)
    passes = max(1, -(-total * record.itemsize * _WORKING // memory))
    for number in range(passes):
        low, high = ((bound << 64) // passes for bound in (number, number + 1))
        pieces = [np.zeros(0, record)]
        for folder, start in zip(folders, starts.tolist(), strict=False):
            # Opened for each range anew: pages that were read count as memory until a file is closed.
            for piece in _read_range(folder, name, record, low, high):
                piece["row"] += start
                pieces.append(piece)
        yield _sort_by_hash(np.concatenate(pieces))


def _read_range(folder: Path, name: str, record: np.dtype[Any], low: int, high: int) -> Iterator[_Records]:
    """The records of each run whose first number is at least ``low`` and below ``high``."""
    bounds = np.load(_bounds_file(folder, name)).tolist()
    if not bounds[-1]:
        return  # an empty file cannot be mapped
    records = np.memmap(_records_file(folder, name), record, "r")
    for begin, end in pairwise(bounds):
        numbers = records["hash"][begin:end, 0]
        first = int(np.searchsorted(numbers, np.uint64(low)))
        last = len(numbers) if high >> 64 else int(np.searchsorted(numbers, np.uint64(high)))
        yield np.array(records[begin + first : begin + last])


def _sort_by_hash(records: _Records) -> _Records:
    hashes = records["hash"]
    return records[np.lexsort((records["row"], hashes[:, 1], hashes[:, 0]))]


def _records_file(folder: Path, name: str) -> Path:
    return folder / f"{name}.records"


def _bounds_file(folder: Path, name: str) -> Path:
    return folder / f"{name}_bounds.npy"
