"""Where the tasks of a stage leave their outputs for the stages after them, in memory."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

Held = TypeVar("Held")


class _Holder:
    """Holds what several tasks of one process need."""

    def __init__(self) -> None:
        self._held: dict[str, Any] = {}

    def hold(self, name: str, make: Callable[[], Held]) -> Held:
        """The value that ``make`` returns, made once for all tasks of this process that ask for it by this name."""
        if name not in self._held:
            self._held[name] = make()
        held: Held = self._held[name]
        return held


class Memory(_Holder):
    """The workspace of a job: outputs are what the tasks gave.

    Attributes:
        job: what the stages work on.
    """

    def __init__(self, job: Any) -> None:
        super().__init__()
        self.job = job
        self._outputs: dict[tuple[str, int], tuple[Any, Path]] = {}

    def put(self, stage: Any, number: int, output: Any, folder: Path) -> None:
        """Keep the output of a task, which has left files in ``folder``."""
        self._outputs[stage.name, number] = output, folder

    def load(self, stage: Any, number: int = 0) -> Any:
        """The output of a task."""
        return self._outputs[stage.name, number][0]

    def output(self, stage: str, number: int = 0) -> Path:
        """The folder in which a task has left files."""
        return self._outputs[stage, number][1]

    def done(self, stage: str) -> set[int]:
        """The numbers of the tasks of a stage that are done."""
        return {number for name, number in self._outputs if name == stage}
