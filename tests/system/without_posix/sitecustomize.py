"""Takes from a Python process, as it starts, what Windows does not have. Its folder is in ``PYTHONPATH`` for that.

No module ``fcntl`` or ``resource``, no reads at a position, no sessions, no alarms, no fork, no ``/proc``. A file that
this process has open or mapped is not renamed and not removed, nor is a folder with such a file in it. Locks are those
of ``msvcrt``, made of locks of byte ranges that Linux has. What Windows does beyond that is not imitated.
"""

import contextlib
import errno
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import types
from collections.abc import Callable
from typing import Any

import psutil  # noqa: F401  # asks the system what there is

_GONE = {
    os: "pread pwrite preadv pwritev killpg setsid getsid getpgid fork sched_getaffinity posix_fadvise O_CLOEXEC "
    "O_NOFOLLOW O_NONBLOCK O_DIRECTORY",
    signal: "alarm setitimer SIGALRM pthread_sigmask",
}


def main() -> None:
    """Take all of it away."""
    import fcntl

    sys.modules["msvcrt"] = make_locks(fcntl)
    shutil._use_fd_functions = False  # type: ignore[attr-defined]
    subprocess._USE_VFORK = False  # type: ignore[attr-defined]
    for name in ("fcntl", "resource"):
        sys.modules[name] = None  # type: ignore[assignment]
    for module, names in _GONE.items():
        for name in names.split():
            delattr(module, name)
    for name in ("replace", "rename", "remove", "unlink", "rmdir"):
        setattr(os, name, refuse_in_use(getattr(os, name)))
    for name in ("read_text", "exists"):
        setattr(pathlib.Path, name, without_proc(getattr(pathlib.Path, name)))


def make_locks(fcntl: Any) -> types.ModuleType:
    """The module ``msvcrt``, with locks of ranges that one open file holds at a time."""
    locks = types.ModuleType("msvcrt")
    locks.LK_NBLCK = 2  # type: ignore[attr-defined]

    def locking(descriptor: int, mode: int, size: int) -> None:
        assert mode == 2
        place = os.lseek(descriptor, 0, os.SEEK_CUR)
        wanted = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, place, size, 0)
        try:
            fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, wanted)
        except BlockingIOError:
            raise PermissionError(errno.EACCES, "Permission denied") from None

    locks.locking = locking  # type: ignore[attr-defined]
    return locks


def refuse_in_use(change: Callable[..., Any]) -> Callable[..., Any]:
    """A function of ``os`` that changes names, and refuses if a file is in use."""

    def changed(*names: Any, **options: Any) -> Any:
        in_use = files_in_use()
        for name in names:
            path = os.path.realpath(name)
            if path in in_use or any(each.startswith(path + os.sep) for each in in_use):
                error = PermissionError(errno.EACCES, "it is used by another process", str(name))
                error.winerror = 32  # type: ignore[attr-defined]
                raise error
        return change(*names, **options)

    return changed


def files_in_use() -> set[str]:
    """The paths of the files that this process has open or mapped."""
    paths = set()
    for descriptor in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            paths.add(os.readlink(f"/proc/self/fd/{descriptor}"))
    with open("/proc/self/maps") as maps:
        paths |= {fields[5].rstrip("\n") for line in maps if len(fields := line.split(maxsplit=5)) == 6}
    return paths


def without_proc(ask: Callable[..., Any]) -> Callable[..., Any]:
    """A method of paths that finds nothing below ``/proc``."""

    def asked(path: pathlib.Path, *arguments: Any, **options: Any) -> Any:
        if path.is_relative_to("/proc"):
            if ask.__name__ == "exists":
                return False
            raise FileNotFoundError(errno.ENOENT, "No such file", str(path))
        return ask(path, *arguments, **options)

    return asked


if __name__ == "sitecustomize":
    main()
