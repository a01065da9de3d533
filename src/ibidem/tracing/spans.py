"""The spans of an output that documents of a collection hold, each with all of its sources."""

from collections.abc import Iterable, Sequence

import msgspec

from ibidem.spans import Match
from ibidem.tracing.rates import Amount

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
