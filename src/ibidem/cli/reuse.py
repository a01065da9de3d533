"""Find passages that occur more than once in a collection.

INPUT is a file, a folder or a glob of JSON lines, Parquet, Arrow, CSV or TSV, which hold a document in each record, or
of plain text, where a file is a document. Each may be compressed (.gz, .zst, .bz2, .xz). An index that ibidem index or
ibidem dedup made is an input, too.

Words weigh by how rare they are in the collection. Two passages are reported if their similarity, by these weights, is
--threshold or more, and if this is beyond chance, as in ibidem align.

OUT is a new folder: pairs are the pairs of similar passages; passages and clusters gather the copies of one text;
documents has the columns of the input and how much of each is reused; document_pairs counts the words that two
documents share; left_out lists the pairs that are no reuse, with the reason; summary.json counts. The folder does not
exist until it is whole.

Text that many documents share, such as a notice, is found once, and what two documents share besides is compared as if
it were not there. What most documents hold is in no pair, but a cluster of its own. --phrases, and passages that are
similar to a file of --ignore, such as a worksheet, count as absent; left_out lists them.

With --update, INPUT is what an earlier RUN read and new documents. Old documents are not compared with each other
again. Words weigh as they did in that run, and options that are not given are those of that run.

With --against, each document of INPUT is compared with those of OTHER alone: in each pair, a is of INPUT and b of
OTHER. With --date, passages have a likely
source: the most similar earlier one.

Examples:

    ibidem reuse books -o books.reuse
    ibidem reuse notes.jsonl --against books.ibidem -o notes.reuse --format csv
    ibidem reuse poems.jsonl --text verse --id title --date year -o poems.reuse
    ibidem reuse notes.jsonl --explain first second
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ibidem.cli import options
from ibidem.cli.command import command
from ibidem.cli.html import html, show_folder
from ibidem.cli.options import InputPath, OutputPath
from ibidem.cli.reports import tell_unit
from ibidem.cli.terminal import console, is_terminal, progress, tell, write_json
from ibidem.counts import format_count
from ibidem.errors import ConfigurationError
from ibidem.reuse.find import find_reuse_in_files

if TYPE_CHECKING:
    from ibidem.corpus.sources import Source
    from ibidem.engine import WrittenResult

_SHOWN = 5
"""Pairs of documents of which a terminal says what they share."""


def _require_exports(_context: click.Context, _parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse a format that nobody writes before anything is read."""
    if names:
        from ibidem.reuse.outputs.exports import find_export

        try:
            for name in names:
                find_export(name)
        except (ValueError, ConfigurationError) as error:
            raise click.BadParameter(str(error)) from error
    return names


def _list_outputs(arguments: Mapping[str, Any], files: "Sequence[Source]") -> list[str]:
    from ibidem.reuse.outputs.result import TABLES

    tables = [f"{name}.{arguments['format']}" for name in TABLES]
    return [*tables, *arguments["also"], "summary.json", "state"]


