from itertools import combinations_with_replacement

import numpy as np
import pytest

from ibidem.errors import DamagedError
from ibidem.store import Store
from ibidem.store.segments import columns as segment_columns
from ibidem.store.segments.columns import SegmentColumns
from ibidem.store.segments.record import read_record

from .. import samples


def columns_of(store: Store, verify: str = "lazy") -> SegmentColumns:
    segment = store.segments[0]
    return SegmentColumns(segment.folder, read_record(store.path, segment.entry), verify)


def test_rows_of_ragged_columns_are_strings(store: Store) -> None:
    columns = columns_of(store)
    assert columns.strings("text") == samples.TEXTS
    assert [columns.string("text", row) for row in range(5)] == samples.TEXTS
    assert columns.strings_of("text", np.array([3, 0])) == [samples.TEXTS[3], samples.TEXTS[0]]
    assert columns.byte_string("text", 2) == samples.TEXTS[2].encode()
    assert columns.byte_strings_of("text", np.array([], np.int64)) == []


@pytest.mark.parametrize("counted_at_once", [3, 1 << 15])
def test_a_text_between_two_code_points_is_that_slice_of_it(
    store: Store, monkeypatch: pytest.MonkeyPatch, counted_at_once: int
) -> None:
    monkeypatch.setattr(segment_columns, "_COUNTED_AT_ONCE", counted_at_once)
    columns = columns_of(store)
    assert any(not text.isascii() for text in samples.TEXTS)
    for row, text in enumerate(samples.TEXTS):
        places = sorted({0, 1, 2, 4, 6, len(text) // 2, len(text) - 1, len(text), len(text) + 1} - {-1})
        for start, end in combinations_with_replacement(places, 2):
            assert columns.text_between(row, start, end) == text[start:end]


def test_parts_take_the_bytes_of_their_files(store: Store) -> None:
    columns = columns_of(store)
    files = sum(path.stat().st_size for path in columns.folder.glob("*.npy"))
    assert sum(columns.sizes().values()) == files
    assert "tokens" in columns
    assert "signatures" not in columns


def test_a_file_that_was_altered_is_found_when_all_are_verified(store: Store) -> None:
    path = store.segments[0].folder / "text.npy"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.unlink()
    path.write_bytes(data)
    with pytest.raises(DamagedError, match=r"text\.npy"):
        columns_of(store, "full")
    columns = columns_of(store)
    assert len(columns["tokens"])
    with pytest.raises(DamagedError, match=r"text\.npy"):
        columns.string("text", 0)


def test_closed_columns_say_so_and_leave_their_arrays(store: Store) -> None:
    columns = columns_of(store)
    tokens = columns["tokens"]
    columns.close()
    assert len(tokens) == store.segments[0].num_tokens
    with pytest.raises(ValueError, match="segment 000001 is closed"):
        columns["tokens"]
