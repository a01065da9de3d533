"""``ibidem decontaminate --audit``: its options, its work and its messages."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ibidem.cli import options
from ibidem.cli.terminal import console, is_terminal, progress, tell, write_json
from ibidem.counts import format_count

if TYPE_CHECKING:
    from ibidem.auditing.result import Audit

OF_AUDIT = ("target", "sample", "plants", "seed")
"""The options that are of use with ``--audit`` alone."""

OF_REMOVAL = ("source", "null", "update", "action", "format", "ray", "work", "html")
"""Those that are of no use with it."""


audit_options = options.together(
    click.option("--audit", is_flag=True, help="Say what would be missed, by items that are planted; remove nothing."),
    options.from_function("ibidem.auditing.audit:audit"),
)
"""The options of ``--audit``."""


def require_options_of(audit: bool) -> None:
    """Raise a ``UsageError`` for an option that is of no use with ``--audit``, or without it."""
    option = options.find_given(OF_REMOVAL if audit else OF_AUDIT)
    if option is not None:
        raise click.UsageError(f"{option} goes not with --audit" if audit else f"{option} needs --audit")


def audit_inputs(
    inputs: tuple[str, ...],
    evals: tuple[str, ...],
    output: str | None,
    *,
    as_json: bool,
    **settings: Any,
) -> None:
    """Audit the decontamination of the inputs."""
    import ibidem
    from ibidem.contamination.evals import read_evals
    from ibidem.contamination.items import EvalColumns
    from ibidem.corpus import ReadingProgress, read
    from ibidem.corpus.failures import count_left_out
    from ibidem.corpus.writing.output_folder import require_absent
    from ibidem.engine import open_work

    if output is not None:
        require_absent(output)
    items = read_evals(list(evals), **{name: settings.pop(name) for name in EvalColumns._fields})
    for line in items.recognized:
        tell(line)
    how_to_read = options.take_reading(settings)
    reading = ReadingProgress()
    documents = read(list(inputs), **how_to_read, progress=reading)
    with progress() as on_progress:
        result = ibidem.audit(documents, items, progress=on_progress, **settings)
    result.summary.update(count_left_out(how_to_read["failures"]))
    if reading.passed_over:
        result.summary["files_passed_over"] = dict(sorted(reading.passed_over.items()))
    if output is not None:
        with open_work(output, b"") as work:
            work.commit(partial(_write_folder, result))
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


def _write_folder(result: "Audit", folder: Path) -> None:
    from ibidem.corpus.writing.tables import write_result

    tables = {name: getattr(result, name) for name in ("kinds", "curve", "missed")}
    write_result(tables, result.summary, folder, "jsonl")


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
