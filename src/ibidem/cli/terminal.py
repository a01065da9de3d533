"""Writing for a person at a terminal, or for a program at the end of a pipe.

Results go to standard output, JSON lines for a program. What is said about the work goes to standard error, and bars
that move only to a terminal.
"""

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, count
from typing import TYPE_CHECKING, Any

import click

from ibidem.progress import PhaseClock, ProgressLog, how_far, how_much_left

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

    from ibidem.corpus import ReadingProgress

ProgressCallback = Callable[[str, int, int | None], None]

_SHELL_WORDS = re.compile(r'(?:(?:-\S+|[>|]) (?=[^->|]))?(?:"[^"]*"|\S)+')
"""A word of a command; an option with its value, and what a pipe or an arrow leads to, are one."""

_STEERING = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\ud800-\udfff"
    r"\U000e0000-\U000e007f]"
)
"""Controls (C0, C1), marks that turn the direction of a line, line ends, marks without a width or a look, and halves of
surrogate pairs. The joiners of Persian and Indic words and of emoji are none of them."""

_KEEP_WORDS: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}


def is_terminal(stream: Any) -> bool:
    """Return whether the stream is a terminal."""
    return stream is not None and bool(stream.isatty())


def console(*, stderr: bool = False) -> "Console":
    """The console for readable output; texts of documents are never markup, and cannot control the terminal."""
    from ibidem.cli.screen import Screen

    return Screen(printable, stderr=stderr)


def write_json(record: Any) -> None:
    """Write one line of JSON to standard output; at a terminal, control characters are written as escapes."""
    from ibidem.text.json_values import encode_json

    line = encode_json(record)
    if is_terminal(sys.stdout):
        line = _STEERING.sub(_escape, line.decode()).encode()
    sys.stdout.buffer.write(line + b"\n")


def _escape(character: re.Match[str]) -> str:
    return json.dumps(character[0])[1:-1]


class _Messages:
    """Whether only faults are told."""

    is_quiet: bool = False


_messages = _Messages()


def be_quiet(is_quiet: bool) -> None:
    """From here on, tell of the work only what is wrong, or all of it."""
    _messages.is_quiet = is_quiet


def tell(message: str, *, is_fault: bool = False) -> None:
    """Write a message about the work to standard error; where the user asked for quiet, one about a fault alone."""
    if is_fault or not _messages.is_quiet:
        write_message(wrap_message(message) if is_terminal(sys.stderr) else message)


def write_message(message: str) -> None:
    """Write to standard error; no part of the message can control the terminal."""
    click.echo(printable(message), err=True)


def wrap_message(message: str) -> str:
    """Wrap a message between words at the width of the terminal."""
    width = shutil.get_terminal_size().columns
    lines = (textwrap.wrap(line, width, **_KEEP_WORDS) or [""] for line in message.split("\n"))
    return "\n".join(chain.from_iterable(lines))


def fold_command(line: str, width: int) -> str:
    """Break a shell command into lines that fit, each but the last with a backslash at its end.

    >>> print(fold_command("ibidem search books.ibidem notes.jsonl --limit 3", 40))
    ibidem search books.ibidem notes.jsonl \\
        --limit 3
    """
    indent = line[: len(line) - len(line.lstrip())]
    rows: list[str] = []
    for word in _SHELL_WORDS.findall(line):
        if rows and len(rows[-1]) + len(word) + 1 <= width - 2:
            rows[-1] += f" {word}"
        else:
            rows.append(f"{indent}    {word}" if rows else indent + word)
    return line if len(line) <= width else " \\\n".join(rows)


def printable(text: str) -> str:
    """The text with U+FFFD for each character that would steer a terminal, or that has no encoding.

    Whatever comes from outside, such as a text, an id or the name of a file, passes here on its way to a terminal.
    """
    return text if text.isprintable() else _STEERING.sub("\N{REPLACEMENT CHARACTER}", text)


def fold_lines(text: str) -> str:
    """The text on one line, printable: each run of white space is a space.

    >>> fold_lines("in the\\n\\tsame place\\n")
    'in the same place '
    """
    return printable(re.sub(r"\s+", " ", text))


@contextmanager
def progress(
    reading: "ReadingProgress | None" = None, *, with_results: bool = False
) -> Iterator[ProgressCallback | None]:
    """A callable that shows the progress of the work, or ``None`` where the user asked for quiet.

    At a terminal it draws bars. In a log, it writes a line every half minute.

    Args:
        reading: knows the whole of the phase of that name, in bytes.
        with_results: whether results are written meanwhile; at a terminal, bars would be drawn over them.
    """
    if _messages.is_quiet or (with_results and is_terminal(sys.stderr) and is_terminal(sys.stdout)):
        yield None
        return
    if not is_terminal(sys.stderr):
        yield _Log(reading)
        return
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

    looks = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        TextColumn("{task.fields[far]}"),
    )
    with Progress(*looks, console=console(stderr=True), transient=True) as bars:
        yield _Bars(bars, reading)


@contextmanager
def count_written(phase: str, total: Callable[[], int | None]) -> Iterator[Callable[[], None]]:
    """A function to be called whenever the results of one more text were written, which shows how many texts are done.

    A reader of a pipe has the results of a text before the next one is begun.
    """
    with progress(with_results=True) as on_progress:
        numbers = count(1)

        def note() -> None:
            sys.stdout.flush()
            done = next(numbers)
            if on_progress is not None:
                on_progress(phase, done, total())

        yield note


class _Log(ProgressLog):
    """Lines about the progress of long work, as messages; of reading, they say how much is left."""

    def __init__(self, reading: "ReadingProgress | None") -> None:
        super().__init__()
        self._reading = reading

    def write(self, phase: str, done: int, total: int | None, seconds: float) -> None:
        """Write a line."""
        tell(f"ibidem: {phase}: {_describe_progress(phase, done, total, seconds, self._reading)}")


def _describe_progress(
    phase: str, done: int, total: int | None, seconds: float, reading: "ReadingProgress | None"
) -> str:
    """How far a phase is; of reading that is one task, how much is left is known by its bytes."""
    far = how_far(done, total, seconds)
    if phase == "reading" and total is None and reading is not None and reading.total is not None:
        far += how_much_left(reading.done(), reading.total, seconds)
    return far


class _Bars:
    """One bar for each phase of the work."""

    def __init__(self, bars: "Progress", reading: "ReadingProgress | None" = None) -> None:
        self._bars = bars
        self._reading = reading
        self._tasks: dict[str, TaskID] = {}
        self._clock = PhaseClock()

    def __call__(self, phase: str, done: int, total: int | None) -> None:
        if phase not in self._tasks:
            self._tasks[phase] = self._bars.add_task(phase, total=total, far="")
        far = _describe_progress(phase, done, total, self._clock.measure(phase), self._reading)
        if phase == "reading" and self._reading is not None and self._reading.total is not None:
            done, total = self._reading.done(), self._reading.total
        self._bars.update(self._tasks[phase], completed=done, total=total, far=far)
