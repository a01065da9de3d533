"""Which documents of a collection hold passages of a text: those that are worth an alignment.

A *cell* is ``w`` tokens, one after the other. A *window* is two neighbouring cells of the text, a *place* two of the
collection. A place holds a token by chance with a probability ``p`` that follows from how often the token stands in
the collection. If both have parts of passages of similarity ``θ``, then it holds a token of the window with
``q = θ / (1 + θ)``: two passages of equal weight share ``2θ / (1 + θ)`` of theirs, and of a window they fill half at
least. The *evidence* of a place is the logarithm of the likelihood ratio::

    Σ ln(q / p) over the window's distinct tokens that it holds + Σ ln((1 - q) / (1 - p)) over those that it lacks

The order of tokens plays no part in it, and tokens with ``p ≥ q``, which tell nothing, are not looked up. A likelihood
ratio exceeds ``x`` by chance with a probability of at most ``1 / x`` (Markov's inequality). So among ``N`` pairs of a
window and a place, ``ln(10 N)`` nats are reached by chance in one text of ten; a document with a place beyond that is
a source. Words of one subject stand together more often than chance has it, which gives sources too many. So an
alignment begins with these places: a document without similar windows around any of them is no source
(:mod:`ibidem.alignment.against_index`).
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.evidence import tell_presence
from ibidem.alignment.sources.places import BITS, QueryCells, compare_places, list_cells, list_query_cells
from ibidem.store import Segment

__all__ = ["Apply", "Source", "likely_sources"]

Apply = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
"""Applies a function to each item and gives the results in order: ``map``, or the same in threads."""

_SURPRISE = math.log(10)
"""Nats that are asked for beyond the logarithm of the number of pairs, as of an alignment."""

_UNITS = 1 << 12
"""Parts of a nat: in whole numbers, sums are exact."""

_ENOUGH = 1 << 16
"""Tokens. Fewer do not tell how common a word is: in a smaller collection it passes for as rare as in this many."""

_TASK = 4
"""Stretches that are compared together: some milliseconds of work for a text of book length."""

_Ints = npt.NDArray[np.int32]
_Longs = npt.NDArray[np.int64]


class Source(NamedTuple):
    """A document that may share passages with a text.

    Attributes:
        segment, row: where it stands in the index.
        evidence: that of its best place, in nats.
        places: int64 [P, 2], the places that have enough evidence, the best first: the first token of the window of the
            text, and that of the place in the segment.
    """

    segment: Segment
    row: int
    evidence: float
    places: _Longs


def likely_sources(
    tokens: npt.NDArray[np.uint32], segments: Sequence[Segment], threshold: float, apply: Apply = map
) -> list[Source]:
    """The documents in the segments of an exact index that may share passages with the text ``tokens`` [n].

    They are in the order of the segments and their rows. Stretches of a segment are compared by ``apply``.
    """
    vocabulary, ids = np.unique(tokens, return_inverse=True)
    lists = [segment.list_bounds(0, vocabulary) for segment in segments]
    total = sum(segment.num_tokens for segment in segments)
    counts = sum((each[:, 1] - each[:, 0] for each in lists), np.zeros(len(vocabulary), np.int64))
    held, lacked = _weigh_tokens(counts, max(total, _ENOUGH), threshold)
    windows, places = _windows(len(ids)), max(total >> BITS, 1)
    needed = math.ceil(_UNITS * (_SURPRISE + math.log(windows) + math.log(places)))
    query = list_query_cells(ids, windows, held, lacked, needed)
    found = []
    for segment, bounds in zip(segments, lists, strict=True):
        of_places = _of_places(segment, bounds, query, held, apply)
        evidence = _of_documents(segment, of_places[0])
        for row in np.flatnonzero((evidence >= needed) & segment.alive).tolist():
            best = _best_places(of_places, *segment.token_bounds[row : row + 2].tolist())
            found.append(Source(segment, row, float(evidence[row]) / _UNITS, best))
    return found


def _best_places(of_places: _Ints, first: int, last: int) -> _Longs:
    """The ``places`` of a source with the tokens ``first`` to ``last``, half open, of its segment."""
    start = first >> BITS
    evidence, windows = of_places[:, start : ((last - 1) >> BITS) + 1]
    chosen = np.argsort(-evidence.astype(np.int64), kind="stable")[: np.count_nonzero(evidence >= 0)]
    return np.stack((windows[chosen], chosen + start), axis=1).astype(np.int64) << BITS


def _windows(length: int) -> int:
    """How many windows a text of ``length`` tokens has: each of its tokens but the last w begins, or lies in, one."""
    return max(1, (length - 1) >> BITS)


def _weigh_tokens(counts: npt.NDArray[np.int64], total: int, threshold: float) -> tuple[_Ints, _Ints]:
    """What tokens tell that stand ``counts`` [V] times among ``total``, in units, both int32 [V].

    First what a place that holds the token has more evidence than one that lacks it, then that of one that lacks it;
    both are 0 for a token that tells nothing.
    """
    held, lacked = tell_presence(-np.expm1(-np.maximum(counts, 1) * (2 << BITS) / total), threshold)
    return np.rint(held * _UNITS).astype(np.int32), np.rint(lacked * _UNITS).astype(np.int32)


def _of_places(segment: Segment, bounds: npt.NDArray[np.int64], query: QueryCells, held: _Ints, apply: Apply) -> _Ints:
    """The greatest evidence of each place of a segment, in units, and the window of the text that has it: [2, P].

    The evidence of places with less than ``query.needed`` is the least int32. ``bounds`` int64 [V, 2] are the posting
    lists of the text's tokens.
    """
    read = np.where(held[:, np.newaxis] > 0, bounds, 0)
    number = (segment.num_tokens >> BITS) + 1
    cells, first = list_cells(segment.starts_of(read), np.cumsum(read[:, 1] - read[:, 0]), number)
    best = np.full((2, number), np.iinfo(np.int32).min, np.int32)
    compare = partial(compare_places, query, held, cells, first, best)
    stretches = first.shape[1] - 1
    list(apply(lambda begin: compare(begin, min(begin + _TASK, stretches)), range(0, stretches, _TASK)))
    return best


def _of_documents(segment: Segment, of_places: _Ints) -> npt.NDArray[np.int64]:
    """The greatest evidence of the places in which each document has tokens, in units, int64 [D]."""
    bounds = segment.token_bounds
    evidence = np.full(segment.num_documents, np.iinfo(np.int32).min, np.int64)
    full = np.flatnonzero(bounds[1:] > bounds[:-1])
    if len(full):
        # A passage of w tokens lies in the place that begins in its first block, which is one of the document's.
        first, last = bounds[full] >> BITS, (bounds[full + 1] - 1) >> BITS
        ranges = np.stack((first, last + 1), axis=1).ravel()
        evidence[full] = np.maximum.reduceat(np.append(of_places, of_places[-1]), ranges)[::2]
    return evidence
