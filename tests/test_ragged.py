"""Ragged arrays against lists of rows."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ibidem.ragged import bounds_of, cut_rows, join_bytes


@given(st.lists(st.binary(max_size=5)))
def test_joined_rows_are_cut_apart_again_by_their_bounds(rows: list[bytes]) -> None:
    data, bounds = join_bytes(rows)
    assert [data[a:b].tobytes() for a, b in pairwise(bounds)] == rows


@given(st.lists(st.integers(0, 2**40)))
def test_bounds_are_sums_of_the_lengths_before(lengths: list[int]) -> None:
    assert bounds_of(lengths).tolist() == [sum(lengths[:row]) for row in range(len(lengths) + 1)]


@given(st.lists(st.integers(0, 20)), st.integers(1, 30))
def test_rows_are_cut_into_ranges_that_follow_each_other_and_hold_about_so_much(lengths: list[int], size: int) -> None:
    ranges = list(cut_rows(bounds_of(lengths), size))
    assert [row for first, last in ranges for row in range(first, last)] == list(range(len(lengths)))
    assert all(first < last for first, last in ranges)
    assert all(sum(lengths[first : last - 1]) < 2 * size + max(lengths) for first, last in ranges)
