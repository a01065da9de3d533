"""Searches in processes of this machine, which have the files of one index in common.

Kernels let other threads run and the Python around them does not, so many short queries gain little from threads. A
process takes a group of queries at a time, and opens the index itself. Only queries and matches go between the
processes.
"""

import os
import pickle
import signal
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import tee
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import NamedTuple

from ibidem.errors import IbidemError
from ibidem.parallel import in_order
from ibidem.passages.query.statistics import SearchStatistics
from ibidem.passages.search.searcher import Answer, Searcher, answer_with, group_queries
from ibidem.spans import Match
from ibidem.store import Store
from ibidem.text import Document

# Queries that a process takes at a time, at most: what goes to it and comes back is pickled, which takes 0.1 ms.
_TOGETHER = 64

_Found = list[tuple[list[Match], SearchStatistics]]


class _Task(NamedTuple):
    """The needs of a process before its first query: where the index is, and the search without its segments."""

    path: str
    generation: int
    search: Searcher


class _Process:
    """The state that a process keeps between two groups of queries."""

    task: _Task
    search: Searcher | None = None
    """None if the index has another generation than that of the caller."""
    is_open = False


def answer_in_processes(
    search: Searcher, store: Store, queries: Iterable[Document], processes: int
) -> Iterator[Answer]:
    """The matches of each query, in their order, as they are found, in so many ``processes``.

    The results are those of ``search``, whatever is written to the index meanwhile: what another process cannot answer,
    since it would find a later state of the index, is answered here.

    Raises:
        ValueError: what a query needs cannot be given to another process, or there is to be none.
        IbidemError: a process ended before its work did.
    """
    if processes < 1:
        raise ValueError(f"processes is {processes}, and at least one has to search")
    task = _pack(_Task(str(store.path), store.generation, search._replace(segments=())))
    return _answer(task, search, store, queries, processes)


def _answer(
    task: bytes, search: Searcher, store: Store, queries: Iterable[Document], processes: int
) -> Iterator[Answer]:
    groups, again = tee(group_queries(queries, _TOGETHER))
    with ProcessPoolExecutor(processes, get_context("spawn"), _begin, (task,)) as pool:
        try:
            # The answers come first: when they end, so do the processes.
            for answers, group in zip(in_order(pool, _answer_group, groups, 2 * processes), again, strict=True):
                if answers is None:
                    yield from search.answer_group(group)
                    continue
                for query, (matches, statistics) in zip(group, answers, strict=True):
                    yield answer_with(query, matches, search.tokenizer, statistics)
        except BrokenProcessPool:
            raise IbidemError(
                f"{store.given}: a process that searched it has ended. There may have been too little memory; and a "
                "program that starts processes must do its work under `if __name__ == '__main__':`"
            ) from None


def _pack(task: _Task) -> bytes:
    try:
        return pickle.dumps(task)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ValueError(
            "the tokenizer of the index is a function that other processes cannot be given: leave out processes"
        ) from error


def _begin(task: bytes) -> None:
    """In a process: unpack its task. An interrupt is the caller's, who then ends the processes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_caller, daemon=True).start()
    _Process.task = pickle.loads(task)


def _end_with_caller() -> None:
    """In a process: end when the caller has ended, even if it was killed and could not say so."""
    caller = parent_process()
    if caller is not None:
        wait([caller.sentinel])
        os._exit(1)


def _answer_group(queries: Sequence[Document]) -> _Found | None:
    """In a process: find the matches of some queries; ``None`` if the index has changed since the caller opened it."""
    if not _Process.is_open:
        _Process.search = _open(_Process.task)
        _Process.is_open = True
    if _Process.search is None:
        return None
    # Without their tokenizer: that may be large, and the caller has it.
    return [(list(matches), statistics) for matches, statistics in _Process.search.answer_group(queries)]


def _open(task: _Task) -> Searcher | None:
    store = Store.open(task.path)
    return task.search._replace(segments=store.segments) if store.generation == task.generation else None
