"""A plan bounds the lengths of similar passages, and no threshold makes a bound overflow."""

import numpy as np
import pytest

from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.plan import plan_search
from ibidem.passages.query.query import Query
from ibidem.weights import Weighting

MULTISET = Weighting.of("multiset")
QUERY = Query.of(np.arange(100, dtype=np.uint32), MULTISET)


def lengths_at(threshold: float, lengths: tuple[int, int] = (1, 1024)) -> tuple[int, int]:
    options = SearchOptions(threshold=threshold)
    return plan_search(QUERY, MULTISET, options, lengths).similar_lengths


def test_a_similar_passage_has_a_share_of_the_query_and_at_most_its_inverse() -> None:
    assert lengths_at(0.5) == (50, 200)
    assert lengths_at(1.0) == (100, 100)
    assert lengths_at(0.05) == (5, 1024)
    assert lengths_at(0.5, (60, 80)) == (60, 80)


@pytest.mark.parametrize("threshold", [1e-320, 5e-324, 1e-9])
def test_a_threshold_near_zero_bounds_nothing(threshold: float) -> None:
    assert lengths_at(threshold) == (1, 1024)


def test_a_query_that_no_passage_can_reach_has_an_empty_plan() -> None:
    assert plan_search(QUERY, MULTISET, SearchOptions(threshold=0.9), (200, 300)).is_empty
    assert not plan_search(QUERY, MULTISET, SearchOptions(threshold=0.9), (1, 300)).is_empty
