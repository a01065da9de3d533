"""Answers. The OpenAPI description of the service is made from these types."""

from typing import Any, Literal

import msgspec

from ibidem.spans import Ignored, Match


class MatchRecord(Match, frozen=True, kw_only=True):
    """A passage of a document that is similar to a passage of the text, with the fields that ``ibidem search`` writes.

    ``before`` and ``after`` are the context of the passage, if it was asked for. ``locator`` is its place in the
    original, such as "page 3, line 12", if that is known.
    """

    locator: str = ""
    before: str = ""
    after: str = ""


class Matches(msgspec.Struct, frozen=True, kw_only=True):
    """Matches, the index and the generation that they were found in.

    ``total`` counts those beyond the limit, too, and ``warnings`` say what was left out. ``shares``, if they were asked
    for, count the words that the text (a) and each document of these matches (b) share, as ``ibidem align --shares``
    writes them. ``ignored`` are the passages that counted as absent; a text to ignore is named by its number, from 0.
    """

    index: str
    generation: int
    matches: list[MatchRecord]
    total: int
    warnings: list[str] = []
    shares: list[dict[str, Any]] = []
    ignored: list[Ignored] = []


class AlignedTexts(msgspec.Struct, frozen=True, kw_only=True):
    """What two texts share, as ``ibidem align`` writes it: passages, counts of words; and what counted as absent."""

    pairs: list[dict[str, Any]]
    total: int
    shares: dict[str, Any]
    ignored: list[Ignored]


class DocumentText(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a document; ``locator`` is its place in the original, such as "pages 3 to 5", if that is known."""

    index: str
    document: str
    start: int
    end: int
    length: int
    text: str
    locator: str = ""
    metadata: dict[str, Any]


class IndexInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of an index."""

    name: str
    documents: int
    generation: int
    min_length: int
    family: str
    tf: str
    idf: str


class EvalsInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The evals whose items are looked for: how many items, and the format that each file was recognized as."""

    items: int
    recognized: list[str]


class Indexes(msgspec.Struct, frozen=True, kw_only=True):
    """The indexes and evals that are served; the first index is asked if a request names none."""

    indexes: list[IndexInfo]
    evals: EvalsInfo | None = None


class Leaks(msgspec.Struct, frozen=True, kw_only=True):
    """The leaks in documents, the documents that hold one, and what is no leak, with the reason as its kind.

    Leaks are rows with the columns of ``ibidem.find_contamination``. ``total`` counts all leaks and ``total_left_out``
    all else, also beyond the limit; ``tokens`` are running words.
    """

    leaks: list[dict[str, Any]]
    left_out: list[dict[str, Any]]
    contaminated: list[str]
    documents: int
    tokens: int
    total: int
    total_left_out: int


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the service answers."""

    status: Literal["ok"] = "ok"


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why a request has no answer (RFC 9457)."""

    title: str
    status: int
    detail: str
    type: str = "about:blank"
