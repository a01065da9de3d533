"""Work in threads, results in order: kernels release the GIL, and the output must not depend on the threads."""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice, pairwise
from typing import TypeVar
from weakref import WeakSet

import numpy as np
import numpy.typing as npt

from ibidem.arguments import count_threads

_Ints = npt.NDArray[np.int64]

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

_AHEAD = 64
"""Items for each thread that are done, or wait to be taken, before the first of them is."""


class Threads:
    """A pool of threads that is started at its first use, and again in a forked process.

    A fork copies the pool and none of its threads: work that is given to the copy would wait for ever.

    Attributes:
        workers: how many threads the pool has.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._started: tuple[int, ThreadPoolExecutor] | None = None
        self._lock, self._users = threading.Lock(), 0
        _HELD.add(self)

    @property
    def pool(self) -> ThreadPoolExecutor:
        """The pool of this process."""
        with self._lock:
            if self._started is None or self._started[0] != os.getpid():
                self._started = os.getpid(), ThreadPoolExecutor(self.workers)
            return self._started[1]

    @contextmanager
    def share(self) -> Iterator[ThreadPoolExecutor | None]:
        """The pool, or ``None`` if another thread is using it and this one should do all of its work itself.

        To hand a part of the work over costs two changes of threads, and the cores are in use. The main thread always
        has the pool, since an interrupt does not reach it in a kernel.
        """
        with self._lock:
            self._users += 1
            is_alone = self._users == 1
        try:
            yield self.pool if is_alone or threading.current_thread() is threading.main_thread() else None
        finally:
            with self._lock:
                self._users -= 1

    def close(self) -> None:
        """End the threads of this process."""
        if self._started is not None and self._started[0] == os.getpid():
            self._started[1].shutdown()

    def _forget(self) -> None:
        # Another thread of the parent may have held the lock at the instant of the fork.
        self._lock, self._users, self._started = threading.Lock(), 0, None


_HELD: "WeakSet[Threads]" = WeakSet()


def _forget_threads() -> None:
    for threads in list(_HELD):
        threads._forget()


os.register_at_fork(after_in_child=_forget_threads)


def in_order(pool: Executor, work: Callable[[_Item], _Result], items: Iterable[_Item], ahead: int) -> Iterator[_Result]:
    """Results of ``work`` on ``items``, in their order, with at most ``ahead`` of them under way or waiting.

    What would be alone under way is done here: a thread is not started for it.
    """
    rest = iter(items)
    start = list(islice(rest, 2))
    if ahead <= 1 or len(start) < 2:
        for item in _drain(start, rest):
            yield work(item)
        return
    futures: deque[Future[_Result]] = deque()
    try:
        for item in _drain(start, rest):
            futures.append(pool.submit(work, item))
            del item  # it may be large, and is of no use while the next is waited for
            if len(futures) >= ahead:
                yield futures.popleft().result()
        while futures:
            yield futures.popleft().result()
    finally:
        for task in futures:
            task.cancel()


def _drain(start: list[_Item], rest: Iterator[_Item]) -> Iterator[_Item]:
    """The items of ``start``, which lets go of them, and the others."""
    while start:
        yield start.pop(0)
    yield from rest


@contextmanager
def pool_of(workers: int) -> Iterator[ThreadPoolExecutor]:
    """So many threads; an exception cancels the tasks that they have not begun.

    A generator that nobody reads to its end is closed by the collector of garbage, at any instant and in any thread,
    also in one that is only starting. To wait for other threads there is to wait for ever.
    """
    pool = ThreadPoolExecutor(workers)
    try:
        yield pool
    except GeneratorExit:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    except BaseException:
        pool.shutdown(wait=True, cancel_futures=True)
        raise
    pool.shutdown()


def in_threads(
    work: Callable[[_Item], _Result], items: Iterable[_Item], threads: int | None = None
) -> Iterator[_Result]:
    """Results of ``work`` on ``items``, in their order, in as many threads as the machine has cores if not given."""
    workers = count_threads(threads)
    with pool_of(workers) as pool:
        yield from in_order(pool, work, items, workers * _AHEAD)


def split_ranges(ranges: _Ints, size: int) -> list[tuple[_Ints, _Ints]]:
    """Divide half-open ``ranges`` [N, 2] into parts of about ``size`` positions each, one part or more.

    A part has the row of ``ranges`` that each of its pieces comes from, and the pieces. A range longer than ``size`` is
    cut. If all ranges together have at most ``size`` positions, they stay whole, in one part.
    """
    lengths = ranges[:, 1] - ranges[:, 0]
    if lengths.sum() <= size:
        return [(np.arange(len(ranges)), ranges)]
    counts = -(-lengths // size)
    rows = np.repeat(np.arange(len(ranges)), counts)
    lows = ranges[rows, 0] + size * (np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts))
    pieces = np.stack((lows, np.minimum(lows + size, ranges[rows, 1])), axis=1)
    ends = np.cumsum(pieces[:, 1] - pieces[:, 0])
    bounds = [0, *(np.flatnonzero(np.diff((ends - 1) // size)) + 1).tolist(), len(rows)]
    return [(rows[low:high], pieces[low:high]) for low, high in pairwise(bounds)]
