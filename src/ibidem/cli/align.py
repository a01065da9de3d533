"""Find passages that a text shares with another or an index.

A and B are files that hold one text each, of any format; - is plain text on standard input. On a pipe, each pair of
passages is a line of JSON; ranges are half open and count code points.

With --index, each document is aligned with those of an exact index that are likely sources of it: which of them share
passages with it, and where these are in both. DOCUMENT is a file of plain text, named by its path, or - for standard
input; a file of JSON lines, Parquet, CSV or TSV holds a document in each record, named by its id.

Passages that are similar to a file of --ignore, such as a worksheet, count as absent, and are listed on standard error.

Many pairs are aligned in one run with --documents, a collection of any format, and --pairs, JSON lines that name two
ids each: "suspicious" and "source", or "a" and "b". Every line of the output has the two ids; pairs are in their order.

With --shares, each line counts the words that two documents share: word for word, moved or changed. At a terminal, the
passages of two texts are followed by sentences that say so.

--table writes the verses, pages or lines of both texts side by side as CSV, with those that only one text has.
--apparatus writes both texts as one TEI file with an apparatus of all variants.

With --units, the lines say which line, sentence or paragraph of one text corresponds to which of the other, inside
of the pairs of passages; with --documents they may be verses or pages, ranges that a column names.

Examples:

    ibidem align letter.txt books/ferry.txt
    ibidem align letter.txt books/ferry.txt --threshold 0.8 --min-pair-length 20 --json
    ibidem align letter.txt books/ferry.txt --units sentence --json
    ibidem align letter.txt books/ferry.txt --shares --json
    ibidem align letter.txt books/ferry.txt --table lines.csv --apparatus edition.xml
    ibidem align --index books.ibidem letter.txt
    ibidem align --index books.ibidem notes.jsonl > sources.jsonl
    ibidem align --documents notes.jsonl --pairs pairs.jsonl --json > aligned.jsonl
"""

import sys
from collections.abc import Iterable, Mapping, Sequence, Sized
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ibidem.cli import options
from ibidem.cli.command import command
from ibidem.cli.html import CollectedResults, collect, html, sources_in
from ibidem.cli.matches import write_matches, write_pair
from ibidem.cli.options import InputPath, OutputPath
from ibidem.cli.reports import tell_ignored, tell_unit
from ibidem.cli.shares import IndexedTexts, share_options, show_share_counts, write_share_counts
from ibidem.cli.terminal import console, count_written, is_terminal, tell
from ibidem.counts import format_count

if TYPE_CHECKING:
    from ibidem import Alignments, Document, Match, Matches
    from ibidem.comparison import Comparison


class _Output(NamedTuple):
    """How results are written: for a person, with the texts of passages in JSON, or as shares.

    Attributes:
        quotations: words from which on a quotation counts separately in shares.
    """

    readable: bool
    with_text: bool
    shares: bool
    quotations: int | None


class _TextPair(NamedTuple):
    """Two texts to align.

    Attributes:
        names: the ids of both, by the names of the columns that a line of JSON has for them, if it has any.
        units: the units of either that correspond, if they were asked for.
    """

    a: "Document"
    b: "Document"
    names: Mapping[str, str] | None
    units: tuple[Any, Any] | None


