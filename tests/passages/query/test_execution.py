"""A search spends a budget, and stops when it is told to."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from ibidem.passages.query.execution import MOST_AREAS, MOST_BYTES, Execution, OverBudgetError, StoppedError
from ibidem.passages.query.statistics import SearchStatistics


@pytest.fixture
def execution():
    with ThreadPoolExecutor(2) as pool:
        yield Execution(pool, 2, SearchStatistics())


def test_a_budget_is_spent_before_the_work_is_done(execution: Execution) -> None:
    execution.spend(1e30)
    execution.keep(MOST_AREAS + 1)
    execution.allow(10)
    execution.spend(7)
    with pytest.raises(OverBudgetError):
        execution.spend(4)
    assert execution.left == 3
    with pytest.raises(OverBudgetError):
        execution.keep(MOST_AREAS + 1)


def test_work_that_was_done_is_taken_from_the_budget_though_it_has_less(execution: Execution) -> None:
    execution.allow(10)
    execution.spend(7)
    execution.charge(5)
    assert (execution.left, execution.spent) == (0, 12)
    with pytest.raises(OverBudgetError):
        execution.spend(1)
    execution.allow(4)
    execution.spend(1)
    assert (execution.left, execution.spent) == (3, 13)


def test_a_step_that_may_be_done_in_part_does_what_the_budget_has(execution: Execution) -> None:
    execution.allow(10)
    with pytest.raises(OverBudgetError):
        execution.spend_on([4, 5, 2])
    assert execution.left == 10
    assert execution.spend_on([4, 5]) == 2
    execution.allow(10, in_part=True)
    assert execution.spend_on([4, 5, 2]) == 2
    assert execution.left == 1
    assert execution.statistics.cut
    assert not execution.keep(MOST_AREAS + 1)
    with pytest.raises(OverBudgetError):
        execution.spend(2)


def test_a_search_within_its_budget_bounds_its_memory(execution: Execution) -> None:
    execution.hold(MOST_BYTES + 1)
    execution.allow(10)
    execution.hold(MOST_BYTES)
    with pytest.raises(OverBudgetError):
        execution.hold(MOST_BYTES + 1)


def test_who_has_enough_results_stops_no_search(execution: Execution) -> None:
    results = execution.map(str, range(5))
    assert next(iter(results)) == "0"
    results.close()
    assert not execution.is_stopped


def test_work_that_waits_is_not_done_once_the_search_stops(execution: Execution) -> None:
    assert list(execution.map(str, range(5))) == ["0", "1", "2", "3", "4"]
    done = []

    def interrupted(item: int) -> None:
        done.append(item)
        if item == 0:
            raise KeyboardInterrupt
        while not execution.stop[0]:
            pass

    with pytest.raises(KeyboardInterrupt):
        list(execution.map(interrupted, range(100)))
    assert len(done) <= 3
    assert execution.stop[0]
    with pytest.raises(StoppedError):
        execution.spend(0)


def test_a_deadline_sets_the_flag_that_kernels_look_at(execution: Execution) -> None:
    with execution.deadline(None), execution.deadline(1000):
        assert not execution.stop[0]
    with execution.deadline(1e-9):
        while not execution.stop[0]:
            pass
    with pytest.raises(StoppedError):
        execution.check()
