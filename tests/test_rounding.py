"""Bounds leave room for rounding, and never so much that they say something else."""

import ast
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import ibidem
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


ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def test_no_similarity_is_compared_with_a_threshold_without_the_rule() -> None:
    """``reaches`` compares them, or a kernel or a filter that leaves room for rounding itself."""
    sources = sorted(Path(ibidem.__file__).parent.rglob("*.py"))
    found = {f"{path.name}: {line}" for path in sources for line in list_strict_comparisons(path.read_text("utf-8"))}
    of_two_thresholds = {
        "query_search.py: threshold >= highest",
        "index.py: least <= threshold <= 1",
        "query_notes.py: threshold <= least",
    }
    assert found <= of_two_thresholds, "call ibidem.rounding.reaches"


def list_strict_comparisons(source: str) -> Iterator[str]:
    """The comparisons of a threshold with anything but a threshold or a constant that leave no room for rounding."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare) and all(isinstance(operator, ORDERED) for operator in node.ops):
            sides = [ast.unparse(side) for side in (node.left, *node.comparators)]
            is_threshold = ["threshold" in side and "(" not in side for side in sides]
            has_other = any(not (found or is_constant(side)) for found, side in zip(is_threshold, sides, strict=True))
            leaves_room = any(margin in ast.unparse(node) for margin in ("SLACK", "EQUAL"))
            if any(is_threshold) and has_other and not leaves_room:
                yield ast.unparse(node)


def is_constant(side: str) -> bool:
    return side.isupper() or side.replace(".", "").isdigit()
