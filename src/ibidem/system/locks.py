"""Locks of open files, which end with the process that holds them, however it ends.

A lock belongs to an open file and not to its name. POSIX systems have ``flock``. Windows locks ranges of bytes, each
for one holder: whoever shares a lock takes one byte of many, whoever wants it alone takes all of them. These bytes lie
far behind the end of the file, so that others can read what is in it.
"""

import os
import time
from contextlib import suppress
from typing import Protocol

_FIRST, _PLACES = 0x7FFF0000, 256
"""The bytes that are locked on Windows: the first of them, and how many can share a lock."""

_PAUSE = 0.02
"""Seconds between two attempts to take a lock of a range of bytes."""


class _HasDescriptor(Protocol):
    def fileno(self) -> int: ...


def lock(file: int | _HasDescriptor, *, shared: bool = False, wait: bool = True) -> None:
    """Lock an open file for this process alone, or for all that share it, until it is closed.

    Args:
        file: an open file, or its descriptor.
        shared: whether others may share the lock.
        wait: whether to wait for it.

    Raises:
        BlockingIOError: another holds the lock, and ``wait`` is false.
        OSError: the file system has no locks.
    """
    descriptor = file if isinstance(file, int) else file.fileno()
    try:
        import fcntl
    except ModuleNotFoundError:
        _lock_range(descriptor, shared, wait)
    else:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))


def unlock(descriptor: int) -> None:
    """Let go of the lock, also for a forked process that has a copy of the descriptor."""
    try:
        import fcntl
    except ModuleNotFoundError:
        return  # there is no fork, and closing the file is enough
    fcntl.flock(descriptor, fcntl.LOCK_UN)


def _lock_range(descriptor: int, shared: bool, wait: bool) -> None:
    while not _try_range(descriptor, shared):
        if not wait:
            raise BlockingIOError("the file is locked")
        time.sleep(_PAUSE)


def _try_range(descriptor: int, shared: bool) -> bool:
    """Lock one of the bytes, or all of them; return whether that was possible."""
    import msvcrt

    first = os.getpid() % _PLACES
    places = [(first + place) % _PLACES for place in range(_PLACES)] if shared else [0]
    before = os.lseek(descriptor, 0, os.SEEK_CUR)
    try:
        for place in places:
            os.lseek(descriptor, _FIRST + place, os.SEEK_SET)
            with suppress(PermissionError):  # another holds this byte
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1 if shared else _PLACES)  # type: ignore[attr-defined]
                return True
        return False
    finally:
        os.lseek(descriptor, before, os.SEEK_SET)
