"""The values that a report and an answer show: pairs of similar passages, clusters of them, and their documents."""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Self

from ibidem.comparison import Finding, Locators
from ibidem.comparison.shares import WordCounts
from ibidem.corpus.writing.rows_as_json import read_note
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
        about: what else the page says of the document: its ``author``, ``title`` and ``role``.
    """

    text: str | None = None
    date: str | None = None
    locators: Locators = Locators()
    about: Mapping[str, str] = MappingProxyType({})

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
    def is_itself(self) -> bool:
        """Whether a passage was found at its own place, as in a search for the documents of the index itself."""
        return (self.a, self.a_start, self.a_end) == (self.b, self.b_start, self.b_end)

    @property
    def importance(self) -> float:
        """About how many characters the two passages share."""
        ends = self.a_end, self.b_end
        if ends[0] is None or ends[1] is None:
            return self.similarity or 0.0
        return (self.similarity or 0.0) * max(ends[0] - self.a_start, ends[1] - self.b_start)

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


class FoundWitness(NamedTuple):
    """A passage of a cluster.

    Attributes:
        document: the id of the document.
        start, end: the passage in the document.
        text: the passage, where it is known without the document.
        date: of the document, as the reader is to see it.
        source: the id of the document that it was likely taken from.
    """

    document: str
    start: int
    end: int
    text: str | None = None
    date: str | None = None
    source: str | None = None


class FoundCluster(NamedTuple):
    """A cluster of matching passages.

    Attributes:
        name: its name.
        weakest: the similarity at which it would fall apart.
        witnesses: its passages.
        central: the place among them of the one that is most similar to the others.
        boilerplate: why it is no reuse, if it is none.
    """

    name: str
    weakest: float
    witnesses: Sequence[FoundWitness]
    central: int = 0
    boilerplate: str | None = None

    @property
    def documents(self) -> int:
        """How many documents hold it."""
        return len({witness.document for witness in self.witnesses})


class SharedDocuments(NamedTuple):
    """Two documents that share passages.

    Attributes:
        a, b: their ids.
        passages: how many pairs of passages they share.
        counts: of the words of either.
    """

    a: str
    b: str
    passages: int
    counts: tuple[WordCounts, WordCounts]

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> Self:
        """A row of the table ``document_pairs`` of ``ibidem reuse``."""
        a, b = (WordCounts(*(row.get(f"{side}_{name}", 0) for name in WordCounts._fields)) for side in "ab")
        return cls(row["a"], row["b"], row["passages"], (a, b))


class Findings(NamedTuple):
    """What was found.

    Attributes:
        pairs: pairs of passages.
        clusters: clusters of passages.
        document_pairs: how many words documents share, those of most evidence first.
        dates: of documents, by id.
        omitted: pairs that are not among ``pairs``, being those of least evidence.
        set_aside: how many pairs were left out, by reason.
        left_out: the first of these, as rows of the table of this name.
        words: the words of documents, by id.
        reused: the share of the words of documents that others have, by id.
        whole: two texts, to be compared from the first word to the last.
        settings: by which all was found.
        not_read: files and rows that were not read, and why; ``None`` if that is not known.
    """

    pairs: Sequence[FoundPair] = ()
    clusters: Sequence[FoundCluster] = ()
    document_pairs: Sequence[SharedDocuments] = ()
    dates: Mapping[str, str] = MappingProxyType({})
    omitted: int = 0
    set_aside: Mapping[str, int] = MappingProxyType({})
    left_out: Sequence[Mapping[str, Any]] = ()
    words: Mapping[str, int] = MappingProxyType({})
    reused: Mapping[str, float] = MappingProxyType({})
    whole: FoundPair | None = None
    settings: Mapping[str, Any] = MappingProxyType({})
    not_read: Sequence[tuple[str, str]] | None = None

    def join(self, other: Self) -> Self:
        """Join these findings and others."""
        known = [findings.not_read for findings in (self, other) if findings.not_read is not None]
        return type(self)(
            [*self.pairs, *other.pairs],
            [*self.clusters, *other.clusters],
            [*self.document_pairs, *other.document_pairs],
            {**self.dates, **other.dates},
            self.omitted + other.omitted,
            Counter(self.set_aside) + Counter(other.set_aside),
            [*self.left_out, *other.left_out],
            {**self.words, **other.words},
            {**self.reused, **other.reused},
            settings={**self.settings, **other.settings},
            not_read=[row for rows in known for row in rows] if known else None,
        )

    def order(self) -> Self:
        """The same, the most important first: pairs by their evidence, if all have one, else by about how much they
        share, without passages found at their own places; clusters by how many documents hold them, boilerplate last.
        """
        pairs = [pair for pair in self.pairs if not pair.is_itself]
        has_evidence = all(pair.evidence is not None for pair in pairs)
        pairs.sort(key=lambda pair: -((pair.evidence or 0.0) if has_evidence else pair.importance))
        clusters = sorted(
            self.clusters,
            key=lambda each: (each.boilerplate is not None, -each.documents, -len(each.witnesses), each.name),
        )
        return self._replace(pairs=pairs, clusters=clusters)

    @property
    def documents(self) -> set[str]:
        """The ids of all documents that are named."""
        names = {name for pair in self.pairs for name in (pair.a, pair.b)}
        names |= {name for shared in self.document_pairs for name in (shared.a, shared.b)}
        return names | {witness.document for cluster in self.clusters for witness in cluster.witnesses}


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
