"""Delaying Ctrl-C until a kernel is compiled, or has returned from its first call.

Python raises an interrupt in whatever Python code runs next. In a compilation this may be a function that the compiler
calls from C, which loses the interrupt, or one that a kernel calls for its result, which then continues without it: the
process ends in a ``SystemError`` or a crash.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_COMPILER = ("numba", "llvmlite")
"""Packages whose code is not interrupted."""

_AGAIN = 0.02
"""Seconds until a delayed interrupt comes again."""


@contextmanager
def delay_interrupts() -> Iterator[None]:
    """Delay interrupts that come inside of the compiler while the block runs.

    Nothing changes outside of the main thread, where somebody else has an alarm or another use for Ctrl-C, or where the
    system has no alarms.

    Raises:
        KeyboardInterrupt: one is still delayed at the end of the block.
    """
    if not _has_plain_signals():
        yield
        return
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGALRM, _interrupt)
    try:
        yield
    finally:
        pending_seconds, _ = signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if pending_seconds:
        raise KeyboardInterrupt


def _has_plain_signals() -> bool:
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    )


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise ``KeyboardInterrupt``; inside of the compiler, come again as an alarm."""
    if not _is_compiling(frame):
        raise KeyboardInterrupt
    signal.setitimer(signal.ITIMER_REAL, _AGAIN)


def _is_compiling(frame: FrameType | None) -> bool:
    """Return whether this frame belongs to the compiler or is called by it."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] in _COMPILER:
            return True
        frame = frame.f_back
    return False
