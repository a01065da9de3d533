"""Records of windows on disk, for each band laid out by ranges of their keys."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from ibidem.reuse.records.records import Records

__all__ = ["read_records", "write_records"]

_SHIFT = np.uint64(20)
"""The first bits of a key's product say which part of a join it is in; these are others."""


def write_records(folder: Path, band: int, pieces: Iterable[Records], ranges: int) -> None:
    """Write the records of a band, those of a range of keys together, in the order of ``pieces``."""
    records = Records.concatenate(list(pieces))
    of = ((records.keys * np.uint64(0x9E3779B97F4A7C15)) >> _SHIFT) % np.uint64(ranges)
    order = np.argsort(of, kind="stable")
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(of.astype(np.int64), minlength=ranges))])
    for name, values in zip(Records._fields, records.take(order), strict=True):
        np.save(folder / f"{band:04d}-{name}.npy", values)
    np.save(folder / f"{band:04d}-bounds.npy", bounds)


def read_records(folders: Iterable[Path], band: int, number: int) -> Iterator[Records]:
    """The records of a band and range that each of the folders holds."""
    for folder in folders:
        low, high = np.load(folder / f"{band:04d}-bounds.npy")[number : number + 2].tolist()
        if low < high:  # an empty file cannot be mapped
            columns = (np.load(folder / f"{band:04d}-{name}.npy", mmap_mode="r") for name in Records._fields)
            yield Records(*(np.array(column[low:high]) for column in columns))
