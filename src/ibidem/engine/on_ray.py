"""Tasks on a Ray cluster: each is a remote function of the step, its task and the path of its output.

No array goes through Ray's object store: the nodes all see the folder of the work. A worker that dies is Ray's
business, which starts its task again.
"""

import os
from collections.abc import Iterable, Sequence
from contextlib import chdir, nullcontext
from pathlib import Path
from typing import Any

from ibidem.engine.engine import Engine, Step, Task, do_task
from ibidem.errors import ClusterError
from ibidem.resources import Resources, give_back_memory

_RETRIES = 3
"""Times that Ray starts a task again whose worker or node died."""


class OnRay(Engine):
    """Runs the tasks of a step side by side, as many as the cluster has processors for."""

    def __init__(self, ray: Any, resources: Resources, *, is_durable: bool) -> None:
        super().__init__(resources, is_durable=is_durable)
        self._ray = ray

    @property
    def at_once(self) -> int:
        """As many tasks as the cluster has processors for."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)) // self.resources.workers)

    def _run(self, step: Step[Task], tasks: Sequence[tuple[Task, Path]]) -> Iterable[object]:
        ray, (memory, workers, _) = self._ray, self.resources
        remote = ray.remote(num_cpus=workers, max_retries=_RETRIES)(_do_remotely)
        shared, folder = ray.put(step), os.getcwd()
        waiting = [
            remote.remote(shared, task, str(target.absolute()), folder, memory, workers, self.is_durable)
            for task, target in tasks
        ]
        while waiting:
            [ready], waiting = ray.wait(waiting, num_returns=1)
            try:
                yield ray.get(ready)
            except ray.exceptions.RayError as error:
                for task in waiting:
                    ray.cancel(task)
                if isinstance(error, ray.exceptions.RayTaskError):
                    raise _find_cause(error) from error
                raise ClusterError(f"a task was lost on Ray: {error}; the same command resumes the work") from error


def _do_remotely(
    step: Step[Any], task: Any, target: str, folder: str, memory: int, workers: int, is_durable: bool
) -> None:
    """Do a task in a worker, unless it was done before the worker was asked again.

    Paths of a task may be relative to the ``folder`` of the process that gives it.
    """
    with chdir(folder) if os.path.isdir(folder) else nullcontext():
        if not Path(target).exists():
            silent = Resources.of(memory, workers, None)
            do_task(step, task, Path(target), silent, is_durable=is_durable)
    give_back_memory()  # the C library keeps what each of the threads of a worker freed


def _find_cause(error: Any) -> BaseException:
    """The exception that the step raised, as it would have come here."""
    cause = error.cause
    return cause if isinstance(cause, BaseException) else error
