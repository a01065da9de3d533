"""Ending a command by Ctrl-C or a signal: it tidies up, and a second one ends it at once.

Python raises an interrupt in whatever Python code runs next. In a compilation this may be a function that the compiler
calls from C, which loses the interrupt, or one that a kernel calls for its result, which then continues without it: the
process ends in a ``SystemError`` or a crash. So an interrupt that comes in the compiler is delayed.
"""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_COMPILER = ("numba", "llvmlite")
"""Packages whose code is not interrupted."""

_AGAIN = 0.02
"""Seconds until a delayed interrupt comes again."""

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C, what asks a process to end, and the end of its terminal."""


class Ended(KeyboardInterrupt):
    """A signal that is to end the process.

    Attributes:
        number: of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def handle_interrupts() -> Iterator[None]:
    """Raise ``Ended`` in the block when a signal is to end the process, but not inside of the compiler.

    The next such signal ends the process at once, also after the block. A signal that somebody else handles or ignores
    is left alone. Nothing changes outside of the main thread, or where somebody else has an alarm.

    Raises:
        Ended: one is still delayed at the end of the block.
    """
    numbers = _list_unhandled()
    if not numbers:
        yield
        return
    interrupts = _Interrupts(numbers)
    try:
        yield
    finally:
        interrupts.restore()
    if interrupts.pending is not None:
        raise Ended(interrupts.pending)


def end_by(number: int) -> None:
    """End this process as a signal does that nobody handles; return if that is Ctrl-C, which has its exit status."""
    if number != signal.SIGINT:
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)


def _list_unhandled() -> list[int]:
    """The signals that end a process and that nobody handles."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL:
        return []
    plain = (signal.SIG_DFL, signal.default_int_handler)
    return [number for number in _ENDING if signal.getsignal(number) in plain]


class _Interrupts:
    """The handlers of some signals.

    Attributes:
        pending: a signal that came in the compiler.
    """

    def __init__(self, numbers: list[int]) -> None:
        self.pending: int | None = None
        self._has_come = False
        self._before = {number: signal.signal(number, self._end) for number in numbers}
        self._before[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._end_later)

    def restore(self) -> None:
        """Give the signals back; once one has come, the next one ends the process."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, before in self._before.items():
            signal.signal(number, signal.SIG_DFL if self._has_come else before)

    def _end(self, number: int, frame: FrameType | None) -> None:
        """Raise ``Ended``; inside of the compiler, come again as an alarm."""
        if _is_compiling(frame):
            self.pending = number
            signal.setitimer(signal.ITIMER_REAL, _AGAIN)
            return
        self.pending, self._has_come = None, True
        for each in self._before:
            signal.signal(each, signal.SIG_DFL)
        raise Ended(number)

    def _end_later(self, _: int, frame: FrameType | None) -> None:
        if self.pending is not None:
            self._end(self.pending, frame)


def _is_compiling(frame: FrameType | None) -> bool:
    """Return whether this frame belongs to the compiler or is called by it."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] in _COMPILER:
            return True
        frame = frame.f_back
    return False
