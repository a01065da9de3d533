"""Several ranks of one machine: copies of one process, with all that it has loaded.

A process that starts takes up to a second of processor time to load libraries and kernels, which a copy has at once.
Only a process of one thread can be copied safely: that of the command. A program that calls ``run_processes`` may have
threads, so that starts the command.
"""

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ibidem.arguments import count_threads
from ibidem.corpus.reading import read_sources
from ibidem.errors import LEFT_OUT, IbidemError, PlanError
from ibidem.jobs.claims import LEASE
from ibidem.jobs.plan import PLAN_FILE, Plan, write_plan
from ibidem.jobs.reading import InputSettings, join_failures
from ibidem.jobs.run import RankReport, run_rank
from ibidem.jobs.shards import describe_shards, sources_of
from ibidem.jobs.stage import stages_of, tasks_of
from ibidem.jobs.workspace import Workspace
from ibidem.resources import Resources
from ibidem.system.processes import START_METHOD
from ibidem.text.json_values import decode_json, encode_json

_LOOKING = 1.0
"""Seconds between two looks whether this process is asked to end. An exception of the signal itself would be lost where
it comes just after a fork, and a read that begins just then would not end."""

_WORDS = " ".join(f"word{number % 37} and{number % 11}" for number in range(200))


class _Order(NamedTuple):
    """The arguments of a rank: the plan, its threads, and when a rank of another machine counts as dead."""

    folder: str
    threads: int
    lease: float


class _Rank(NamedTuple):
    """A running rank, and where it reports errors."""

    process: BaseProcess
    faults: Connection


def run_processes(
    folder: str | os.PathLike[str], processes: int, *, threads: int | None = None, lease: float = LEASE
) -> RankReport:
    """Run the plan in ``folder`` by so many ranks of this machine; the threads are shared out among them.

    Raises:
        PlanError: the plan cannot be run, or a rank failed.
    """
    started = time.perf_counter()
    workspace = Workspace(folder)
    workspace.prepare()
    tasks_done, _ = count_done(workspace)
    program = [sys.executable, "-m", "ibidem.cli", "run", str(workspace.folder), "--processes", str(processes)]
    program += ["--threads", str(count_threads(threads)), "--lease", str(lease)]
    command = subprocess.Popen(program, stderr=subprocess.PIPE)
    try:
        _, errors = command.communicate()
    except BaseException:
        command.terminate()
        command.wait()
        raise
    if command.returncode not in (0, LEFT_OUT):
        raise PlanError(errors.decode(errors="replace").strip().removeprefix("ibidem: error: "))
    return RankReport(count_done(workspace)[0] - tasks_done, time.perf_counter() - started, join_failures(workspace))


