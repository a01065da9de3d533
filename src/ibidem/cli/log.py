"""The log of a service on standard error: a line for each cause, and at most one a minute."""

import logging
import time
import traceback

from ibidem.cli.terminal import write_message

_PAUSE = 60.0
"""Seconds between two lines of the same cause."""

_MOST_CAUSES = 1000


class LogLines(logging.Handler):
    """Writes log records. Records with the same cause as a line of the last minute are counted and not written.

    A fault of the world is one line. A defect, which is any other exception, comes with its traceback.
    """

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._last: dict[tuple[object, ...], float] = {}
        self._silent: dict[tuple[object, ...], int] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, or count it."""
        error = record.exc_info[1] if record.exc_info else None
        cause = (record.name, str(record.msg).split("\n", 1)[0], type(error), _place(error))
        now = time.monotonic()
        if now - self._last.get(cause, -_PAUSE) < _PAUSE:
            self._silent[cause] = self._silent.get(cause, 0) + 1
            return
        if len(self._last) >= _MOST_CAUSES:
            self._last.clear()
            self._silent.clear()
        self._last[cause] = now
        write_message(_describe(record, error, self._silent.pop(cause, 0)))


def log_to_terminal() -> None:
    """Have everything that is logged in this process written by :class:`LogLines`."""
    logging.basicConfig(handlers=[LogLines()], level=logging.WARNING, force=True)


def _place(error: BaseException | None) -> object:
    """The place where an exception was raised."""
    trace = error.__traceback__ if error else None
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace and (trace.tb_frame.f_code, trace.tb_lineno)


def _describe(record: logging.LogRecord, error: BaseException | None, silent: int) -> str:
    line = f"ibidem: {record.levelname.lower()}: {record.getMessage().strip().splitlines()[0]}"
    if isinstance(error, OSError):
        line += f": {error}"
    if silent:
        line += f" ({silent:,} more in the minutes before)"
    if error is None or isinstance(error, OSError):
        return line
    return "\n".join([line, "".join(traceback.format_exception(error)).rstrip()])
