"""Find what the outputs of a model repeat of a collection.

OUTPUTS are files of JSON lines, Parquet, Arrow, CSV or TSV, which hold an output in each record, or of plain text, one
output each; - is standard input. INDEX is an exact index of the training data, or of a sample of it.

A span is a passage of an output that documents hold, too: words may be changed, left out or inserted, as long as its
similarity is --threshold or more and chance does not explain it; so is every run of --verbatim words. Each span has
its most similar sources, the number of documents that hold it (1 is rare, thousands are boilerplate) and how many such
passages chance gives (expected).

The last lines are the rates of memorisation, by two definitions: extractable is --verbatim or more words in a row, near
verbatim a passage of similarity --threshold or more. The intervals of 95 % count outputs: that of Clopper and Pearson
for a share of outputs, that of Wilson at the effective number of words for a share of words.

On a pipe, each span is a line of JSON; ranges are half open and count code points. OUT is a new folder with
spans.jsonl, outputs.jsonl and summary.json, which has the rates.

Examples:

    ibidem trace notes.jsonl --index books.ibidem
    ibidem trace notes.jsonl --index books.ibidem --verbatim 25 --threshold 0.7 > spans.jsonl
    ibidem trace notes.jsonl letter.txt --index books.ibidem -o notes.traced --html notes.html
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from ibidem.cli import options
from ibidem.cli.command import command
from ibidem.cli.html import CollectedResults, collect, html
from ibidem.cli.matches import match_record
from ibidem.cli.options import InputPath, OutputPath
from ibidem.cli.terminal import (
    console,
    count_written,
    fold_lines,
    is_terminal,
    printable,
    progress,
    tell,
    write_json,
)
from ibidem.counts import format_count, shorten

if TYPE_CHECKING:
    from rich.console import Console

    from ibidem import Document, PassageIndex
    from ibidem.cli.queries import Queries
    from ibidem.tracing.rates import Amount, Rate
    from ibidem.tracing.spans import TracedOutput, TracedSpan

_SETTINGS = ("threshold", "min_pair_length", "verbatim", "expect", "limit")
"""The options that the summary has."""

_SHOWN = 300
"""Characters of a span that a terminal shows."""


@command(__doc__)
@click.argument("outputs", metavar="OUTPUTS...", nargs=-1, required=True, type=InputPath())
@click.option("--index", metavar="INDEX", required=True, type=InputPath(), help="Exact index of the training data.")
@click.option("-o", "--output", metavar="OUT", type=OutputPath(), help="Folder to be made.")
@options.from_function("ibidem.tracing.trace:trace")
@options.reading
@options.threads
@options.as_json
@options.with_text
@html
def trace(
    *,
    outputs: tuple[str, ...],
    index: str,
    output: str | None,
    threads: int | None,
    as_json: bool,
    with_text: bool,
    html: str | None,
    **settings: Any,
) -> None:
    """Trace each output."""
    from ibidem import PassageIndex
    from ibidem.cli.queries import read_queries
    from ibidem.corpus.failures import count_left_out
    from ibidem.corpus.writing.output_folder import require_absent
    from ibidem.corpus.writing.tables import write_summary
    from ibidem.engine.work import open_work
    from ibidem.tracing.rates import measure_rates

    if output is not None:
        require_absent(output)
    columns = options.take_reading(settings)
    amounts: list[Amount] = []
    queries = read_queries(outputs, **columns)
    readable = is_terminal(sys.stdout) and not as_json and output is None
    with ExitStack() as stack:
        report_results = stack.enter_context(collect(html, index))
        opened_index = stack.enter_context(PassageIndex.open(index))
        traced_outputs = _trace_each(opened_index, queries, settings, threads, report_results, amounts)
        measure = partial(measure_rates, amounts, settings["verbatim"], settings["threshold"])

        def fill(folder: Path) -> None:
            _write_folder(folder, traced_outputs, queries, with_text)
            summary = {
                "outputs": len(amounts),
                **count_left_out(columns["failures"]),
                **{name: settings[name] for name in _SETTINGS},
                "rates": [rate._asdict() for rate in measure()],
            }
            write_summary(summary, folder)

        if output is not None:
            stack.enter_context(open_work(output, b"")).commit(fill)
        elif readable:
            out = console()
            for _, traced_output in traced_outputs:
                if traced_output.spans:
                    _show_output(out, traced_output)
            _show_rates(out, measure())
        else:
            _write_spans(traced_outputs, queries, with_text)
    if not readable:
        for line in _describe_rates(measure()):
            tell(line)


def _trace_each(
    index: "PassageIndex",
    queries: "Queries",
    settings: dict[str, Any],
    threads: int | None,
    report_results: CollectedResults,
    amounts: "list[Amount]",
) -> "Iterator[tuple[Document, TracedOutput]]":
    """Each output and its spans; ``amounts`` grows by each, and a report collects the spans."""
    from ibidem import Matches
    from ibidem.parallel import in_threads
    from ibidem.tracing.tracer import Tracer

    tracer = Tracer(index, **settings)
    for query, traced_output in in_threads(lambda query: (query, tracer.trace_output(query)), queries, threads):
        amounts.append(traced_output.amount)
        matches = Matches([source for span in traced_output.spans for source in span.sources], query=query.text)
        list(report_results.watch_matches([(query, matches)]))
        yield query, traced_output


def _write_spans(
    traced_outputs: "Iterable[tuple[Document, TracedOutput]]", queries: "Queries", with_text: bool
) -> None:
    with count_written("tracing", lambda: queries.total) as count:
        for query, trace in traced_outputs:
            for span in trace.spans:
                write_json(_record(query, span, with_text))
            count()


def _write_folder(
    folder: Path, traced_outputs: "Iterable[tuple[Document, TracedOutput]]", queries: "Queries", with_text: bool
) -> None:
    with (
        progress() as on_progress,
        (folder / "spans.jsonl").open("xb") as spans,
        (folder / "outputs.jsonl").open("xb") as outputs,
    ):
        for number, (query, trace) in enumerate(traced_outputs, 1):
            for span in trace.spans:
                _write_line(spans, _record(query, span, with_text))
            _write_line(outputs, {"output": trace.id, **trace.amount._asdict(), "spans": len(trace.spans)})
            if on_progress is not None:
                on_progress("tracing", number, queries.total)


def _write_line(file: IO[bytes], record: dict[str, Any]) -> None:
    from ibidem.text.json_values import encode_json

    file.write(encode_json(record) + b"\n")


def _record(query: "Document", span: "TracedSpan", with_text: bool) -> dict[str, Any]:
    """A span and its sources as a line of JSON, without empty fields."""
    record: dict[str, Any] = {
        name: getattr(span, name)
        for name in ("output", "start", "end", "similarity", "longest_run", "documents", "expected")
    }
    if with_text:
        record["text"] = span.text
    record["sources"] = []
    for source in span.sources:
        fields = match_record(source, query.text if with_text else None)
        record["sources"].append({name: value for name, value in fields.items() if name != "query"})
    return record


def _show_output(out: "Console", trace: "TracedOutput") -> None:
    from rich.padding import Padding
    from rich.text import Text

    from ibidem.text.look_alikes import describe_look_alikes

    amount = trace.amount
    share = f"{amount.near_verbatim:,} of {format_count(amount.words, 'word')} near verbatim"
    out.print(Text.assemble((printable(trace.id), "bold"), f"  {format_count(len(trace.spans), 'span')}, {share}"))
    for span in trace.spans:
        run = f", {format_count(span.longest_run, 'word')} in a row" if span.longest_run else ""
        rarity = f"in {format_count(span.documents, 'document')}"
        place = f"characters {span.start:,} to {span.end:,}"
        hidden = "".join(f", {each}" for each in describe_look_alikes(span.text))
        out.print(Padding(Text(f"{place}, similarity {span.similarity:.3f}{run}, {rarity}{hidden}"), (0, 0, 0, 2)))
        excerpt = shorten(fold_lines(span.text), _SHOWN)
        out.print(Padding(Text(excerpt, "bold yellow"), (0, 0, 0, 4)))
        best = span.sources[0]
        where = best.locator or f"characters {best.start:,} to {best.end:,}"
        out.print(Padding(Text.assemble((printable(best.document), "bold cyan"), f", {where}"), (0, 0, 1, 4)))


def _show_rates(out: "Console", rates: "list[Rate]") -> None:
    from rich.table import Table

    table = Table("definition", "memorised", "of", "rate", "95 %", box=None, pad_edge=False)
    for rate in rates:
        interval = f"{rate.low:.4f} to {rate.high:.4f}"
        table.add_row(rate.definition, f"{rate.memorised:,}", f"{rate.total:,}", f"{rate.rate:.4f}", interval)
    out.print(table)


def _describe_rates(rates: "list[Rate]") -> list[str]:
    """The rates in a line each."""
    return [
        f"{rate.definition}: {rate.memorised:,} of {rate.total:,}, {rate.rate:.4f} "
        f"(95 %: {rate.low:.4f} to {rate.high:.4f})"
        for rate in rates
    ]
