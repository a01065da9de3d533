"""Find the passages that two texts share.

A and B are files of plain text; - is standard input. On a pipe, each pair of passages is a line of JSON; ranges are
half open and count code points.

Many pairs are aligned in one run with --documents, a collection of any format, and --pairs, JSON lines that name two
ids each: "suspicious" and "source", or "a" and "b". Every line of the output has the two ids; pairs are in their order.

Examples:

    ibidem align letter.txt books/ferry.txt
    ibidem align letter.txt books/ferry.txt --threshold 0.8 --min-length 20 --json
    ibidem align --documents notes.jsonl --pairs pairs.jsonl --json > aligned.jsonl
"""

import sys
from typing import TYPE_CHECKING, Any

import click

from ibidem.cli.command import command
from ibidem.cli.options import as_json, columns, threads
from ibidem.cli.terminal import console, counted, is_terminal, progress, write_json

if TYPE_CHECKING:
    from rich.console import Console

    from ibidem import Alignment


@command(__doc__)
@click.argument("a", required=False, type=click.Path(allow_dash=True))
@click.argument("b", required=False, type=click.Path(allow_dash=True))
@click.option("--documents", metavar="INPUT", multiple=True, help="Align documents of this collection.")
@click.option("--pairs", metavar="FILE", help="The pairs of documents to align.")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.3,
    show_default=True,
    help="Least similarity.",
)
@click.option(
    "--min-length",
    metavar="N",
    type=click.IntRange(1),
    help="Least tokens of the longer passage of a pair.  [default: 40, or a quarter of the shorter text]",
)
@columns
@threads
@as_json
def align(
    *,
    a: str | None,
    b: str | None,
    documents: tuple[str, ...],
    pairs: str | None,
    text: str,
    id: str,
    threads: int | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Align two texts, or many pairs of documents."""
    readable = is_terminal(sys.stdout) and not as_json
    if documents and pairs is not None and a is None:
        if "-" in documents and pairs == "-":
            raise click.UsageError("standard input is either the documents or the pairs, not both")
        _align_pairs(documents, pairs, {"text": text, "id": id}, readable, threads=threads, **settings)
    elif a is not None and b is not None and not documents and pairs is None:
        _align_files((a, b), readable, settings)
    else:
        raise click.UsageError("give two files, A and B, or --documents and --pairs")


def _align_files(names: tuple[str, str], readable: bool, settings: dict[str, Any]) -> None:
    import ibidem
    from ibidem.cli.queries import whole_text

    texts = whole_text(names[0]), whole_text(names[1])
    found = ibidem.align(*texts, **settings)
    if readable:
        _show(console(), found, names, texts)
        return
    for alignment in found:
        write_json(alignment)


def _align_pairs(
    documents: tuple[str, ...], file: str, columns: dict[str, str], readable: bool, **settings: Any
) -> None:
    import msgspec

    from ibidem.cli.pairs import named_pairs, texts_of
    from ibidem.passages.pairs import align_pairs

    pairs = named_pairs(file)
    texts = texts_of(pairs, documents, **columns)
    aligned = zip(pairs, align_pairs(texts, (pair.ids for pair in pairs), **settings), strict=True)
    if readable:
        out = console()
        for pair, found in aligned:
            _show(out, found, pair.ids, (texts[pair.ids[0]], texts[pair.ids[1]]))
        return
    with progress() as shown:
        for done, (pair, found) in enumerate(aligned, 1):
            for alignment in found:
                write_json(pair.names | msgspec.structs.asdict(alignment))
            # A reader of the pipe has what was found before the work is done.
            sys.stdout.flush()
            if shown is not None:
                shown("aligning", done, len(pairs))


def _show(out: "Console", found: list["Alignment"], names: tuple[str, str], texts: tuple[str, str]) -> None:
    from ibidem.cli.side_by_side import Side, show_pair

    for pair in found:
        left = Side(_place(names[0], pair.a_start, pair.a_end), texts[0][pair.a_start : pair.a_end])
        right = Side(_place(names[1], pair.b_start, pair.b_end), texts[1][pair.b_start : pair.b_end])
        show_pair(out, left, right, f"similarity {pair.similarity:.3f}")
    out.print(counted(len(found), "pair of passages", "pairs of passages") if found else "no passage in common")


def _place(name: str, start: int, end: int) -> str:
    return f"{name}, characters {start:,} to {end:,}"