@command(
    __doc__,
    interrupted="the same command resumes it, and the output does not exist until it is whole",
    list_outputs=_list_outputs,
)
@options.inputs_argument
@click.option("-o", "--output", metavar="OUT", type=OutputPath(), help="Folder to be made.")
@click.option("--against", metavar="OTHER", multiple=True, type=InputPath(), help="Compare INPUT only with these.")
@options.reading
@options.duplicate_ids("error")
@options.from_function(find_reuse_in_files)
@options.normalize
@click.option("--phrases", metavar="FILE", type=InputPath(), help="Phrases that count as absent, one a line.")
@options.ignore
@click.option(
    "--also",
    multiple=True,
    metavar="FORMAT",
    callback=_require_exports,
    help="One more format: graphml, web-annotation, pan, tei, passim, textpair, kitab, or a plugin's. Repeatable.",
)
@click.option(
    "--update",
    metavar="RUN",
    type=InputPath(),
    help="Update this earlier run, which read a part of the documents.",
)
@html
@click.option(
    "--explain", metavar="A B", nargs=2, help="Explain why two documents share what they do, and write nothing."
)
@options.max_line
@options.dry_run
@options.cluster
@options.resources
def reuse(
    inputs: tuple[str, ...],
    output: str | None,
    against: tuple[str, ...],
    phrases: str | None,
    ignore: tuple[str, ...],
    html: str | None,
    explain: tuple[str, str] | None,
    update: str | None,
    **settings: Any,
) -> None:
    """Find the reuse in the inputs."""
    if (output is None) == (explain is None):
        raise click.UsageError("give the folder to be made, -o OUT, or two ids, --explain A B")
    if update is not None and (explain is not None or against):
        raise click.UsageError("--update goes neither with --explain nor with --against")
    settings |= {"phrases": options.read_lines(phrases), "ignore": options.read_ignored(ignore, settings)}
    if explain is not None:
        _show_reasons(_explain(explain, inputs, against, _settle_unit((inputs, against), settings)))
        return
    from ibidem.corpus import ReadingProgress

    assert output is not None
    reading = ReadingProgress()
    with progress(reading) as on_progress:
        arguments = _settle_unit((inputs, against), complete_settings(settings, update))
        arguments |= {"progress": on_progress, "reading": reading}
        result = find_reuse_in_files(inputs, output, against=against, update=update, **arguments)
    _report(result, output)
    if html is not None:
        from ibidem.text import make_tokenizer
        from ibidem.web.report import ReportOptions

        tokenizer = make_tokenizer(arguments["tokenizer"], normalize=arguments["normalize"])
        reading_options = options.take_reading(arguments)
        show_folder(html, output, (*inputs, *against), reading_options, ReportOptions(tokenizer=tokenizer))
    if update is not None and _has_doubled(result.summary, Path(update)):
        tell("the collection has more than doubled since its words were weighed; a run from nothing weighs them anew")


