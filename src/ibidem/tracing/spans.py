"""The spans of outputs that documents of a collection hold, each with all of its sources, and the rates."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from ibidem.corpus.writing.tables import Kinds, make_table
from ibidem.counts import shorten
from ibidem.results.sequence import Results
from ibidem.spans import Match
from ibidem.tracing.rates import Amount, Rate, measure_rates

if TYPE_CHECKING:
    import pyarrow

_PRINTED_TEXT = 60

_COLUMNS_OF_SPANS: Kinds = {
    "output": str,
    "start": int,
    "end": int,
    "text": str,
    "similarity": float,
    "longest_run": int,
    "documents": int,
    "expected": float | None,
}
_COLUMNS_OF_SOURCES: Kinds = {
    "document": str,
    "source_start": int,
    "source_end": int,
    "source_similarity": float,
    "source_expected": float | None,
    "source_text": str,
    "source_metadata": dict[str, Any],
}

_WITHIN = 0.5
"""The part of a match that lies in a span whose source it is."""


class TracedSpan(msgspec.Struct, frozen=True, kw_only=True):
    """A passage of an output that also occurs in documents, word for word or nearly so.

    Attributes:
        output: id of the output.
        start, end: code points of the passage in the output.
        text: the passage.
        similarity: that of its most similar source.
        longest_run: the tokens in a row that it shares with a document, the longest; 0 if they are fewer than the
            shortest passage.
        documents: how many documents hold the passage: 1 is rare, thousands are boilerplate.
        expected: how many passages as similar chance gives in the output and one of its sources, the least of all;
            ``None`` if the span is a run of words that say too little for it.
        sources: the most similar passages of documents, best first, and at most as many as were asked for.
    """

    output: str
    start: int
    end: int
    text: str
    similarity: float
    longest_run: int
    documents: int
    expected: float | None
    sources: tuple[Match, ...]

    def __hash__(self) -> int:
        return hash((self.output, self.start, self.end))


class TracedOutput(msgspec.Struct, frozen=True, kw_only=True):
    """An output of a model: its spans in order, and how much of it they cover."""

    id: str
    spans: tuple[TracedSpan, ...]
    amount: Amount


class Trace(Results[TracedSpan]):
    """The spans of all outputs, in the order of the outputs and of the places in them.

    Attributes:
        outputs: each output with its spans, also one without any.
        rates: how much of the outputs is memorised, by each definition; see :class:`ibidem.Rate`.
    """

    value_type = TracedSpan

    def __init__(self, outputs: Iterable[TracedOutput] = (), *, verbatim: int, threshold: float) -> None:
        self.outputs, self._verbatim, self._threshold = tuple(outputs), verbatim, threshold
        super().__init__(span for output in self.outputs for span in output.spans)
        self.rates: list[Rate] = measure_rates([output.amount for output in self.outputs], verbatim, threshold)

    def to_arrow(self) -> "pyarrow.Table":
        """A table with a row for each span and source, the columns of the span before those of the source."""
        rows = [(span, source) for span in self for source in span.sources]
        columns = {name: [getattr(span, name) for span, _ in rows] for name in _COLUMNS_OF_SPANS}
        for name in ("document", "start", "end", "similarity", "expected", "text", "metadata"):
            columns[name if name == "document" else f"source_{name}"] = [getattr(source, name) for _, source in rows]
        return make_table({**_COLUMNS_OF_SPANS, **_COLUMNS_OF_SOURCES}, columns)

    def _line(self, value: TracedSpan) -> str:
        best = value.sources[0]
        sources = f"{best.document} and {value.documents - 1:,} more" if value.documents > 1 else best.document
        return f"{value.similarity:.3f}  {value.output}: {shorten(value.text, _PRINTED_TEXT)!r} from {sources}"

    def _with(self, values: Iterable[TracedSpan]) -> "Trace":
        chosen_spans = set(values)
        outputs = (
            TracedOutput(
                id=output.id, spans=tuple(span for span in output.spans if span in chosen_spans), amount=output.amount
            )
            for output in self.outputs
        )
        return Trace(outputs, verbatim=self._verbatim, threshold=self._threshold)


def group_matches(matches: Iterable[Match]) -> list[list[Match]]:
    """Group the matches of one text by the span that they are sources of; the first of a group is the longest.

    A match is a source of a longer one in which half of it lies or more.
    """
    groups: list[list[Match]] = []
    for match in sorted(matches, key=_by_length):
        for group in groups:
            if _overlap(match, group[0]) >= _WITHIN * (match.query_end - match.query_start):
                group.append(match)
                break
        else:
            groups.append([match])
    return groups


def best_sources(group: Sequence[Match]) -> list[Match]:
    """The matches of a span, most similar first."""
    return sorted(group, key=lambda match: (-match.similarity, *_by_length(match)))


def _by_length(match: Match) -> tuple[int, float, int, str, int]:
    length = match.query_end - match.query_start
    return -length, -match.similarity, match.query_start, match.document, match.start


def _overlap(a: Match, b: Match) -> int:
    return min(a.query_end, b.query_end) - max(a.query_start, b.query_start)
