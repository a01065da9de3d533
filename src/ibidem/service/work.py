"""What each request asks for, as functions of values: they know nothing of HTTP and run in threads."""

import base64
import binascii
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from ibidem.comparison import Comparer, Comparison, Witness
from ibidem.comparison.chance import token_evidence
from ibidem.comparison.tokenized import word_tokenizer
from ibidem.service.messages import (
    AlignRequest,
    CompareRequest,
    DocumentText,
    Indexes,
    IndexInfo,
    Matches,
    MatchRecord,
    Passage,
    SearchRequest,
    Span,
    Trace,
    TraceRequest,
    Unit,
)
from ibidem.service.problems import ProblemError
from ibidem.service.served_index import Reader, ServedIndex
from ibidem.spans import Match
from ibidem.text import Texts, make_tokenizer

__all__ = ["align", "compare", "describe", "read_document", "search", "trace"]

Served = Mapping[str, ServedIndex]

_MOST_CHARACTERS = 1_000_000
"""Of a document that one answer gives, and of a passage that is compared."""


def search(served: Served, request: SearchRequest) -> Matches:
    """Matches of a passage."""
    chosen = _choose(served, request.index)
    options = {
        name: getattr(request, name)
        for name in ("threshold", "recall", "select", "family", "tf", "idf", "min_length", "max_length")
    }
    with chosen.reader() as reader, warnings.catch_warnings():
        # A warning that the passage is short would go to the log of the service, which whoever asked does not read.
        warnings.simplefilter("ignore", UserWarning)
        found = list(reader.index.search(request.text, **options))
        return _page(chosen.name, reader, request, found)


def align(served: Served, request: AlignRequest) -> Matches:
    """Passages that a whole text shares with documents."""
    chosen = _choose(served, request.index)
    with chosen.reader() as reader:
        found = list(reader.index.align(request.text, threshold=request.threshold, min_length=request.min_length))
        return _page(chosen.name, reader, request, found)


def trace(served: Served, request: TraceRequest) -> Trace:
    """The words of a text that stand in the collection."""
    chosen = _choose(served, request.index)
    with chosen.reader() as reader:
        found = list(reader.index.align(request.text, threshold=request.threshold, min_length=request.min_length))
        convert = _converter(request.text, request.unit)
        return Trace(
            index=chosen.name,
            spans=[
                msgspec.structs.replace(span, start=convert(span.start), end=convert(span.end))
                for span in _spans(reader, request.text, found)
            ],
            matches=[_record(match, reader, convert, request.unit) for match in found[:1000]],
        )


def compare(served: Served, request: CompareRequest) -> Comparison:
    """Two passages, word by word."""
    named = [side.index for side in (request.a, request.b) if side.document is not None]
    tokenizer: Any = make_tokenizer("words")
    if named:
        with _choose(served, named[0]).reader() as reader:
            tokenizer = reader.index.tokenizer
    return Comparer(tokenizer).compare(_witness(served, request.a, "a"), _witness(served, request.b, "b"))


def read_document(served: Served, index: str | None, name: str, start: int, end: int | None) -> DocumentText:
    """A part of a document."""
    chosen = _choose(served, index)
    with chosen.reader() as reader:
        text, metadata = _document(reader, chosen.name, name)
    last = min(len(text), start + _MOST_CHARACTERS, len(text) if end is None else end)
    return DocumentText(
        index=chosen.name,
        document=name,
        start=min(start, len(text)),
        end=max(last, min(start, len(text))),
        length=len(text),
        text=text[start:last],
        metadata=metadata,
    )


def describe(served: Served) -> Indexes:
    """The indexes that are served."""
    infos = []
    for name, each in served.items():
        with each.reader() as reader:
            configuration = reader.index.configuration
            infos.append(
                IndexInfo(
                    name=name,
                    documents=len(reader.index),
                    generation=reader.index.generation,
                    scheme=configuration.scheme,
                    min_length=configuration.min_length,
                )
            )
    return Indexes(indexes=infos)


