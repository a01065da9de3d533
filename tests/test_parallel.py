"""What is shared out is all there was, in order, in parts of about one size."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.parallel import split_ranges


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 20)), max_size=12), st.integers(1, 25))
def test_parts_hold_every_range_once_and_are_of_about_one_size(steps, size):
    ranges, place = [], 0
    for gap, length in steps:
        ranges.append((place + gap, place + gap + length))
        place = ranges[-1][1]
    parts = split_ranges(np.array(ranges, np.int64).reshape(-1, 2), size)
    pieces = [(row, i) for rows, part in parts for row, piece in zip(rows, part, strict=True) for i in range(*piece)]
    assert pieces == [(row, i) for row, bounds in enumerate(ranges) for i in range(*bounds)]
    assert len(parts) >= 1
    assert all((part[:, 1] - part[:, 0]).sum() < 2 * size for _, part in parts)
    assert len(parts) <= 1 + len(pieces) // size
