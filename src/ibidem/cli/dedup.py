"""Remove the near-duplicates from a collection.

INPUT is a file, a folder or a glob of JSON lines, Parquet, CSV or TSV, which hold a document in each record, or of
plain text, where a file is a document. Each may be compressed (.gz, .zst, .bz2, .xz). The inputs themselves are not
touched.

Two documents are similar if their sets of shingles, words in a row, have a resemblance of --threshold or more. The
resemblance of every reported pair is exact. Of similar documents, the one that --keep puts first stays: first (in the
order of reading), longest, or terms over columns.

OUT is a new folder: kept holds a file like each input, without the removed documents; removed.jsonl holds those, as
JSON lines whatever the input is, compressed as it is: each row as it was, and a column "ibidem" that says what it
duplicates. The tables clusters and short list the similar documents, and those with fewer tokens than a shingle;
summary.json counts. If the work is interrupted, the same command resumes it.

With --passages, documents stay and lose the passages that occur earlier, in another document or in their own: kept
holds a file like each input, with the same rows, and passages.jsonl says what was removed, and where the original is.

With --against, documents that resemble one of an index are removed first. --add adds the documents that are kept to
that index, so that the next batch is compared with all before it. With --against-only, documents are compared with the
index alone, and not with each other.

Examples:

    ibidem dedup books -o unique
    ibidem dedup poems.jsonl --text verse --id title -o poems.unique --keep "max(year)"
    ibidem dedup notes.jsonl -o notes.unique --threshold 0.7 --shingle characters:9 --keep longest
    ibidem dedup notes.jsonl -o notes.new --against seen.ibidem --add
    ibidem dedup books -o books.clean --passages --min-length 40 --boundary lines
"""

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ibidem.cli import options
from ibidem.cli.command import command
from ibidem.cli.dedup_passages import dedup_passages, list_outputs_of_passages, passage_options, require_options_of
from ibidem.cli.html import html, show_folder
from ibidem.cli.options import OutputPath, call_on_files
from ibidem.cli.reports import tell_short_documents
from ibidem.cli.terminal import tell, write_json
from ibidem.counts import format_count

if TYPE_CHECKING:
    from ibidem.corpus.sources import Source
    from ibidem.engine import WrittenResult

_LOOKED_AT = 2 << 20
"""Bytes of text that are read once more, to see whether machines misread them."""


def _list_outputs(arguments: Mapping[str, Any], files: "Sequence[Source]") -> list[str]:
    from ibidem.corpus.writing.removed import name_removed
    from ibidem.corpus.writing.tables import choose_format

    if arguments["passages"]:
        return list_outputs_of_passages(arguments, len(files))
    removed = [] if arguments["removed"] == "none" else [name_removed(files)]
    format = arguments["format"] or choose_format(files)
    tables = [f"{name}.{format}" for name in ("clusters", "short")]
    return [f"kept ({format_count(len(files), 'file')})", *removed, "rows_left_out.jsonl", *tables, "summary.json"]


@command(
    __doc__,
    interrupted="the same command resumes it, and the output does not exist until it is whole",
    list_outputs=_list_outputs,
)
@options.inputs_argument
@click.option("-o", "--output", metavar="OUT", required=True, type=OutputPath(), help="Folder to be made.")
@options.reading
@options.duplicate_ids("number")
@options.from_function("ibidem.documents.deduplicate:deduplicate_files")
@options.normalize
@passage_options
@options.summary_as_json
@html
@options.max_line
@options.dry_run
@options.resources
@options.cluster
def dedup(
    inputs: tuple[str, ...],
    output: str,
    passages: bool,
    **settings: Any,
) -> None:
    """Deduplicate the inputs."""
    require_options_of(passages)
    if passages:
        dedup_passages(inputs, output, **settings)
    else:
        _dedup_documents(inputs, output, **settings)


def _dedup_documents(inputs: tuple[str, ...], output: str, *, as_json: bool, html: str | None, **settings: Any) -> None:
    for name in ("add", "against_only"):
        if settings[name] and settings["against"] is None:
            raise click.UsageError(f"--{name.replace('_', '-')} needs --against INDEX")
    if html is not None and settings["removed"] == "none":
        raise click.UsageError("--html shows the removed documents: not with --removed none")
    from ibidem.documents.deduplicate import deduplicate_files

    columns = options.take_reading(settings)
    started = time.perf_counter()
    result = call_on_files(deduplicate_files, inputs=inputs, output=output, **columns, **settings)
    seconds = time.perf_counter() - started
    if settings["shingle"].startswith("words"):
        _warn_of_noise(inputs, columns)
    if as_json:
        timing = {"resumed": result.resumed, "seconds": seconds}
        write_json({"output": output, **result.summary, **timing})
    else:
        _report(result, output, settings["shingle"], seconds)
    if html is not None:
        from ibidem.web.report import ReportOptions

        show_folder(html, output, inputs, columns, ReportOptions("Removed documents"))


def _warn_of_noise(inputs: tuple[str, ...], columns: dict[str, Any]) -> None:
    """Warn if shingles of words hardly find what is there, since a sample of the words was misread by machines."""
    from ibidem.corpus.failures import Failures
    from ibidem.corpus.rows import Columns
    from ibidem.corpus.sampling import sample_texts
    from ibidem.text.advice import describe_noise

    if "-" in inputs:
        return
    reading = {name: value for name, value in columns.items() if name not in ("failures", "duplicate_ids")}
    sample = sample_texts(inputs, Columns.of(**reading), 200_000, Failures(), most=_LOOKED_AT)
    noise = describe_noise(sample.texts)
    if noise:
        tell(
            f"warning: {noise}, as machines misread them. Near-duplicates among such texts have few shingles of words "
            "in common: --shingle characters:5 --threshold 0.5 finds them"
        )


def _report(result: "WrittenResult", output: str, shingle: str, seconds: float) -> None:
    summary = result.summary
    exact, near = summary["exact_duplicates"], summary["near_duplicates"]
    kinds = [format_count(exact, "exact duplicate"), format_count(near, "near-duplicate")]
    if summary["in_index"]:
        kinds.insert(0, f"{summary['in_index']:,} in the index")
    if result.resumed:
        tell(f"{output}: resumed an interrupted run")
    documents, kept = summary["documents"], summary["kept"]
    tell(
        f"{output}: {format_count(documents, 'document')} read, {kept:,} kept, "
        f"{documents - kept:,} removed ({', '.join(kinds)}) in {seconds:.1f} s"
    )
    place = f", in the table short of {output}"
    tell_short_documents(f"shingle of {shingle}", (summary["short"], place), (summary["empty"], place))
