"""Find the passages that two texts share.

A and B are files of plain text; - is standard input. On a pipe, each pair of passages is a line of JSON; ranges are
half open and count code points.

Examples:

    ibidem align letter.txt books/ferry.txt
    ibidem align letter.txt books/ferry.txt --threshold 0.8 --min-length 20 --json
"""

import sys
from typing import TYPE_CHECKING

import click

from ibidem.cli.command import command
from ibidem.cli.options import as_json
from ibidem.cli.terminal import console, counted, is_terminal, write_json

if TYPE_CHECKING:
    from ibidem import Alignment


@command(__doc__)
@click.argument("a", type=click.Path(allow_dash=True))
@click.argument("b", type=click.Path(allow_dash=True))
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.5,
    show_default=True,
    help="Least similarity.",
)
@click.option(
    "--min-length",
    metavar="N",
    type=click.IntRange(1),
    default=16,
    show_default=True,
    help="Tokens of the shortest passage.",
)
@as_json
def align(a: str, b: str, threshold: float, min_length: int, as_json: bool) -> None:
    """Align the two texts."""
    import ibidem
    from ibidem.cli.queries import whole_text

    texts = whole_text(a), whole_text(b)
    pairs = ibidem.align(*texts, threshold=threshold, min_length=min_length)
    if as_json or not is_terminal(sys.stdout):
        for pair in pairs:
            write_json(pair)
    else:
        _show(pairs, (a, b), texts)


def _show(pairs: list["Alignment"], names: tuple[str, str], texts: tuple[str, str]) -> None:
    from ibidem.cli.side_by_side import Side, show_pair

    out = console()
    for pair in pairs:
        left = Side(_place(names[0], pair.a_start, pair.a_end), texts[0][pair.a_start : pair.a_end])
        right = Side(_place(names[1], pair.b_start, pair.b_end), texts[1][pair.b_start : pair.b_end])
        show_pair(out, left, right, f"similarity {pair.similarity:.3f}")
    out.print(counted(len(pairs), "pair of passages", "pairs of passages") if pairs else "no passage in common")


def _place(name: str, start: int, end: int) -> str:
    return f"{name}, characters {start:,} to {end:,}"