@command(__doc__)
@click.argument("files", metavar="[A B | DOCUMENT...]", nargs=-1, type=InputPath())
@click.option("--index", metavar="INDEX", type=InputPath(), help="Align each DOCUMENT with its sources in this index.")
@click.option(
    "--documents", metavar="INPUT", multiple=True, type=InputPath(), help="Align documents of this collection."
)
@click.option("--pairs", metavar="FILE", type=InputPath(), help="The pairs of documents to align.")
@options.from_function("ibidem.alignment.align:align")
@options.ignore
@options.normalize
@options.reading
@options.within
@click.option(
    "--units",
    metavar="UNIT",
    help="Say which line, sentence or paragraph corresponds to which; with --documents, which range of a COLUMN.",
)
@click.option(
    "--table",
    metavar="FILE",
    type=OutputPath(dir_okay=False),
    help="Write both texts side by side as CSV, by verse or page if both files name them, by --units, or by line.",
)
@click.option(
    "--apparatus",
    metavar="FILE",
    type=OutputPath(dir_okay=False),
    help="Write both texts as one TEI file with an apparatus, by parallel segmentation.",
)
@share_options
@options.threads
@options.as_json
@options.with_text
@html
def align(
    *,
    files: tuple[str, ...],
    index: str | None,
    documents: tuple[str, ...],
    pairs: str | None,
    threads: int | None,
    as_json: bool,
    with_text: bool,
    html: str | None,
    units: str | None,
    table: str | None,
    apparatus: str | None,
    shares: bool,
    quotations: int | None,
    within: str | None,
    normalize: tuple[str, ...],
    ignore: tuple[str, ...],
    **settings: Any,
) -> None:
    """Align two texts, documents with an index, or many pairs of documents."""
    readable = is_terminal(sys.stdout) and not as_json and (units is None or index is not None)
    output = _Output(readable, with_text, shares, quotations)
    columns = options.take_reading(settings)
    if within and pairs:
        raise click.UsageError("--within names a place of A or of each DOCUMENT; with --pairs there is none")
    if (table or apparatus) and (index or documents or within):
        raise click.UsageError("--table and --apparatus are of two whole files, A and B")
    if units and index:
        raise click.UsageError("--units are those of two texts: align the document with those that --index finds")
    if units and shares:
        raise click.UsageError("--shares and --units write different lines: ask for one of them")
    if index is None:
        settings["normalize"] = normalize
    elif normalize or options.find_given(["tokenizer"]):
        raise click.UsageError("an index has the tokens that it was made with: leave out --normalize and --tokenizer")
    else:
        del settings["tokenizer"]
    settings["ignore"] = options.read_ignored(ignore, columns)
    with collect(html, index, shares=True) as results:
        match files, index, documents, pairs:
            case (_, *_), str(), (), None:
                _align_with_index(index, files, columns, within, results, output, threads, settings)
            case (), None, (_, *_), str():
                if "-" in documents and pairs == "-":
                    raise click.UsageError("standard input is either the documents or the pairs, not both")
                text_pairs = _read_pairs(documents, pairs, columns, units, settings)
                nothing = f"{pairs}: {_number(())} in {format_count(len(text_pairs), 'pair')} of documents"
                _align_texts(text_pairs, nothing, results, output, threads, settings)
            case (a, b), None, (), None:
                pair = _read_pair(a, b, columns, within, units)
                [alignments] = _align_texts([pair], f"{a} and {b}: {_number(())}", results, output, threads, settings)
                _tell_own_unit(alignments, settings)
                _write_edition(pair, alignments, table, apparatus, units)
            case _:
                raise click.UsageError(
                    "give two files, A and B, or one DOCUMENT or more and --index, or --documents and --pairs"
                )


def _read_pair(a: str, b: str, columns: dict[str, Any], within: str | None, units: str | None) -> _TextPair:
    """The texts of two files."""
    from ibidem.cli.queries import keep_place, read_whole_document

    document_a, document_b = (read_whole_document(name, **columns) for name in (a, b))
    return _TextPair(keep_place(document_a, within), document_b, None, None if units is None else (units, units))


def _read_pairs(
    documents: tuple[str, ...], file: str, columns: dict[str, Any], units: str | None, settings: dict[str, Any]
) -> list[_TextPair]:
    """The pairs of documents that a file names; the settings get what is learnt of all of them."""
    from ibidem.cli.pairs import learn_from_pairs, read_documents, read_pairs
    from ibidem.comparison.units import UNITS
    from ibidem.text.units import AUTO, choose_collection_unit

    pairs = read_pairs(file)
    by_id = read_documents(pairs, documents, columns, units)
    if settings["tokenizer"] == AUTO:
        settings["tokenizer"] = choose_collection_unit(document.text for document in by_id.values())
        tell_unit(settings["tokenizer"])
    settings["null_model"] = learn_from_pairs(
        pairs, by_id, tokenizer=settings["tokenizer"], normalize=settings["normalize"]
    )
    units_of: Mapping[str, Any] = dict.fromkeys(by_id, units)
    if units is not None and units not in UNITS:
        sources = sources_in(documents, set(by_id), columns, locators=units)
        units_of = {name: source.locators.ranges for name, source in sources.items()}
    return [
        _TextPair(by_id[a], by_id[b], pair.names, None if units is None else (units_of[a], units_of[b]))
        for pair in pairs
        for a, b in [pair.ids]
    ]


def _align_texts(
    pairs: Sequence[_TextPair],
    nothing: str,
    results: CollectedResults,
    output: _Output,
    threads: int | None,
    settings: dict[str, Any],
) -> "list[Alignments]":
    """Align the texts of each pair, and show or write what they share; ``nothing`` is said if they share nothing."""
    import ibidem
    from ibidem.parallel import in_threads

    def align_pair(pair: _TextPair) -> "Alignments":
        return ibidem.align(pair.a.text, pair.b.text, **settings)

    found: list[Alignments] = []
    with count_written("aligning", lambda: len(pairs)) as count:
        for pair, alignments in zip(pairs, in_threads(align_pair, pairs, threads), strict=True):
            tell_ignored(alignments.ignored, {"a": pair.a.id, "b": pair.b.id})
            results.add((pair.a, pair.b), alignments)
            found.append(alignments)
            (_show_alignments if output.readable else _write_alignments)(pair, alignments, output)
            count()
    if not any(found) and not output.readable:
        tell(nothing)
    return found


