"""The record of a segment, ``segment.json``: its counts, and the shape and checksum of every column."""

from pathlib import Path

import msgspec

from ibidem.errors import DamagedError
from ibidem.store.files.columns import ColumnRecord, bind
from ibidem.store.format import (
    COLUMNS,
    MAX_DOCUMENTS,
    MAX_EXTENTS,
    MAX_FUNCTIONS,
    MAX_RECORD_BYTES,
    MAX_TOKENS,
    SEGMENT_RECORD,
    SEGMENTS,
)
from ibidem.store.manifest import Count, SegmentEntry, compute_checksum
from ibidem.system.disk import read_file


class SegmentRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of ``segment.json``. ``extents`` is how many numbers a posting has besides its start."""

    documents: Count
    tokens: Count
    functions: Count
    postings: Count
    columns: dict[str, ColumnRecord]
    extents: Count


def read_record(index: Path, entry: SegmentEntry) -> SegmentRecord:
    """The record of a segment.

    Raises:
        DamagedError: it is missing, altered, or contradicts itself.
    """
    path = index / SEGMENTS / entry.name / SEGMENT_RECORD
    try:
        data = read_file(path, MAX_RECORD_BYTES)
    except FileNotFoundError:
        raise DamagedError(f"{path}: the file is missing") from None
    return parse_record(data, path, entry.checksum)


def parse_record(data: bytes, path: Path | str, checksum: str) -> SegmentRecord:
    """The record that a file holds.

    Raises:
        DamagedError: it is not what has this checksum, or contradicts itself.
    """
    if compute_checksum(data) != checksum:
        raise DamagedError(f"{path}: the checksum does not match: the file was altered")
    try:
        record = msgspec.json.decode(data, type=SegmentRecord)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DamagedError(f"{path}: not the record of a segment: {error}") from None
    _require_agreement(path, record)
    return record


def _require_agreement(path: Path | str, record: SegmentRecord) -> None:
    for name, count, most in (
        ("documents", record.documents, MAX_DOCUMENTS),
        ("tokens", record.tokens, MAX_TOKENS),
        ("functions", record.functions, MAX_FUNCTIONS),
        ("extents", record.extents, MAX_EXTENTS),
    ):
        if count > most:
            raise DamagedError(f"{path}: a segment has at most {most} {name}, not {count}")
    symbols = {"D": record.documents, "T": record.tokens, "k": record.functions, "P": record.postings}
    if unknown := record.columns.keys() - {column.name for column in COLUMNS}:
        raise DamagedError(f"{path}: there is no column {min(unknown)}")
    has_offsets = any(column.part == "offsets" and column.name in record.columns for column in COLUMNS)
    for column in COLUMNS:
        if column.name not in record.columns:
            if column.part != "offsets" or has_offsets:
                raise DamagedError(f"{path}: column {column.name} is not recorded")
        elif fault := bind(column, tuple(record.columns[column.name].shape), symbols):
            raise DamagedError(f"{path}: column {column.name} {fault}")
