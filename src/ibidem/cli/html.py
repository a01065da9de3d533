"""Reports from the command line: the option ``--html`` of several commands, and the sources of a report."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from ibidem.cli.options import OutputPath
from ibidem.cli.terminal import tell
from ibidem.counts import format_count
from ibidem.errors import CorpusError

if TYPE_CHECKING:
    from ibidem import Alignments, Matches
    from ibidem.text import Document, TokenizerSpec
    from ibidem.web.report import Findings, FoundPair, ReportOptions, SharedDocuments, Source, Written

html = click.option(
    "--html", metavar="FILE", type=OutputPath(dir_okay=False), help="Write a report too, for any browser."
)


def write_html(
    path: str, findings: "Findings", sources: "dict[str, Source]", options: "ReportOptions | None" = None
) -> "Written":
    """Write a report and say what it holds."""
    from ibidem.web.report import ReportOptions, write_report

    report = write_report(path, findings, sources, options or ReportOptions())
    omission = f", {report.left_out:,} more left out for want of room" if report.left_out else ""
    pairs_shown = format_count(report.pairs, "pair of passages", "pairs of passages")
    tell(f"{path}: {pairs_shown}{omission}, {report.size / 1000:,.0f} kB")
    return report


def show_folder(
    path: str, output: str, inputs: Sequence[str], reading: Mapping[str, Any], options: "ReportOptions | None" = None
) -> None:
    """Write a report of the folder that a command wrote; ``inputs`` have the texts."""
    from ibidem.web.report.folders import read_results

    findings = read_results(output)
    sources = sources_in(inputs, findings.documents, reading) if inputs else {}
    write_html(path, findings, add_dates(sources, findings.dates), options)


_NO_SETTINGS = {
    *("output", "html", "as_json", "format", "table", "apparatus", "units", "removed", "null", "with_text"),
    *("memory", "threads", "ray", "work", "timeout", "dry_run", "quiet", "max_line", "explain", "limit"),
    *("text", "id", "encoding", "delimiter"),
}
"""Options of commands that do not say what is found."""


def add_command(findings: "Findings") -> "Findings":
    """The findings with the options of the command that runs, and what it has not read."""
    from ibidem.web.report.folders import keep_plain

    context = click.get_current_context()
    names = {parameter.name for parameter in context.command.params if isinstance(parameter, click.Option)}
    options = {
        name: value for name, value in context.params.items() if name in names - _NO_SETTINGS and value is not False
    }
    failures = context.params.get("failures") or ()
    not_read = [(each.path, each.message) for each in failures]
    return findings._replace(
        settings=keep_plain(options), not_read=not_read if findings.not_read is None else findings.not_read
    )


class CollectedResults:
    """Collects results for a report while they are written; it keeps nothing if no report is asked for.

    Attributes:
        tokenizer: what cuts the texts into words.
    """

    def __init__(self, is_wanted: bool) -> None:
        self._wanted = is_wanted
        self.tokenizer: TokenizerSpec = "words"
        self.pairs: list[FoundPair] = []
        self.sources: dict[str, Source] = {}
        self.document_pairs: list[SharedDocuments] = []
        self.matches: list[Matches] = []

    def watch_matches(self, results: "Iterable[tuple[Document, Matches]]") -> "Iterator[tuple[Document, Matches]]":
        """Hand queries and their matches on, and keep the matches."""
        for query, matches in results:
            if self._wanted and matches:
                from ibidem.web.report import FoundPair

                self.pairs += [FoundPair.of_match(match) for match in matches]
                self.sources[query.id] = _describe(query, None, None)
                self.matches.append(matches)
            yield query, matches

    def add(self, sides: "tuple[Document, Document]", alignments: "Alignments") -> None:
        """Keep the alignments of two texts."""
        self.tokenizer = alignments.tokenizer
        if self._wanted:
            from ibidem.web.report import FoundPair, SharedDocuments

            a, b = sides
            self.pairs += [FoundPair.of_alignment(pair, (a.id, b.id)) for pair in alignments]
            self.sources |= {side.id: _describe(side, None, None) for side in sides}
            if alignments:
                shares = alignments.shares()
                self.document_pairs.append(SharedDocuments(a.id, b.id, len(alignments), (shares.a, shares.b)))


@contextmanager
def collect(path: str | None, index: str | None = None, *, shares: bool = False) -> Iterator[CollectedResults]:
    """Collect results, and write a report at the end if ``path`` names one; ``index`` has the documents.

    With ``shares``, the report says how many words queries and documents of the index share.
    """
    results = CollectedResults(path is not None)
    yield results
    if path is None:
        return
    documents = {} if index is None else sources_in_index(index, {pair.b for pair in results.pairs})
    names = rename_queries(results.sources, documents)
    sources = documents | {names.get(name, name): query for name, query in results.sources.items()}
    from ibidem.web.report import Findings, ReportOptions, SharedDocuments

    document_pairs = results.document_pairs
    for matches in results.matches if shares else ():
        for name, passages in Counter(match.document for match in matches).items():
            counts = matches.shares(name, documents[name].text or "")
            query = matches[0].query_name
            document_pairs.append(SharedDocuments(names.get(query, query), name, passages, (counts.a, counts.b)))
    document_pairs.sort(key=lambda shared: -(shared.counts[0].identical + shared.counts[0].moved))
    pairs = [pair._replace(a=names.get(pair.a, pair.a)) for pair in results.pairs]
    findings = add_command(Findings(pairs, document_pairs=document_pairs))
    write_html(path, findings, sources, ReportOptions(tokenizer=results.tokenizer))


def rename_queries(queries: "Mapping[str, Source]", documents: "Mapping[str, Source]") -> dict[str, str]:
    """New names of queries that have the id of a document of another text."""
    return {
        name: f"{name} (query)"
        for name, query in queries.items()
        if name in documents and query.text != documents[name].text
    }


def add_dates(sources: "dict[str, Source]", dates: Mapping[str, str]) -> "dict[str, Source]":
    """Add the dates in the results to documents that have none."""
    from ibidem.web.report import Source

    dated_sources = {name: sources.get(name, Source()) for name in dates}
    return sources | {
        name: source if source.date else source._replace(date=dates[name]) for name, source in dated_sources.items()
    }


def sources_in(
    inputs: Sequence[str],
    ids: set[str],
    reading: Mapping[str, Any],
    date: str | None = None,
    locators: str | None = None,
) -> "dict[str, Source]":
    """Texts, dates and places that collections have of the documents whose ids are ``ids``.

    Args:
        reading: arguments of ``ibidem.read``.
        date, locators: the columns that hold these; without one of places, those that readers know.
    """
    from ibidem.cli.pairs import read_wanted

    documents = read_wanted(inputs, ids, reading)
    return {name: _describe(document, date, locators) for name, document in documents.items()}


def sources_in_index(
    path: str, ids: set[str], date: str | None = None, locators: str | None = None
) -> "dict[str, Source]":
    """Texts, dates and places that an index has of the documents whose ids are ``ids``; see ``sources_in``."""
    from ibidem.store import Store
    from ibidem.stored_index import place_documents
    from ibidem.text import Document

    with Store.open(path) as store:
        return {
            name: _describe(Document(name, segment.text(row), segment.metadata(row)), date, locators)
            for name, (segment, row) in place_documents(store.segments, ids).items()
        }


def _describe(document: "Document", date: str | None, locators: str | None) -> "Source":
    from ibidem.comparison.locators import DescribedPlaces, Locators
    from ibidem.web.report import Source

    metadata = document.metadata
    date_value = metadata.get(date) if date else None
    source = Source(document.text, None if date_value is None else str(date_value), DescribedPlaces.of(metadata))
    if locators is None:
        return source
    try:
        return source._replace(locators=Locators(metadata.get(locators) or ()))
    except (TypeError, ValueError) as error:
        raise CorpusError(
            f"document {document.id!r}: the column {locators!r} holds no list of [start, end, label]: {error}"
        ) from error
