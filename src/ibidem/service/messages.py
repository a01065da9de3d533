"""What requests and answers hold. The page that describes the service, OpenAPI, is made of these."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

__all__ = [
    "AlignRequest",
    "CompareRequest",
    "DocumentText",
    "Health",
    "IndexInfo",
    "Indexes",
    "MatchRecord",
    "Matches",
    "Passage",
    "Problem",
    "SearchRequest",
    "Span",
    "Trace",
    "TraceRequest",
    "Unit",
]

Unit = Literal["code points", "utf-16", "bytes"]
Share = Annotated[float, Meta(gt=0, le=1)]
Length = Annotated[int, Meta(ge=1, le=1_000_000)]
Place = Annotated[int, Meta(ge=0, le=1 << 40)]
Text = Annotated[str, Meta(min_length=1)]


class _Request(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Fields that are no field of the request are refused, so that a slip is no default."""


class SearchRequest(_Request, frozen=True, kw_only=True):
    """Where does this passage stand again? Fields left out are as in the index and in ``PassageIndex.search``."""

    text: Text
    index: str | None = None
    threshold: Share = 0.6
    recall: Share = 0.99
    select: Literal["best", "longest", "document"] = "best"
    family: Literal["set", "multiset", "weighted"] | None = None
    tf: Literal["raw", "binary", "logarithmic", "squared"] | None = None
    idf: Literal["unary", "standard", "smooth", "probabilistic"] | None = None
    min_length: Length | None = None
    max_length: Length | None = None
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100
    cursor: str | None = None
    unit: Unit = "code points"


class AlignRequest(_Request, frozen=True, kw_only=True):
    """Which passages does this whole text share with documents of the index?"""

    text: Text
    index: str | None = None
    threshold: Share = 0.3
    min_length: Length | None = None
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100
    cursor: str | None = None
    unit: Unit = "code points"


class TraceRequest(_Request, frozen=True, kw_only=True):
    """Which words of this text stand in the collection, as they are or nearly so?"""

    text: Text
    index: str | None = None
    threshold: Share = 0.3
    min_length: Length = 8
    unit: Unit = "code points"


class Passage(_Request, frozen=True, kw_only=True):
    """A passage: a text, or a document of an index; the whole of it, or from ``start`` to ``end`` in code points."""

    text: str | None = None
    index: str | None = None
    document: str | None = None
    start: Place = 0
    end: Place | None = None


class CompareRequest(_Request, frozen=True, kw_only=True):
    """Two passages to compare word by word; positions are code points."""

    a: Passage
    b: Passage


class MatchRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A passage of a document that is similar to a passage of the text; the fields of the command line's lines."""

    query: str
    query_start: int
    query_end: int
    document: str
    start: int
    end: int
    similarity: float | None
    text: str
    estimate: float | None = None
    kind: str = "similar"
    containment: float | None = None
    metadata: dict[str, Any] = {}


class Matches(msgspec.Struct, frozen=True, kw_only=True):
    """Matches, the index and the generation that they were found in, and a cursor if there are more."""

    index: str
    generation: int
    matches: list[MatchRecord]
    total: int
    cursor: str | None = None


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """Words in a row that stand in documents: how rare they are, in nats, and how many."""

    start: int
    end: int
    evidence: float
    words: int
    documents: list[str]


class Trace(msgspec.Struct, frozen=True, kw_only=True):
    """The words of a text that stand in the collection, and the passages that they are in."""

    index: str
    spans: list[Span]
    matches: list[MatchRecord]


class DocumentText(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a document, in code points."""

    index: str
    document: str
    start: int
    end: int
    length: int
    text: str
    metadata: dict[str, Any]


class IndexInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What an index holds."""

    name: str
    documents: int
    generation: int
    scheme: str
    min_length: int


class Indexes(msgspec.Struct, frozen=True, kw_only=True):
    """The indexes that are served; the first is asked if a request names none."""

    indexes: list[IndexInfo]


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the service answers."""

    status: Literal["ok"] = "ok"


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why a request has no answer (RFC 9457)."""

    title: str
    status: int
    detail: str
    type: str = "about:blank"
