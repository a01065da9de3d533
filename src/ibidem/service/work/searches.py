"""Searches, alignments and traces of a text that was sent."""

from collections.abc import Callable, Sequence

import msgspec

from ibidem.comparison import Comparer, Witness
from ibidem.comparison.chance import token_evidence
from ibidem.comparison.tokenized import word_tokenizer
from ibidem.service.answers import Matches, MatchRecord, Span, Trace
from ibidem.service.problems import ProblemError
from ibidem.service.requests import AlignRequest, SearchRequest, TraceRequest, Unit
from ibidem.service.served_index import Reader, ServedIndex
from ibidem.service.work.cursors import cut_page
from ibidem.service.work.holdings import Holdings, choose_index
from ibidem.service.work.units import Positions
from ibidem.spans import Match
from ibidem.text import Texts

__all__ = ["align", "search", "trace"]

_PART_FOR_SEARCH = 0.9
"""Of the time for an answer, so that a search which is cut off is still answered."""

_MOST_TRACED = 1000
"""Matches that a trace gives."""


def search(holdings: Holdings, request: SearchRequest) -> Matches:
    """Matches of a passage."""
    chosen, limits = choose_index(holdings, request.index), holdings.limits
    names = ("threshold", "recall", "select", "family", "tf", "idf", "min_length", "max_length")
    options = {name: getattr(request, name) for name in names}
    seconds = _PART_FOR_SEARCH * min(limits.seconds, request.seconds or limits.seconds)
    with chosen.reader() as reader:
        # What `search` warns of would go to the log of the service, which whoever asked does not read.
        found, statistics = reader.index.explain(request.text, limit=limits.matches, timeout=seconds, **options)
        return _make_page(chosen.name, reader, request, list(found), list(statistics.notes))


def align(holdings: Holdings, request: AlignRequest) -> Matches:
    """Passages that a whole text shares with documents."""
    chosen = choose_index(holdings, request.index)
    with chosen.reader() as reader:
        return _make_page(chosen.name, reader, request, _align(chosen, reader, request), [])


def trace(holdings: Holdings, request: TraceRequest) -> Trace:
    """The words of a text that stand in the collection."""
    chosen = choose_index(holdings, request.index)
    with chosen.reader() as reader:
        found = _align(chosen, reader, request)
        convert = Positions(request.text, request.unit).give
        return Trace(
            index=chosen.name,
            generation=reader.index.generation,
            spans=[
                msgspec.structs.replace(span, start=convert(span.start), end=convert(span.end))
                for span in _spans(reader, request.text, found)
            ],
            matches=_records(found[:_MOST_TRACED], reader, convert, request.unit),
        )


def _align(chosen: ServedIndex, reader: Reader, request: AlignRequest | TraceRequest) -> list[Match]:
    if not reader.index.configuration.is_exact:
        raise ProblemError(
            422, f"the index {chosen.name!r} keeps no positions of tokens, by which a text is aligned: search it"
        )
    return list(reader.index.align(request.text, threshold=request.threshold, min_length=request.min_length))


def _make_page(
    index: str, reader: Reader, request: SearchRequest | AlignRequest, found: Sequence[Match], warnings: list[str]
) -> Matches:
    """The matches from the cursor on, as many as are asked for."""
    page = cut_page(request.cursor, request.limit, len(found), reader.index.generation)
    convert = Positions(request.text, request.unit).give
    return Matches(
        index=index,
        generation=reader.index.generation,
        matches=_records(found[page.first : page.last], reader, convert, request.unit),
        total=len(found),
        cursor=page.cursor,
        warnings=warnings,
    )


def _records(found: Sequence[Match], reader: Reader, convert: Callable[[int], int], unit: Unit) -> list[MatchRecord]:
    places: dict[str, Positions] = {}
    for match in found:
        if unit != "code points" and match.document not in places:
            document = reader.document(match.document)
            places[match.document] = Positions(document[0] if document else match.text, unit)
    return [_record(match, convert, places.get(match.document)) for match in found]


def _record(match: Match, convert: Callable[[int], int], places: Positions | None) -> MatchRecord:
    return MatchRecord(
        query=match.query_name,
        query_start=convert(match.query_start),
        query_end=convert(match.query_end),
        document=match.document,
        start=match.start if places is None else places.give(match.start),
        end=match.end if places is None else places.give(match.end),
        similarity=match.similarity,
        estimate=match.estimate,
        text=match.text,
        kind=getattr(match, "kind", "similar"),
        containment=getattr(match, "containment", None),
        metadata=match.metadata,
    )


def _spans(reader: Reader, text: str, found: Sequence[Match]) -> list[Span]:
    """Runs of words that both have, with all documents that have just these."""
    comparer = Comparer(reader.index.tokenizer, reader.word_frequencies, context=0, reasons=False)
    spans: dict[tuple[int, int], set[str]] = {}
    for match in found:
        left = Witness("text", match.query_start, match.query_end, text)
        compared = comparer.compare(left, Witness(match.document, match.start, match.end, passage=match.text))
        for run in compared.runs:
            if run.kind in ("equal", "moved"):
                spans.setdefault((run.a_start, run.a_end), set()).add(match.document)
    return [_span(reader, text, places, documents) for places, documents in sorted(spans.items())]


def _span(reader: Reader, text: str, places: tuple[int, int], documents: set[str]) -> Span:
    tokenizer = word_tokenizer(reader.index.tokenizer)
    ids = tokenizer.encode(Texts.from_strings([text[slice(*places)]])).ids
    evidence = float(token_evidence(ids, reader.frequencies).sum())
    return Span(
        start=places[0], end=places[1], evidence=round(evidence, 2), words=len(ids), documents=sorted(documents)
    )
