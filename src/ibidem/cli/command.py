"""The base of all commands: help from the module's docstring, and faults reported in one line.

Whatever is wrong with the world or an argument becomes one line on standard error and exit status 2. An exception that
nobody raised on purpose keeps its traceback: it is a defect.
"""

import os
import re
import shutil
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NoReturn, TextIO

import click

from ibidem.cli.interrupts import Ended, handle_interrupts
from ibidem.cli.options import InputPath, OptionsOfFunctions, OutputPath
from ibidem.cli.reports import tell_failures
from ibidem.cli.terminal import be_quiet, fold_command, tell, write_message
from ibidem.errors import LEFT_OUT, IbidemError

if TYPE_CHECKING:
    from ibidem.cli.dry_run import ListOutputs
    from ibidem.corpus.failures import Failures

_EXAMPLE = " " * 6
"""How an example begins in the help: the indent of the text, and its own."""

CLOSED_PIPE = 141
"""The exit status of a program that SIGPIPE ends, which is what a shell expects of ``ibidem ... | head``."""

UNCHANGED = "nothing is half written, and the index is as of its last commit"
"""The note after an interruption of a command that was changing an index."""


class Fault(click.ClickException):
    """An error of the arguments or of the input, reported in one line."""

    exit_code = 2


class Interruption(click.ClickException):
    """An interruption by Ctrl-C or another signal, with a note on the state that it leaves.

    Attributes:
        number: of the signal.
    """

    exit_code = 130

    def __init__(self, message: str, number: int = signal.SIGINT) -> None:
        super().__init__(message)
        self.number = number


class Command(click.Command):
    """A command that reports its faults and warnings in one line each."""

    interrupted = ""
    """The state after an interruption, if it is not plain."""

    list_outputs: "ListOutputs | None" = None
    """Names what it would write, if it has the option ``--dry-run``."""

    _params: Sequence[click.Parameter | OptionsOfFunctions]

    @property
    def params(self) -> list[click.Parameter]:
        """The parameters. Options of functions are made when they are first asked for."""
        made = (each.make() if isinstance(each, OptionsOfFunctions) else [each] for each in self._params)
        params = list(chain.from_iterable(made))
        self._params = params
        return params

    @params.setter
    def params(self, params: list[click.Parameter]) -> None:
        self._params = params

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; what an earlier command said of quiet does not count."""
        be_quiet(False)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> None:
        """Run the command."""
        if sys.stdout is None:
            raise Fault("standard output: it is closed")
        try:
            name = partial(name_options, self.params)
            with handle_interrupts(), _faults(self._output_name(ctx), name), _warnings(name):
                self._require_apart(ctx)
                self._work(ctx)
                sys.stdout.flush()
                if failures := ctx.params.get("failures"):
                    leave_with(ctx, failures)
        except BrokenPipeError:
            _discard_output()
            ctx.exit(CLOSED_PIPE)
        except (KeyboardInterrupt, SystemError) as error:
            if (number := _find_signal(error)) is None:
                raise
            cause = "interrupted" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}"
            raise Interruption(": ".join(filter(None, (cause, self.interrupted))), number) from None

    def _work(self, context: click.Context) -> None:
        """Do the work, or say what it would read and write."""
        if self.list_outputs is not None and context.params.pop("dry_run"):
            from ibidem.cli.dry_run import tell_plan

            tell_plan(context, self.list_outputs)
        else:
            super().invoke(context)

    def get_help(self, ctx: click.Context) -> str:
        """The help, with examples that fit on the terminal and can be copied as they are."""
        width = shutil.get_terminal_size().columns
        lines = super().get_help(ctx).split("\n")
        return "\n".join(fold_command(line, width) if line.startswith(_EXAMPLE) else line for line in lines)

    def _require_apart(self, context: click.Context) -> None:
        """Refuse to write over what is read; nothing was done yet."""
        outputs = self._paths(context, OutputPath)
        if outputs:
            from ibidem.corpus.writing.apart import require_apart

            require_apart(outputs, self._paths(context, InputPath))

    def _paths(self, context: click.Context, kind: type[click.Path]) -> list[str]:
        """The paths that the user gave for parameters of a kind."""
        values = [context.params.get(param.name or "") for param in self.params if isinstance(param.type, kind)]
        several = (value if isinstance(value, tuple) else (value,) for value in values)
        return [path for paths in several for path in paths if path]

    def _output_name(self, context: click.Context) -> str:
        """The output of the command: an index, or standard output."""
        index = context.params.get("output") or context.params.get("index")
        return str(index) if self.interrupted else "standard output"


def leave_with(context: click.Context, failures: "Failures") -> NoReturn:
    """List what was left out of the input, and leave with the exit status that says so."""
    tell_failures(failures)
    context.exit(LEFT_OUT)


def _find_signal(error: BaseException) -> int | None:
    """The signal that this comes of, if it does; inside of a kernel, Python makes it the cause of a ``SystemError``."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, KeyboardInterrupt):
        cause = cause.__cause__
    if cause is None:
        return None
    return cause.number if isinstance(cause, Ended) else signal.SIGINT


