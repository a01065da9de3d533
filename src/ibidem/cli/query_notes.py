"""Notes on standard error about the queries of a search, summed up over many queries."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from ibidem.cli.command import one_line
from ibidem.cli.terminal import tell
from ibidem.counts import format_count

if TYPE_CHECKING:
    from ibidem import DocumentIndex, PassageIndex


class _Note(NamedTuple):
    """A warning, the first query that it concerns, and the number of such queries."""

    query: str
    message: str
    queries: int


class QueryNotes:
    """The warnings of queries, and the queries that found nothing."""

    def __init__(self) -> None:
        self.queries = 0
        self.without_match: list[str] = []
        self._notes: dict[str, _Note] = {}

    def count(self, query: str, matches: int) -> None:
        """Count a query that was searched."""
        self.queries += 1
        if not matches:
            self.without_match.append(query)

    def add(self, query: str, warning: object) -> None:
        """Keep a warning. Those that differ in numbers alone are summed up."""
        message = one_line(warning)
        key = re.sub(r"\d[\d.,]*", "0", message)
        first = self._notes.get(key, _Note(query, message, 0))
        self._notes[key] = first._replace(queries=first.queries + 1)

    def tell_warnings(self) -> None:
        """Say each warning in one line."""
        for note in self._notes.values():
            others = (
                f", and alike {format_count(note.queries - 1, 'more query', 'more queries')}"
                if note.queries > 1
                else ""
            )
            tell(f"ibidem: warning: {note.query}: {note.message}{others}")

    def tell_without_match(self, advice: str) -> None:
        """Say how many queries found nothing, and what would find more."""
        if not self.without_match:
            return
        first, number = self.without_match[0], len(self.without_match)
        who = first if self.queries == 1 else f"{number:,} of {self.queries:,} queries, the first {first}"
        tell(f"{who}: nothing found. {advice}")


@contextmanager
def sum_up() -> Iterator[QueryNotes]:
    """Collect the warnings of queries, and write them at the end, also if the search is interrupted."""
    notes = QueryNotes()
    try:
        yield notes
    finally:
        notes.tell_warnings()


def suggest_more(
    index: "PassageIndex | DocumentIndex",
    *,
    threshold: float | None,
    min_length: int | None = None,
    parts: bool | None,
    **_: Any,
) -> str:
    """Advice on how to find more in this index than a search with these options."""
    least = getattr(index.configuration, "threshold", 0.0)
    if threshold is None or threshold <= least:
        return f"More is found in an index that was made with a --threshold below {least:g}"
    lower = f"a --threshold below {threshold:g}"
    shortest = min_length or int(getattr(index.configuration, "min_length", 1))
    shorter = f" or a --min-length below {shortest:,}" if shortest > 1 else ""
    is_aligned = parts or not hasattr(index, "align")
    parts_advice = "" if is_aligned else "; what a part of a query shares, with --parts"
    return f"More is found with {lower}{shorter}{parts_advice}"
