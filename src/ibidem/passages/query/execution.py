"""Where a search runs: its threads, and the record of its work."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from ibidem.passages.query.statistics import SearchStatistics

__all__ = ["Execution"]


class Execution(NamedTuple):
    """The means of one search.

    Attributes:
        pool: the threads. The results do not depend on their number.
        workers: how many threads the pool has.
        statistics: where each step writes down what it did.
    """

    pool: ThreadPoolExecutor
    workers: int
    statistics: SearchStatistics
