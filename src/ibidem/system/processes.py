"""Processes that outlive the one that starts them."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import IO


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
        start_new_session=True,
    )
    return process


def end_session(process: int) -> None:
    """Kill a process that ``start_session`` started, and all that it started; that it has ended is no error."""
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)
