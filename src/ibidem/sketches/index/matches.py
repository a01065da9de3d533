"""What a search of sketches gives: passages whose estimated similarity to a query reaches a threshold."""

from typing import Any

import msgspec

from ibidem.counts import shorten
from ibidem.locators import describe_place
from ibidem.results import Results

_PRINTED_TEXT = 60
"""Characters of a passage in a line of a printed result."""


class SketchMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A passage whose estimated similarity to a query reaches the threshold, or a number of them.

    Positions count code points, and ranges are half open.

    Attributes:
        query_name: name of the query.
        document: id of the document that holds the passage.
        start, end: the passage; of several, the longest.
        estimate: the similarity to the query that their sketches estimate.
        similarity: the exact similarity; ``None`` if it was not asked for.
        text: the passage as the document has it.
        metadata: the other columns of the document's record.
        starts, ends: for ``select="all"``, the first and last code point at which a qualifying passage may start and
            end (the papers' compact alignment); ``None`` otherwise.
    """

    query_name: str = msgspec.field(name="query")
    document: str
    start: int
    end: int
    estimate: float
    similarity: float | None
    text: str
    metadata: dict[str, Any] = msgspec.field(default_factory=dict)
    starts: tuple[int, int] | None = None
    ends: tuple[int, int] | None = None

    def __hash__(self) -> int:
        return hash((self.query_name, self.document, self.start, self.end))

    @property
    def locator(self) -> str:
        """The place in the original, such as ``"page 3, line 12"``; empty if the document has no ``locators``."""
        return describe_place(self.metadata, self.start, self.end)


class SketchMatches(Results[SketchMatch]):
    """The passages that a search of sketches found, those with the highest similarity, or estimate, first."""

    value_type = SketchMatch

    def _line(self, value: SketchMatch) -> str:
        measure = value.estimate if value.similarity is None else value.similarity
        place = f"{value.document}, {value.start:,} to {value.end:,}"
        return f"{measure:.3f}  {place}: {shorten(value.text, _PRINTED_TEXT)!r}"
