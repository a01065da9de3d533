"""Values that would make a reader look outside of an array are told from those that a writer makes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.store import Store
from ibidem.store.files.columns import HEADER_BYTES
from ibidem.store.format import COLUMNS, PACKED_MARGIN
from ibidem.store.validation import ascends, find_fault

numbers = st.lists(st.integers(0, 40), min_size=1, max_size=6)


@given(values=numbers, length=st.integers(0, 40), dtype=st.sampled_from([np.int64, np.uint64]))
def test_bounds_are_sound_if_and_only_if_each_range_lies_inside(values: list[int], length: int, dtype: type) -> None:
    sound = values[0] == 0 and values[-1] == length and values == sorted(values)
    for name, target in (("tokens_bounds", "tokens"), ("key_blocks", "keys")):
        fault = find_fault(name, np.array(values, dtype), {target: length})
        assert (fault is None) == sound
    packed = find_fault("key_bytes", np.array(values, dtype), {"packed_keys": length + PACKED_MARGIN})
    assert (packed is None) == sound


@given(values=numbers, length=st.integers(1, 40))
def test_marks_begin_with_the_first_token_and_ascend_within_the_tokens(values: list[int], length: int) -> None:
    strictly = values == sorted(set(values))
    assert ascends(np.array(values, np.uint32)) == strictly
    fault = find_fault("mark_positions", np.array(values, np.uint32), {"tokens": length})
    assert (fault is None) == (strictly and values[0] == 0 and values[-1] < length)


def test_no_tokens_have_no_marks() -> None:
    nothing = np.empty(0, np.uint32)
    assert find_fault("mark_positions", nothing, {"tokens": 0}) is None
    assert find_fault("mark_positions", nothing, {"tokens": 1})
    assert find_fault("vocabulary", nothing, {}) is None


@pytest.mark.parametrize("name", [column.name for column in COLUMNS])
def test_every_column_of_a_sound_segment_is_sound(store: Store, name: str) -> None:
    folder = store.path / "segments" / "000001"
    columns = {
        column.name: np.frombuffer((folder / column.file).read_bytes()[HEADER_BYTES:], column.dtype)
        for column in COLUMNS
    }
    lengths = {each: len(values) for each, values in columns.items()}
    lengths |= {"keys": int(columns["function_keys"][-1]), "postings": int(columns["function_postings"][-1])}
    assert find_fault(name, columns[name], lengths) is None


@pytest.mark.parametrize(
    ("name", "values", "sound"),
    [
        ("document_frequencies", [1, 2, 2], True),
        ("document_frequencies", [], True),
        ("document_frequencies", [0, 2, 2], False),
        ("document_frequencies", [1, 3, 2], False),
        ("collection_frequencies", [1, 2, 4], True),
        ("collection_frequencies", [1, 2, 5], False),
        ("collection_frequencies", [0, 3, 4], False),
        ("collection_frequencies", [2**64 - 1, 4, 4], False),
    ],
)
def test_counts_of_tokens_are_of_the_documents_and_tokens_that_there_are(name, values, sound):
    lengths = {"tokens": 7, "ids_bounds": 3}
    assert (find_fault(name, np.array(values, np.uint64), lengths) is None) == sound
