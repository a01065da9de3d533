"""The contents of a report, as JSON: columns of all pairs, and a line for each comparison.

A browser reads the columns at once and a comparison when it is shown, so a report of ten thousand pairs opens as fast
as a short one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from ibidem.comparison import Comparer, Comparison, Side, Witness
from ibidem.comparison.tokenized import count_tokens, word_tokenizer
from ibidem.text import Tokenizer
from ibidem.text.json_values import replace_surrogates
from ibidem.web.report.clusters import FoundCluster, describe_cluster, order_clusters
from ibidem.web.report.findings import FoundPair, Source
from ibidem.web.report.shares import SharedDocuments, describe_shares
from ibidem.weights import DocumentFrequencies

_WORDS = 6
"""Words in each list of reasons."""

_LONGEST_WORD = 40

_LETTER = re.compile(r"[^\W_\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\U0010ffff]")
"""A letter of a script that has spaces between words."""

_PART_FOR_CLUSTERS = 3
"""One such part of the room is for clusters."""

_PART_FOR_DOCUMENT_PAIRS = 10
"""One such part of the room is for pairs of documents."""

_BYTES_OF_DOCUMENT_PAIR = 200
"""Of JSON, at most."""


class Privacy(NamedTuple):
    """Whether a report names documents, and whether it has their texts."""

    anonymous: bool = False
    texts: bool = True


class Content(NamedTuple):
    """The JSON of a report.

    Attributes:
        columns: of the pairs that are in the report.
        documents: name, length and date of each.
        clusters: as JSON, each with the number of its witnesses that were compared.
        comparisons: a line for each pair, then one for each witness of a cluster that was compared.
        left_out: pairs for which there was no room.
        clusters_left_out: clusters for which there was none.
        without_text: pairs of the report whose texts had no room.
        document_pairs: how many words documents share.
        ids: of the documents.
    """

    columns: dict[str, list[Any]]
    documents: list[dict[str, Any]]
    clusters: list[dict[str, Any]]
    comparisons: list[bytes]
    left_out: int
    clusters_left_out: int
    without_text: int
    document_pairs: list[dict[str, Any]]
    ids: list[str]


def make_content(
    pairs: Sequence[FoundPair],
    sources: Mapping[str, Source],
    tokenizer: Tokenizer,
    privacy: Privacy,
    most_bytes: int,
    clusters: Sequence[FoundCluster] = (),
    document_pairs: Sequence[SharedDocuments] = (),
) -> Content:
    """The content of a report: the most important pairs and clusters first, as many as ``most_bytes`` hold.

    Pairs are ordered by their evidence, if all have one, and else by about how much they share. A passage that was
    found at its own place is no pair. Clusters take a third of the room at most, pairs of documents a tenth.
    """
    pairs = [pair for pair in pairs if not _is_itself(pair)]
    has_evidence = all(pair.evidence is not None for pair in pairs)
    weigh = _evidence if has_evidence else _importance
    order = sorted(range(len(pairs)), key=lambda row: (-weigh(pairs[row]), row))
    sources = {name: _without_surrogates(source) for name, source in sources.items()}
    comparer = Comparer(
        tokenizer, _frequencies(pairs, sources, tokenizer), context=120, reasons=privacy.texts, most_words=_WORDS
    )
    builder = _Builder(sources, privacy, most_bytes)
    builder.add_document_pairs(document_pairs)
    builder.add_clusters(order_clusters(clusters), Comparer(tokenizer, context=0, reasons=False))
    for number, row in enumerate(order):
        witnesses = [_witness(pairs[row], side, sources) for side in (0, 1)]
        if not builder.add(pairs[row], comparer.compare(witnesses[0], witnesses[1], pairs[row].finding)):
            return builder.content(len(order) - number)
    return builder.content(0)


def _is_itself(pair: FoundPair) -> bool:
    """Return whether a passage was found at its own place, as in a search for the documents of the index itself."""
    return (pair.a, pair.a_start, pair.a_end) == (pair.b, pair.b_start, pair.b_end)


def _evidence(pair: FoundPair) -> float:
    return pair.evidence or 0.0


def _importance(pair: FoundPair) -> float:
    """About how many characters the two passages share."""
    length = (
        1 if pair.a_end is None or pair.b_end is None else max(pair.a_end - pair.a_start, pair.b_end - pair.b_start)
    )
    return (pair.similarity or 0.0) * length


def _without_surrogates(source: Source) -> Source:
    return source if source.text is None else source._replace(text=replace_surrogates(source.text))


def _frequencies(
    pairs: Sequence[FoundPair], sources: Mapping[str, Source], tokenizer: Tokenizer
) -> DocumentFrequencies:
    """How often each word occurs in all documents, or in the passages of those that are not known."""
    texts = [source.text for source in sources.values() if source.text is not None]
    return count_tokens([*texts, *_loose_passages(pairs, sources)], word_tokenizer(tokenizer))


def _loose_passages(pairs: Sequence[FoundPair], sources: Mapping[str, Source]) -> Iterator[str]:
    for pair in pairs:
        for name, passage in zip((pair.a, pair.b), pair.passages, strict=True):
            if passage and sources.get(name, Source()).text is None:
                yield replace_surrogates(passage)


def _witness(pair: FoundPair, side: int, sources: Mapping[str, Source]) -> Witness:
    name, start, end = (pair.a, pair.a_start, pair.a_end) if side == 0 else (pair.b, pair.b_start, pair.b_end)
    source = sources.get(name, Source())
    passage = replace_surrogates(pair.passages[side] or "")
    if end is None:
        end = start + len(passage) if source.text is None else len(source.text)
    source.require_passage(name, end)
    if source.text is not None:
        start, end = snap_to_words(source.text, start, end)
    return Witness(replace_surrogates(name), start, end, source.text, passage, source.locators)


def snap_to_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a passage to whole words, which a passage of letters may cut; in scripts without spaces,
    it stays as it is.

    >>> snap_to_words("the curfew tolls", 6, 13)
    (4, 16)
    """
    first, last = max(0, start - _LONGEST_WORD), min(len(text), end + _LONGEST_WORD)
    while first < start < end and _is_inside(text, start):
        start -= 1
    while start < end < last and _is_inside(text, end):
        end += 1
    return start, end