def complete_settings(settings: dict[str, Any], update: str | None) -> dict[str, Any]:
    """The settings; of a run that is updated, those that were not given are those of this run."""
    if update is None:
        return settings
    from ibidem.alignment.ignored import list_texts
    from ibidem.reuse.outputs.earlier import read_settings

    context = click.get_current_context()
    explicit = {name for name in settings if context.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    if "normalize" in explicit:
        explicit.add("tokenizer")
    earlier = read_settings(Path(update))
    combined = settings | {name: value for name, value in earlier.items() if name in settings.keys() - explicit}
    return combined | {"phrases": tuple(combined["phrases"]), "ignore": list_texts(combined["ignore"])}


def _settle_unit(inputs: tuple[tuple[str, ...], ...], settings: dict[str, Any]) -> dict[str, Any]:
    """The settings with the tokenizer that suits a sample of the inputs, if none was asked for; it is said."""
    from ibidem.corpus.failures import Failures
    from ibidem.corpus.inputs import Inputs
    from ibidem.corpus.rows import Columns
    from ibidem.reuse.find import suit_inputs
    from ibidem.reuse.question import Question
    from ibidem.text.units import name_unit

    question = Question.of(settings)
    if not question.is_open:
        return settings
    how = Columns.of(**{name: settings[name] for name in options.READING})
    unread = None if settings["failures"] is None else Failures()
    sides = Inputs.of_sides(filter(None, inputs), how, failures=unread, indexes=True)
    name = name_unit(suit_inputs(question, sides).tokenizer)
    tell_unit(name)
    return settings | {"tokenizer": name}


def _has_doubled(summary: dict[str, Any], update: Path) -> bool:
    """Return whether the tokens are more than twice those from which the run that was updated has its weights."""
    from ibidem.reuse.outputs.earlier import EarlierRun

    return bool(summary["tokens"] > 2 * EarlierRun.read(update).rarity.frequencies.num_documents)


def _explain(
    pair: tuple[str, str], inputs: tuple[str, ...], against: tuple[str, ...], settings: dict[str, Any]
) -> dict[str, Any]:
    """Explain why a run finds what it does in two documents."""
    import tempfile

    from ibidem.corpus.inputs import Inputs
    from ibidem.corpus.rows import Columns
    from ibidem.corpus.sources import ReadingProgress
    from ibidem.resources import Resources
    from ibidem.reuse.documents import DocumentPart
    from ibidem.reuse.explain import explain_pair
    from ibidem.reuse.question import Question

    how = Columns.of(**{name: settings[name] for name in options.READING})
    question = Question.of(settings)
    reading = ReadingProgress()
    paths = filter(None, (inputs, against))
    sides = Inputs.of_sides(paths, how, progress=reading, failures=settings["failures"], indexes=True)
    parts = [DocumentPart(number, part) for number, side in enumerate(sides) for part in side.cut()]
    with progress(reading) as on_progress, tempfile.TemporaryDirectory(prefix="ibidem-reuse-") as place:
        resources = Resources.of(settings["memory"], settings["threads"], on_progress)
        return explain_pair(parts, question, pair, Path(place), resources, apart=bool(against))


def _show_reasons(why: dict[str, Any]) -> None:
    """Say why two documents were found or not, in sentences at a terminal."""
    if is_terminal(sys.stdout):
        console().print("\n".join(_describe_reasons(why)))
    else:
        write_json(why)


def _describe_reasons(why: dict[str, Any]) -> list[str]:
    a, b = why["a"], why["b"]
    lines = [f"{a} and {b}: {why['verdict']}."]
    if why.get("best_window_similarity"):
        start_a, start_b = why["best_window_starts"]
        lines.append(
            f"Their most similar windows of {why['window']} tokens begin at character {start_a:,} of {a} and "
            f"{start_b:,} of {b}. The similarity is {why['best_window_similarity']:.3f}, the threshold "
            f"{why['threshold']}."
        )
    if why.get("probability_to_agree"):
        lines.append(f"A search meets windows as similar as these with probability {why['probability_to_agree']:.3f}.")
    if "pairs" in why:
        lines.append(f"{_count_pairs(why['pairs'])} reported, {_count_pairs(len(why['left_out']))} left out.")
    return lines


def _count_pairs(number: int) -> str:
    return f"{format_count(number, 'pair')} of passages"


def _report(result: "WrittenResult", output: str) -> None:
    summary = result.summary
    if result.resumed:
        tell(f"{output}: resumed an interrupted run")
    tell(
        f"{output}: {format_count(summary['documents'], 'document')} read, "
        f"{format_count(summary['pairs'], 'pair')} of passages, "
        f"{format_count(summary['clusters'], 'cluster')} of {format_count(summary['passages'], 'passage')}"
    )
    if summary["left_out"]:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in summary["left_out_by_reason"].items())
        tell(f"{format_count(summary['left_out'], 'pair')} left out, listed in left_out: {reasons}")
    if summary["boilerplate"]:
        tell(
            f"{format_count(summary['boilerplate'], 'text')} of most documents counted apart, "
            f"{format_count(summary['boilerplate_passages'], 'place')}: boilerplate in clusters and passages"
        )
    if summary["crowded_groups"]:
        tell(
            f"{format_count(summary['crowded_groups'], 'group')} of passages that resemble each other in more than 256 "
            "places: each place is compared with the first and the next one"
        )
    if is_terminal(sys.stderr) and Path(output).is_dir():  # a URL is none
        _show_document_pairs(Path(output))


def _show_document_pairs(output: Path) -> None:
    """Say of the pairs of documents of most evidence how many words they share."""
    from ibidem.reuse.outputs.document_pairs import describe_pair
    from ibidem.reuse.outputs.result import read_reuse_table

    table = read_reuse_table(output, "document_pairs")
    for row in table.slice(0, _SHOWN).to_pylist():
        tell("; ".join(describe_pair(row)))
    if table.num_rows > _SHOWN:
        tell(f"{format_count(table.num_rows - _SHOWN, 'more pair')} of documents in document_pairs")
