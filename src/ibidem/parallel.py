"""Work in threads, results in order: kernels release the GIL, and the output must not depend on the threads."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

__all__ = ["in_order"]

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def in_order(
    pool: ThreadPoolExecutor, work: Callable[[_Item], _Result], items: Iterable[_Item], ahead: int
) -> Iterator[_Result]:
    """Results of ``work`` on ``items``, in their order, with at most ``ahead`` of them under way or waiting."""
    waiting: deque[Future[_Result]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for task in waiting:
            task.cancel()
