"""The frozen values that searches and alignments return.

Every position counts code points of the text as it was given, and every range is half open: ``text[start:end]``.
"""

from typing import Any, Literal

import msgspec

from ibidem.locators import describe_place


class Passage(msgspec.Struct, frozen=True):
    """A range of code points in one document."""

    document: str
    start: int
    end: int


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A passage of an indexed document that is similar to a passage of a query.

    Attributes:
        query_name: name of the query (its file, or ``"query"``).
        query_start, query_end: code points of the passage of the query.
        document: id of the document that holds the passage.
        start, end: code points of the passage in the document.
        similarity: exact similarity of the two passages, in the measure of the search.
        text: the passage as the document has it.
        metadata: the other columns of the document's record.
        starts, ends: for ``select="all"``, the first and last code point at which a qualifying passage may start
            and end; ``None`` otherwise.
        kind, containment, expected: those of an :class:`Alignment`; ``None`` for a search.
    """

    query_name: str = msgspec.field(name="query")
    query_start: int
    query_end: int
    document: str
    start: int
    end: int
    similarity: float
    text: str
    metadata: dict[str, Any] = msgspec.field(default_factory=dict)
    starts: tuple[int, int] | None = None
    ends: tuple[int, int] | None = None
    kind: Literal["similar", "summary"] = "similar"
    containment: float | None = None
    expected: float | None = None

    def __hash__(self) -> int:
        return hash((self.query_name, self.query_start, self.document, self.start, self.end))

    @property
    def passage(self) -> Passage:
        """The place of the match."""
        return Passage(self.document, self.start, self.end)

    @property
    def locator(self) -> str:
        """The place in the original, such as ``"page 3, line 12"``; empty if the document has no ``locators``."""
        return describe_place(self.metadata, self.start, self.end)


class Alignment(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A passage of one text and a passage of another that have more in common than chance gives.

    Attributes:
        a_start, a_end: code points of the passage in the first text.
        b_start, b_end: code points of the passage in the second text.
        similarity: exact Jaccard similarity of the two passages, by the weights of the alignment.
        kind: ``"similar"``, or ``"summary"`` if one passage sums up the other, longer one, often the whole text.
        containment: of a summary, the exact share of its weight that occurs in what it sums up; ``None`` otherwise.
        expected: how many pairs of passages that share as much chance gives in two texts of these lengths (the E-value
            of the pair); ``None`` for a summary.

    JSON has ``kind`` and ``containment`` for summaries only.
    """

    a_start: int
    a_end: int
    b_start: int
    b_end: int
    similarity: float
    kind: Literal["similar", "summary"] = "similar"
    containment: float | None = None
    expected: float | None = None


class Ignored(msgspec.Struct, frozen=True):
    """A passage that counts as absent, since it is similar to a passage of a text to ignore.

    Attributes:
        document: the document that it is in; of two texts that are aligned, ``"a"`` or ``"b"``.
        start, end: code points of the passage.
        text: the text to ignore.
        text_start, text_end: code points of its passage.
        similarity: exact Jaccard similarity of the two.
    """

    document: str
    start: int
    end: int
    text: str
    text_start: int
    text_end: int
    similarity: float
