"""Ranges of hashes hold each hash once."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.engine.hash_ranges import HashRange

EDGES = [0, 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]


@given(st.lists(st.sampled_from(EDGES) | st.integers(0, EDGES[-1])).map(sorted), st.integers(1, 9))
def test_each_hash_is_in_one_range(values: list[int], count: int) -> None:
    hashes, ranges = np.array(values, np.uint64), HashRange().cut(count)
    assert len(ranges) == count
    found = [hashes[each.find(hashes)].tolist() for each in ranges]
    assert [value for part in found for value in part] == values
    for wanted, part in zip(ranges, found, strict=True):
        assert all(wanted.low <= value < wanted.high for value in part)
        assert [each for piece in wanted.cut(3) for each in hashes[piece.find(hashes)].tolist()] == part
