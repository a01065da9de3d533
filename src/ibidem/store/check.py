"""Checking an index: every byte of every file against what was written down about it."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from ibidem.errors import DamagedError, StoreError
from ibidem.resources import Progress, as_tell
from ibidem.store.files.columns import ColumnRecord, compute_file_checksum, open_column
from ibidem.store.format import (
    COLUMNS,
    FREQUENCIES,
    FREQUENCY_COLUMNS,
    MANIFEST,
    SEGMENT_RECORD,
    SEGMENTS,
    TOMBSTONE_COLUMN,
    WINDOW_EXTENTS,
)
from ibidem.store.leftovers import require_own_folders
from ibidem.store.manifest import Manifest, SegmentEntry, read_attachment, read_manifest
from ibidem.store.postings.window_ends import find_window_outside
from ibidem.store.segments.record import SegmentRecord, read_record
from ibidem.store.segments.segment import Segment
from ibidem.store.validation import ascends, find_fault

_POSTINGS_AT_ONCE = 1 << 20


class FileReport(msgspec.Struct, frozen=True):
    """The finding about one file: its path in the index, and what is wrong with it, if anything."""

    file: str
    problem: str | None = None


class Report(msgspec.Struct, frozen=True):
    """The findings about an index."""

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
    path, tell = Path(path), as_tell(progress)
    while True:
        try:
            manifest = read_manifest(path)
        except DamagedError as error:
            return Report([FileReport(MANIFEST, str(error))])
        files = []
        for report in _check_files(path, manifest):
            files.append(report)
            tell("check", len(files), None)
        # A writer may have committed in the meantime and removed what its generation no longer needs.
        if not Report(files).problems or _read_generation(path) == manifest.generation:
            return Report(files)


def _read_generation(path: Path) -> int | None:
    try:
        return read_manifest(path).generation
    except StoreError:
        return None


def _check_files(path: Path, manifest: Manifest) -> Iterator[FileReport]:
    try:
        require_own_folders(path)
    except DamagedError as error:
        yield FileReport(MANIFEST, str(error))
        return
    yield FileReport(MANIFEST)
    for entry in manifest.segments:
        yield from _check_segment(path, entry)
        if entry.removal and entry.tombstones:
            rows, problem = _read_column(path / entry.tombstones, TOMBSTONE_COLUMN.dtype, entry.removal.record)
            if rows is not None and not (ascends(rows) and (not len(rows) or rows[-1] < entry.documents)):
                problem = f"{path / entry.tombstones}: the rows do not ascend, or are not all of the segment"
            yield FileReport(entry.tombstones, problem)
    for attachment in manifest.attachments:
        try:
            read_attachment(path, attachment)
        except (StoreError, OSError) as error:
            yield FileReport(attachment.file, str(error))
        else:
            yield FileReport(attachment.file)
    if manifest.frequencies:
        for column in FREQUENCY_COLUMNS:
            file = f"{FREQUENCIES}/{column.file}"
            values, problem = _read_column(path / file, column.dtype, manifest.frequencies.columns[column.name])
            if column.name == "tokens" and values is not None and not ascends(values):
                problem = f"{path / file}: the values do not ascend"
            yield FileReport(file, problem)


def _check_segment(path: Path, entry: SegmentEntry) -> Iterator[FileReport]:
    folder = f"{SEGMENTS}/{entry.name}"
    try:
        record = read_record(path, entry)
    except DamagedError as error:
        yield FileReport(f"{folder}/{SEGMENT_RECORD}", str(error))
        return
    yield FileReport(f"{folder}/{SEGMENT_RECORD}")
    columns: dict[str, NDArray[Any]] = {}
    for column in COLUMNS:
        if column.name in record.columns:
            file = f"{folder}/{column.file}"
            values, problem = _read_column(path / file, column.dtype, record.columns[column.name])
            if values is not None:
                columns[column.name] = values
            yield FileReport(file, problem)
    contradictions = list(_find_contradictions(path, folder, record, columns))
    yield from contradictions
    if not contradictions and len(columns) == len(record.columns):
        yield from _find_faults(path, folder, msgspec.structs.replace(entry, removal=None))


def _find_faults(path: Path, folder: str, entry: SegmentEntry) -> Iterator[FileReport]:
    """Describe the faults of lists and postings whose columns have the right bytes and lengths."""
    for column, find_problem in (
        ("packed_keys", _find_fault_of_lists),
        ("packed_postings", _find_fault_of_postings),
        ("metadata", _find_fault_of_documents),
    ):
        file = f"{folder}/{column}.npy"
        try:
            problem = find_problem(Segment(path, entry))
        except StoreError as error:
            problem = str(error)
        if problem:
            yield FileReport(file, f"{path / file}: {problem}")
            return


def _read_column(path: Path, dtype: str, record: ColumnRecord) -> tuple[NDArray[Any] | None, str | None]:
    """The values of a sound column, or what is wrong with it."""
    try:
        values = open_column(path, dtype, tuple(record.shape))
        if compute_file_checksum(path) != record.checksum:
            return None, f"{path}: the checksum does not match: the file was altered"
    except (StoreError, OSError) as error:
        return None, str(error)
    return values, None


def _find_contradictions(
    path: Path, folder: str, record: SegmentRecord, columns: dict[str, NDArray[Any]]
) -> Iterator[FileReport]:
    """Columns whose bytes are those that were written, but not those that should have been."""
    lengths = {name: column.shape[0] for name, column in record.columns.items()} | {"postings": record.postings}
    if "key_blocks" not in columns:
        return
    lengths["keys"] = int(columns["key_blocks"][-1])
    for name, values in columns.items():
        fault = find_fault(name, values, lengths)
        if fault:
            file = f"{folder}/{name}.npy"
            yield FileReport(file, f"{path / file}: {fault}")


def _find_fault_of_documents(segment: Segment) -> str | None:
    """Describe the faults of documents that cannot be read, or not be written again."""
    for _ in segment.batches():
        pass
    for row in range(segment.num_documents):
        segment.text(row)
        segment.metadata(row)
    return None


def _find_fault_of_lists(segment: Segment) -> str | None:
    """Faults of keys that do not ascend or are not found, or have lists that are not those of the postings."""
    end_of_lists = 0
    for function in range(segment.num_functions):
        keys, bounds = segment.directory(function)
        ranges = np.stack((bounds[:-1], bounds[1:]), axis=1)
        if not (int(bounds[0]) == end_of_lists and ascends(keys) and ascends(bounds)):
            return f"the lists of function {function} are not those of its postings"
        if not np.array_equal(segment.list_bounds(function, keys), ranges):
            return f"the lists of function {function} are not found under their keys"
        end_of_lists = int(bounds[-1])
    return None if end_of_lists == segment.num_postings else "the lists end before the postings"


def _find_fault_of_postings(segment: Segment) -> str | None:
    """Faults of postings that do not ascend within their lists, or are of no token or document, or of two."""
    places = max(segment.num_tokens, segment.num_documents)
    for function in range(segment.num_functions):
        bounds = segment.directory(function)[1]
        for low in range(int(bounds[0]), int(bounds[-1]), _POSTINGS_AT_ONCE):
            # One more than are asked for, so that every start is compared with the one before it.
            starts, extents = segment.postings(low, min(low + _POSTINGS_AT_ONCE + 1, int(bounds[-1])))
            falls = np.flatnonzero(starts[1:] < starts[:-1]) + low + 1
            if not (bounds[np.searchsorted(bounds, falls)] == falls).all() or int(starts.max()) >= places:
                return f"the postings of function {function} do not ascend in every list, or leave the segment"
            if extents.shape[1] == WINDOW_EXTENTS and find_window_outside(starts, extents, segment.token_bounds) < len(
                starts
            ):
                return f"a window of function {function} ends behind its document"
    return None
