"""Faerie's filter: every passage similar to a query, from the places of the query's tokens in the text.

Li, Deng, Feng, "Faerie: Efficient Filtering Algorithms for Approximate Dictionary-Based Entity Extraction" (SIGMOD
2011), with the query as the one entity ``e``, as the papers on text alignment use it. A passage ``s`` with a Jaccard
similarity of ``δ`` or more has ``δ·|e|`` to ``|e|/δ`` elements and shares ``(|e| + |s|)·δ/(1 + δ)`` with ``e``; so it
holds that many of the positions ``P`` at which tokens of ``e`` stand. Candidates are runs of ``P`` that are long enough
and whose passage is not too long. Binary shift and binary span find the runs without a look at each.

``|·|`` counts tokens for multisets and distinct tokens for sets. Either grows with the passage, which is what the
binary searches need.
"""

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from math import ceil, floor

from ibidem.baselines.every_passage import SimilarPassage
from ibidem.rounding import EQUAL
from ibidem.similarity import jaccard
from ibidem.weights import FamilyName

__all__ = ["faerie"]


def faerie(
    T: Sequence[Hashable], e: Sequence[Hashable], delta: float, family: FamilyName = "multiset"
) -> list[SimilarPassage]:
    """The passages of ``T`` whose similarity to ``e`` is at least ``delta``, by start, then by stop; none is missed.

    Raises:
        ValueError: the family is neither ``"set"`` nor ``"multiset"``.

    >>> [passage[:2] for passage in faerie("..ab.c..", "abc", 0.75)]
    [(2, 6)]
    """
    return sorted(_Faerie(T, e, delta, family).find())


class _Faerie:
    """The text, the entity, and what the lengths of both allow."""

    def __init__(self, T: Sequence[Hashable], e: Sequence[Hashable], delta: float, family: FamilyName) -> None:
        if family not in ("set", "multiset"):
            raise ValueError(f"Faerie's filter is for 'set' and 'multiset', not for {family!r}")
        self.T, self.e, self.delta, self.family = T, e, delta, family
        tokens = set(e)
        self.P = [i for i, t in enumerate(T) if t in tokens]
        self.entity = len(tokens) if family == "set" else len(e)
        self.least = max(1, ceil(delta * self.entity * (1 - EQUAL)))
        self.most = floor(self.entity / delta * (1 + EQUAL))

    def size(self, start: int, stop: int) -> int:
        """``|T[start:stop]|``."""
        return len(set(self.T[start:stop])) if self.family == "set" else stop - start

    def find(self) -> Iterator[SimilarPassage]:
        """Similar passages, those of one first position in ``P`` after those of another."""
        P, i = self.P, 0
        while i + self.least <= len(P):
            last = i + self.least - 1
            if self.size(P[i], P[last] + 1) <= self.most:
                yield from self._verify(i, last, self._span(i, last))
                i += 1
            else:
                i = self._shift(i, last)

    def _span(self, i: int, last: int) -> int:
        """The position of ``P`` from ``last`` on with which a passage from ``P[i]`` is too long, or the text's end."""
        P = self.P
        x = bisect_left(range(last, len(P)), True, key=lambda x: self.size(P[i], P[x] + 1) > self.most)
        return P[last + x] if last + x < len(P) else len(self.T)

    def _shift(self, i: int, last: int) -> int:
        """The next run that may be short enough: all between end at ``P[last]`` or later, and are too long."""
        starts = range(i + 1, last + 1)
        return starts[bisect_left(starts, True, key=lambda x: self.size(self.P[x], self.P[last] + 1) <= self.most)]

    def _verify(self, i: int, last: int, end: int) -> Iterator[SimilarPassage]:
        """Similar passages whose first position in ``P`` is the ``i``-th and that hold the ``last``-th."""
        P = self.P
        for start in range(P[i], P[i - 1] if i else -1, -1):
            held = last - i
            for stop in range(P[last] + 1, end + 1):
                held += i + held < len(P) and P[i + held] == stop - 1
                size = self.size(start, stop)
                if size > self.most:
                    break
                if held >= (self.entity + size) * self.delta / (1 + self.delta) * (1 - EQUAL):
                    similarity = jaccard(self.T[start:stop], self.e, self.family)
                    if similarity >= self.delta * (1 - EQUAL):
                        yield SimilarPassage(start, stop, similarity)
