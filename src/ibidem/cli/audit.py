"""Measure what decontamination of training data would miss.

TRAIN is a file, a folder or a glob of JSON lines, Parquet, Arrow, CSV or TSV, which hold a document in each record, or
of plain text, where a file is a document. EVALS are files of evaluations: those of decon, of well-known benchmarks, or
any with --question and the like. The training data are read once, and --sample documents are drawn.

Items of the evals are planted into these documents: verbatim, wrapped anew at 8 words, in 50 to 5,000 words, with 10 to
40 % of their words replaced, their sentences in another order, the question or the answer alone, and misread as by OCR;
in 12 documents, of one source or of 12, whole or in a piece; and beside documents with other numbers. Three forms are
no leaks, and count as false alarms if they are called so: the passage alone, which is to be listed as a source, and the
question with other numbers, once or in 12 documents. Each item is planted in one form at a time. Then the items are
looked for, and recall and precision of each kind are reported with intervals of 95 % (Clopper and Pearson), and the
threshold at which the recall would be --target.

On a pipe, each kind, and each kind and length, is a line of JSON. OUT is a new folder with the tables kinds, curve and
missed as JSON lines, and summary.json.

Examples:

    ibidem audit notes.jsonl --evals items.jsonl --plants 2
    ibidem audit notes.jsonl --evals items.jsonl --plants 2 -o audited --html audit.html
"""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ibidem.cli import options
from ibidem.cli.command import command
from ibidem.cli.options import InputPath, OutputPath
from ibidem.cli.terminal import console, is_terminal, progress, tell, write_json
from ibidem.counts import format_count
from ibidem.options import AuditOptions, EvalColumns, select_fields

if TYPE_CHECKING:
    from ibidem.auditing.audit import Audit


@command(__doc__, interrupted="the output does not exist until it is whole")
@click.argument("inputs", metavar="TRAIN...", nargs=-1, required=True, type=InputPath())
@options.evals(required=True)
@click.option("-o", "--output", metavar="OUT", type=OutputPath(), help="Folder to be made.")
@click.option(
    "--html", metavar="FILE", type=OutputPath(dir_okay=False), help="Write the result as a page for any browser, too."
)
@options.from_class(AuditOptions)
@options.normalize
@options.reading
@options.max_line
@options.resources
@options.as_json
def audit(
    *,
    inputs: tuple[str, ...],
    evals: tuple[str, ...],
    output: str | None,
    html: str | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Audit the decontamination of the inputs."""
    import ibidem
    from ibidem.contamination.evals import read_evals
    from ibidem.corpus import ReadingProgress, read
    from ibidem.corpus.failures import count_left_out
    from ibidem.corpus.writing.output_folder import require_absent

    if output is not None:
        require_absent(Path(output))
    eval_columns = EvalColumns(**select_fields(EvalColumns, settings))
    items = read_evals(list(evals), eval_columns)
    for line in items.recognized:
        tell(line)
    columns = options.take_reading(settings)
    reading = ReadingProgress()
    documents = read(list(inputs), **columns, progress=reading)
    with progress() as on_progress:
        result = ibidem.audit(documents, items, progress=on_progress, **settings)
    result.summary.update(count_left_out(columns["failures"]))
    if reading.passed_over:
        result.summary["files_passed_over"] = dict(sorted(reading.passed_over.items()))
    if html is not None:
        _write_html(result, html)
    if output is not None:
        _write_folder(result, Path(output))
    elif is_terminal(sys.stdout) and not as_json:
        _show(result)
    else:
        for row in result.kinds.to_pylist():
            write_json(row)
    numbers = result.summary
    tell(
        f"{numbers['planted']:,} plants in {format_count(numbers['documents_sampled'], 'document')} of "
        f"{numbers['documents_read']:,}; {numbers['documents_with_items_already']:,} of these held an item already"
    )


def _write_html(result: "Audit", path: str) -> None:
    from ibidem.auditing.chart import render_audit

    page = render_audit(result).encode()
    Path(path).write_bytes(page)
    tell(f"{path}: {len(page) / 1000:,.0f} kB")


def _write_folder(result: "Audit", output: Path) -> None:
    from ibidem.engine.workplace import open_new_folder
    from ibidem.text.json_values import encode_json

    with open_new_folder(output) as folder:
        for name in ("kinds", "curve", "missed"):
            lines = [encode_json(row) + b"\n" for row in getattr(result, name).to_pylist()]
            (folder / f"{name}.jsonl").write_bytes(b"".join(lines))
        (folder / "summary.json").write_text(json.dumps(result.summary, indent=2) + "\n", encoding="utf-8")


def _show(result: "Audit") -> None:
    from rich.table import Table

    names = ("kind", "found", "recall", "95 %", "precision", "95 %", "threshold", "false")
    table = Table(*names, box=None, pad_edge=False, collapse_padding=True)
    for row in result.kinds.to_pylist():
        if row["words"] != "all":
            continue
        has_recall = row["recall"] is not None
        cells = [row["kind"], f"{row['found']}/{row['planted']}" if has_recall else ""]
        for name in ("recall", "precision"):
            is_known = row[name] is not None
            cells.append(f"{row[name]:.3f}" if is_known else "")
            cells.append(f"{row[f'{name}_low']:.2f}-{row[f'{name}_high']:.2f}" if is_known else "")
        threshold = row["threshold_for_target"]
        cells.append("" if not has_recall else "none" if threshold is None else f"{threshold:g}")
        table.add_row(*cells, f"{row['false']}/{row['planted']}")
    console().print(table)
