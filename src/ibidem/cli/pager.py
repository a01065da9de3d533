"""Showing long output on a terminal through a pager, as git does."""

import os
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from ibidem.cli.terminal import hold_messages, is_terminal

if TYPE_CHECKING:
    from rich.console import Console

pager = click.option(
    "--pager/--no-pager", default=True, help="On a terminal, show what does not fit on it with the pager in PAGER."
)


def print_page(out: "Console", write: Callable[[], None]) -> str:
    """Capture as a string what ``write`` prints to a console."""
    with out.capture() as capture:
        write()
    return capture.get()


def show_pages(pages: Iterable[str], *, pager: bool) -> None:
    """Write pages to standard output as they come, through a pager if a person reads there and wants one.

    Messages about the work meanwhile are printed after the pager has ended.
    """
    if not (pager and is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        for page in pages:
            click.echo(page, nl=False)
        return
    # As for git: colours, no clearing of the screen, and no pager for what fits on it.
    os.environ.setdefault("LESS", "-FRX")
    with hold_messages():
        click.echo_via_pager(page for page in pages)
