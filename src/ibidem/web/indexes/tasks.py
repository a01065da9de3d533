"""Tasks: work that is asked for now and done by and by, one after another, in a thread of its own."""

import logging
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

import msgspec

from ibidem.errors import IbidemError
from ibidem.web.answers import Task
from ibidem.web.problems import ProblemError

_KEPT = 1000
"""Tasks that are remembered when they have ended."""

_log = logging.getLogger("ibidem.web")


class TaskQueue:
    """Does one task after another; those that wait are lost when the process ends, and none is half done.

    Args:
        waiting: the most tasks that may wait.
    """

    def __init__(self, limit: int) -> None:
        self._waiting = limit
        self._lock = threading.Lock()
        self._tasks: dict[str, Task] = {}
        self._added = 0
        self._thread = ThreadPoolExecutor(1, "ibidem-task")

    def put(self, kind: Literal["add", "remove"], index: str, documents: int, work: Callable[[], str]) -> Task:
        """Have ``work`` done, which gives the detail of the task.

        Raises:
            ProblemError: too many tasks wait.
        """
        task = Task(id=secrets.token_hex(8), kind=kind, index=index, documents=documents)
        with self._lock:
            if sum(queued_task.state == "waiting" for queued_task in self._tasks.values()) >= self._waiting:
                raise ProblemError(429, "too many tasks are waiting: try again", retry_after="10")
            self._tasks[task.id] = task
            self._added += 1
            self._forget()
        self._thread.submit(self._do, task, work)
        return task

    def get(self, name: str) -> Task | None:
        """A task by its id, in its present state."""
        with self._lock:
            return self._tasks.get(name)

    def list(self) -> tuple[list[Task], int]:
        """All tasks that are known, the last first, and how many there ever were."""
        with self._lock:
            return list(reversed(self._tasks.values())), self._added

    def wait(self) -> None:
        """Return when every task that was put so far has ended."""
        self._thread.submit(lambda: None).result()

    def close(self) -> None:
        """End the task that is running; those that wait are not begun."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _do(self, task: Task, work: Callable[[], str]) -> None:
        self._set(msgspec.structs.replace(task, state="running"))
        try:
            self._set(msgspec.structs.replace(task, state="done", detail=work()))
        except (IbidemError, ValueError) as error:
            self._set(msgspec.structs.replace(task, state="failed", detail=str(error)))
        except OSError as error:
            cause = f"the index {task.index!r} could not be written, and is as it was: {error.strerror or error}"
            _log.error("task %s failed: %s", task.id, error)
            self._set(msgspec.structs.replace(task, state="failed", detail=cause))
        except Exception:
            _log.exception("task %s failed", task.id)
            self._set(msgspec.structs.replace(task, state="failed", detail="an error of the service; its log has more"))

    def _set(self, task: Task) -> None:
        with self._lock:
            self._tasks[task.id] = task

    def _forget(self) -> None:
        finished_tasks = [name for name, queued_task in self._tasks.items() if queued_task.state in ("done", "failed")]
        for name in finished_tasks[: max(0, len(self._tasks) - _KEPT)]:
            del self._tasks[name]
