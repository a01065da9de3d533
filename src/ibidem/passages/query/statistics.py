"""Statistics of a search: how much it read, how much each filter left, and what was left out."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from ibidem.spans import Ignored


class SearchStatistics(msgspec.Struct, kw_only=True):
    """The work of one search, summed over all segments and all pieces of the query.

    Attributes:
        lists: posting lists of the query's keys.
        lists_read: lists that were read.
        lists_skipped: lists that were not read.
        postings: postings in all these lists.
        postings_read: postings that were looked at.
        starts_likely: candidate starts: those that all filters left. Which tokens of a query are looked up is chosen
            for all segments that a process has, so searchers that share the segments of an index may leave a few more
            or fewer than one process; the matches are the same.
        areas: areas of qualifying passages.
        matches: matches that were reported.
        passages: passages that were found, of which ``matches`` are reported. A search counts little beyond its limit
            unless it is to ``count_all``.
        threshold: the highest threshold at which a part of the query was searched. It is above the one that was asked
            for where that would have taken more than the budget.
        pieces: pieces of the query.
        pieces_left: pieces that were not searched, or not to the end.
        cut: whether passages were looked for in a part of the collection alone, since even those that are equal to the
            query are too many.
        seconds: time spent on each step, by its name.
        notes: what was left out, and what would find it.
        ignored: passages of the query that counted as absent, since they are similar to a text to ignore.
    """

    lists: int = 0
    lists_read: int = 0
    lists_skipped: int = 0
    postings: int = 0
    postings_read: int = 0
    starts_likely: int = 0
    areas: int = 0
    matches: int = 0
    passages: int = 0
    threshold: float = 0.0
    pieces: int = 0
    pieces_left: int = 0
    cut: bool = False
    seconds: dict[str, float] = msgspec.field(default_factory=dict)
    notes: tuple[str, ...] = ()
    ignored: tuple[Ignored, ...] = ()

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Add the time of a block to the step ``name``."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start
