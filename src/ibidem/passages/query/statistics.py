"""What a search did: how much it read, and what each of its filters left."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

__all__ = ["Explanation"]


class Explanation(msgspec.Struct, kw_only=True):
    """The work of one search, over all segments and all pieces of the query.

    Attributes:
        lists: posting lists that hold a key of the query.
        lists_read: of these, read from one end to the other.
        lists_probed: looked up for the bins that the others had left.
        lists_skipped: not looked at.
        postings: postings in all these lists.
        postings_read: those that were looked at.
        score: collisions that a passage had to have to be looked at; an empty bin is a part of one.
        bins: bins of start positions in the segments; an exact search has none.
        bins_collided: those in which enough collisions are possible.
        starts_likely: starts in these that the filters on tokens left; of a search without verification, none.
        areas: areas of qualifying passages.
        matches: what was reported.
        seconds: time spent on each step, by its name.
    """

    lists: int = 0
    lists_read: int = 0
    lists_probed: int = 0
    lists_skipped: int = 0
    postings: int = 0
    postings_read: int = 0
    score: float = 0.0
    bins: int = 0
    bins_collided: int = 0
    starts_likely: int = 0
    areas: int = 0
    matches: int = 0
    seconds: dict[str, float] = msgspec.field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Add the time of a block to the step ``name``."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - started
