"""A sweep may take what is left of the budget of the search that it belongs to."""

import math
import sys

from ibidem.passages.query.execution import MOST_AREAS, Execution
from ibidem.passages.query.statistics import SearchStatistics
from ibidem.sketches.schemes.collisions.bounds import limit_sweep


def test_a_sweep_without_a_search_has_no_bounds():
    limits = limit_sweep((4, 9), None)
    assert (limits.min_length, limits.max_length) == (4, 9)
    assert (limits.most, limits.steps, limits.steps_before) == (sys.maxsize, math.inf, 0.0)


def test_a_search_without_a_budget_gives_a_sweep_no_bounds():
    limits = limit_sweep((4, 9), Execution(None, 1, SearchStatistics()))
    assert (limits.most, limits.steps, limits.steps_before) == (sys.maxsize, math.inf, 0.0)


def test_what_was_spent_before_a_sweep_counts():
    execution = Execution(None, 1, SearchStatistics())
    execution.allow(100.0)
    execution.spend(30.0)
    limits = limit_sweep((4, 9), execution)
    assert (limits.most, limits.steps, limits.steps_before) == (MOST_AREAS, 100.0, 30.0)
    assert limits.at_once < 1.0


def test_a_search_that_may_be_done_in_part_uses_all_that_is_allowed():
    execution = Execution(None, 1, SearchStatistics())
    execution.allow(100.0, in_part=True)
    assert limit_sweep((4, 9), execution).at_once == 1.0