def _choose(served: Served, name: str | None) -> ServedIndex:
    if name is None:
        return next(iter(served.values()))
    if name not in served:
        raise ProblemError(404, f"no index is called {name!r}; there are {', '.join(served)}")
    return served[name]


def _document(reader: Reader, index: str, name: str) -> tuple[str, dict[str, Any]]:
    found = reader.document(name)
    if found is None:
        raise ProblemError(404, f"no document {name!r} is in the index {index!r}")
    return found


def _witness(served: Served, side: Passage, name: str) -> Witness:
    if (side.text is None) == (side.document is None):
        raise ProblemError(422, f"the passage {name!r} needs either a text or a document")
    text = side.text or ""
    metadata: dict[str, Any] = {}
    if side.document is not None:
        chosen = _choose(served, side.index)
        with chosen.reader() as reader:
            text, metadata = _document(reader, chosen.name, side.document)
    end = len(text) if side.end is None else side.end
    if not side.start <= end <= len(text):
        raise ProblemError(
            422, f"the passage {name!r}, {side.start} to {end}, lies outside of its {len(text)} characters"
        )
    if end - side.start > _MOST_CHARACTERS:
        raise ProblemError(422, f"the passage {name!r} has more than {_MOST_CHARACTERS:,} characters")
    return Witness(side.document or name, side.start, end, text, metadata=metadata)


def _page(index: str, reader: Reader, request: SearchRequest | AlignRequest, found: Sequence[Match]) -> Matches:
    """The matches from the cursor on, as many as are asked for."""
    generation = reader.index.generation
    first = 0 if request.cursor is None else _read_cursor(request.cursor, generation)
    last = first + request.limit
    convert = _converter(request.text, request.unit)
    return Matches(
        index=index,
        generation=generation,
        matches=[_record(match, reader, convert, request.unit) for match in found[first:last]],
        total=len(found),
        cursor=_write_cursor(generation, last) if last < len(found) else None,
    )


def _write_cursor(generation: int, place: int) -> str:
    return base64.urlsafe_b64encode(f"{generation}:{place}".encode()).decode("ascii")


def _read_cursor(cursor: str, generation: int) -> int:
    try:
        made, place = map(int, base64.b64decode(cursor, b"-_", validate=True).split(b":"))
    except (ValueError, binascii.Error):
        raise ProblemError(422, "the cursor is none that this service gave") from None
    if made != generation:
        raise ProblemError(409, "the index was changed since the cursor was given: ask again from the beginning")
    return max(0, place)


def _converter(text: str, unit: Unit) -> Callable[[int], int]:
    """From code points of ``text`` to another unit."""
    if unit == "code points" or (unit == "utf-16" and text.isascii()):
        return lambda at: at
    encoding, width = ("utf-16-le", 2) if unit == "utf-16" else ("utf-8", 1)
    return lambda at: len(text[:at].encode(encoding, "surrogatepass")) // width


def _record(match: Match, reader: Reader, convert: Callable[[int], int], unit: Unit) -> MatchRecord:
    document = reader.document(match.document)
    places = _converter(document[0] if document else match.text, unit)
    return MatchRecord(
        query=match.query_name,
        query_start=convert(match.query_start),
        query_end=convert(match.query_end),
        document=match.document,
        start=places(match.start),
        end=places(match.end),
        similarity=match.similarity,
        estimate=match.estimate,
        text=match.text,
        kind=getattr(match, "kind", "similar"),
        containment=getattr(match, "containment", None),
        metadata=match.metadata,
    )


def _spans(reader: Reader, text: str, found: Sequence[Match]) -> list[Span]:
    """Runs of words that both have, with all documents that have just these."""
    comparer = Comparer(reader.index.tokenizer, reader.frequencies, context=0, reasons=False)
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