def _write_alignments(pair: _TextPair, alignments: "Alignments", output: _Output) -> None:
    """Write lines of JSON for two texts: their shares, or their pairs of passages, or those of units in these."""
    if output.shares:
        names = pair.names or {"a": pair.a.id, "b": pair.b.id}
        write_share_counts(names, len(alignments), alignments.shares(quotations=output.quotations))
        return
    rows: Iterable[Any] = alignments
    if pair.units is not None:
        rows = (unit for passages in alignments for unit in alignments.units(pair.units, passages))
    for row in rows:
        write_pair(row, (pair.a, pair.b), with_text=output.with_text, names=pair.names)


def _show_alignments(pair: _TextPair, alignments: "Alignments", output: _Output) -> None:
    from ibidem.comparison import Comparer, Finding, Witness
    from ibidem.comparison.locators import DescribedPlaces

    comparer, (a, b) = Comparer(alignments.tokenizer, reasons=False), (pair.a, pair.b)
    places = DescribedPlaces.of(a.metadata), DescribedPlaces.of(b.metadata)
    for passages in () if output.shares else alignments:
        witness_a = Witness(a.id, passages.a_start, passages.a_end, a.text, locators=places[0])
        witness_b = Witness(b.id, passages.b_start, passages.b_end, b.text, locators=places[1])
        _show(comparer.compare(witness_a, witness_b, Finding.of(passages)))
    console().print(_number(alignments))
    if alignments:
        show_share_counts(console(), alignments.shares(quotations=output.quotations), (a, b))


def _tell_own_unit(alignments: "Alignments", settings: dict[str, Any]) -> None:
    """Say by what two texts were compared, if they chose it themselves."""
    from ibidem.text.units import AUTO, name_unit

    if settings["tokenizer"] == AUTO:
        tell_unit(name_unit(alignments.tokenizer))


def _write_edition(
    pair: _TextPair, alignments: "Alignments", table: str | None, apparatus: str | None, units: str | None
) -> None:
    """Write both texts from the first word to the last to the files that were asked for."""
    if table is None and apparatus is None:
        return
    from ibidem.comparison.edition import Edition

    edition = Edition.of(pair.a, pair.b, alignments.tokenizer, units)
    if table is not None:
        edition.write_table(Path(table))
    if apparatus is not None:
        edition.write_apparatus(Path(apparatus))


def _align_with_index(
    path: str,
    files: tuple[str, ...],
    columns: dict[str, Any],
    within: str | None,
    collected: CollectedResults,
    output: _Output,
    threads: int | None,
    settings: dict[str, Any],
) -> None:
    from ibidem import PassageIndex
    from ibidem.cli.queries import read_queries
    from ibidem.comparison import Comparer
    from ibidem.parallel import in_threads

    with PassageIndex.open(path) as index:
        collected.tokenizer = index.tokenizer
        texts, comparer = IndexedTexts(index), Comparer(index.tokenizer, reasons=False)

        def align_document(document: "Document") -> "tuple[Document, Matches]":
            return document, index.align(document.text, name=document.id, threads=threads, **settings)

        queries = read_queries(files, **columns, within=within)
        number = 0
        with count_written("aligning", lambda: queries.total) as count:
            for query, matches in collected.watch_matches(in_threads(align_document, queries, threads)):
                tell_ignored(matches.ignored)
                number += len(matches)
                if not output.shares and not output.readable:
                    write_matches(query, matches, with_text=output.with_text)
                for match in matches if output.readable and not output.shares else ():
                    _show(_compare_match(comparer, query, match))
                if output.readable:
                    console().print(f"{query.id}: {_number(matches)}")
                for document, passages in texts.list_documents(matches) if output.shares else ():
                    shared = matches.shares(document.id, document.text, quotations=output.quotations)
                    if output.readable:
                        show_share_counts(console(), shared, (query, document))
                    else:
                        write_share_counts({"a": query.id, "b": document.id}, passages, shared)
                count()
        if not number and not output.readable:
            tell(f"{path}: {_number(())} with {format_count(queries.total or 0, 'document')}")


def _compare_match(comparer: Any, query: "Document", match: "Match") -> "Comparison":
    from ibidem.comparison import Finding, Witness
    from ibidem.comparison.locators import DescribedPlaces

    places, of_match = DescribedPlaces.of(query.metadata), DescribedPlaces.of(match.metadata)
    witness_a = Witness(query.id, match.query_start, match.query_end, query.text, locators=places)
    witness_b = Witness(match.document, match.start, match.end, passage=match.text, locators=of_match)
    comparison: Comparison = comparer.compare(witness_a, witness_b, Finding.of(match))
    return comparison


def _show(comparison: "Comparison") -> None:
    from ibidem.cli.side_by_side import show_pair

    caption = f"similarity {comparison.similarity or 0.0:.3f}"
    if comparison.containment is not None:
        caption = f"summary, containment {comparison.containment:.3f}, {caption}"
    show_pair(console(), comparison, caption)


def _number(pairs: Sized) -> str:
    return format_count(len(pairs), "pair of passages", "pairs of passages") if pairs else "no passage in common"
