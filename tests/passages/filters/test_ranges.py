"""Joined ranges hold what the ranges hold, and little more."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.passages.filters.ranges import join_ranges


@given(bounds=st.sets(st.integers(0, 60)).map(sorted), gap=st.integers(0, 9))
def test_ranges_are_joined_over_gaps_that_are_short_enough_and_over_no_others(bounds: list[int], gap: int) -> None:
    ranges = list(zip(bounds[::2], bounds[1::2], strict=False))
    expected: list[list[int]] = []
    for low, high in ranges:
        if expected and low - expected[-1][1] <= gap:
            expected[-1][1] = high
        else:
            expected.append([low, high])
    joined = join_ranges(np.array(ranges, np.int64).reshape(-1, 2), gap).tolist()
    assert joined == expected
    assert all(second[0] - first[1] > gap for first, second in pairwise(joined))


def test_ranges_that_touch_are_one() -> None:
    assert join_ranges(np.array([[0, 4], [4, 6], [7, 8]]), 0).tolist() == [[0, 6], [7, 8]]