def command(
    docstring: str | None, *, interrupted: str = "", list_outputs: "ListOutputs | None" = None
) -> Callable[[Callable[..., None]], Command]:
    """Make a command of a function.

    Args:
        interrupted: the message after an interruption.
        list_outputs: names what the command would write; it has the option ``--dry-run`` then.
    """
    help = verbatim_examples(docstring or "")

    def make(function: Callable[..., None]) -> Command:
        result = click.command(function.__name__, cls=Command, help=help)(function)
        result.interrupted, result.list_outputs = interrupted, list_outputs
        return result

    return make


def one_line(message: object) -> str:
    """The message without line ends."""
    return " ".join(line.strip() for line in str(message).splitlines() if line.strip())


def name_options(params: Sequence[click.Parameter], message: str) -> str:
    """Replace arguments of Python that a message names, such as ``num_hashes``, by the options of the command.

    A name of one word is left, since it reads as a word of English. So is one in quotes or in a path.
    """
    for option in params:
        if isinstance(option, click.Option) and "_" in (option.name or ""):
            flag = max(option.opts, key=len)
            message = re.sub(rf"(?!\A{option.name}:)(?<![\w./'\"-]){option.name}(?![\w./'\"-])", flag, message)
    return message


def verbatim_examples(docstring: str) -> str:
    """The docstring with click's mark that keeps it from joining the lines of an indented paragraph."""
    paragraphs = re.split(r"\n\s*\n", docstring)
    return "\n\n".join(f"\b\n{text}" if text.startswith("    ") else text for text in paragraphs)


@contextmanager
def _faults(output: str, name_options: Callable[[str], str]) -> Iterator[None]:
    """Turn errors that are raised on purpose into a ``Fault``; ``output`` names the file."""
    try:
        yield
    except (IbidemError, ValueError) as error:
        raise Fault(name_options(one_line(error))) from error
    except BrokenPipeError:
        raise
    except OSError as error:
        # A write that fails, on a full disk say, does not know the name of its file.
        if error.filename is None:
            _discard_output()
        place = os.fsdecode(error.filename or output)
        raise Fault(one_line(f"{place}: {error.strerror or error}")) from error


@contextmanager
def _warnings(name_options: Callable[[str], str]) -> Iterator[None]:
    """Warnings that are meant for the user go to standard error as ``ibidem: warning: ...``, in one line."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = partial(_show_warning, name_options)
        yield


def _show_warning(
    name_options: Callable[[str], str],
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    if issubclass(category, UserWarning):
        _tell_warning(name_options(one_line(message)))
    else:
        write_message(warnings.formatwarning(message, category, filename, lineno, line).rstrip())


def _tell_warning(message: str) -> None:
    tell(f"ibidem: warning: {message}", is_fault=True)


def _discard_output() -> None:
    """Discard buffered output, which the interpreter would otherwise fail to write when it ends."""
    # A stream that a program put in the place of standard output may have no descriptor.
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
