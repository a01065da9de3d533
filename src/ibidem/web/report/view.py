"""What the page shows of findings: a view, which is read at once, and comparisons, each read when it is shown."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import msgspec
import numpy as np

import ibidem
from ibidem.comparison import Comparer, Comparison, Witness
from ibidem.comparison.tokenized import count_tokens, word_tokenizer
from ibidem.text import Texts, Tokenizer, TokenizerSpec, make_tokenizer
from ibidem.text.json_values import replace_surrogates
from ibidem.web.report.findings import Findings, FoundCluster, FoundPair, FoundWitness, SharedDocuments, Source
from ibidem.weights import DocumentFrequencies

_WORDS = 6
"""Words in each list of reasons."""

_COMPARED = 12
"""Witnesses of a cluster whose texts are shown; the others are named."""

_TITLE = 90
"""Characters of the words by which a cluster is known."""

_LONGEST_WORD = 40

_LETTER = re.compile(r"[^\W_\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\U0010ffff]")
"""A letter of a script that has spaces between words."""


class View(msgspec.Struct, kw_only=True, rename="camel"):
    """All that the page shows but comparisons and texts; documents are named by their numbers.

    Attributes:
        kind: the question, or ``"found"`` for results of a command.
        documents: name, words, date, role, and the share of the words that others have.
        columns: of pairs of passages, the most important first.
        document_pairs: how many words two documents share; ``rows`` are their pairs of passages.
        clusters: passages of one text, each with the number of its witnesses that are compared.
        set_aside, left_out: how many pairs were left out, by reason; the first of them.
        subtracted, not_subtracted: names of templates.
        summary, settings: numbers of the work, and the settings that held.
        reasons: why normalizations were chosen.
        not_read: files that were not read, and why; ``None`` if that is not known.
        whole: the number of the comparison of two texts from the first word to the last.
        notes: names of sentences that the page has, and the values in them.
        title, language, marks: of a report.
    """

    kind: str = "found"
    version: str = ibidem.__version__
    documents: list[dict[str, Any]] = []
    columns: dict[str, list[Any]] = {}
    document_pairs: list[dict[str, Any]] = []
    clusters: list[dict[str, Any]] = []
    set_aside: dict[str, int] = {}
    left_out: list[dict[str, Any]] = []
    subtracted: list[str] = []
    not_subtracted: list[str] = []
    summary: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    reasons: list[str] = []
    not_read: list[tuple[str, str]] | None = None
    whole: int | None = None
    notes: list[tuple[str, dict[str, Any]]] = []
    title: str | None = None
    language: str = "en"
    marks: list[tuple[int, int, str, str]] = []


class ComparisonsByNumber(Protocol):
    """The comparisons of a view: of all pairs of passages, then of the witnesses of clusters."""

    def __len__(self) -> int:
        """How many there are."""

    def __getitem__(self, number: int, /) -> Comparison:
        """One of them."""


class Comparisons:
    """Makes the comparisons of findings when they are asked for.

    Args:
        findings: in order.
        frequencies: how often each word occurs; without them it is counted in the documents of each pair.
    """

    def __init__(
        self,
        findings: Findings,
        sources: Mapping[str, Source],
        tokenizer: TokenizerSpec,
        frequencies: DocumentFrequencies | None = None,
    ) -> None:
        self._findings, self._sources = findings, sources
        self._of_pairs = Comparer(tokenizer, frequencies, context=120, most_words=_WORDS)
        self._of_clusters = Comparer(tokenizer, context=0, reasons=False)
        self._witnesses = [
            (cluster, row) for cluster in findings.clusters for row in order_witnesses(cluster)[:_COMPARED]
        ]

    def __len__(self) -> int:
        findings = self._findings
        return len(findings.pairs) + len(self._witnesses) + (findings.whole is not None)

    def __getitem__(self, number: int) -> Comparison:
        pairs = self._findings.pairs
        if number < len(pairs):
            return self._compare_pair(pairs[number])
        if number < len(pairs) + len(self._witnesses):
            return self._compare_witness(*self._witnesses[number - len(pairs)])
        if self._findings.whole is None or number >= len(self):
            raise IndexError(number)
        return self._compare_pair(self._findings.whole)

    def _compare_pair(self, pair: FoundPair) -> Comparison:
        a, b = (_witness_of_pair(pair, side, self._sources) for side in (0, 1))
        return self._of_pairs.compare(a, b, pair.finding)

    def _compare_witness(self, cluster: FoundCluster, row: int) -> Comparison:
        """A witness beside the central one, whose text a column of its own shows."""
        central, witness = (_witness(cluster.witnesses[at], self._sources) for at in (cluster.central, row))
        comparison = self._of_clusters.compare(central, witness)
        return msgspec.structs.replace(comparison, a=msgspec.structs.replace(comparison.a, text="", locators=()))


def make_view(
    findings: Findings, sources: Mapping[str, Source], documents: Sequence[str] = (), **facts: Any
) -> tuple[View, list[str]]:
    """The view of findings that are in order, and the ids of its documents.

    Args:
        documents: ids of documents that the view has, too, though nothing was found in them.
        facts: fields of the view.
    """
    numbers: dict[str, int] = {}
    clusters = [_describe_cluster(cluster, sources, numbers) for cluster in findings.clusters]
    columns = _list_columns(findings, sources, numbers)
    rows = _rows_of_pairs(columns)
    document_pairs = [_describe_pair(shared, numbers, rows) for shared in findings.document_pairs]
    for name in documents:
        _number(numbers, name)
    view = View(
        documents=[_describe_document(name, sources.get(name, Source()), findings) for name in numbers],
        columns=columns,
        document_pairs=document_pairs,
        clusters=clusters,
        set_aside=dict(sorted(findings.set_aside.items())),
        left_out=[_describe_left_out(row) for row in findings.left_out],
        whole=None if findings.whole is None else len(columns["a"]) + sum(each["compared"] for each in clusters),
        settings=dict(findings.settings),
        not_read=None if findings.not_read is None else list(findings.not_read),
        **facts,
    )
    if findings.omitted:
        view.notes.append(("report-more-pairs", {"n": findings.omitted}))
    return view, list(numbers)


def count_words(texts: Sequence[str]) -> list[int]:
    """The words of each text."""
    bounds = make_tokenizer("words").encode(Texts.from_strings(list(texts))).bounds
    return [int(count) for count in np.diff(bounds)]


def count_frequencies(findings: Findings, sources: Mapping[str, Source], tokenizer: Tokenizer) -> DocumentFrequencies:
    """How often each word occurs in all documents, or in the passages of those that are not known."""
    texts = [replace_surrogates(source.text) for source in sources.values() if source.text is not None]
    return count_tokens([*texts, *_loose_passages(findings.pairs, sources)], word_tokenizer(tokenizer))


class LongestRuns:
    """Collects the longest run of words that both passages of each pair have, while pairs are compared."""

    def __init__(self) -> None:
        self._runs: list[str] = []
        self._similarities: list[float | None] = []

    def add(self, comparison: Comparison) -> None:
        """Add the next pair."""
        same = (run for run in comparison.runs if run.kind in ("equal", "moved"))
        longest = max(same, key=lambda run: run.a_end - run.a_start, default=None)
        place = slice(0) if longest is None else slice(longest.a_start, longest.a_end)
        first = comparison.a.start
        self._runs.append(comparison.a.text[max(place.start or 0, first) - first : max(place.stop or 0, first) - first])
        self._similarities.append(comparison.similarity)

    def set_in(self, view: View) -> None:
        """Write into a view the words of the longest run of each pair of documents, and the similarities."""
        words = count_words(self._runs)
        view.columns["similarity"] = self._similarities
        for pair in view.document_pairs:
            pair["longest"] = max((words[row] for row in pair["rows"] if row < len(words)), default=0)


def order_witnesses(cluster: FoundCluster) -> list[int]:
    """The rows of the witnesses: the central one first, the others in the order of their dates and documents."""
    return sorted(range(len(cluster.witnesses)), key=lambda row: (row != cluster.central, row))


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


def _number(numbers: dict[str, int], name: str) -> int:
    return numbers.setdefault(name, len(numbers))


def _list_columns(findings: Findings, sources: Mapping[str, Source], numbers: dict[str, int]) -> dict[str, list[Any]]:
    kinds: dict[str, int] = {"similar": 0, "summary": 1}
    names = ("a", "a_start", "a_end", "b", "b_start", "b_end", "similarity", "kind")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for pair in findings.pairs:
        (a, *a_place), (b, *b_place) = (_place_of(pair, side, sources) for side in (0, 1))
        kind = kinds.setdefault(pair.label or pair.kind, len(kinds))
        values = (_number(numbers, a), *a_place, _number(numbers, b), *b_place, pair.similarity, kind)
        for column, value in zip(columns.values(), values, strict=True):
            column.append(value)
    return columns | {"kinds": list(kinds)}


def _place_of(pair: FoundPair, side: int, sources: Mapping[str, Source]) -> tuple[str, int, int]:
    """The document of one side and the passage in it, of whole words if its text is known.

    Raises:
        ValueError: the passage ends behind its document.
    """
    name, start, end = (pair.a, pair.a_start, pair.a_end) if side == 0 else (pair.b, pair.b_start, pair.b_end)
    source = sources.get(name, Source())
    if end is None:
        end = start + len(pair.passages[side] or "") if source.text is None else len(source.text)
    source.require_passage(name, end)
    return (name, start, end) if source.text is None else (name, *snap_to_words(source.text, start, end))


def _rows_of_pairs(columns: Mapping[str, list[Any]]) -> dict[frozenset[int], list[int]]:
    rows: dict[frozenset[int], list[int]] = {}
    for row, pair in enumerate(zip(columns["a"], columns["b"], strict=True)):
        rows.setdefault(frozenset(pair), []).append(row)
    return rows


def _describe_pair(
    shared: SharedDocuments, numbers: dict[str, int], rows: Mapping[frozenset[int], list[int]]
) -> dict[str, Any]:
    """Two documents: of all words of each, how many the other has."""
    a, b = (_number(numbers, name) for name in (shared.a, shared.b))
    counts = [
        {
            "words": each.words,
            "same": each.identical + each.moved,
            "changed": each.changed,
            "quoted": each.quoted,
            "absent": each.absent,
        }
        for each in shared.counts
    ]
    own_rows = rows.get(frozenset((a, b)), [])
    return {"a": a, "b": b, "passages": shared.passages, "counts": counts, "rows": own_rows, "longest": None}


def _describe_cluster(cluster: FoundCluster, sources: Mapping[str, Source], numbers: dict[str, int]) -> dict[str, Any]:
    order = order_witnesses(cluster)
    witnesses = [
        (
            _number(numbers, each.document),
            each.start,
            each.end,
            each.date,
            None if each.source is None else _number(numbers, each.source),
        )
        for each in (cluster.witnesses[row] for row in order)
    ]
    words = " ".join(_witness(cluster.witnesses[cluster.central], sources).own_text.split())
    return {
        "title": f"{words[:_TITLE].rpartition(' ')[0] or words[:_TITLE]} …" if len(words) > _TITLE else words,
        "weakest": cluster.weakest,
        "documents": cluster.documents,
        "boilerplate": cluster.boilerplate,
        "witnesses": witnesses,
        "compared": len(order[:_COMPARED]),
    }


def _describe_document(name: str, source: Source, findings: Findings) -> dict[str, Any]:
    return {
        "name": replace_surrogates(name),
        "words": findings.words.get(name),
        "date": source.date,
        "role": "text",
        "reused": findings.reused.get(name),
        **source.about,
    }


def _describe_left_out(row: Mapping[str, Any]) -> dict[str, Any]:
    named = {name: replace_surrogates(str(row[name] or "")) for name in ("reason", "a", "b")}
    text = replace_surrogates(row.get("a_text") or "")
    return named | {"a_start": row.get("a_start"), "a_text": text[:400]}


def _witness_of_pair(pair: FoundPair, side: int, sources: Mapping[str, Source]) -> Witness:
    name, start, end = _place_of(pair, side, sources)
    return _witness(FoundWitness(name, start, end, pair.passages[side]), sources)


def _witness(witness: FoundWitness, sources: Mapping[str, Source]) -> Witness:
    source = sources.get(witness.document, Source())
    source.require_passage(witness.document, witness.end)
    text = None if source.text is None else replace_surrogates(source.text)
    name, passage = replace_surrogates(witness.document), replace_surrogates(witness.text or "")
    return Witness(name, witness.start, witness.end, text, passage, source.locators)


def _loose_passages(pairs: Sequence[FoundPair], sources: Mapping[str, Source]) -> Iterator[str]:
    for pair in pairs:
        for name, passage in zip((pair.a, pair.b), pair.passages, strict=True):
            if passage and sources.get(name, Source()).text is None:
                yield replace_surrogates(passage)
