"""Where a search runs: its threads, its budget, the flag that stops it, and the record of its work."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from math import isfinite
from typing import TypeVar

import numpy as np

from ibidem.passages.query.statistics import SearchStatistics

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

MOST_AREAS = 2_000_000
"""Areas of qualifying passages that a search within its budget keeps: about 300 MB with what the selection needs."""

MOST_BYTES = 400_000_000
"""Memory that a step of a search within its budget takes at a time, besides the areas."""


NEVER = np.zeros(1, np.uint8)
"""A flag that stops nothing."""


class OverBudgetError(Exception):
    """A search of one query at one threshold takes more than it may. The searcher raises the threshold."""


class StoppedError(Exception):
    """The time of a search is over. The searcher gives what it has."""


class Execution:
    """The means of one search.

    Work is counted in tokens that a filter looks at, about three nanoseconds each. It is known before it is done, so a
    step that would take too much is not begun. So what is done is the same whatever the machine.

    Attributes:
        pool: the threads, ``None`` for a search in one thread. The results do not depend on their number.
        workers: how many threads the pool has.
        statistics: where each step writes down what it did.
        stop: uint8 [1], not 0 once the search has to stop. Long kernels look at it.
        spent: the work that was done, under all budgets.
    """

    def __init__(self, pool: ThreadPoolExecutor | None, workers: int, statistics: SearchStatistics) -> None:
        self.pool, self.workers, self.statistics = pool, workers, statistics
        self.stop = np.zeros(1, np.uint8)
        self.spent: float = 0.0
        self._left = float("inf")
        self._bounded = self._in_part = False

    def allow(self, work: float, *, in_part: bool = False) -> None:
        """Give the next steps a budget of ``work``, and bound the areas and the memory that they take.

        With ``in_part``, steps that can be done in part do as much as the budget has, and ``statistics.cut`` says so.
        """
        self._left = work
        self._bounded, self._in_part = isfinite(work), in_part

    @property
    def left(self) -> float:
        """The part of the budget that is left."""
        return self._left

    @property
    def is_in_part(self) -> bool:
        """Whether steps may be done in part."""
        return self._in_part

    def spend(self, work: float) -> None:
        """Take ``work`` that is about to be done from the budget.

        Raises:
            OverBudgetError: the budget does not have it.
            StoppedError: the search has to stop.
        """
        self.check()
        if work > self._left:
            raise OverBudgetError
        self.charge(work)

    def spend_on(self, costs: Sequence[float]) -> int:
        """Take the work of some tasks from the budget; return how many of them, from the first on, may be done.

        Raises:
            OverBudgetError: the budget does not have all of it, and the step may not be done in part.
            StoppedError: the search has to stop.
        """
        self.check()
        cumulative = np.cumsum(np.array(costs, np.float64))
        count = int(np.searchsorted(cumulative, self._left, "right"))
        if count < len(costs):
            self.cut()
        self.charge(float(cumulative[count - 1]) if count else 0.0)
        return count

    def charge(self, work: float) -> None:
        """Take ``work`` that was done from the budget, since how much it would be was not known before."""
        self.spent += work
        self._left = max(0.0, self._left - work)

    def keep(self, areas: int) -> bool:
        """Whether the search may keep so many areas.

        Raises:
            OverBudgetError: it may not, and the step may not be done in part.
        """
        if areas <= MOST_AREAS or not self._bounded:
            return True
        self.cut()
        return False

    def hold(self, nbytes: float) -> None:
        """Raise ``OverBudgetError`` if a step may not take so many bytes of memory."""
        if self._bounded and nbytes > MOST_BYTES:
            raise OverBudgetError

    def cut(self) -> None:
        """Note that a step is done in part. Raises ``OverBudgetError`` if it may not be."""
        if not self._in_part:
            raise OverBudgetError
        self.statistics.cut = True

    @property
    def is_stopped(self) -> bool:
        """Whether the search has to stop."""
        return bool(self.stop[0])

    def check(self) -> None:
        """Raise ``StoppedError`` if the search has to stop."""
        if self.is_stopped:
            raise StoppedError

    def map(self, work: Callable[[_Item], _Result], items: Iterable[_Item]) -> Iterator[_Result]:
        """Do ``work`` on ``items`` in the threads. Gives the results in order; a search that stops leaves the rest."""

        def work_unless_stopped(item: _Item) -> _Result:
            self.check()
            return work(item)

        try:
            if self.pool is None:
                yield from map(work_unless_stopped, items)
            else:
                yield from self.pool.map(work_unless_stopped, items)
        except (GeneratorExit, OverBudgetError):  # whoever takes the results wants no more; what waits is cancelled
            raise
        except BaseException:  # an interrupt, too: what waits in the pool must not run on
            self.stop[0] = 1
            raise

    @contextmanager
    def deadline(self, seconds: float | None) -> Iterator[None]:
        """Stop the search after so many seconds."""
        timer = threading.Timer(seconds, self._set_stop) if seconds is not None else None
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
