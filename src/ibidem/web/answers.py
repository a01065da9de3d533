"""Answers. The OpenAPI description of the service is made from these types."""

from typing import Any, Literal

import msgspec

from ibidem.spans import Match


class MatchRecord(Match, frozen=True, kw_only=True):
    """A passage of a document that is similar to a passage of the text, with the fields that ``ibidem search`` writes.

    ``before`` and ``after`` are the context of the passage, if it was asked for. ``locator`` is its place in the
    original, such as "page 3, line 12", if that is known.
    """

    locator: str = ""
    before: str = ""
    after: str = ""


class Quotation(msgspec.Struct, frozen=True, kw_only=True):
    """Words of a document in quotation marks, and how many of them the other one has."""

    start: int
    end: int
    words: int
    quoted: int


class SharedWords(msgspec.Struct, frozen=True, kw_only=True):
    """How many words of one document another one has, by the names of the table ``document_pairs``.

    ``reading`` says so in a sentence.
    """

    identical_share: float
    similar_share: float
    words: int
    identical: int
    moved: int
    changed: int
    similar: int
    quoted: int
    absent: int
    reading: str
    quotations: list[Quotation] = []


class SharedDocument(msgspec.Struct, frozen=True, kw_only=True):
    """How many words the text that was sent (``a``) and a document (``b``) share."""

    document: str
    passages: int
    a: SharedWords
    b: SharedWords


class IgnoredPassage(msgspec.Struct, frozen=True, kw_only=True):
    """A passage of the text that was sent, and the similar passage of a text to ignore, given by its number from 0.

    ``document`` says in which of two texts that were aligned it is, "a" or "b".
    """

    document: str = ""
    start: int
    end: int
    text: int
    text_start: int
    text_end: int
    similarity: float


class Matches(msgspec.Struct, frozen=True, kw_only=True):
    """Matches, the index and the generation that they were found in, and a cursor if there are more.

    ``total`` counts the matches of all pages, and ``warnings`` say what was left out. ``shares`` are those of the
    documents of this page, if they were asked for. ``ignored`` are the passages that counted as absent.
    """

    index: str
    generation: int
    matches: list[MatchRecord]
    total: int
    cursor: str | None = None
    warnings: list[str] = []
    shares: list[SharedDocument] = []
    ignored: list[IgnoredPassage] = []


class AlignedPassage(msgspec.Struct, frozen=True, kw_only=True):
    """A passage of a text that was sent."""

    start: int
    end: int
    text: str


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """Words of two passages that differ, or that were moved."""

    kind: str
    a: str
    b: str


class AlignedPair(msgspec.Struct, frozen=True, kw_only=True):
    """Two passages that two texts share, and their differences."""

    a: AlignedPassage
    b: AlignedPassage
    similarity: float
    kind: str
    differences: list[Difference]


class AlignedTexts(msgspec.Struct, frozen=True, kw_only=True):
    """What two texts share: passages, words, and what counted as absent, of either text (``of``)."""

    pairs: list[AlignedPair]
    total: int
    a_shares: SharedWords
    b_shares: SharedWords
    ignored: list[IgnoredPassage]


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """Consecutive words that occur in documents: how many, and their rarity in nats (``evidence``)."""

    start: int
    end: int
    evidence: float
    words: int
    documents: list[str]


class Trace(msgspec.Struct, frozen=True, kw_only=True):
    """The words of a text that occur in the collection, and the passages that they are in."""

    index: str
    generation: int
    spans: list[Span]
    matches: list[MatchRecord]
    ignored: list[IgnoredPassage] = []


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


class ReuseInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The results of ``ibidem reuse`` for a collection."""

    name: str
    documents: int
    pairs: int
    passages: int
    clusters: int
    left_out: int


class EvalsInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The evals whose items are looked for: how many items, and the format that each file was recognized as."""

    items: int
    recognized: list[str]


class Indexes(msgspec.Struct, frozen=True, kw_only=True):
    """The indexes and findings that are served; the first index, or reuse, is asked if a request names none."""

    indexes: list[IndexInfo]
    reuse: list[ReuseInfo] = []
    evals: EvalsInfo | None = None


class Occurrence(msgspec.Struct, frozen=True, kw_only=True):
    """A place of a document that holds a part of an item; the columns of ``ibidem.find_contamination``."""

    document: str
    start: int
    end: int
    eval_key: str
    config: str
    split: str
    eval_instance_index: str
    part: str
    eval_start: int
    eval_end: int
    similarity: float
    containment: float
    evidence: float
    kind: str
    answer_found: bool
    is_correct: bool | None
    text: str
    eval_text: str


class Leaks(msgspec.Struct, frozen=True, kw_only=True):
    """The leaks in documents, the documents that hold one, and what is no leak, with the reason as its kind.

    ``total`` counts all leaks and ``total_left_out`` all else, also beyond the limit; ``tokens`` are running words.
    """

    leaks: list[Occurrence]
    left_out: list[Occurrence]
    contaminated: list[str]
    documents: int
    tokens: int
    total: int
    total_left_out: int


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """A change of an index that is waiting, running or done; ``detail`` describes the result or the error."""

    id: str
    kind: Literal["add", "remove"]
    index: str
    documents: int
    state: Literal["waiting", "running", "done", "failed"] = "waiting"
    detail: str = ""


class Tasks(msgspec.Struct, frozen=True, kw_only=True):
    """Tasks, and a cursor if there are more."""

    tasks: list[Task]
    total: int
    cursor: str | None = None


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the service answers."""

    status: Literal["ok"] = "ok"


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why a request has no answer (RFC 9457)."""

    title: str
    status: int
    detail: str
    type: str = "about:blank"
