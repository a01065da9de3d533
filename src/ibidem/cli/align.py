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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
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
    from rich.console import Console

    from ibidem import Alignment, Alignments, Document, Matches, PassageIndex, UnitPair
    from ibidem.cli.pairs import NamedPair
    from ibidem.comparison import Comparer, Comparison

    _Sides = tuple[Document, Document]


class _Output(NamedTuple):
    """How results are written: for a person, with the texts of passages in JSON, or as shares.

    Attributes:
        quotations: words from which on a quotation counts separately in shares.
    """

    readable: bool
    with_text: bool
    shares: bool
    quotations: int | None


class _EditionFiles(NamedTuple):
    """The files that both texts are written to from the first word to the last, and the units of the table."""

    table: str | None
    apparatus: str | None
    units: str | None

    @property
    def is_wanted(self) -> bool:
        return self.table is not None or self.apparatus is not None

    def write(self, sides: "_Sides", alignments: "Alignments") -> None:
        """Write the files that were asked for."""
        from ibidem.comparison.edition import Edition

        edition = Edition.of(*sides, alignments.tokenizer, self.units)
        if self.table is not None:
            edition.write_table(Path(self.table))
        if self.apparatus is not None:
            edition.write_apparatus(Path(self.apparatus))


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
    output = _Output(is_terminal(sys.stdout) and not as_json, with_text, shares, quotations)
    columns = options.take_reading(settings)
    if within and pairs:
        raise click.UsageError("--within names a place of A or of each DOCUMENT; with --pairs there is none")
    edition = _EditionFiles(table, apparatus, units)
    if edition.is_wanted and (index or documents or within):
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
                _align_pairs(documents, pairs, columns, results, units, output, threads=threads, **settings)
            case (a, b), None, (), None:
                _align_files((a, b), columns, within, results, units, output, edition, settings)
            case _:
                raise click.UsageError(
                    "give two files, A and B, or one DOCUMENT or more and --index, or --documents and --pairs"
                )


def _align_files(
    names: tuple[str, str],
    columns: dict[str, Any],
    within: str | None,
    results: CollectedResults,
    units: str | None,
    output: _Output,
    edition: "_EditionFiles",
    settings: dict[str, Any],
) -> None:
    import ibidem
    from ibidem.cli.queries import keep_place, read_whole_document
    from ibidem.text.units import AUTO, name_unit

    a, b = (read_whole_document(name, **columns) for name in names)
    sides = keep_place(a, within), b
    alignments = ibidem.align(sides[0].text, sides[1].text, **settings)
    if settings["tokenizer"] == AUTO:
        tell_unit(name_unit(alignments.tokenizer))
    _note(results, sides, names, alignments)
    if edition.is_wanted:
        edition.write(sides, alignments)
    if not alignments and not output.readable:
        tell(f"{names[0]} and {names[1]}: {_number(alignments)}")
    if output.readable and units is None:
        _show_alignments(console(), alignments, sides, output)
    else:
        _write(alignments, sides, None if units is None else (units, units), output)


def _align_with_index(
    path: str,
    files: tuple[str, ...],
    columns: dict[str, Any],
    within: str | None,
    report_results: CollectedResults,
    output: _Output,
    threads: int | None,
    settings: dict[str, Any],
) -> None:
    from ibidem import PassageIndex
    from ibidem.cli.queries import read_queries

    with PassageIndex.open(path) as index:
        report_results.tokenizer = index.tokenizer
        texts = IndexedTexts(index)
        queries = read_queries(files, **columns, within=within)
        results = report_results.watch_matches(_with_index(index, queries, threads, settings))
        if output.readable:
            from ibidem.comparison import Comparer

            out, comparer = console(), Comparer(index.tokenizer, reasons=False)
            for query, matches in results:
                _show_matches(texts, output, out, query, matches, comparer)
            return
        number = 0
        with count_written("aligning", lambda: queries.total) as count:
            for query, matches in results:
                number += len(matches)
                if output.shares:
                    for document, passages in texts.list_documents(matches):
                        shared = matches.shares(document.id, document.text, quotations=output.quotations)
                        write_share_counts({"a": query.id, "b": document.id}, passages, shared)
                else:
                    write_matches(query, matches, with_text=output.with_text)
                count()
        if not number:
            tell(f"{path}: {_number(())} with {format_count(queries.total or 0, 'document')}")


def _with_index(
    index: "PassageIndex", documents: Iterable["Document"], threads: int | None, settings: dict[str, Any]
) -> Iterator[tuple["Document", "Matches"]]:
    """Each document and its matches."""
    from ibidem.parallel import in_threads

    def align_document(document: "Document") -> tuple["Document", "Matches"]:
        return document, index.align(document.text, name=document.id, threads=threads, **settings)

    for document, matches in in_threads(align_document, documents, threads):
        tell_ignored(matches.ignored)
        yield document, matches


