"""Who reads what is written: a person at a terminal, or a program at the end of a pipe.

Results go to standard output, JSON lines for a program. What is said about the work goes to standard error, and bars
that move only to a terminal.
"""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

__all__ = [
    "ProgressCallback",
    "console",
    "counted",
    "folded",
    "format_size",
    "is_terminal",
    "printable",
    "progress",
    "shortened",
    "tell",
    "write_json",
]

ProgressCallback = Callable[[str, int, int | None], None]


def is_terminal(stream: Any) -> bool:
    """Whether a person reads the stream."""
    return stream is not None and bool(stream.isatty())


def console(*, stderr: bool = False) -> "Console":
    """Where readable output goes; the texts of documents are never taken for markup."""
    from rich.console import Console

    return Console(stderr=stderr, markup=False, highlight=False, emoji=False)


def write_json(record: Any) -> None:
    """Write one line of JSON to standard output."""
    import msgspec

    try:
        line = msgspec.json.encode(record)
    except UnicodeEncodeError:
        # A lone surrogate has no UTF-8; JSON can say it as an escape.
        import json

        line = json.dumps(msgspec.to_builtins(record)).encode("ascii")
    sys.stdout.buffer.write(line + b"\n")


def tell(message: str) -> None:
    """Say something about the work."""
    click.echo(printable(message), err=True)


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """A number and its noun.

    >>> counted(1, "document"), counted(1200, "document"), counted(2, "match", "matches")
    ('1 document', '1,200 documents', '2 matches')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def format_size(size: float) -> str:
    """A number of bytes, in the unit that reads best.

    >>> format_size(0), format_size(2048), format_size(7.8e9)
    ('0 B', '2.0 kB', '7.8 GB')
    """
    units = ("B", "kB", "MB", "GB", "TB", "PB")
    power = min(len(units) - 1, max(0, (len(str(int(size))) - 1) // 3))
    return f"{int(size)} B" if power == 0 else f"{size / 1000**power:.1f} {units[power]}"


def printable(text: str) -> str:
    """The text without characters that would steer a terminal, or that have no encoding."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)


def folded(text: str) -> str:
    """The text on one line, printable: each run of white space is a space.

    >>> folded("in the\\n\\tsame place\\n")
    'in the same place '
    """
    return printable(re.sub(r"\s+", " ", text))


def shortened(text: str, length: int) -> str:
    """The text, or its beginning and end if it is longer than ``length``.

    >>> shortened("from the beginning to the end", 14)
    'from th ... the end'
    """
    half = length // 2
    return text if len(text) <= length else f"{text[:half]} ... {text[-half:]}"


@contextmanager
def progress() -> Iterator[ProgressCallback | None]:
    """A callable that shows how far the work is, if standard error is a terminal."""
    if not is_terminal(sys.stderr):
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    looks = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*looks, console=console(stderr=True), transient=True) as bars:
        yield _Bars(bars)


class _Bars:
    """One bar for each phase of the work."""

    def __init__(self, bars: "Progress") -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, phase: str, done: int, total: int | None) -> None:
        if phase not in self._tasks:
            self._tasks[phase] = self._bars.add_task(phase, total=total)
        self._bars.update(self._tasks[phase], completed=done, total=total)