def _is_inside(text: str, place: int) -> bool:
    """Return whether a place is inside of a word."""
    return all(_LETTER.match(sign) for sign in text[place - 1 : place + 1])


class _Builder:
    """Adds comparisons while there is room."""

    def __init__(self, sources: Mapping[str, Source], privacy: Privacy, most_bytes: int) -> None:
        self._sources, self._privacy, self._room = sources, privacy, most_bytes
        self._numbers: dict[str, int] = {}
        self._columns: dict[str, list[Any]] = {
            name: [] for name in ("a", "a_start", "a_end", "b", "b_start", "b_end", "similarity", "kind")
        }
        self._kinds = {"similar": 0, "summary": 1}
        self._lines: list[bytes] = []
        self._clusters: list[dict[str, Any]] = []
        self._cluster_lines: list[bytes] = []
        self._clusters_left_out = self._without_text = 0
        self._shared: Sequence[SharedDocuments] = ()

    def add_document_pairs(self, document_pairs: Sequence[SharedDocuments]) -> None:
        """Add pairs of documents, as many as a tenth of the room holds; their documents are numbered behind others."""
        self._shared = document_pairs[: self._room // _PART_FOR_DOCUMENT_PAIRS // _BYTES_OF_DOCUMENT_PAIR]
        self._room -= _BYTES_OF_DOCUMENT_PAIR * len(self._shared)

    def add_clusters(self, clusters: Sequence[FoundCluster], comparer: Comparer) -> None:
        """Add clusters while they take no more than a third of the room."""
        room = self._room // _PART_FOR_CLUSTERS
        for number, cluster in enumerate(clusters):
            description, comparisons = describe_cluster(
                cluster, self._sources, comparer, self._number, not self._privacy.anonymous
            )
            lines = [
                _encode(comparison if self._privacy.texts else _textless(comparison))
                for comparison in map(self._redact, comparisons)
            ]
            size = len(msgspec.json.encode(description)) + sum(map(len, lines))
            if size > room:
                self._clusters_left_out = len(clusters) - number
                return
            room -= size
            self._room -= size
            self._clusters.append(description)
            self._cluster_lines += lines

    def _redact(self, comparison: Comparison) -> Comparison:
        return _anonymous(comparison) if self._privacy.anonymous else comparison

    def add(self, pair: FoundPair, comparison: Comparison) -> bool:
        """Add a comparison, without its texts if they have no room; return whether there was room."""
        comparison = self._redact(comparison)
        full_line = _encode(comparison if self._privacy.texts else _textless(comparison))
        line = full_line if len(full_line) <= self._room else _encode(_textless(comparison))
        if len(line) > self._room:
            return False
        self._room -= len(line) + 60  # and its place in the columns
        self._without_text += line is not full_line
        self._lines.append(line)
        values = (
            self._number(pair.a),
            comparison.a.start,
            comparison.a.end,
            self._number(pair.b),
            comparison.b.start,
            comparison.b.end,
        )
        kind = self._kinds.setdefault(pair.label or comparison.kind, len(self._kinds))
        for column, value in zip(self._columns.values(), (*values, comparison.similarity, kind), strict=True):
            column.append(value)
        return True

    def content(self, left_out: int) -> Content:
        document_pairs = [describe_shares(shared, self._number) for shared in self._shared]
        columns: dict[str, Any] = {**self._columns, "kinds": list(self._kinds)}
        return Content(
            columns=columns,
            documents=[self._document(name) for name in self._numbers],
            clusters=self._clusters,
            comparisons=self._lines + self._cluster_lines,
            left_out=left_out,
            clusters_left_out=self._clusters_left_out,
            without_text=self._without_text,
            document_pairs=document_pairs,
            ids=list(self._numbers),
        )

    def _number(self, name: str) -> int:
        return self._numbers.setdefault(name, len(self._numbers))

    def _document(self, name: str) -> dict[str, Any]:
        source = self._sources.get(name, Source())
        return {
            "name": f"Document {self._numbers[name] + 1}" if self._privacy.anonymous else replace_surrogates(name),
            "length": None if source.text is None else len(source.text),
            "date": None if self._privacy.anonymous else source.date,
        }


def _encode(comparison: Comparison) -> bytes:
    return msgspec.json.encode(comparison).replace(b"<", b"\\u003c")


def _anonymous(comparison: Comparison) -> Comparison:
    def side(original: Side) -> Side:
        return msgspec.structs.replace(original, document="", metadata={}, locators=())

    return msgspec.structs.replace(comparison, a=side(comparison.a), b=side(comparison.b))


def _textless(comparison: Comparison) -> Comparison:
    def side(original: Side) -> Side:
        return msgspec.structs.replace(original, text="", before="", after="")

    return msgspec.structs.replace(comparison, a=side(comparison.a), b=side(comparison.b), reasons=None)