def run_forks(folder: str, processes: int, threads: int, lease: float) -> RankReport:
    """Run the plan in ``folder`` by so many ranks, which share the ``threads``; for a process of one thread.

    Raises:
        PlanError: the plan cannot be run, or a rank failed.
    """
    started = time.perf_counter()
    workspace = Workspace(folder)
    workspace.prepare()
    tasks_done, tasks_left = count_done(workspace)
    if tasks_left and START_METHOD == "fork":
        rehearse(workspace)
    order = _Order(str(workspace.folder), max(1, threads // processes), lease)
    with _noting_end() as signals, _running(order, processes) as ranks:
        faults = [fault for rank in ranks if (fault := _wait(rank, signals))]
    if faults:
        raise PlanError(faults[0])
    return RankReport(count_done(workspace)[0] - tasks_done, time.perf_counter() - started, join_failures(workspace))


def count_done(workspace: Workspace) -> tuple[int, bool]:
    """How many tasks are done, as far as it is known which there are, and whether any is left."""
    total = 0
    for stage in stages_of(workspace):
        tasks = tasks_of(workspace, stage)
        tasks_done = sum(workspace.is_done(task) for task in tasks)
        total += tasks_done
        if tasks_done < len(tasks):
            return total, True
    return total, False


@contextmanager
def _running(order: _Order, processes: int) -> Iterator[list[_Rank]]:
    """Running ranks, which end with the block."""
    context: Any = multiprocessing.get_context(START_METHOD)
    ranks: list[_Rank] = []
    try:
        for number in range(processes):
            faults, sender = context.Pipe(duplex=False)
            process = context.Process(target=_run, args=(order, number, processes, sender))
            process.start()
            sender.close()
            ranks.append(_Rank(process, faults))
        yield ranks
    finally:
        for rank in ranks:
            rank.process.terminate()
        for rank in ranks:
            rank.process.join()


@contextmanager
def _noting_end() -> Iterator[list[int]]:
    """The signals that ask this process to end, as they come."""
    signals: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: signals.append(number))
    try:
        yield signals
    finally:
        signal.signal(signal.SIGTERM, before)


def _run(order: _Order, number: int, processes: int, faults: Connection) -> None:
    """Be a rank."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        run_rank(order.folder, number, processes, threads=order.threads, lease=order.lease)
    except KeyboardInterrupt:
        sys.exit(130)
    except (IbidemError, ValueError) as error:
        faults.send(str(error))
    except OSError as error:
        faults.send(f"{error.filename or order.folder}: {error.strerror or error}")
    except Exception as error:
        traceback.print_exc()
        faults.send(f"a rank ended with {type(error).__name__}: {error}; the lines above say where")


def _wait(rank: _Rank, signals: list[int]) -> str | None:
    """The error of a rank that has ended; a signal ends this process."""
    while not rank.faults.poll(_LOOKING):
        if signals:
            sys.exit(128 + signals[0])
    try:
        fault: str = rank.faults.recv()
        return fault
    except EOFError:
        rank.process.join()
    status = rank.process.exitcode
    ended = f"by signal {-status}" if status and status < 0 else f"with status {status}"
    return f"a rank ended {ended}; run the plan again to resume it" if status else None


def rehearse(workspace: Workspace) -> None:
    """Load libraries and kernels; of a plan that cannot be rehearsed each rank loads them."""
    with tempfile.TemporaryDirectory(prefix="ibidem-") as place, suppress(IbidemError, ValueError, OSError):
        folder = Path(place)
        write_plan(folder / "plan", _shrink(workspace.plan, folder), _list_attached(workspace.folder))
        run_rank(str(folder / "plan"), threads=1)


def _shrink(plan: Plan, folder: Path) -> Plan:
    """The same work on two files of two documents each, the second in the place of a second collection.

    They have the columns of the first document, of which some may decide what stays or comes first.
    """
    given = plan.read_settings(InputSettings)
    columns, sources = given.columns, sources_of(plan.shards, given.make_failures())
    first = next(iter(read_sources(sources, columns, batch_bytes=1)), None)
    other_settings = decode_json(first.metadata[0]) if first else {}
    for file in "ab":
        rows = [{**other_settings, columns.text: _WORDS, columns.id: f"{file}{number}"} for number in range(2)]
        lines = [encode_json(row) + b"\n" for row in rows]
        (folder / f"{file}.jsonl").write_bytes(b"".join(lines))
    files = [str(folder / f"{file}.jsonl") for file in "ab"]
    settings = {**plan.settings, **({"others": 1} if plan.settings.get("others") is not None else {})}
    settings |= {"add": False} if "add" in settings else {}
    shards = describe_shards(files, Resources(plan.memory, 1, lambda phase, done, total: None))
    output, parts = str(folder / "made"), [(0, 1), (1, 2)]
    return msgspec.structs.replace(plan, output=output, shards=shards, parts=parts, settings=settings).sign()


def _list_attached(folder: Path) -> dict[str, Callable[[Path], object]]:
    """Return a function that writes the files beside a plan."""
    files = [file for file in folder.iterdir() if file.is_file() and file.name != PLAN_FILE]
    return {file.name: partial(shutil.copyfile, file) for file in files}
