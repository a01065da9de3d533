"""Bounds of this process: its memory, its time, its open files."""

import resource
import signal
from contextlib import suppress


def bound_memory(size: int) -> None:
    """Bound the address space of this process, which leaves no core file, to so many bytes; a lower bound stays."""
    most = memory_limit()
    size = size if most is None else min(size, most)
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def memory_limit() -> int | None:
    """The bytes of address space that this process may have, such as ``ulimit -v`` sets; ``None`` if any number."""
    limits = [limit for limit in resource.getrlimit(resource.RLIMIT_AS) if limit != resource.RLIM_INFINITY]
    return min(limits, default=None)


def bound_time(seconds: int) -> None:
    """End this process after so many seconds, counted anew with each call; with 0, do not."""
    signal.alarm(seconds)


def ran_out_of_time(status: int | None) -> bool:
    """Whether the exit status of a process says that its time was over."""
    return status == -signal.SIGALRM


def raise_file_limit() -> bool:
    """Raise the number of files that this process may have open, as far as allowed; return whether it was raised."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    new_limit = 8 * soft if hard == resource.RLIM_INFINITY else min(8 * soft, hard)
    if soft == resource.RLIM_INFINITY or new_limit <= soft:
        return False
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (new_limit, hard))
        return True
    return False
