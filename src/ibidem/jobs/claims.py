"""Claims: which rank does which task, so that no two do the same, and no rank waits for one that died.

A claim is a file that a rank makes before a task and touches while it works. A claim that has not been touched for a
*lease* is dead, and so is at once one of this machine whose process is gone: any rank may take the task over. If a rank
only slept, the task is done twice; its output is the same, and is taken once.
"""

import os
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from ibidem.system import disk
from ibidem.system.locks import lock as take
from ibidem.system.processes import boot_id, start_time

LEASE = 60.0
"""Seconds without a sign of life after which a rank counts as dead; one of this machine that is gone does at once."""


class Claim(msgspec.Struct, frozen=True):
    """The rank that does a task.

    Attributes:
        started: when the process started, by the clock of its machine: process ids are used again.
        since: when the claim was made, in seconds since 1970.
    """

    host: str
    boot: str
    process: int
    started: str
    since: float
    token: str


@contextmanager
def claim_task(folder: Path, name: str, lease: float = LEASE) -> Iterator[bool]:
    """Hold the claim to a task for the block; yields whether it was free."""
    path = folder / name
    mine = Claim(socket.gethostname(), boot_id(), os.getpid(), start_time(os.getpid()), time.time(), uuid.uuid4().hex)
    if not _take(path, mine, lease):
        yield False
        return
    ended = threading.Event()
    pulse = threading.Thread(target=_keep_alive, args=(path, ended, lease / 4), daemon=True)
    pulse.start()
    try:
        yield True
    finally:
        ended.set()
        pulse.join()
        claim = read_claim(folder, name)
        if claim is not None and claim.token == mine.token:
            path.unlink(missing_ok=True)


def read_claim(folder: Path, name: str) -> Claim | None:
    """The claim to a task, if there is one that can be read."""
    try:
        return msgspec.json.decode((folder / name).read_bytes(), type=Claim)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def is_dead(folder: Path, name: str, lease: float = LEASE) -> bool:
    """Whether the rank that holds a claim shows no sign of life."""
    claim = read_claim(folder, name)
    is_here = claim is not None and (claim.host, claim.boot) == (socket.gethostname(), boot_id())
    # A process that is stopped is there, and dead after its lease like any other.
    if claim is not None and is_here and start_time(claim.process) != claim.started:
        return True
    try:
        return _now(folder) - (folder / name).stat().st_mtime > lease
    except FileNotFoundError:
        return False


def _take(path: Path, mine: Claim, lease: float) -> bool:
    """Make the claim, in the place of a dead one if need be; whether it was made."""
    if _make(path, mine):
        return True
    if not is_dead(path.parent, path.name, lease):
        return False
    with _taking_over(path.parent):
        # Another rank may have taken over while this one waited.
        if not is_dead(path.parent, path.name, lease):
            return False
        path.unlink(missing_ok=True)
        return _make(path, mine)


@contextmanager
def _taking_over(folder: Path) -> Iterator[None]:
    """One rank at a time looks at dead claims; a file system without locks costs a task done twice at the worst."""
    with open(folder / ".lock", "a") as lock:
        with suppress(OSError):
            take(lock)
        yield


def _make(path: Path, mine: Claim) -> bool:
    try:
        descriptor = disk.create(path)
    except FileExistsError:
        return False
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.encode(mine))
    except OSError as error:  # on a full disk; an empty claim would be waited for
        path.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error
    return True


def _keep_alive(path: Path, ended: threading.Event, pause: float) -> None:
    while not ended.wait(pause):
        with suppress(OSError):
            os.utime(path)


def _now(folder: Path) -> float:
    """The time by the clock of the file system, which is no machine's own."""
    probe = folder / f".clock-{uuid.uuid4().hex}"
    try:
        probe.touch()
        return probe.stat().st_mtime
    except OSError:
        return time.time()
    finally:
        with suppress(OSError):
            probe.unlink()
