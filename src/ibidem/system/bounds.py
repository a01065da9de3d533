"""Bounds of this process: its memory, its time, its open files; and what it has used of them.

Windows has neither bounds of memory nor alarms. There a process is not bounded in memory, and a thread ends it when its
time is over: a function that never lets go of the interpreter is ended by whoever waits for it.
"""

import os
import signal
import threading
from contextlib import suppress

_LATE = 124
"""The exit status of a process whose time is over, where there is no alarm that ends it."""

_timers: list[threading.Timer] = []
"""The timer that will end this process, if there is one."""


def bound_memory(size: int) -> None:
    """Bound the address space of this process, which leaves no core file, to so many bytes; a lower bound stays."""
    try:
        import resource
    except ModuleNotFoundError:
        return
    most = memory_limit()
    size = size if most is None else min(size, most)
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def memory_limit() -> int | None:
    """The bytes of address space that this process may have, such as ``ulimit -v`` sets; ``None`` if any number."""
    try:
        import resource
    except ModuleNotFoundError:
        return None
    limits = [limit for limit in resource.getrlimit(resource.RLIMIT_AS) if limit != resource.RLIM_INFINITY]
    return min(limits, default=None)


def bound_time(seconds: int) -> None:
    """End this process after so many seconds, counted anew with each call; with 0, do not."""
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)
        return
    while _timers:
        _timers.pop().cancel()
    if seconds:
        timer = threading.Timer(seconds, os._exit, [_LATE])
        timer.daemon = True
        timer.start()
        _timers.append(timer)


def ran_out_of_time(status: int | None) -> bool:
    """Whether the exit status of a process says that its time was over."""
    return status == _LATE if not hasattr(signal, "SIGALRM") else status == -signal.SIGALRM


def raise_file_limit() -> bool:
    """Raise the number of files that this process may have open, as far as allowed; return whether it was raised."""
    try:
        import resource
    except ModuleNotFoundError:
        return False
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    new_limit = 8 * soft if hard == resource.RLIM_INFINITY else min(8 * soft, hard)
    if soft == resource.RLIM_INFINITY or new_limit <= soft:
        return False
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (new_limit, hard))
        return True
    return False


def count_files() -> tuple[int, int | None]:
    """The number of files that this process has open, 32 if that is not known, and how many it may have, if bounded."""
    try:
        open_files = len(os.listdir("/proc/self/fd"))
    except OSError:
        open_files = 32
    try:
        import resource
    except ModuleNotFoundError:
        return open_files, None
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return open_files, None if limit == resource.RLIM_INFINITY else limit
