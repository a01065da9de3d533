"""``map``: run a step for each of some tasks, unless its output is there, and give the outputs in order."""

import os
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from ibidem.resources import Resources
from ibidem.system import disk

Task = TypeVar("Task")

Step = Callable[[Task, Path, Resources], object]
"""Does a task: writes its output into the empty folder that it is given; for ``Engine.map_files``, it makes a file of
the path. What it returns is ignored.

A step that runs on a cluster is a function of a module, or a ``functools.partial`` of one, and so are its arguments
values that can be pickled. Its output follows from the task and these arguments alone.
"""

_PARTIAL = ".partial"


class Engine(ABC):
    """Runs the steps of a pipeline.

    Attributes:
        resources: the memory and threads of one task, and the callback for progress.
        is_durable: whether outputs are synced to the disk, so that they outlast a loss of power.
    """

    def __init__(self, resources: Resources, *, is_durable: bool = False) -> None:
        self.resources, self.is_durable = resources, is_durable

    def map(self, name: str, step: Step[Task], tasks: Sequence[Task], place: Path) -> list[Path]:
        """Run a step for each task whose output is not there yet.

        Args:
            name: what the step does, for the progress, such as ``"reading"``.
            place: how the paths of the outputs begin. The output of a task gets its name at one instant, when it is
                whole.

        Returns:
            The folder of the output of each task.
        """
        return self.map_files(name, partial(_do_in_folder, step), tasks, place)

    def map_files(self, name: str, step: Step[Task], tasks: Sequence[Task], place: Path) -> list[Path]:
        """Run a step, of which an output is one file, for each task whose output is not there yet; as ``map``."""
        _remove_partial(place)
        targets = [place.with_name(f"{place.name}-{number:05d}") for number in range(len(tasks))]
        missing = [number for number, target in enumerate(targets) if not target.exists()]
        total, done = len(tasks), len(tasks) - len(missing)
        for _ in self._run(step, [(tasks[number], targets[number]) for number in missing]):
            done += 1
            if total > 1:
                self.resources.tell(name, done, total)
        return targets

    @property
    def at_once(self) -> int:
        """About how many tasks run side by side."""
        return 1

    @abstractmethod
    def _run(self, step: Step[Task], tasks: Sequence[tuple[Task, Path]]) -> Iterable[object]:
        """Run a step for each task and the output that it is to leave; yield as each is done."""


def _do_in_folder(step: Step[Task], task: Task, folder: Path, resources: Resources) -> None:
    disk.make_folder(folder)
    step(task, folder, resources)


def _remove_partial(place: Path) -> None:
    """Remove what processes that died left of the outputs of a step."""
    for name in os.listdir(place.parent):
        if name.startswith(place.name) and name.endswith(_PARTIAL):
            disk.remove_tree(place.with_name(name))


class Here(Engine):
    """Runs tasks in this process, one after another; a step uses the threads that it is given.

    The only task of a map tells of its own progress.
    """

    def _run(self, step: Step[Task], tasks: Sequence[tuple[Task, Path]]) -> Iterable[object]:
        resources = self.resources if len(tasks) == 1 else self.resources.silence()
        for task, target in tasks:
            do_task(step, task, target, resources, is_durable=self.is_durable)
            yield target


def do_task(step: Step[Task], task: Task, target: Path, resources: Resources, *, is_durable: bool) -> None:
    """Run a step for one task; the file or folder ``target`` is there when all of its output is.

    Of two processes that do the same task at once, as a cluster may have it, the first counts.
    """
    aside = target.with_name(f"{target.name}.{uuid.uuid4().hex[:12]}{_PARTIAL}")
    try:
        step(task, aside, resources)
        if is_durable:
            disk.sync_output(aside)
        try:
            disk.rename(aside, target)
        except OSError:
            if not target.exists():
                raise
        if is_durable:
            disk.sync_folder(target.parent)
    finally:
        if os.path.lexists(aside):
            disk.remove_tree(aside)
