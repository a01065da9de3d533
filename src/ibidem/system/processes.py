"""Processes: how copies of this one begin, processes that outlive it, and whether one is still there.

Linux says in ``/proc`` when a process and the machine started. Elsewhere psutil asks the system.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

START_METHOD = "fork" if sys.platform == "linux" and hasattr(os, "fork") else "spawn"
"""How copies of a process begin. Outside of Linux, a process or its libraries cannot be copied: each starts anew."""


def environment() -> dict[str, str]:
    """The variables of a process that finds modules where this one finds them."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def start_session(arguments: list[str], log: IO[bytes]) -> "subprocess.Popen[bytes]":
    """Start Python with the arguments, in a session of its own: the process outlives this one.

    It finds modules where this process finds them, and writes to ``log``.
    """
    process: subprocess.Popen[bytes] = subprocess.Popen(
        [sys.executable, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        env=environment(),
        start_new_session=True,  # without effect on Windows, which has the flags
        creationflags=0 if hasattr(os, "setsid") else _DETACHED,
    )
    return process


_DETACHED = 0x00000008 | 0x00000200
"""The flags ``DETACHED_PROCESS`` and ``CREATE_NEW_PROCESS_GROUP`` of Windows."""


def end_session(process: int) -> None:
    """Kill a process that ``start_session`` started, and all that it started; that it has ended is no error."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)
        return
    import psutil

    with suppress(psutil.NoSuchProcess):
        first = psutil.Process(process)
        for child in [first, *first.children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):
                child.kill()


def boot_id() -> str:
    """The name of this start of this machine, which no other has, containers included, if the system knows it."""
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip() + os.readlink("/proc/self/ns/pid")
    return ""


def start_time(process: int) -> str:
    """When a process started, by the clock of its machine; the empty string if it is gone or cannot be seen."""
    if Path("/proc/self/stat").exists():
        with suppress(OSError):
            # The name in parentheses may hold blanks, so the fields are counted from the end of it.
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            return "" if fields[0] == "Z" else fields[19]
        return ""
    import psutil

    with suppress(psutil.Error):
        status = psutil.Process(process)
        return "" if status.status() == psutil.STATUS_ZOMBIE else str(status.create_time())
    return ""
