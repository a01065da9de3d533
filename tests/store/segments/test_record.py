"""The record of a segment is refused where it is missing, altered, or contradicts itself."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from ibidem.errors import DamagedError
from ibidem.store import Segment, Store
from ibidem.store.format import MAX_TOKENS
from ibidem.store.manifest import compute_checksum
from ibidem.store.segments.record import read_record


def test_a_record_that_contradicts_itself_is_found(store: Store) -> None:
    file = store.path / "segments" / "000001" / "segment.json"
    record = msgspec.json.decode(file.read_bytes())
    record["columns"]["tokens"]["shape"] = [7]
    file.write_bytes(data := msgspec.json.encode(record))
    entry = msgspec.structs.replace(store.segments[0].entry, checksum=compute_checksum(data))
    with pytest.raises(DamagedError, match=r"segment\.json: column tokens has a length of 7 where"):
        Segment(store.path, entry)


def record_file(store: Store) -> Path:
    return store.path / "segments" / "000001" / "segment.json"


def test_a_record_says_how_much_the_segment_holds(store: Store) -> None:
    segment = store.segments[0]
    record = read_record(store.path, segment.entry)
    assert (record.documents, record.tokens) == (segment.num_documents, segment.num_tokens)
    assert (record.functions, record.postings) == (segment.num_functions, segment.num_postings)
    assert record.columns["tokens"].shape == [segment.num_tokens]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tokens": MAX_TOKENS + 1}, "at most"),
        ({"documents": -1}, "not the record of a segment"),
        ({"more": 1}, "not the record of a segment"),
        ({"columns": {"secrets": {"shape": [1], "checksum": "0" * 16}}}, "there is no column secrets"),
        ({"columns": {}}, "column ids is not recorded"),
    ],
)
def test_a_record_with_a_right_checksum_must_make_sense(store: Store, change: dict[str, Any], message: str) -> None:
    file = record_file(store)
    file.write_bytes(data := msgspec.json.encode(msgspec.json.decode(file.read_bytes()) | change))
    entry = msgspec.structs.replace(store.segments[0].entry, checksum=compute_checksum(data))
    with pytest.raises(DamagedError, match=message):
        read_record(store.path, entry)


def test_a_record_that_was_altered_or_is_gone_is_named(store: Store) -> None:
    file = record_file(store)
    file.write_bytes(file.read_bytes() + b" ")
    with pytest.raises(DamagedError, match=r"segment\.json: the checksum does not match"):
        read_record(store.path, store.segments[0].entry)
    file.unlink()
    with pytest.raises(DamagedError, match=r"segment\.json: the file is missing"):
        read_record(store.path, store.segments[0].entry)


@pytest.mark.parametrize("column", ["offset_steps", "mark_starts", "mark_lengths"])
def test_a_record_has_all_columns_of_offsets_or_none(store: Store, column: str) -> None:
    file = record_file(store)
    record = msgspec.json.decode(file.read_bytes())
    del record["columns"][column]
    file.write_bytes(data := msgspec.json.encode(record))
    entry = msgspec.structs.replace(store.segments[0].entry, checksum=compute_checksum(data))
    with pytest.raises(DamagedError, match=f"column {column} is not recorded"):
        read_record(store.path, entry)
