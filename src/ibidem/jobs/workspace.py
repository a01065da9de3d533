"""Where tasks leave their outputs for the stages after them.

One process keeps them in memory. The ranks of a plan leave one folder for each task, which is written aside and takes
its name by one rename, with a record of its cost. So a task is done if its folder exists, and of two ranks that do a
task at once, the output of the first counts.
"""

import os
import shutil
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from ibidem.errors import PlanError
from ibidem.jobs.plan import Plan, read_plan, require_local_folder
from ibidem.system import disk
from ibidem.system.bounds import peak_memory

_RECORD = "task.json"

LEFT_OUT_FILE = "left-out.json"
"""The file that lists what a task has left out of the input; like its record, it stays when the output goes."""

_CLEARED = "cleared"
"""The file that records that all is done and that what only the work needed is gone."""

Held = TypeVar("Held")


class Task(NamedTuple):
    """One piece of a plan's work: a stage, and which of its tasks."""

    stage: str
    number: int

    def __str__(self) -> str:
        return f"{self.stage}-{self.number:05d}"


class TaskRecord(msgspec.Struct, frozen=True):
    """The cost of a task: seconds, those of its processor, the peak memory of its process in bytes; and its place."""

    seconds: float
    processor: float
    peak_memory: int
    host: str
    process: int


class Stopwatch:
    """Seconds since it was made, and those of this process on its processors."""

    def __init__(self) -> None:
        self._began = self._look()

    def read(self) -> tuple[float, float]:
        """How many have passed of each."""
        seconds, processor = self._look()
        return seconds - self._began[0], processor - self._began[1]

    @staticmethod
    def _look() -> tuple[float, float]:
        return time.perf_counter(), time.process_time()


