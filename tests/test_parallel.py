"""What is shared out is all there was, in order, in parts of about one size."""

import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.parallel import Threads, in_threads, split_ranges


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


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_threads_work_in_a_process_that_was_forked_since_they_were_started() -> None:
    threads = Threads(2)
    assert threads.pool.submit(sum, (1, 2)).result() == 3
    child = os.fork()
    if not child:
        signal.alarm(60)  # a pool without threads would wait for ever
        os._exit(threads.pool.submit(sum, (3, 4)).result())
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    threads.close()
    with pytest.raises(RuntimeError):
        threads.pool.submit(sum, (1, 2))


def test_a_thread_beside_others_gets_no_pool_but_the_main_thread_does() -> None:
    threads = Threads(2)

    def find_pool() -> ThreadPoolExecutor | None:
        with threads.share() as pool:
            return pool

    with ThreadPoolExecutor(1) as other:
        assert other.submit(find_pool).result() is threads.pool
        with threads.share() as pool:
            assert pool is threads.pool
            assert other.submit(find_pool).result() is None
            assert find_pool() is threads.pool
        assert other.submit(find_pool).result() is threads.pool
    threads.close()


def test_items_are_taken_as_results_are_wanted() -> None:
    taken = []

    def items():
        for number in range(10_000):
            taken.append(number)
            yield number

    results = in_threads(lambda number: -number, items(), 2)
    assert [next(results) for _ in range(3)] == [0, -1, -2]
    assert len(taken) < 1000
    results.close()


def test_results_wait_for_those_before_them() -> None:
    late = threading.Event()

    def work(number: int) -> int:
        if number:
            late.set()
        else:
            assert late.wait(240)
        return number

    assert list(in_threads(work, range(4), 2)) == [0, 1, 2, 3]


def test_work_that_nobody_reads_to_its_end_is_not_waited_for() -> None:
    # The collector of garbage closes it, maybe in a thread that is starting: whoever waits there waits for ever.
    go_on, done = threading.Event(), threading.Event()

    def work(item: int) -> int:
        if item:
            go_on.wait(240)
            done.set()
        return item

    results = in_threads(work, range(8), 2)
    assert next(results) == 0
    results.close()
    assert not done.is_set()
    go_on.set()
    assert done.wait(240)
