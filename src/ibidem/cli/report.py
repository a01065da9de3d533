"""Make a report of results, to look at and to send.

RESULTS are JSON lines as align, search and dedup (removed.jsonl) write them; - is standard input. The report is one
file that any browser opens: it needs no network and no server. It has a table of all pairs that can be sorted and
filtered, pictures of them, and each pair side by side with the words marked that were copied, moved or changed.

The texts of whole documents, with what stands around a passage, come from --documents, a collection of any format, or
from --index. Without them the report shows what the results themselves hold.

Examples:

    ibidem search books.ibidem notes.jsonl > matches.jsonl
    ibidem report matches.jsonl --index books.ibidem --documents notes.jsonl -o report.html
    ibidem report matches.jsonl --documents notes.jsonl --anonymous -o for-the-committee.html
"""

from typing import TYPE_CHECKING

import click

from ibidem.cli.command import command
from ibidem.cli.html import SourceColumns, sources_in, sources_in_index, write_html
from ibidem.cli.options import columns

if TYPE_CHECKING:
    from ibidem.report import FoundPair


@command(__doc__)
@click.argument("results", metavar="RESULTS...", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option("-o", "--output", metavar="FILE", required=True, type=click.Path(dir_okay=False), help="The report.")
@click.option("--documents", metavar="INPUT", multiple=True, help="A collection that holds documents of the results.")
@click.option("--index", metavar="INDEX", type=click.Path(), help="An index that holds documents of the results.")
@columns
@click.option("--date", metavar="COLUMN", help="Column that holds the date, for a time line.")
@click.option("--locators", metavar="COLUMN", help="Column of [start, end, label]: verses, pages, chapters.")
@click.option("--title", metavar="TEXT", default="Passages that stand again", show_default=True, help="The heading.")
@click.option("--anonymous", is_flag=True, help="Number the documents, and leave out what else is known of them.")
@click.option("--texts/--no-texts", default=True, help="Show the texts of the passages, or leave them out.")
@click.option(
    "--megabytes", metavar="N", type=click.IntRange(1), default=32, show_default=True, help="Size to stay within."
)
@click.option(
    "--tokenizer", metavar="SPEC", default="words", show_default=True, help="What is compared, or characters."
)
def report(
    *,
    results: tuple[str, ...],
    output: str,
    documents: tuple[str, ...],
    index: str | None,
    text: str,
    id: str,
    date: str | None,
    locators: str | None,
    title: str,
    anonymous: bool,
    texts: bool,
    megabytes: int,
    tokenizer: str,
) -> None:
    """Write the report."""
    from ibidem.report import ReportOptions

    pairs = _pairs(results)
    wanted = {name for pair in pairs for name in (pair.a, pair.b)}
    columns = SourceColumns(text, id, date, locators)
    sources = sources_in_index(index, wanted, columns) if index else {}
    if documents:
        sources |= sources_in(documents, wanted, columns)
    rest = ", ".join("standard input" if name == "-" else name for name in results)
    write_html(output, pairs, sources, ReportOptions(title, anonymous, texts, megabytes * 1_000_000, rest, tokenizer))


def _pairs(results: tuple[str, ...]) -> "list[FoundPair]":
    from ibidem.corpus.records import read_records
    from ibidem.report import FoundPair

    pairs = []
    for path in results:
        for record in read_records(path):
            try:
                pairs.append(FoundPair.of_record(record.values))
            except ValueError as error:
                raise record.fault(error) from error
    return pairs