def _align_pairs(
    documents: tuple[str, ...],
    file: str,
    columns: dict[str, Any],
    results: CollectedResults,
    units: str | None,
    output: _Output,
    *,
    threads: int | None,
    **settings: Any,
) -> None:
    from ibidem import align
    from ibidem.cli.pairs import learn_from_pairs, read_documents, read_pairs
    from ibidem.parallel import in_threads
    from ibidem.text.units import AUTO, choose_collection_unit

    pairs = read_pairs(file)
    documents_by_id = read_documents(pairs, documents, columns, units)
    units_of = _find_units(units, documents, set(documents_by_id), columns)
    if settings["tokenizer"] == AUTO:
        settings["tokenizer"] = choose_collection_unit(document.text for document in documents_by_id.values())
        tell_unit(settings["tokenizer"])
    how = {name: settings[name] for name in ("tokenizer", "normalize") if name in settings}
    model = learn_from_pairs(pairs, documents_by_id, **how)

    def align_each() -> "Iterator[tuple[NamedPair, _Sides, Alignments]]":
        def align_pair(pair: "NamedPair") -> "Alignments":
            return align(*(documents_by_id[id].text for id in pair.ids), null_model=model, **settings)

        for pair, alignments in zip(pairs, in_threads(align_pair, pairs, threads), strict=True):
            sides = documents_by_id[pair.ids[0]], documents_by_id[pair.ids[1]]
            _note(results, sides, pair.ids, alignments)
            yield pair, sides, alignments

    if output.readable and units_of is None:
        out = console()
        for _, sides, alignments in align_each():
            _show_alignments(out, alignments, sides, output)
        return
    number = 0
    with count_written("aligning", lambda: len(pairs)) as count:
        for pair, sides, alignments in align_each():
            number += len(alignments)
            units_of_sides = None if units_of is None else (units_of(sides[0].id), units_of(sides[1].id))
            _write(alignments, sides, units_of_sides, output, pair.names)
            count()
    if not number:
        tell(f"{file}: {_number(())} in {format_count(len(pairs), 'pair')} of documents")


def _note(results: CollectedResults, sides: "_Sides", names: tuple[str, str], alignments: "Alignments") -> None:
    """List what was ignored in two texts, and keep what they share for a report."""
    tell_ignored(alignments.ignored, dict(zip("ab", names, strict=True)))
    results.add(sides, alignments)


def _find_units(
    units: str | None, documents: tuple[str, ...], ids: set[str], columns: dict[str, Any]
) -> Callable[[str], Any] | None:
    """Return a function that looks up the units of a document by id: one name for all, or ranges in its column."""
    if units is None:
        return None
    from ibidem.comparison.units import UNITS

    if units in UNITS:
        return lambda _: units
    sources = sources_in(documents, ids, columns, locators=units)
    return lambda id: sources[id].locators.ranges


def _write(
    alignments: "Alignments",
    sides: "_Sides",
    units: tuple[Any, Any] | None,
    output: _Output,
    names: Mapping[str, str] | None = None,
) -> None:
    """Write lines of JSON for two texts: their shares, or their pairs of passages, or those of units in these."""
    if output.shares:
        names = names or {"a": sides[0].id, "b": sides[1].id}
        write_share_counts(names, len(alignments), alignments.shares(quotations=output.quotations))
        return
    rows: Iterable[Alignment | UnitPair] = alignments
    if units is not None:
        rows = (unit for pair in alignments for unit in alignments.units(units, pair))
    for row in rows:
        write_pair(row, sides, with_text=output.with_text, names=names)


def _show_alignments(out: "Console", alignments: "Alignments", sides: "_Sides", output: _Output) -> None:
    from ibidem.comparison import Comparer, Finding, Witness
    from ibidem.comparison.locators import DescribedPlaces

    comparer, (a, b) = Comparer(alignments.tokenizer, reasons=False), sides
    places = DescribedPlaces.of(a.metadata), DescribedPlaces.of(b.metadata)
    for pair in () if output.shares else alignments:
        witness_a = Witness(a.id, pair.a_start, pair.a_end, a.text, locators=places[0])
        witness_b = Witness(b.id, pair.b_start, pair.b_end, b.text, locators=places[1])
        _show(out, comparer.compare(witness_a, witness_b, Finding.of(pair)))
    out.print(_number(alignments))
    if alignments:
        show_share_counts(out, alignments.shares(quotations=output.quotations), (a, b))


def _show_matches(
    texts: IndexedTexts,
    output: _Output,
    out: "Console",
    query: "Document",
    matches: "Matches",
    comparer: "Comparer",
) -> None:
    from ibidem.comparison import Finding, Witness
    from ibidem.comparison.locators import DescribedPlaces

    places = DescribedPlaces.of(query.metadata)
    for match in () if output.shares else matches:
        witness_a = Witness(query.id, match.query_start, match.query_end, query.text, locators=places)
        of_match = DescribedPlaces.of(match.metadata)
        witness_b = Witness(match.document, match.start, match.end, passage=match.text, locators=of_match)
        _show(out, comparer.compare(witness_a, witness_b, Finding.of(match)))
    out.print(f"{query.id}: {_number(matches)}")
    for document, _ in texts.list_documents(matches) if output.shares else ():
        word_shares = matches.shares(document.id, document.text, quotations=output.quotations)
        show_share_counts(out, word_shares, (query, document))


def _show(out: "Console", comparison: "Comparison") -> None:
    from ibidem.cli.side_by_side import show_pair

    caption = f"similarity {comparison.similarity or 0.0:.3f}"
    if comparison.containment is not None:
        caption = f"summary, containment {comparison.containment:.3f}, {caption}"
    show_pair(out, comparison, caption)


def _number(pairs: Sized) -> str:
    return format_count(len(pairs), "pair of passages", "pairs of passages") if pairs else "no passage in common"
