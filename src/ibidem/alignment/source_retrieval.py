"""Which documents of a collection hold passages of a text: those that are worth an alignment.

A *window* is ``2w`` tokens of the text, a *place* is ``2w`` tokens of the collection, and one of either begins every
``w`` tokens. A place holds a token by chance with a probability ``p`` that follows from how often the token stands in
the collection. If both have parts of passages of similarity ``θ``, then it holds a token of the window with
``q = θ / (1 + θ)``: two passages of equal weight share ``2θ / (1 + θ)`` of theirs, and of a window they fill half at
least. The *evidence* of a place is the logarithm of the likelihood ratio::

    Σ ln(q / p) over the window's distinct tokens that it holds + Σ ln((1 - q) / (1 - p)) over those that it lacks

The order of tokens plays no part in it, and tokens with ``p ≥ q``, which tell nothing, are not looked up. A likelihood
ratio exceeds ``x`` by chance with a probability of at most ``1 / x`` (Markov's inequality). So among ``N`` pairs of a
window and a place, ``ln(10 N)`` nats are reached by chance in one text of ten; a document with a place beyond that is
a source. Words of one subject stand together more often than chance has it: this gives sources too many, and each of
them costs an alignment that finds nothing.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.alignment.evidence import tell_presence
from ibidem.store import Segment

__all__ = ["Source", "compare_places", "likely_sources"]

_BITS = 5
"""``w`` is 2^5 tokens, the longest window from which an alignment starts."""

_SURPRISE = math.log(10)
"""Nats that are asked for beyond the logarithm of the number of pairs, as of an alignment."""

_UNITS = 1 << 12
"""Parts of a nat: in whole numbers, sums are exact."""

_UNREAD = 0.75
"""Lists are left unread up to this part of the evidence that is needed. With more, more places are looked up in them;
with less, longer lists are read."""

_ENOUGH = 1 << 16
"""Tokens. Fewer do not tell how common a word is: in a smaller collection it passes for as rare as in this many."""

_Ints = npt.NDArray[np.int32]
_Longs = npt.NDArray[np.int64]


class Source(NamedTuple):
    """A document, as a row of a segment, and the evidence of its best place in nats."""

    segment: Segment
    row: int
    evidence: float


def likely_sources(tokens: npt.NDArray[np.uint32], segments: Sequence[Segment], threshold: float) -> list[Source]:
    """The documents in the segments of an exact index that may share passages with the text ``tokens`` [n].

    They are in the order of the segments and their rows.
    """
    vocabulary, ids = np.unique(tokens, return_inverse=True)
    lists = [segment.list_bounds(0, vocabulary) for segment in segments]
    total = sum(segment.num_tokens for segment in segments)
    counts = sum((each[:, 1] - each[:, 0] for each in lists), np.zeros(len(vocabulary), np.int64))
    held, lacked = _weigh_tokens(counts, max(total, _ENOUGH), threshold)
    windows, places = _windows(len(ids)), max(total >> _BITS, 1)
    needed = math.ceil(_UNITS * (_SURPRISE + math.log(windows) + math.log(places)))
    found = []
    for segment, bounds in zip(segments, lists, strict=True):
        evidence = _of_documents(segment, _of_places(segment, bounds, ids, held, lacked, needed))
        rows = np.flatnonzero((evidence >= needed) & segment.alive)
        found += [Source(segment, row, float(evidence[row]) / _UNITS) for row in rows.tolist()]
    return found


def _windows(length: int) -> int:
    """How many windows a text of ``length`` tokens has: each of its tokens but the last w begins, or lies in, one."""
    return max(1, (length - 1) >> _BITS)


def _weigh_tokens(counts: npt.NDArray[np.int64], total: int, threshold: float) -> tuple[_Ints, _Ints]:
    """What tokens tell that stand ``counts`` [V] times among ``total``, in units, both int32 [V].

    First what a place that holds the token has more evidence than one that lacks it, then that of one that lacks it;
    both are 0 for a token that tells nothing.
    """
    held, lacked = tell_presence(-np.expm1(-np.maximum(counts, 1) * (2 << _BITS) / total), threshold)
    return np.rint(held * _UNITS).astype(np.int32), np.rint(lacked * _UNITS).astype(np.int32)


def _of_places(
    segment: Segment, bounds: npt.NDArray[np.int64], ids: Any, held: _Ints, lacked: _Ints, needed: int
) -> _Ints:
    """The greatest evidence of each place of a segment, over all windows of the text ``ids`` [n], in units.

    That of places with less than ``needed`` units is the least int32. ``bounds`` int64 [V, 2] are the posting lists of
    the text's tokens.
    """
    read = np.where(held[:, np.newaxis] > 0, bounds, 0)
    places, ends = _places(segment.starts_of(read), np.cumsum(read[:, 1] - read[:, 0]))
    best = np.full((segment.num_tokens >> _BITS) + 1, np.iinfo(np.int32).min, np.int32)
    compare_places(ids, _windows(len(ids)), held, lacked, places, ends, needed, best)
    return best


def _of_documents(segment: Segment, of_places: _Ints) -> npt.NDArray[np.int64]:
    """The greatest evidence of the places in which each document has tokens, in units, int64 [D]."""
    bounds = segment.token_bounds
    evidence = np.full(segment.num_documents, np.iinfo(np.int32).min, np.int64)
    full = np.flatnonzero(bounds[1:] > bounds[:-1])
    if len(full):
        # A passage of w tokens lies in the place that begins in its first block, which is one of the document's.
        first, last = bounds[full] >> _BITS, (bounds[full + 1] - 1) >> _BITS
        ranges = np.stack((first, last + 1), axis=1).ravel()
        evidence[full] = np.maximum.reduceat(np.append(of_places, of_places[-1]), ranges)[::2]
    return evidence


@kernel
def _places(positions: npt.NDArray[np.uint32], ends: npt.NDArray[np.int64]) -> tuple[_Ints, npt.NDArray[np.int64]]:
    """The places that hold each token, ascending, int32, and where the list of each token ends, int64 [V].

    ``positions`` uint32 are where the tokens stand, those of each ascending, one token after the other, and ``ends``
    int64 [V] says where the positions of each end. Place ``k`` has the tokens of the blocks ``k`` and ``k + 1``.
    """
    places, bounds = np.empty(2 * positions.shape[0], np.int32), np.empty(ends.shape[0], np.int64)
    count, p = 0, np.int64(0)
    for token in range(ends.shape[0]):
        before = np.int64(-1)
        while p < ends[token]:
            block = np.int64(positions[p] >> np.uint32(_BITS))
            for place in range(max(before + 1, block - 1), block + 1):
                places[count] = place
                count += 1
            before = block
            p += 1
        bounds[token] = count
    return places[:count], bounds


@kernel
def compare_places(
    ids: _Longs, windows: int, held: _Ints, lacked: _Ints, places: _Ints, ends: _Longs, needed: int, best: _Ints
) -> None:
    """Raise ``best`` int32 to the evidence of each place where a window of the text ``ids`` int64 [n] gives more.

    Evidence less than ``needed`` is left out. ``held`` and ``lacked`` int32 [V] are what tokens tell; ``places`` and
    ``ends`` are those of ``_places``. The lists of the tokens that tell least are not read, as long as these cannot
    make up a part of what is needed; in them, only the places are looked up that the other tokens leave (a MaxScore
    search: Turtle and Flood, Query evaluation, IPM 31, 1995).
    """
    seen = np.full(held.shape[0], -1, np.int64)
    evidence, touched = np.zeros(best.shape[0], np.int32), np.empty(best.shape[0], np.int64)
    chosen = np.empty(2 << _BITS, np.int64)
    for window in range(windows):
        first = window << _BITS
        number, none = 0, 0
        for position in range(first, min(first + (2 << _BITS), ids.shape[0])):
            token = ids[position]
            if seen[token] == window or held[token] == 0:
                continue
            seen[token] = window
            none += lacked[token]
            number = _insert(chosen, number, token, held)
        read, unread = number, 0
        while read > 0 and unread + held[chosen[read - 1]] <= _UNREAD * (needed - none):
            read -= 1
            unread += held[chosen[read]]
        count = 0
        for x in range(read):
            token = chosen[x]
            for entry in range(ends[token - 1] if token else 0, ends[token]):
                place = places[entry]
                if evidence[place] == 0:
                    touched[count] = place
                    count += 1
                evidence[place] += held[token]
        for t in range(count):
            place, total, rest = touched[t], none + evidence[touched[t]], unread
            evidence[place] = 0
            for x in range(read, number):
                if total + rest < needed:
                    break
                token = chosen[x]
                rest -= held[token]
                if _stands_in(places, ends[token - 1] if token else 0, ends[token], place):
                    total += held[token]
            if total >= needed:
                best[place] = max(best[place], total)


@kernel
def _insert(chosen: _Longs, number: int, token: int, held: _Ints) -> int:
    """Insert ``token`` in the first ``number`` of ``chosen``, which are in the order of what they tell, most first."""
    x = number
    while x > 0 and held[chosen[x - 1]] < held[token]:
        chosen[x] = chosen[x - 1]
        x -= 1
    chosen[x] = token
    return number + 1


@kernel
def _stands_in(places: _Ints, first: int, last: int, place: int) -> bool:
    """Whether ``place`` is one of ``places[first:last]``, which ascend."""
    end = last
    while first < last:
        middle = (first + last) // 2
        if places[middle] < place:
            first = middle + 1
        else:
            last = middle
    return bool(first < end and places[first] == place)
