"""Bounds leave room for rounding, and never so much that they say something else."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.rounding import EQUAL, SLACK, ceil_loosely, floor_loosely, level, loosen, order_by_similarity, reaches

tenths = st.lists(st.integers(1, 9), min_size=1, max_size=30)


@given(parts=tenths)
def test_a_sum_in_floats_is_rounded_as_the_exact_one(parts: list[int]) -> None:
    exact = sum(Fraction(part, 10) for part in parts)
    found = sum(part / 10 for part in parts)
    assert ceil_loosely(found) == -(-exact.numerator // exact.denominator)
    assert floor_loosely(found) == exact.numerator // exact.denominator


@given(least=st.floats(1e-300, 1e15))
def test_a_bound_is_loosened_by_more_than_rounding_and_by_little(least: float) -> None:
    assert least * (1 - 2 * SLACK) < loosen(least) < least * (1 - EQUAL)


@given(number=st.integers(0, 10**6), part=st.floats(1e-6, 1 - 1e-6))
def test_what_lies_clearly_between_two_whole_numbers_is_rounded_as_ever(number: int, part: float) -> None:
    if 1e-2 < part < 1 - 1e-2:
        assert ceil_loosely(number + part) == number + 1
        assert floor_loosely(number + part) == number


@given(parts=tenths)
def test_a_sum_reaches_itself_in_any_order_of_its_terms(parts: list[int]) -> None:
    terms = [part / 10 for part in parts]
    assert reaches(sum(terms), sum(reversed(terms)))
    assert not reaches(sum(terms), sum(terms) * (1 + 1e-9))


@given(rows=st.lists(tenths, max_size=12), most=st.none() | st.integers(1, 12))
def test_sums_are_ordered_as_the_exact_ones_and_equal_ones_by_row(rows: list[list[int]], most: int | None) -> None:
    sums = np.array([sum(part / 10 for part in parts) for parts in rows], np.float64)
    expected = sorted(range(len(rows)), key=lambda row: -sum(rows[row]))[:most]
    assert order_by_similarity(sums, most).tolist() == expected
    assert len(set(level(sums).tolist())) == len({sum(parts) for parts in rows})
