"""Where a search runs: its threads, its budget, the flag that stops it, and the record of its work."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from math import isfinite
from threading import Timer
from typing import TypeVar

import numpy as np

from ibidem.passages.query.statistics import SearchStatistics

__all__ = ["MOST_AREAS", "Execution", "OverBudgetError", "StoppedError"]

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

MOST_AREAS = 2_000_000
"""Areas of qualifying passages that a search within its budget keeps: about 300 MB with what the selection needs."""


class OverBudgetError(Exception):
    """A search of one query at one threshold takes more than it may. The searcher raises the threshold."""


class StoppedError(Exception):
    """The time of a search is over. The searcher gives what it has."""


class Execution:
    """The means of one search.

    Work is counted in tokens that a filter or a walk looks at, about two nanoseconds each. It is known before it is
    done, so a search that would take too much is not begun, whatever the machine.

    Attributes:
        pool: the threads. The results do not depend on their number.
        workers: how many threads the pool has.
        statistics: where each step writes down what it did.
        stop: uint8 [1], not 0 once the search has to stop. Long kernels look at it.
    """

    def __init__(self, pool: ThreadPoolExecutor, workers: int, statistics: SearchStatistics) -> None:
        self.pool, self.workers, self.statistics = pool, workers, statistics
        self.stop = np.zeros(1, np.uint8)
        self._left: float = float("inf")
        self._most_areas: float = float("inf")

    def allow(self, work: float) -> None:
        """Give the next steps a budget of ``work``, and bound the areas that they keep."""
        self._left, self._most_areas = work, MOST_AREAS if isfinite(work) else work

    @property
    def left(self) -> float:
        """What is left of the budget."""
        return self._left

    def spend(self, work: float) -> None:
        """Take ``work`` that is about to be done from the budget.

        Raises:
            OverBudgetError: the budget does not have it.
            StoppedError: the search has to stop.
        """
        self.check()
        if work > self._left:
            raise OverBudgetError
        self._left -= work

    def keep(self, areas: int) -> None:
        """Raise ``OverBudgetError`` if these are more areas than the search may keep."""
        if areas > self._most_areas:
            raise OverBudgetError

    def check(self) -> None:
        """Raise ``StoppedError`` if the search has to stop."""
        if self.stop[0]:
            raise StoppedError

    def map(self, work: Callable[[_Item], _Result], items: Iterable[_Item]) -> Iterator[_Result]:
        """Do ``work`` on ``items`` in the threads. Gives the results in order; a search that stops leaves the rest."""

        def work_unless_stopped(item: _Item) -> _Result:
            self.check()
            return work(item)

        try:
            yield from self.pool.map(work_unless_stopped, items)
        except BaseException:  # an interrupt, too: what waits in the pool must not run on
            self.stop[0] = 1
            raise

    @contextmanager
    def deadline(self, seconds: float | None) -> Iterator[None]:
        """Stop the search after so many seconds."""
        timer = Timer(seconds, self._set_stop) if seconds is not None else None
        if timer is not None:
            timer.daemon = True
            timer.start()
        try:
            yield
        finally:
            if timer is not None:
                timer.cancel()

    def _set_stop(self) -> None:
        self.stop[0] = 1
