"""Remove the items of evaluations from training data.

TRAIN is a file, a folder or a glob of JSON lines, Parquet, Arrow, CSV or TSV, which hold a document in each record, or
of plain text, where a file is a document. EVALS are files of items: those of decon, those of well-known benchmarks as
they are published, or any with --question and --answer, --passage or --choices. The inputs are not touched.

Questions, passages and long answers are looked for, whole or in part, also with words changed. An occurrence is a leak
if it holds, in order, at least the share --threshold of the weight of the item's words, and more than chance explains.
The rest is listed with its reason: source (the passage alone), template (other numbers, also by many items or many
documents), boilerplate (a phrase of many documents within a source or across sources), similar item, partial, chance,
too short. A source is a file, or what the column --source says, such as a URL, of which the host counts.

OUT is a new folder: contamination holds the leaks, items says of each item whether it is clean, left_out what is no
leak, summary.json the numbers. With any other --action than report, kept holds a file like each input: with a column
that lists the leaks (annotate), without the documents that hold one (remove), with asterisks in their place (mask), or
without the sentences and lines that hold one (cut). If the work is interrupted, the same command resumes it.

With --update, TRAIN is what an earlier RUN read and new files, and the items are those of RUN, without --evals. They
are not looked for again in the files in which RUN has looked for them.

With --audit, nothing is removed: it is measured what would be missed. Of TRAIN, --sample documents are drawn, and items
are planted into them in every form: verbatim, wrapped anew, in documents of all lengths, with words replaced or
misread, in pieces, in many documents. Three forms are no leaks, and count as false alarms if they are called so. Recall
and precision of each form are reported with intervals of 95 % (Clopper and Pearson), and the threshold at which the
recall would be --target. On a pipe, each form, and each form and length, is a line of JSON; OUT, if it is given, is a
new folder with the tables kinds, curve and missed as JSON lines, and summary.json.

Examples:

    ibidem decontaminate books --evals quiz.jsonl -o books.leaks
    ibidem decontaminate poems.jsonl --text verse --id title --evals quiz.jsonl -o poems.clean --action remove
    ibidem decontaminate books --evals notes.jsonl --question text -o notes.leaks --format csv --html leaks.html
    ibidem decontaminate notes.jsonl --evals items.jsonl --audit --plants 2
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ibidem.cli import options
from ibidem.cli.command import command
from ibidem.cli.decontaminate_audit import OF_AUDIT, OF_REMOVAL, audit_inputs, audit_options, require_options_of
from ibidem.cli.html import html, show_folder
from ibidem.cli.options import InputPath, OutputPath, call_on_files
from ibidem.cli.terminal import tell, write_json
from ibidem.counts import format_count

if TYPE_CHECKING:
    from ibidem.corpus.sources import Source


def _list_outputs(arguments: Mapping[str, Any], files: "Sequence[Source]") -> list[str]:
    from ibidem.contamination.result import TABLES

    if arguments["audit"]:
        return [*(f"{name}.jsonl" for name in ("kinds", "curve", "missed")), "summary.json"]
    tables = [f"{name}.{arguments['format']}" for name in TABLES]
    kept = [] if arguments["action"] == "report" else [f"kept ({format_count(len(files), 'file')})"]
    return [*kept, *tables, "rows_left_out.jsonl", "summary.json", "state"]


@command(
    __doc__,
    interrupted="the same command resumes it, and the output does not exist until it is whole",
    list_outputs=_list_outputs,
)
@click.argument("inputs", metavar="TRAIN...", nargs=-1, required=True, type=InputPath())
@options.evals(required=False)
@click.option("-o", "--output", metavar="OUT", type=OutputPath(), help="Folder to be made.")
@options.reading
@options.from_function("ibidem.contamination.find:decontaminate_files")
@click.option(
    "--update",
    metavar="RUN",
    type=InputPath(),
    help="Update this earlier run: look for its items in new files alone.",
)
@audit_options
@html
@options.summary_as_json
@options.normalize
@options.max_line
@options.dry_run
@options.resources
@options.cluster
def decontaminate(
    inputs: tuple[str, ...],
    evals: tuple[str, ...],
    output: str | None,
    html: str | None,
    *,
    audit: bool,
    as_json: bool,
    **settings: Any,
) -> None:
    """Find the items in the inputs."""
    require_options_of(audit)
    if not evals and settings["update"] is None:
        raise click.UsageError("give the items: --evals EVALS")
    settings = {name: value for name, value in settings.items() if name not in (OF_REMOVAL if audit else OF_AUDIT)}
    if audit:
        audit_inputs(inputs, evals, output, as_json=as_json, **settings)
        return
    if output is None:
        raise click.UsageError("give the folder to be made: -o OUT")
    from ibidem.remote.storage import is_remote

    if html is not None and is_remote(output):
        raise click.UsageError("--html shows a folder: ibidem report makes it of a copy of this one")
    from ibidem.contamination.find import decontaminate_files

    result = call_on_files(decontaminate_files, inputs=inputs, evals=evals, output=output, **settings)
    if html is not None:
        from ibidem.web.report import ReportOptions

        show_folder(html, output, (), {}, ReportOptions(title="Items of evaluations in training data"))
    if as_json:
        write_json({"output": output, **result.summary})
    else:
        _report(result.summary, output)


def _report(summary: dict[str, Any], output: str) -> None:
    for line in summary["recognized"]:
        tell(line)
    endings = {"report": "", "annotate": ", annotated", "remove": ", removed", "mask": ", masked", "cut": ", cut"}
    tell(
        f"{output}: {format_count(summary['documents'], 'document')} read, "
        f"{summary['contaminated_items']:,} of {format_count(summary['items'], 'item')} in "
        f"{format_count(summary['contaminated_documents'], 'document')}{endings[summary['action']]}"
    )
    others = {kind: count for kind, count in summary["by_kind"].items() if kind != "leak"}
    if summary["too_short"]:
        others["too short"] = summary["too_short"]
    if others:
        reasons = ", ".join(f"{count:,} {kind}" for kind, count in others.items())
        tell(f"{output}: no leaks, listed in left_out: {reasons}")
