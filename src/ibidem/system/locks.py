"""Locks of open files, which end with the process that holds them, however it ends.

A lock belongs to an open file and not to its name.
"""

import fcntl
from typing import Protocol


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
    fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))


def unlock(descriptor: int) -> None:
    """Let go of the lock, also for a forked process that has a copy of the descriptor."""
    fcntl.flock(descriptor, fcntl.LOCK_UN)
