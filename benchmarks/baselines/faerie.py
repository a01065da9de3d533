"""Faerie's filter: every passage similar to a query, from the places of the query's tokens in the text.

Li, Deng, Feng, "Faerie: Efficient Filtering Algorithms for Approximate Dictionary-Based Entity Extraction" (SIGMOD
2011), with the query as the one entity ``e``, as the papers on text alignment use it. A passage ``s`` with a Jaccard
similarity of ``δ`` or more has ``δ·|e|`` to ``|e|/δ`` elements and shares ``(|e| + |s|)·δ/(1 + δ)`` with ``e``; so it
holds that many of the positions ``P`` at which tokens of ``e`` stand. Candidates are runs of ``P`` that are long enough
and whose passage is not too long. Binary shift and binary span find the runs without a look at each.

``|·|`` counts tokens for multisets and distinct tokens for sets. Either grows with the passage, which is what the
binary searches need.

``jitted_faerie`` is the same, compiled, for texts of real length. Its passages grow token by token, so it knows their
sizes without a search, and stops where binary span would.
"""

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from math import ceil, floor

import numpy as np
import numpy.typing as npt

from baselines.every_passage import SimilarPassage
from ibidem.arguments import FamilyName
from ibidem.kernels import kernel
from ibidem.rounding import EQUAL
from ibidem.similarity import jaccard

__all__ = ["faerie", "jitted_faerie"]


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


def jitted_faerie(
    T: npt.NDArray[np.uint32], e: npt.NDArray[np.uint32], delta: float, family: FamilyName = "multiset"
) -> npt.NDArray[np.int64]:
    """What ``faerie`` finds, without the similarities: int64 [M, 2], first token and the one after the last.

    Raises:
        ValueError: the family is neither ``"set"`` nor ``"multiset"``.
    """
    limits = _Faerie(T.tolist(), e.tolist(), delta, family)
    vocabulary, ids = np.unique(np.concatenate((e, T)), return_inverse=True)
    in_entity = np.bincount(ids[: len(e)], minlength=len(vocabulary))
    if family == "set":
        np.minimum(in_entity, 1, out=in_entity)
    sizes = np.array([limits.entity, limits.least, limits.most, family == "set"], np.int64)
    given = ids[len(e) :], in_entity, np.array(limits.P, np.int64), sizes, delta
    passages = np.empty((_fill_similar(*given, np.empty((0, 2), np.int64)), 2), np.int64)
    _fill_similar(*given, passages)
    return passages[np.lexsort((passages[:, 1], passages[:, 0]))]


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


@kernel
def _fill_similar(
    T: npt.NDArray[np.int64],
    in_entity: npt.NDArray[np.int64],
    P: npt.NDArray[np.int64],
    sizes: npt.NDArray[np.int64],
    delta: float,
    passages: npt.NDArray[np.int64],
) -> int:
    """Write the similar passages as far as ``passages`` [M, 2] has room, and say how many there are.

    ``T`` holds numbers below v, ``in_entity`` [v] how often each stands in the entity. ``sizes`` [4] are those of the
    entity and of the shortest and longest passage, and 1 if distinct tokens are counted.
    """
    least, most, distinct = sizes[1], sizes[2], sizes[3] == 1
    counts = np.zeros(in_entity.shape[0], np.int64)
    i = found = 0
    while i + least <= P.shape[0]:
        last = i + least - 1
        if _measure(T, P[i], P[last] + 1, distinct, counts) <= most:
            before = P[i - 1] if i else -1
            for start in range(P[i], before, -1):
                found = _grow(T, in_entity, (start, P[last] + 1), sizes, delta, counts, passages, found)
            i += 1
        else:  # binary shift: the next run that may be short enough
            low, high = i + 1, last
            while low < high:
                middle = (low + high) // 2
                if _measure(T, P[middle], P[last] + 1, distinct, counts) <= most:
                    high = middle
                else:
                    low = middle + 1
            i = low
    return found


@kernel
def _measure(T: npt.NDArray[np.int64], start: int, stop: int, distinct: bool, counts: npt.NDArray[np.int64]) -> int:
    """``|T[start:stop]|``; ``counts`` are zero before and after."""
    if not distinct:
        return stop - start
    size = 0
    for position in range(start, stop):
        size += counts[T[position]] == 0
        counts[T[position]] = 1
    for position in range(start, stop):
        counts[T[position]] = 0
    return size


@kernel
def _grow(
    T: npt.NDArray[np.int64],
    in_entity: npt.NDArray[np.int64],
    start_and_shortest: tuple[int, int],
    sizes: npt.NDArray[np.int64],
    delta: float,
    counts: npt.NDArray[np.int64],
    passages: npt.NDArray[np.int64],
    found: int,
) -> int:
    """Verify the passages that begin at ``start`` and reach the shortest stop; the new number of those found."""
    start, shortest = start_and_shortest
    entity, most, distinct = sizes[0], sizes[2], sizes[3] == 1
    size = held = common = 0
    stop = start
    while stop < T.shape[0]:
        token = T[stop]
        size += counts[token] == 0 or not distinct
        if size > most:
            break
        held += in_entity[token] > 0
        common += counts[token] < in_entity[token]
        counts[token] += 1
        stop += 1
        if stop < shortest or held < (entity + size) * delta / (1 + delta) * (1 - EQUAL):
            continue
        if common / (entity + size - common) >= delta * (1 - EQUAL):
            if found < passages.shape[0]:
                passages[found, 0], passages[found, 1] = start, stop
            found += 1
    for position in range(start, stop):
        counts[T[position]] = 0
    return found
