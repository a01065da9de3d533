"""Searches in the indexes of answers. The indexes that were searched last stay open."""

import threading
from pathlib import Path
from typing import Any

from ibidem.service.limits import Limits
from ibidem.service.requests import SearchRequest
from ibidem.service.served_index import ServedIndex
from ibidem.service.tasks import TaskQueue
from ibidem.service.work.holdings import Holdings
from ibidem.service.work.searches import search

__all__ = ["Searches"]

_OPEN = 4


class Searches:
    """The indexes that were searched last."""

    def __init__(self, limits: Limits) -> None:
        self._limits, self._lock = limits, threading.Lock()
        self._tasks = TaskQueue(0)
        self._indexes: dict[str, ServedIndex] = {}

    def search(self, run: str, answer: Path, request: SearchRequest) -> Any:
        """Answer like ``POST /v1/search`` of the service, from the index of an answer."""
        index = self._open(run, answer)
        return search(Holdings({index.name: index}, {}, self._tasks, self._limits), request)

    def forget(self, run: str) -> None:
        """Close the index of a run."""
        with self._lock:
            index = self._indexes.pop(run, None)
        if index is not None:
            index.close()

    def close(self) -> None:
        """Close all indexes."""
        for run in list(self._indexes):
            self.forget(run)
        self._tasks.close()

    def _open(self, run: str, answer: Path) -> ServedIndex:
        with self._lock:
            index = self._indexes.pop(run, None) or ServedIndex(answer / "texts.ibidem")
            self._indexes[run] = index
            oldest = next(iter(self._indexes)) if len(self._indexes) > _OPEN else None
        if oldest is not None:
            self.forget(oldest)
        return index