class TaskFailure(msgspec.Struct, frozen=True):
    """Why a task could not be done; ``token`` is another for each time that it fails."""

    task: str
    message: str
    details: str
    host: str
    process: int
    token: str


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
    """The workspace of a job that one process does: outputs are what the tasks gave.

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


class Workspace(_Holder):
    """The workspace of a plan: its folder, and the files in it.

    Attributes:
        folder: the plan's folder.
        plan: the plan.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        super().__init__()
        require_local_folder(folder)
        self.folder = Path(folder).absolute()
        self.plan: Plan = read_plan(self.folder)
        self._work = self.folder / "work"
        self._discarding: list[threading.Thread] = []

    @property
    def job(self) -> Any:
        """The job, on which the stages work."""
        return self.hold("job", lambda: self.plan.find_job()(self))

    def load(self, stage: Any, number: int = 0) -> Any:
        """The output of a task, opened."""
        return stage.open(self.output(stage.name, number))

    def prepare(self) -> None:
        """Make the folders that ranks write to."""
        for place in (self._work, self.claims, self.failures):
            place.mkdir(exist_ok=True)

    @property
    def claims(self) -> Path:
        """The folder of the claims of ranks."""
        return self.folder / "claims"

    @property
    def failures(self) -> Path:
        """The folder of the failures of tasks."""
        return self.folder / "failures"

    def output(self, stage: str, number: int = 0) -> Path:
        """The folder that a task leaves."""
        return self._work / stage / f"{number:05d}"

    def done(self, stage: str) -> set[int]:
        """The numbers of the tasks of a stage that are done, by one look at its folder."""
        folder = self._work / stage
        names = os.listdir(folder) if folder.is_dir() else []
        return {int(name) for name in names if not name.endswith(_PARTIAL)}

    def list_claimed(self) -> set[str]:
        """The names of the tasks that ranks have claimed, by one look at the folder of claims."""
        return set(os.listdir(self.claims))

    def is_done(self, task: Task) -> bool:
        """Whether a task has left its output."""
        return (self.output(*task) / _RECORD).exists()

    def record(self, task: Task) -> TaskRecord | None:
        """The record of a task, if it is done."""
        try:
            return msgspec.json.decode((self.output(*task) / _RECORD).read_bytes(), type=TaskRecord)
        except FileNotFoundError:
            return None
        except msgspec.DecodeError as error:
            raise PlanError(f"{self.output(*task)}: not what a task writes: {error}; remove this folder") from None

    @contextmanager
    def filling(self, task: Task) -> Iterator[Path]:
        """An empty folder for the output of a task; it takes the task's name when the block has called ``seal``."""
        final = self.output(*task)
        final.parent.mkdir(parents=True, exist_ok=True)
        aside = final.with_name(f"{final.name}.{uuid.uuid4().hex[:12]}{_PARTIAL}")
        aside.mkdir()
        try:
            yield aside
        finally:
            shutil.rmtree(aside, ignore_errors=True)

    def seal(self, task: Task, aside: Path, stopwatch: Stopwatch) -> None:
        """Make the folder ``aside`` the output of a task, unless another rank was faster."""
        record = TaskRecord(*stopwatch.read(), peak_memory(), socket.gethostname(), os.getpid())
        disk.write_file(aside / _RECORD, msgspec.json.encode(record))
        disk.sync_folder(aside)
        try:
            disk.rename(aside, self.output(*task))
        except OSError:
            if not self.is_done(task):
                raise
        disk.sync_folder(aside.parent)

    def failure(self, task: Task) -> TaskFailure | None:
        """Why a task failed last, if it did."""
        return self._read_failure(f"{task}.json")

    def failures_but(self, known: set[str]) -> Iterator[TaskFailure]:
        """The failures whose tokens are not ``known``."""
        for name in os.listdir(self.failures):
            if not name.endswith(_PARTIAL):
                failure = self._read_failure(name)
                if failure is not None and failure.token not in known:
                    yield failure

    def put_failure(self, task: Task, message: str, details: str) -> None:
        """Record that a task failed."""
        failure = TaskFailure(str(task), message, details, socket.gethostname(), os.getpid(), uuid.uuid4().hex)
        aside = self.failures / f"{task}.{failure.token}{_PARTIAL}"
        disk.write_file(aside, msgspec.json.encode(failure))
        disk.rename(aside, self.failures / f"{task}.json")

    def _read_failure(self, name: str) -> TaskFailure | None:
        try:
            return msgspec.json.decode((self.failures / name).read_bytes(), type=TaskFailure)
        except (FileNotFoundError, msgspec.DecodeError):
            return None

    def clear_failure(self, task: Task) -> None:
        """Forget that a task failed."""
        disk.remove(self.failures / f"{task}.json")

    def discard_outputs(self, tasks: Iterable[Task], kept: tuple[str, ...] = ()) -> None:
        """Free the disk that the outputs of tasks take; their records stay, so they still count as done, and what is
        to be ``kept``.

        Several ranks may be at it, so what is gone already is no error, here and in ``sweep``.
        """
        for task in tasks:
            folder = self.output(*task)
            for entry in folder.iterdir() if folder.is_dir() else ():
                if entry.name not in (_RECORD, LEFT_OUT_FILE, *kept):
                    _remove(entry)

    def discard_meanwhile(self, tasks: list[Task]) -> None:
        """Free the disk that the outputs of tasks take while this process does other work.

        The file system takes a second a gigabyte. What cannot be removed is tried again when the plan is done.
        """

        def discard() -> None:
            with suppress(OSError):
                self.discard_outputs(tasks)

        if tasks:
            self._discarding.append(threading.Thread(target=discard))
            self._discarding[-1].start()

    def finish_discarding(self) -> None:
        """Return when nothing is being discarded by this process."""
        while self._discarding:
            self._discarding.pop().join()

    @property
    def is_cleared(self) -> bool:
        """Whether ``mark_cleared`` was called, by any rank."""
        return (self._work / _CLEARED).exists()

    def mark_cleared(self) -> None:
        """Record that what only the work needed is gone."""
        (self._work / _CLEARED).touch()

    def sweep(self, stage: str) -> None:
        """Remove what ranks that died had begun of a stage's outputs; no rank may be running it."""
        folder = self._work / stage
        for entry in folder.iterdir() if folder.is_dir() else ():
            if entry.name.endswith(_PARTIAL):
                shutil.rmtree(entry, ignore_errors=True)


_PARTIAL = ".partial"


def _remove(entry: Path) -> None:
    """Remove a file or a folder, unless it is gone, or the system does not remove what this process has mapped."""
    if entry.is_dir():
        shutil.rmtree(entry, ignore_errors=True)
        return
    try:
        entry.unlink(missing_ok=True)
    except PermissionError as error:
        if not disk.is_in_use(error):
            raise
