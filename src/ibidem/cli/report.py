"""Make a report of results, to look at and to send.

RESULTS are JSON lines as align and search write them, - is standard input, or the folders of reuse, dedup and
decontaminate. The report is one file that any browser opens: it needs no network and no server. It has a table of all
pairs that can be sorted and filtered, pictures of them, each pair side by side with the words marked that were copied,
moved or changed, and the clusters of reuse with a column for each witness.

The texts of whole documents, with the context of each passage, come from --documents, a collection of any format, or
from --index. Without them the report shows what the results themselves hold. If both have a document of one id, the
first of a pair is that of --documents, and the second that of --index.

Examples:

    ibidem search books.ibidem notes.jsonl > matches.jsonl
    ibidem report matches.jsonl --index books.ibidem --documents notes.jsonl -o report.html
    ibidem report matches.jsonl --documents notes.jsonl --anonymous --key key.csv -o for-all.html
    ibidem report matches.jsonl --documents notes.jsonl --language de -o bericht.html
    ibidem reuse books -o books.reuse
    ibidem report books.reuse --documents books -o books.html
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ibidem.cli import options
from ibidem.cli.command import command
from ibidem.cli.html import add_dates, rename_queries, sources_in, sources_in_index, write_html
from ibidem.cli.options import InputPath, OutputPath
from ibidem.cli.terminal import tell
from ibidem.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ibidem.web.report import FoundPair, Source
    from ibidem.web.report.html import Language
    from ibidem.web.report.marks import Mark


@command(__doc__)
@click.argument("results", metavar="RESULTS...", nargs=-1, required=True, type=InputPath())
@click.option("-o", "--output", metavar="FILE", required=True, type=OutputPath(dir_okay=False), help="The report.")
@click.option(
    "--documents",
    metavar="INPUT",
    multiple=True,
    type=InputPath(),
    help="A collection that holds documents of the results.",
)
@click.option("--index", metavar="INDEX", type=InputPath(), help="An index that holds documents of the results.")
@options.reading
@options.max_line
@click.option("--date", metavar="COLUMN", help="Column that holds the date, for a time line.")
@click.option(
    "--locators",
    metavar="COLUMN",
    help="Column of [start, end, label]: verses, pages, chapters.  [default: the places that readers know]",
)
@click.option("--title", metavar="TEXT", help="The heading.  [default: Matching passages]")
@click.option(
    "--language", type=click.Choice(("en", "de")), default="en", show_default=True, help="Language of the report."
)
@click.option(
    "--anonymous", is_flag=True, help="Replace the names of documents by numbers, and leave out their metadata."
)
@click.option("--blank", metavar="FILE", type=InputPath(), help="Names, one a line, that are blanked in the texts.")
@click.option(
    "--marks", metavar="FILE", type=InputPath(), help="Marks of pairs of documents: CSV with a, b, mark and note."
)
@click.option(
    "--key", metavar="FILE", type=OutputPath(dir_okay=False), help="Write which document has which number, as CSV."
)
@click.option("--texts/--no-texts", default=True, help="Show the texts of the passages, or leave them out.")
@click.option(
    "--tokenizer",
    metavar="SPEC",
    default="words",
    show_default=True,
    help="Unit that is compared: words, or characters.",
)
@options.normalize
def report(
    *,
    results: tuple[str, ...],
    output: str,
    documents: tuple[str, ...],
    index: str | None,
    date: str | None,
    locators: str | None,
    title: str | None,
    language: "Language",
    anonymous: bool,
    blank: str | None,
    marks: str | None,
    key: str | None,
    texts: bool,
    tokenizer: str,
    normalize: tuple[str, ...],
    **reading: Any,
) -> None:
    """Write the report."""
    from ibidem.text import make_tokenizer
    from ibidem.web.report import Findings, ReportOptions
    from ibidem.web.report.folders import read_results

    contents = Findings()
    for name in results:
        contents = contents.join(read_results(name))
    queries = sources_in(documents, contents.documents, reading, date, locators) if documents else {}
    indexed = sources_in_index(index, contents.documents, date, locators) if index else {}
    renamed = rename_queries(queries, indexed)
    sources = indexed | {renamed.get(name, name): query for name, query in queries.items()}
    pairs = [pair._replace(a=renamed.get(pair.a, pair.a)) for pair in contents.pairs]
    comparison_tokenizer = make_tokenizer(tokenizer, normalize=normalize)
    names = options.read_lines(blank)
    pair_marks = _read_marks(marks)
    report_options = ReportOptions(title, anonymous, texts, comparison_tokenizer, names, pair_marks, language)
    dated_sources = add_dates(sources, contents.dates)
    report_file = write_html(output, contents._replace(pairs=pairs), dated_sources, report_options)
    if texts:
        _tell_unknown(_without_text(pairs, dated_sources))
    if key is not None:
        _write_key(Path(key), report_file.documents)


def _without_text(pairs: "list[FoundPair]", sources: "dict[str, Source]") -> list[str]:
    """The documents with a passage whose text is known neither by itself nor from the document."""
    unknown = {
        name: None
        for pair in pairs
        for name, passage in zip((pair.a, pair.b), pair.passages, strict=True)
        if not passage and (name not in sources or sources[name].text is None)
    }
    return list(unknown)


def _tell_unknown(documents: list[str]) -> None:
    """Report which documents lack a text, and how to supply it."""
    if documents:
        others = f" and {len(documents) - 1:,} more" if len(documents) > 1 else ""
        tell(f"no text of {documents[0]}{others}: name the collection that holds them with --documents, or --index")


def _read_marks(path: str | None) -> "list[Mark]":
    """The marks in a file."""
    from ibidem.web.report.marks import read_marks

    if path is None:
        return []
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as lines:
            return read_marks(lines)
    except (ValueError, OSError) as error:
        raise CorpusError(f"{path}: {error}") from error


def _write_key(path: Path, documents: "Sequence[str]") -> None:
    """Write which document has which number."""
    from ibidem.corpus.writing.apart import require_apart
    from ibidem.corpus.writing.tables import format_safe_row

    require_apart([path])
    rows = [
        format_safe_row(["number", "document"]),
        *(format_safe_row([number, name]) for number, name in enumerate(documents, 1)),
    ]
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
