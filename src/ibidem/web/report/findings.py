"""The values of a report: pairs of similar passages, and the texts and metadata of their documents."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from ibidem.comparison import Finding, Locators
from ibidem.corpus.writing.removed import read_note
from ibidem.spans import Alignment, Match

_NAMES = (("a", "b"), ("suspicious", "source"), ("query", "document"), ("document", "duplicate_of"))
_PLACES = (
    ("a_start", "a_end", "b_start", "b_end"),
    ("query_start", "query_end", "start", "end"),
    ("start", "end", "of_start", "of_end"),
)


class Source(NamedTuple):
    """The metadata and the text of a document.

    Attributes:
        text: the whole text, or ``None``.
        date: for the time line, as the reader is to see it; years and ISO dates are placed.
        locators: named ranges, such as verses.
    """

    text: str | None = None
    date: str | None = None
    locators: Locators = Locators()

    def require_passage(self, name: str, end: int) -> None:
        """Raise a ``ValueError`` if a passage of the document, which has this name, ends behind its text."""
        if self.text is not None and end > len(self.text):
            raise ValueError(
                f"{name}: a passage ends at character {end}, and the document has {len(self.text)}: is it another?"
            )


class FoundPair(NamedTuple):
    """Two similar passages.

    Attributes:
        a, b: the ids of the documents.
        a_start, a_end, b_start, b_end: the passages; ``None`` at the ends for whole documents.
        passages: the two passages themselves, where they are known without the documents.
        evidence: how far the pair is beyond chance, in nats.
        label: what the pair is, in place of its kind, where there are more kinds.
    """

    a: str
    a_start: int
    a_end: int | None
    b: str
    b_start: int
    b_end: int | None
    similarity: float | None = None
    kind: Literal["similar", "summary"] = "similar"
    containment: float | None = None
    passages: tuple[str | None, str | None] = (None, None)
    evidence: float | None = None
    label: str | None = None

    @property
    def finding(self) -> Finding:
        """The notes on the pair."""
        return Finding(self.similarity, self.kind, self.containment)

    @classmethod
    def of_alignment(cls, alignment: Alignment, names: tuple[str, str]) -> "FoundPair":
        """A pair that ``align`` found in two texts."""
        places = alignment.a_start, alignment.a_end, names[1], alignment.b_start, alignment.b_end
        return cls(names[0], *places, *Finding.of(alignment))

    @classmethod
    def of_match(cls, match: Match) -> "FoundPair":
        """A match of a search."""
        return cls(
            match.query_name,
            match.query_start,
            match.query_end,
            match.document,
            match.start,
            match.end,
            match.similarity,
            passages=(None, match.text or None),
        )

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> "FoundPair":
        """A line of JSON that ``align``, ``search``, ``reuse`` or ``dedup`` wrote.

        Raises:
            ValueError: it does not name two documents, or a place is no number.
        """
        row, record = record, read_note(record)
        a, b = _names(record)
        starts = next((names for names in _PLACES if all(name in record for name in names)), None)
        places: list[Any] = [record[name] for name in starts] if starts else [0, None, 0, None]
        if starts and any(isinstance(place, bool) or not isinstance(place, int) for place in places):
            raise ValueError(f"the places of the passages are {places}, which are no numbers of characters")
        if starts and not (0 <= places[0] <= places[1] and 0 <= places[2] <= places[3]):
            raise ValueError(f"the places of the passages are {places}: a start is below 0 or behind its end")
        return cls(
            a,
            places[0],
            places[1],
            b,
            places[2],
            places[3],
            record.get("similarity"),
            "summary" if record.get("kind") == "summary" else "similar",
            record.get("containment"),
            (row.get("text"), None) if row is not record or "duplicate_of" in record else _passages(record),
            record.get("evidence"),
        )


def _passages(record: Mapping[str, Any]) -> tuple[str | None, str | None]:
    return record.get("a_text", record.get("query_text")), record.get("b_text", record.get("text"))


def _names(record: Mapping[str, Any]) -> tuple[str, str]:
    for first, second in (*_NAMES, ("id", "duplicate_of")):
        if record.get(first) is not None and record.get(second) is not None:
            return str(record[first]), str(record[second])
    raise ValueError(
        "the line names no two documents: there should be 'a' and 'b', 'suspicious' and 'source', "
        "'query' and 'document', or 'id' or 'document' and 'duplicate_of'"
    )
