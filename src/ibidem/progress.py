"""What is said of long work while it runs: how far it is, and how long the rest takes."""

import sys
import time
from typing import Any

LOG_SECONDS = 30.0
"""Seconds between two lines of a log about the progress of the work."""

_SHOWN_SECONDS = 0.1
"""Seconds between two states of a line that changes."""


def how_far(done: int, total: int | None, seconds: float) -> str:
    """The part of the whole that is done, the time it took, and about how long the rest takes if the whole is known.

    >>> how_far(1200, None, 62), how_far(1200, 4800, 62)
    ('1,200 in 1:02', '1,200 of 4,800 in 1:02, 3:06 left')
    """
    if total is None:
        return f"{done:,} in {_clock(seconds)}"
    return f"{done:,} of {total:,} in {_clock(seconds)}{how_much_left(done, total, seconds)}"


def how_much_left(done: int, total: int, seconds: float) -> str:
    """About how long the rest takes, if a part is done.

    >>> how_much_left(1, 4, 62), how_much_left(4, 4, 62)
    (', 3:06 left', '')
    """
    return f", {_clock(seconds * (total - done) / done)} left" if 0 < done < total else ""


def _clock(seconds: float) -> str:
    minutes, seconds_left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds_left:02}" if hours else f"{minutes}:{seconds_left:02}"


class PhaseClock:
    """The seconds that each phase has taken: it began where the one before was last heard of."""

    def __init__(self) -> None:
        self._began: dict[str, float] = {}
        self._heard = time.monotonic()

    def measure(self, phase: str) -> float:
        """The seconds since a phase began, of which there is news."""
        began = self._began.setdefault(phase, self._heard)
        self._heard = time.monotonic()
        return self._heard - began


class ProgressLog:
    """Writes lines about the progress of long work, for a log; short work has none."""

    def __init__(self) -> None:
        self._clock = PhaseClock()
        self._told = time.monotonic()

    def __call__(self, phase: str, done: int, total: int | None) -> None:
        """Write a line, if the last one is half a minute old."""
        seconds, now = self._clock.measure(phase), time.monotonic()
        if now - self._told >= LOG_SECONDS:
            self._told = now
            self.write(phase, done, total, seconds)

    def write(self, phase: str, done: int, total: int | None, seconds: float) -> None:
        """Write a line."""
        sys.stderr.write(f"ibidem: {phase}: {how_far(done, total, seconds)}\n")


class ProgressLine:
    """Shows the progress of work in one line that changes, on a terminal or in a notebook."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._clock = PhaseClock()
        self._told = 0.0

    def __call__(self, phase: str, done: int, total: int | None) -> None:
        """Change the line; one that says that all is done stays."""
        seconds, now = self._clock.measure(phase), time.monotonic()
        is_done = done == total
        if is_done or now - self._told >= _SHOWN_SECONDS:
            self._told = now
            line = f"{phase}: {how_far(done, total, seconds)}"
            self._stream.write(f"\r{line:<70}" + "\n" * is_done)
            self._stream.flush()


def show_progress() -> "ProgressLine | ProgressLog":
    """What shows progress on standard error."""
    stream = sys.stderr
    is_notebook = type(stream).__module__.startswith("ipykernel")
    return ProgressLine(stream) if is_notebook or (stream is not None and stream.isatty()) else ProgressLog()
