"""The command ``ibidem`` itself: it finds its commands by name, and imports only the one that runs."""

import atexit
import gc
import sys
import traceback
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from itertools import chain
from typing import Any

import click

import ibidem
from ibidem.cli.command import Interruption, one_line
from ibidem.cli.interrupts import end_by
from ibidem.cli.terminal import write_message
from ibidem.kernels.machine_code import FOLDER

GROUPS = {
    "Texts and collections": ("demo", "app", "advise", "align", "reuse", "report", "evaluate"),
    "Training data": ("dedup", "decontaminate", "trace"),
    "Indexes": ("index", "search", "add", "remove", "info", "check", "merge", "warmup"),
    "Sharing": ("serve", "mcp"),
}
"""The commands by what people come with, in the order of the help. Each is a function in a module of its name."""

COMMANDS = tuple(chain.from_iterable(GROUPS.values()))


class LazyGroup(click.Group):
    """A group whose commands are modules, imported when they are asked for.

    The modules import what is heavy inside the functions that use it.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, if there is one."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"ibidem.cli.{cmd_name}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, group by group, all in one column; where a package brings machine code, none compiles."""
        hidden = {"warmup"} if FOLDER.is_dir() else set[str]()
        helps = {name: self._short_help(ctx, name) for name in COMMANDS if name not in hidden}
        width = max(map(len, helps))
        for group, names in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl([(name.ljust(width), helps[name]) for name in names if name in helps])

    def _short_help(self, ctx: click.Context, name: str) -> str:
        command = self.get_command(ctx, name)
        return "" if command is None else command.get_short_help_str(limit=80)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument names; the error for an unknown name suggests the closest ones."""
        name = args[0]
        if name[:1].isalpha() and self.get_command(ctx, name) is None:
            close = get_close_matches(name, COMMANDS)
            advice = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
            raise click.UsageError(f"No such command {name!r}.{advice}", ctx)
        return super().resolve_command(ctx, args)

    def main(self, *args: Any, **options: Any) -> Any:
        """Run a command and exit; an error is one line on standard error."""
        options["standalone_mode"] = False
        sys.excepthook = _show_defect
        try:
            status = super().main(*args, **options)
        except Interruption as interruption:
            status = _tell(interruption.message, interruption.exit_code)
            end_by(interruption.number)
        except click.UsageError as error:
            advice = f" (see: {error.ctx.command_path} --help)" if error.ctx else ""
            status = _tell(f"error: {one_line(error.format_message())}{advice}", error.exit_code)
        except click.ClickException as error:
            status = _tell(f"error: {one_line(error.format_message())}", error.exit_code)
        except click.Abort:
            status = _tell("interrupted", Interruption.exit_code)
        status = status if isinstance(status, int) else 0
        if status == 0:
            _shorten_exit()
        sys.exit(status)


def _shorten_exit() -> None:
    """Keep the end of the process from collecting unreachable cycles, which would visit every object of every module.

    After a failure it does look: what an exception keeps may hold a file that is closed by that alone. Nothing changes
    while the process runs, since a program may call ``main`` and continue.
    """
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)


def _tell(message: str, status: int) -> int:
    with suppress(BrokenPipeError):  # whoever started and ended the command may no longer listen
        write_message(f"ibidem: {message}")
    return status


def _show_defect(kind: type[BaseException], error: BaseException, trace: object) -> None:
    write_message("".join(traceback.format_exception(error)).rstrip())


def _show_version(context: click.Context, _parameter: click.Parameter, is_given: bool) -> None:
    if is_given:
        from ibidem.store.format import FORMAT_VERSION

        click.echo(f"ibidem {ibidem.__version__}\nindexes: format {FORMAT_VERSION}")
        context.exit()


@click.group(
    "ibidem",
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("-V", "--version", is_flag=True, is_eager=True, callback=_show_version, help="Show the version and exit.")
@click.pass_context
def main(context: click.Context, version: bool) -> None:
    """Find near-duplicate text, passages and documents, with exact similarities.

    Start with: ibidem demo
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
