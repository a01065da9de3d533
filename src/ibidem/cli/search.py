"""Find passages, or documents, that are similar to a query.

FILE is a file of plain text, which is one query, named by its path; - is standard input. A file of JSON lines, Parquet,
CSV or TSV holds a query in each record, named by its id. A query longer than the longest passage of the index is
searched piece by piece. Where nothing is similar to any piece, such a query is aligned with the index, as by
ibidem align --index: that finds the passages that a part of it shares. --parts does this for every query to which
nothing is similar, --no-parts for none.

A search finds every passage that reaches the threshold, and none below it is reported. On a pipe, each match is a line
of JSON; ranges are half open and count code points.

A search of an index of sketches (ibidem index --sketch) reports passages by their estimated similarity: the maximal
ones, or --select all; with --verify, those that are similar exactly. It has no options of a measure or of bounds.

A search of an index of documents (ibidem index --documents) lists whole documents, the most similar first: the share of
their shingles that agree, and how much of the document the query contains.

Passages of a query that are similar to a file of --ignore, such as a worksheet, are not searched for, and are listed on
standard error.

Examples:

    ibidem search books.ibidem letter.txt --threshold 0.8
    ibidem search books.ibidem --query "$(tail -n 3 letter.txt)"
    ibidem search books.ibidem notes.jsonl --select longest --limit 3 > matches.jsonl
    ibidem search books.ibidem letter.txt --parts
    ibidem search books.ibidem notes.jsonl --ignore books/note.txt
    cat letter.txt | ibidem search books.ibidem - --json | head -n 1
"""

import glob
import os
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from heapq import nlargest
from itertools import islice, tee
from typing import TYPE_CHECKING, Any

import click

from ibidem.cli import options
from ibidem.cli.command import command
from ibidem.cli.html import collect, html
from ibidem.cli.indexes import kind_of, list_methods, open_index, take_arguments
from ibidem.cli.matches import write_fields, write_matches
from ibidem.cli.options import InputPath
from ibidem.cli.query_notes import QueryNotes, suggest_more, sum_up
from ibidem.cli.reports import tell_ignored, tell_work
from ibidem.cli.terminal import console, count_written, is_terminal, tell

if TYPE_CHECKING:
    from ibidem import Document, DocumentIndex, DocumentMatches, Matches, PassageIndex, SketchIndex, SketchMatches
    from ibidem.passages.query.statistics import SearchStatistics


_LIMITED = "by limit"
"""The end of the warning that there are more matches than are given."""

_COUNTED_QUERIES = 10
"""Queries with more matches than are shown, for which a person reads how many there are."""

_UNALIGNED = "--parts"
"""The end of the warning that a long query was not aligned."""

_TOGETHER = 512
"""Queries of an index of documents that are searched at a time."""

_CASES = ("", "for sketches", "for documents")
"""The kinds of index, as the help says which options are for one of them."""

_OTHERS = dict.fromkeys(("parts", "explain", "html"), ("passages",))
"""The kinds of index that have options which are no arguments of their searches."""

_PARTS_SHARED = "nothing is similar to the whole of it: the matches are passages that a part of it shares, by alignment"


@command(__doc__)
@options.index_argument
@click.argument("files", metavar="[FILE]...", nargs=-1, type=InputPath())
@click.option("--query", metavar="TEXT", help="The query itself, in place of FILE.")
@options.from_functions(list_methods("search", _CASES))
@options.ignore
@click.option(
    "--parts/--no-parts",
    default=None,
    help="Align a query to which nothing is similar with the index, to find what a part of it shares.  [default: a "
    "query longer than the longest passage]",
)
@click.option(
    "--explain", is_flag=True, help="Report on standard error what each step read and left, and how long it took."
)
@options.reading
@options.within
@options.threads
@options.as_json
@options.with_text
@html
def search(
    index: str,
    files: tuple[str, ...],
    query: str | None,
    as_json: bool,
    with_text: bool,
    html: str | None,
    within: str | None,
    explain: bool,
    parts: bool | None,
    **settings: Any,
) -> None:
    """Search the index for each query."""
    if (query is None) == (not files):
        raise click.UsageError("give one FILE or more, or --query TEXT")
    _refuse_texts(files)
    from ibidem import PassageIndex, SketchIndex
    from ibidem.cli.queries import make_query, read_queries

    if within and query is not None:
        raise click.UsageError("--within names a place of FILE, and --query has none")
    columns = options.take_reading(settings)
    queries = make_query(query) if query is not None else read_queries(files, **columns, within=within)
    is_json, strict = as_json or not is_terminal(sys.stdout), query is not None
    with open_index(index) as opened_index:
        arguments = take_arguments(kind_of(opened_index), ["search", "search_many"], settings, _OTHERS)
        with collect(html, index) as report_results, sum_up() as notes:
            if isinstance(opened_index, PassageIndex):
                arguments["ignore"] = options.read_ignored(settings["ignore"], columns)
                of_passages = _search_passages(opened_index, queries, notes, strict, explain, parts, **arguments)
                results: Iterable[tuple[Document, Any]] = report_results.watch_matches(of_passages)
            elif isinstance(opened_index, SketchIndex):
                results = _search_sketches(opened_index, queries, notes, strict, **arguments)
            else:
                results = _search_documents(opened_index, queries, notes, **arguments)
            if is_json:
                with count_written("searching", lambda: queries.total) as count:
                    write = write_matches if isinstance(opened_index, PassageIndex) else write_fields
                    for answered_query, matches in results:
                        write(answered_query, matches, with_text=with_text)
                        count()
            else:
                _show(results, opened_index)
        if not isinstance(opened_index, SketchIndex) and is_terminal(sys.stderr):
            notes.tell_without_match(suggest_more(opened_index, parts=parts, **arguments))


