"""Several ranks that one process starts as copies of itself, with all that it has loaded.

A process that starts takes up to a second of processor time to load libraries and kernels, which a copy has at once.
Only a process of one thread can be copied safely: that of the command, not any program that calls a function.
"""

import multiprocessing
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

from ibidem.errors import IbidemError, PlanError
from ibidem.plans.engines.rehearsal import rehearse
from ibidem.plans.rank import RankReport, run_rank
from ibidem.plans.stages import stages_of, tasks_of
from ibidem.plans.workspace import Workspace

__all__ = ["count_done", "run_forks"]

_METHOD = "fork" if sys.platform == "linux" else "spawn"
"""Elsewhere the libraries of the system do not bear to be copied, and ranks start from nothing."""


_LOOKING = 1.0
"""Seconds between two looks whether this process is asked to end. An exception of the signal itself would be lost where
it comes just after a fork, and a read that begins just then would not end."""


class _Order(NamedTuple):
    """What a rank is told: the plan, its threads, and when a rank of another machine counts as dead."""

    folder: str
    threads: int
    lease: float


class _Rank(NamedTuple):
    """A rank at work, and where it tells what went wrong."""

    process: BaseProcess
    faults: Connection


def run_forks(folder: str, processes: int, threads: int, lease: float) -> RankReport:
    """Run the plan in ``folder`` by so many ranks, which share the ``threads``; for a process of one thread.

    Raises:
        PlanError: the plan cannot be run, or a rank failed.
    """
    started = time.perf_counter()
    workspace = Workspace(folder)
    workspace.prepare()
    done, left = count_done(workspace)
    if left and _METHOD == "fork":
        rehearse(workspace)
    order = _Order(str(workspace.folder), max(1, threads // processes), lease)
    with _noting_end() as signals, _running(order, processes) as ranks:
        faults = [fault for rank in ranks if (fault := _wait(rank, signals))]
    if faults:
        raise PlanError(faults[0])
    return RankReport(count_done(workspace)[0] - done, time.perf_counter() - started)


def count_done(workspace: Workspace) -> tuple[int, bool]:
    """How many tasks are done, as far as it is known which there are, and whether any is left."""
    total = 0
    for stage in stages_of(workspace):
        tasks = tasks_of(workspace, stage)
        done = sum(workspace.is_done(task) for task in tasks)
        total += done
        if done < len(tasks):
            return total, True
    return total, False


@contextmanager
def _running(order: _Order, processes: int) -> Iterator[list[_Rank]]:
    """Ranks at work, which end with the block."""
    context: Any = multiprocessing.get_context(_METHOD)
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
    """What went wrong in a rank, once it has ended; a signal ends this process."""
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
    return f"a rank ended {ended}; run the plan again: it goes on with what is done" if status else None
