"""Searches and alignments of a text that was sent."""

from collections.abc import Iterable
from typing import Any

import msgspec

from ibidem import results
from ibidem.comparison.records import pair_record, share_record
from ibidem.locators import without_locators
from ibidem.passages.search.omissions import NOTHING_SIMILAR
from ibidem.spans import Match
from ibidem.text import Document
from ibidem.web.answers import AlignedTexts, Matches, MatchRecord
from ibidem.web.indexes.holdings import Holdings, choose_index
from ibidem.web.indexes.served_index import Reader
from ibidem.web.requests import AlignRequest, AlignTextsRequest, SearchRequest, TextRequest

_PART_FOR_SEARCH = 0.9
"""Of the time for an answer, so that a search which is cut off is still answered."""

_ASK_FOR_PARTS = (
    "no passage is similar to this text as a whole. What parts of it share is found by /v1/align: on the page, "
    "choose what this document shares"
)
"""The note on a whole document that found nothing, for whoever asks the service."""


def search(holdings: Holdings, request: SearchRequest) -> Matches:
    """Matches of a passage."""
    served_index, limits = choose_index(holdings, request.index), holdings.limits
    names = ("threshold", "select", "family", "tf", "idf", "min_length", "max_length")
    options = {name: getattr(request, name) for name in names}
    seconds = _PART_FOR_SEARCH * min(limits.seconds, request.seconds or limits.seconds)
    with served_index.reader() as reader:
        # What `search` warns of would go to the log of the service, which whoever asked does not read.
        matches, statistics = reader.index.explain(
            request.text, limit=limits.matches, timeout=seconds, ignore=request.ignore, **options
        )
        notes = [_ASK_FOR_PARTS if note == NOTHING_SIMILAR else note for note in statistics.notes]
        return _answer(served_index.name, reader, request, matches, warnings=notes)


def align(holdings: Holdings, request: AlignRequest) -> Matches:
    """Passages that a whole text shares with documents."""
    served_index = choose_index(holdings, request.index)
    with served_index.reader() as reader:
        options = {name: getattr(request, name) for name in ("threshold", "min_pair_length", "ignore")}
        matches = reader.index.align(request.text, **options)
        shares = _count_shares(reader, matches, request) if request.shares else []
        return _answer(served_index.name, reader, request, matches, shares=shares)


def align_texts(holdings: Holdings, request: AlignTextsRequest) -> AlignedTexts:
    """Passages that two texts share."""
    import ibidem

    alignments = ibidem.align(request.a, request.b, threshold=request.threshold, ignore=request.ignore)
    sides = Document("a", request.a), Document("b", request.b)
    return AlignedTexts(
        pairs=[pair_record(pair, sides) for pair in alignments[: request.limit]],
        total=len(alignments),
        shares=share_record({}, len(alignments), alignments.shares()),
        ignored=list(alignments.ignored),
    )


def _answer(index: str, reader: Reader, request: TextRequest, matches: results.Matches, **more: Any) -> Matches:
    """The first matches, as many as are asked for."""
    return Matches(
        index=index,
        generation=reader.index.generation,
        matches=_describe_matches(matches[: request.limit], reader, request.context),
        total=len(matches),
        ignored=list(matches.ignored),
        **more,
    )


def _count_shares(reader: Reader, matches: results.Matches, request: AlignRequest) -> list[dict[str, Any]]:
    """Count the words that the text, without its ignored passages, and each document of the answer share; by id."""
    shared = []
    for name in sorted({match.document for match in matches[: request.limit]}):
        document = reader.document(name)
        if document is not None:
            counts = matches.shares(name, document[0], quotations=request.quotations)
            passages = sum(match.document == name for match in matches)
            shared.append(share_record({"document": name}, passages, counts))
    return shared


def _describe_matches(matches: Iterable[Match], reader: Reader, context: int) -> list[MatchRecord]:
    """Describe matches, with so much text around each."""
    texts: dict[str, str] = {}
    records = []
    for match in matches:
        if context and match.document not in texts:
            document = reader.document(match.document)
            texts[match.document] = document[0] if document else ""
        text, metadata = texts.get(match.document, ""), without_locators(match.metadata)
        around = {
            "before": text[max(0, match.start - context) : match.start],
            "after": text[match.end : match.end + context],
        }
        fields = msgspec.structs.asdict(match) | {"metadata": metadata, "locator": match.locator} | around
        records.append(MatchRecord(**fields))
    return records
