"""Checking an index: every byte of every file against what was written down about it."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from ibidem.errors import DamagedError, StoreError
from ibidem.store.columns import ColumnRecord, checksum_of_file, open_column
from ibidem.store.format import (
    FREQUENCIES,
    FREQUENCY_COLUMNS,
    MANIFEST,
    PACKED_MARGIN,
    SEGMENT_RECORD,
    SEGMENTS,
    TOMBSTONE_COLUMN,
    columns_among,
)
from ibidem.store.manifest import Manifest, SegmentEntry, read_manifest
from ibidem.store.postings import Directory
from ibidem.store.segment import Segment, SegmentRecord, read_record

__all__ = ["FileReport", "Report", "check_index"]

Progress = Callable[[str, int, int | None], None]

# Columns that say where things begin, and what they must end with the length of.
_BOUNDS = {
    "ids_bounds": "ids",
    "metadata_bounds": "metadata",
    "text_bounds": "text",
    "tokens_bounds": "tokens",
    "function_keys": "keys",
    "function_postings": "postings",
    "block_postings": "postings",
    "block_bytes": "blocks",
}

_POSTINGS_AT_ONCE = 1 << 20


class FileReport(msgspec.Struct, frozen=True):
    """What was found out about one file: its path in the index, and what is wrong with it, if anything."""

    file: str
    problem: str | None = None


class Report(msgspec.Struct, frozen=True):
    """What was found out about an index."""

    files: list[FileReport]

    @property
    def problems(self) -> list[str]:
        """One line for each damaged file; empty for a sound index."""
        return [report.problem for report in self.files if report.problem is not None]


def check_index(path: str | os.PathLike[str], progress: Progress | None = None) -> Report:
    """Check an index, which need not be sound enough to be opened.

    Every file is compared in length, header and checksum with its record, and every column that says where things begin
    must ascend and end where they do; postings must unpack, and ascend within each list. ``progress`` is called as
    ``progress("check", files done, None)``.

    Raises:
        NotAnIndexError, FormatVersionError: there is nothing here that could be checked.
    """
    path = Path(path)
    while True:
        try:
            manifest = read_manifest(path)
        except DamagedError as error:
            return Report([FileReport(MANIFEST, str(error))])
        files = []
        for report in _reports(path, manifest):
            files.append(report)
            if progress:
                progress("check", len(files), None)
        # A writer may have committed in the meantime and removed what its generation no longer needs.
        if not Report(files).problems or _generation(path) == manifest.generation:
            return Report(files)


def _generation(path: Path) -> int | None:
    try:
        return read_manifest(path).generation
    except StoreError:
        return None


def _reports(path: Path, manifest: Manifest) -> Iterator[FileReport]:
    yield FileReport(MANIFEST)
    for entry in manifest.segments:
        yield from _segment_reports(path, entry)
        if entry.removal and entry.tombstones:
            record = ColumnRecord([entry.removal.documents], entry.removal.checksum)
            rows, problem = _read(path / entry.tombstones, TOMBSTONE_COLUMN.dtype, record)
            if rows is not None and not (_rises(rows) and (not len(rows) or rows[-1] < entry.documents)):
                problem = f"{path / entry.tombstones}: the rows do not ascend, or are not all of the segment"
            yield FileReport(entry.tombstones, problem)
    if manifest.frequencies:
        for column in FREQUENCY_COLUMNS:
            file = f"{FREQUENCIES}/{column.file}"
            yield FileReport(file, _read(path / file, column.dtype, manifest.frequencies.columns[column.name])[1])


def _segment_reports(path: Path, entry: SegmentEntry) -> Iterator[FileReport]:
    folder = f"{SEGMENTS}/{entry.name}"
    try:
        record = read_record(path, entry)
    except DamagedError as error:
        yield FileReport(f"{folder}/{SEGMENT_RECORD}", str(error))
        return
    yield FileReport(f"{folder}/{SEGMENT_RECORD}")
    columns: dict[str, NDArray[Any]] = {}
    for column in columns_among(record.columns):
        if column.name in record.columns:
            file = f"{folder}/{column.file}"
            values, problem = _read(path / file, column.dtype, record.columns[column.name])
            if values is not None:
                columns[column.name] = values
            yield FileReport(file, problem)
    contradictions = list(_contradictions(path, folder, record, columns))
    yield from contradictions
    if not contradictions and len(columns) == len(record.columns):
        file = f"{folder}/{'starts' if record.extents is None else 'packed'}.npy"
        problem = _fault_of_postings(path, entry, record)
        if problem:
            yield FileReport(file, f"{path / file}: {problem}")


def _read(path: Path, dtype: str, record: ColumnRecord) -> tuple[NDArray[Any] | None, str | None]:
    """The values of a sound column, or what is wrong with it."""
    try:
        values = open_column(path, dtype, tuple(record.shape))
        if checksum_of_file(path) != record.checksum:
            return None, f"{path}: the checksum does not match: the file was altered"
    except (StoreError, OSError) as error:
        return None, str(error)
    return values, None


def _contradictions(
    path: Path, folder: str, record: SegmentRecord, columns: dict[str, NDArray[Any]]
) -> Iterator[FileReport]:
    """Columns whose bytes are those that were written, but not those that should have been."""
    lengths = {name: len(values) for name, values in columns.items()} | {"postings": record.postings}
    if "packed" in columns:
        lengths["blocks"] = len(columns["packed"]) - PACKED_MARGIN
    for name, target in _BOUNDS.items():
        if name in columns and target in lengths and not _bounds(columns[name].astype(np.int64), lengths[target]):
            file = f"{folder}/{name}.npy"
            yield FileReport(file, f"{path / file}: it does not ascend from 0 to the length of the {target}")
    for name in ("vocabulary", "mark_positions"):
        if name in columns and not _rises(columns[name]):
            file = f"{folder}/{name}.npy"
            yield FileReport(file, f"{path / file}: the values do not ascend")
    if columns.keys() >= set(Directory._fields):
        directory = Directory(*(columns[name] for name in Directory._fields))
        for function in range(directory.num_functions):
            keys, bounds = directory.function(function)
            end = int(directory.function_postings[function + 1])
            if not (_rises(keys) and _rises(bounds) and int(bounds[-1]) == end):
                file = f"{folder}/list_ends.npy"
                yield FileReport(file, f"{path / file}: the lists of function {function} are not those of its postings")


def _fault_of_postings(path: Path, entry: SegmentEntry, record: SegmentRecord) -> str | None:
    """What is wrong with postings that cannot be unpacked, do not ascend, or are of no token and no document."""
    places = max(record.tokens, record.documents)
    try:
        segment = Segment(path, msgspec.structs.replace(entry, removal=None))
        for function in range(record.functions):
            bounds = segment.directory(function)[1]
            for low in range(int(bounds[0]), int(bounds[-1]), _POSTINGS_AT_ONCE):
                # One more than are asked for, so that every start is compared with the one before it.
                high = min(low + _POSTINGS_AT_ONCE + 1, int(bounds[-1]))
                starts = segment.postings(low, high)[0]
                falls = np.flatnonzero(starts[1:] < starts[:-1]) + low + 1
                if not (bounds[np.searchsorted(bounds, falls)] == falls).all() or int(starts.max()) >= places:
                    return f"the postings of function {function} do not ascend in every list, or leave the segment"
    except StoreError as error:
        return str(error)
    return None


def _rises(values: NDArray[Any]) -> bool:
    return bool((values[1:] > values[:-1]).all())


def _bounds(values: NDArray[np.int64], length: int) -> bool:
    return bool(values[0] == 0 and values[-1] == length and (values[1:] >= values[:-1]).all())