def _refuse_texts(files: tuple[str, ...]) -> None:
    """Raise a ``UsageError`` that explains ``--query`` if a text is given in place of a file."""
    for file in files:
        if len(file.split()) > 1 and "//" not in file and not os.path.lexists(file) and not glob.glob(file):
            raise click.UsageError(f"no file is called {file!r}. To search for the text itself, put --query before it")


def _search_documents(
    index: "DocumentIndex", queries: Iterable["Document"], notes: QueryNotes, **arguments: Any
) -> Iterator[tuple["Document", "DocumentMatches"]]:
    """Each query and the documents that resemble it; many are searched at a time, which takes less time for each."""
    remaining = iter(queries)
    while batch := list(islice(remaining, _TOGETHER)):
        for query, matches in zip(batch, index.search_many(batch, **arguments), strict=True):
            notes.count(query.id, len(matches))
            yield query, matches


def _search_sketches(
    index: "SketchIndex", queries: Iterable["Document"], notes: QueryNotes, strict: bool, **arguments: Any
) -> Iterator[tuple["Document", "SketchMatches"]]:
    """Each query and its matches. One without a word ends the work if it is ``strict``, or is reported."""
    from ibidem import SketchMatches
    from ibidem.weights import NoWeightError

    for query in queries:
        matches = SketchMatches()
        try:
            matches = index.search(query.text, **arguments)
        except NoWeightError as error:
            if strict:
                raise
            notes.add(query.id, error)
        notes.count(query.id, len(matches))
        yield query, matches


def _search_passages(
    index: "PassageIndex",
    queries: Iterable["Document"],
    notes: QueryNotes,
    strict: bool,
    explain: bool,
    parts: bool | None,
    **settings: Any,
) -> Iterator[tuple["Document", "Matches"]]:
    """Each query and its matches. One that cannot be searched ends the work if it is ``strict``, or is reported."""
    counts, counting = _COUNTED_QUERIES, is_terminal(sys.stderr)
    for query, matches, work in _answers(index, queries, strict=strict, count_all=counting, **settings):
        messages = work.notes
        if counting and counts and settings["limit"] < work.passages:
            counts -= 1
            _tell_count(query, len(matches), work, settings["threshold"])
            messages = tuple(message for message in messages if not message.endswith(_LIMITED))
        tell_ignored(matches.ignored)
        if explain:
            tell_work(query.id, work)
        if not matches and _wants_parts(parts, work.pieces, settings["timeout"]):
            matches = _align_parts(index, query, settings)
            messages = (
                (_PARTS_SHARED,)
                if matches
                else tuple(message for message in messages if not message.endswith(_UNALIGNED))
            )
        for note in messages:
            notes.add(query.id, note)
        notes.count(query.id, len(matches))
        yield query, matches


def _answers(
    index: "PassageIndex",
    queries: Iterable["Document"],
    *,
    strict: bool,
    threads: int | None,
    **settings: Any,
) -> Iterator[tuple["Document", "Matches", "SearchStatistics"]]:
    """Each query, its matches, and what the search did."""
    if strict:
        for query in queries:
            yield query, *index.explain(query.text, name=query.id, **settings)
        return
    queries_to_search, queries_to_report = tee(queries)
    # The answers come first: when they end, so do the threads that search.
    answers = index.explain_many(queries_to_search, threads=threads, **settings)
    for (matches, work), query in zip(answers, queries_to_report, strict=True):
        yield query, matches, work


def _wants_parts(parts: bool | None, pieces: int, timeout: float | None) -> bool:
    """Return whether to align a query of so many pieces, to which nothing is similar, with the index."""
    if parts is None:
        return pieces > 1 and timeout is None
    return parts


def _align_parts(index: "PassageIndex", query: "Document", settings: dict[str, Any]) -> "Matches":
    """The passages that a part of the query shares with documents of the index, most similar first."""
    from ibidem import Matches

    choices = {name: settings[name] for name in ("threshold", "ignore")}
    choices["min_pair_length"] = settings["min_length"]
    matches = index.align(query.text, name=query.id, summaries=False, **choices)
    best = nlargest(settings["limit"], matches, key=lambda match: match.similarity)
    return Matches(best, query=query.text, tokenizer=index.tokenizer, ignored=matches.ignored)


def _tell_count(query: "Document", number: int, work: "SearchStatistics", threshold: float) -> None:
    """Report that ``number`` of the matches are shown, and how many there are."""
    is_complete = not work.pieces_left and work.threshold <= threshold
    tell(f"{query.id}: {number:,} of {'' if is_complete else 'at least '}{work.passages:,} matches")


def _show(results: Iterable[tuple["Document", Any]], index: "PassageIndex | SketchIndex | DocumentIndex") -> None:
    from ibidem import DocumentIndex
    from ibidem.cli.document_tables import show_documents
    from ibidem.cli.excerpts import Excerpts

    show = partial(show_documents, console()) if isinstance(index, DocumentIndex) else Excerpts(index).show
    for query, matches in results:
        show(query.id, matches)
