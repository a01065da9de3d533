"""Score results against the truth.

RESULTS and TRUTH are folders of PAN's XML, or JSON lines. A line is a passage and its counterpart (as align and search
write them, or with PAN's this_offset, this_length, source_offset and source_length), a pair of documents, or a
document and its cluster ("id" and "cluster").

plagdet has PAN's macro-averaged precision, recall and granularity; positions counts the characters that passages
cover; pairs counts pairs of documents; clusters gives the adjusted Rand index. On a pipe, each measure of each category
of the truth is a line of JSON.

Examples:

    ibidem evaluate found.jsonl truth.jsonl
    ibidem evaluate found.jsonl truth.jsonl --measure positions --side suspicious --json
    ibidem evaluate detections corpus --measure plagdet
"""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ibidem.cli.command import command
from ibidem.cli.options import InputPath, as_json
from ibidem.cli.terminal import console, is_terminal, write_json

if TYPE_CHECKING:
    from ibidem.cli.judged import JudgedFile
    from ibidem.evaluation.positions import Counted

_MEASURES = {"passages": ("plagdet", "positions"), "pairs": ("pairs",), "clusters": ("clusters",)}
"""The default measures, by the contents of the files."""

_NEEDS = {"plagdet": "passages", "positions": "passages", "pairs": "pairs", "clusters": "clusters"}


@command(__doc__)
@click.argument("results", type=InputPath())
@click.argument("truth", type=InputPath())
@click.option(
    "--measure",
    "measures",
    type=click.Choice(list(_NEEDS)),
    multiple=True,
    help="What to measure; may be repeated.  [default: by the contents of the files]",
)
@click.option(
    "--average",
    type=click.Choice(["micro", "macro"]),
    help="All positions together, or the mean of cases or texts.  [default: macro for plagdet, micro for positions]",
)
@click.option(
    "--side",
    type=click.Choice(["suspicious", "source", "both"]),
    default="both",
    show_default=True,
    help="For positions: the document whose characters count.",
)
@as_json
def evaluate(
    *, results: str, truth: str, measures: tuple[str, ...], average: str | None, side: "Counted", as_json: bool
) -> None:
    """Score the results."""
    from ibidem.cli.judged import read_judged

    results_file, truth_file = read_judged(results), read_judged(truth)
    kind = _common_kind((results, results_file.kind), (truth, truth_file.kind))
    names = measures or _MEASURES[kind]
    for measure in names:
        if _NEEDS[measure] not in (kind, "pairs" if kind == "passages" else kind):
            raise click.UsageError(f"--measure {measure} needs {_NEEDS[measure]}, and the files hold {kind}")
    settings = {"average": average} if average else {}
    for measure in names:
        rows = [{"measure": measure, **row} for row in _rows(measure, results_file, truth_file, settings, side)]
        if as_json or not is_terminal(sys.stdout):
            for row in rows:
                write_json(row)
        else:
            _show(measure, rows)


def _common_kind(results: tuple[str, str], truth: tuple[str, str]) -> str:
    kinds = {kind for _, kind in (results, truth) if kind}
    if not kinds:
        raise ValueError(f"{results[0]} and {truth[0]} are both empty: there is nothing to score")
    if kinds == {"passages", "pairs"}:
        return "pairs"
    if len(kinds) > 1:
        raise ValueError(f"{results[0]} holds {results[1]} and {truth[0]} {truth[1]}: they cannot be compared")
    return kinds.pop()


def _rows(
    measure: str, results: "JudgedFile", truth: "JudgedFile", settings: dict[str, Any], side: "Counted"
) -> Iterator[dict[str, Any]]:
    from ibidem.evaluation import measures

    if measure == "plagdet":
        yield from measures.plagdet_rows(results.cases, truth.cases, **settings)
    elif measure == "positions":
        yield from measures.position_rows(results.cases, truth.cases, side=side, **settings)
    elif measure == "pairs":
        yield measures.pair_row(results.pairs, truth.pairs)
    else:
        yield measures.cluster_row(results.clusters, truth.clusters)


def _show(measure: str, rows: list[dict[str, Any]]) -> None:
    from rich.table import Table

    names = [name for name in rows[0] if name != "measure"]
    table = Table(title=measure, title_justify="left", title_style="bold", box=None, padding=(0, 1, 0, 0))
    for name in names:
        words = name == "category"
        table.add_column(name.replace("_", " "), justify="left" if words else "right", no_wrap=not words)
    for row in rows:
        table.add_row(*(f"{row[name]:.3f}" if isinstance(row[name], float) else str(row[name]) for name in names))
    console().print(table)
