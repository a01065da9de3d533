"""Options that several commands share, so that each means the same everywhere and is described once."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from ibidem.corpus.failures import Failures

__all__ = [
    "InputPath",
    "OutputPath",
    "as_json",
    "columns",
    "encoding",
    "index_argument",
    "inputs_argument",
    "measure",
    "normalize",
    "on_error",
    "passage_lengths",
    "resources",
    "share",
    "threads",
    "together",
    "with_text",
    "within",
]

_Function = TypeVar("_Function", bound=Callable[..., Any])


def together(*decorators: Callable[[Any], Any]) -> Callable[[_Function], _Function]:
    """Several options in one, in the order of the help."""

    def decorate(function: _Function) -> _Function:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


class InputPath(click.Path):
    """What a command reads: no output may stand there."""

    def __init__(self) -> None:
        super().__init__(allow_dash=True)


class OutputPath(click.Path):
    """What a command writes, apart from all that it reads; see ``ibidem.corpus.writing.apart``."""


index_argument = click.argument("index", type=InputPath())

inputs_argument = click.argument("inputs", metavar="INPUT...", nargs=-1, required=True, type=InputPath())

columns = together(
    click.option("--text", metavar="COLUMN", default="text", show_default=True, help="Column that holds the text."),
    click.option("--id", metavar="COLUMN", default="id", show_default=True, help="Column that holds the id."),
)


def _parse_normalization(context: click.Context, option: click.Parameter, value: str | None) -> tuple[str, ...]:
    if value is None:
        return ()
    from ibidem.text.normalization import parse_names

    try:
        return parse_names(value)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


normalize = click.option(
    "--normalize",
    metavar="NAME,...",
    callback=_parse_normalization,
    help="Which spellings count as the same: latin, diacritics, greek, hyphens and more; auto goes by script.",
)

threads = click.option(
    "--threads", metavar="N", type=click.IntRange(1), help="Threads at work.  [default: one per processor]"
)

resources = together(
    click.option(
        "--memory", metavar="SIZE", default="1G", show_default=True, help="Memory to stay within, more or less."
    ),
    threads,
)

max_line = click.option(
    "--max-line",
    metavar="SIZE",
    default="1G",
    show_default=True,
    help="Most bytes of a line, and of a file of plain text.",
)


encoding = click.option(
    "--encoding",
    metavar="NAME",
    help="Encoding of text files, web pages, CSV and TSV.  [default: found out; of tables, UTF-8]",
)


def _make_failures(context: click.Context, option: click.Parameter, value: str) -> "Failures | None":
    if value == "stop":
        return None
    from ibidem.corpus.failures import Failures

    return Failures()


on_error = click.option(
    "--on-error",
    "failures",
    type=click.Choice(["stop", "skip"]),
    default="stop",
    show_default=True,
    callback=_make_failures,
    help="At a row or a file that cannot be read, stop, or skip it and list all of them at the end.",
)
"""Gives a command the ``failures`` that it hands to its readers, or nothing; ``Command`` tells what they hold."""

within = click.option(
    "--within",
    metavar="PLACE",
    help="Take this place of each document alone, such as 'page 3, line 12' or 'pages 3 to 5'.",
)

share = click.FloatRange(0, 1, min_open=True)
"""A threshold or a recall: above 0, at most 1."""


def passage_lengths(shortest: int | None = None, longest: int | None = None) -> Callable[[_Function], _Function]:
    """The lengths of passages, with the defaults that a command has."""
    return together(
        *(
            click.option(
                f"--{bound}-length",
                metavar="N",
                type=click.IntRange(1),
                default=default,
                show_default=default is not None,
                help=f"Tokens of the {which} passage.",
            )
            for bound, which, default in (("min", "shortest", shortest), ("max", "longest", longest))
        )
    )


_FAMILIES = ["set", "multiset", "weighted"]
_TFS = ["raw", "binary", "logarithmic", "squared"]
_IDFS = ["unary", "standard", "smooth", "probabilistic"]

measure = together(
    click.option(
        "--family",
        type=click.Choice(_FAMILIES),
        help="What similarity counts: distinct tokens, all, or their weights.  [default: multiset; weighted with --tf "
        "or --idf]",
    ),
    click.option("--tf", type=click.Choice(_TFS), help="For weighted: weight of a token's frequency.  [default: raw]"),
    click.option("--idf", type=click.Choice(_IDFS), help="For weighted: weight of a token's rarity.  [default: unary]"),
)

as_json = click.option("--json", "as_json", is_flag=True, help="On a terminal too, write JSON as on a pipe.")

with_text = click.option(
    "--no-text", "with_text", is_flag=True, flag_value=False, default=True, help="In JSON, leave out the texts."
)
