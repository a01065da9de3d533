"""Bands of weighted min-hashes over sliding windows, and the recall that they promise.

Give each token ``t`` of weight ``w(t)`` the value ``-ln(u(t)) / w(t)`` with ``u`` uniform in (0, 1). The values of a
set of tokens are exponential clocks, and the clock that rings first in the union of two sets is one of both with a
probability equal to their weighted Jaccard similarity ``s``, the weight of what they share over that of what either
has. So two windows have the same first token under one function with probability ``s``, under the ``f`` functions of
a band with ``s^f``, and agree in at least one of ``b`` bands with ``1 - (1 - s^f)^b``: the S-curve of banding.

A window that slides by one token keeps its first token nearly always, so the windows of one text come in *runs* of
equal values: about ``2 f / (w + 1)`` runs a token.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.hashing import GOLDEN, function_seeds, mix64, spread

__all__ = [
    "Bands",
    "Records",
    "Sample",
    "agreeing_pairs",
    "choose_bands",
    "estimate_cost",
    "token_ranks",
    "window_records",
]

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]

MOST_FUNCTIONS = 8

_HASHING, _VERIFYING = 10.0, 100.0
"""What a function costs a token, and a pair of runs its verification, in nanoseconds, more or less."""


class Sample(NamedTuple):
    """Pieces from all over a collection.

    Attributes:
        tokens: int32 [n].
        bounds: int64 [P + 1], piece ``p`` is ``tokens[bounds[p] : bounds[p + 1]]``.
        vocabulary: uint32 [V], that of the collection, with its ``weights`` float64 [V].
    """

    tokens: _Ids
    bounds: _Ints
    vocabulary: npt.NDArray[np.uint32]
    weights: _Floats


class Bands(NamedTuple):
    """How windows are hashed.

    Attributes:
        bands: how many bands there are.
        functions: the hash functions of a band.
        window: the tokens of a window.

    >>> bands = Bands(bands=16, functions=3, window=32)
    >>> round(bands.recall(0.65), 3), round(bands.recall(0.3), 3)
    (0.994, 0.355)
    """

    bands: int
    functions: int
    window: int

    def recall(self, similarity: float) -> float:
        """The probability that two windows of this weighted similarity agree in a band."""
        return 1.0 - (1.0 - similarity**self.functions) ** self.bands

    @classmethod
    def for_recall(cls, recall: float, similarity: float, functions: int, window: int) -> "Bands":
        """The fewest bands of so many functions that find two windows of this similarity with this probability.

        >>> Bands.for_recall(0.99, 0.65, 3, 32)
        Bands(bands=15, functions=3, window=32)
        """
        agrees = similarity**functions
        return cls(1 if agrees >= recall else math.ceil(math.log1p(-recall) / math.log1p(-agrees)), functions, window)


def choose_bands(sample: Sample, positions: int, recall: float, similarity: float, window: int) -> Bands:
    """The bands that keep the promise with the least work, for a collection of ``positions`` tokens.

    The promise is that two windows of this ``similarity`` agree in a band with a probability of ``recall`` or more.
    More functions in a band leave fewer pairs of runs that agree by chance, and take more bands. How many do is counted
    in a sample of the collection: it follows from its frequencies, and from how words of a text keep together.
    """
    best, least = Bands.for_recall(recall, similarity, 1, window), math.inf
    for functions in range(1, MOST_FUNCTIONS + 1):
        bands = Bands.for_recall(recall, similarity, functions, window)
        if _hashing_cost(bands, positions) >= least:
            continue  # whatever agrees by chance
        cost = estimate_cost(bands, sample, positions)
        if cost < least:
            best, least = bands, cost
    return best


def estimate_cost(bands: Bands, sample: Sample, positions: int) -> float:
    """Nanoseconds that all bands take, more or less."""
    pairs = agreeing_pairs(sample, bands) * (positions / max(len(sample.tokens), 1)) ** 2
    return _hashing_cost(bands, positions) + bands.bands * _VERIFYING * pairs


def _hashing_cost(bands: Bands, positions: int) -> float:
    return bands.bands * bands.functions * _HASHING * positions


def agreeing_pairs(sample: Sample, bands: Bands) -> int:
    """How many pairs of runs of different pieces of a sample agree in one band."""
    ranks = token_ranks(sample.vocabulary, sample.weights, function_seeds(0, bands.functions))
    found = window_records(sample.tokens, sample.bounds, ranks, bands.window, 0, len(sample.tokens))
    pieces = np.searchsorted(sample.bounds, found.starts, side="right")
    _, keys = np.unique(found.keys, return_inverse=True)
    return _pairs(keys) - _pairs(keys * len(sample.bounds) + pieces)


def _pairs(labels: _Ints) -> int:
    """How many pairs have the same label."""
    sizes = np.unique(labels, return_counts=True)[1]
    return int((sizes * (sizes - 1) // 2).sum())


def token_ranks(vocabulary: npt.NDArray[np.uint32], weights: _Floats, seeds: npt.NDArray[np.uint64]) -> _Ids:
    """The place of every token in the order of its values under each function, int32 [V, f].

    A place is V for a token without weight, whose clock never rings.
    """
    ranks = np.empty((len(vocabulary), len(seeds)), np.int32)
    for column, seed in enumerate(seeds):
        order = np.argsort(_clocks(vocabulary, weights, seed), kind="stable")
        ranks[order, column] = np.arange(len(vocabulary), dtype=np.int32)
    ranks[weights <= 0] = len(vocabulary)
    return ranks


@kernel
def _clocks(vocabulary: npt.NDArray[np.uint32], weights: _Floats, seed: np.uint64) -> _Floats:
    """``-ln(u(t)) / w(t)`` float64 [V]; infinite for a token without weight."""
    values = np.empty(weights.shape[0])
    for t in range(weights.shape[0]):
        uniform = (np.float64(spread(vocabulary[t], seed) >> np.uint64(11)) + 0.5) * 2.0**-53
        values[t] = -math.log(uniform) / weights[t] if weights[t] > 0.0 else np.inf
    return values


class Records(NamedTuple):
    """Runs of windows that have the same values in a band.

    Attributes:
        keys: uint64 [R], a hash of the values.
        starts, ends: int64 [R], the windows that start at the tokens ``starts[r]`` to ``ends[r] - 1``.
    """

    keys: npt.NDArray[np.uint64]
    starts: _Ints
    ends: _Ints

    @classmethod
    def allocate(cls, room: int) -> "Records":
        """Room for so many records."""
        return cls(np.empty(room, np.uint64), np.empty(room, np.int64), np.empty(room, np.int64))

    @classmethod
    def concatenate(cls, parts: Sequence["Records"]) -> "Records":
        """All records of several parts."""
        keys, starts, ends = zip(cls.allocate(0), *parts, strict=True)
        return cls(np.concatenate(keys), np.concatenate(starts), np.concatenate(ends))

    def take(self, rows: _Ints | slice) -> "Records":
        """Some of the records, as a copy."""
        return Records(self.keys[rows].copy(), self.starts[rows].copy(), self.ends[rows].copy())


def window_records(tokens: _Ids, bounds: _Ints, ranks: _Ids, window: int, first: int, last: int) -> Records:
    """The runs of the windows that start at the tokens ``first`` to ``last - 1``.

    No window lies in two documents; one with fewer tokens than ``window`` is a window by itself. Windows without any
    weight are in no run. Which runs there are does not depend on how the starts are shared out, but for runs that are
    cut at ``first`` or ``last``.
    """
    records = Records.allocate(last - first)
    count = _window_records(tokens, bounds, ranks, window, np.array([first, last]), *records)
    return records.take(slice(count))


@kernel
def _window_records(
    tokens: _Ids,
    bounds: _Ints,
    ranks: _Ids,
    window: int,
    span: _Ints,
    keys: npt.NDArray[np.uint64],
    starts: _Ints,
    ends: _Ints,
) -> int:
    """Fill the columns of records, and return their number; ``span`` int64 [2] are the first start and the last.

    The minimum over a sliding window is that of a suffix of one block of ``window`` tokens and of a prefix of the next
    (van Herk 1992; Gil and Werman 1993).
    """
    functions, never = ranks.shape[1], ranks.shape[0]
    suffixes, prefix = np.empty((window, functions), np.int32), np.empty(functions, np.int32)
    current = np.empty(functions, np.int32)
    count = 0
    document = np.searchsorted(bounds, span[0], side="right") - 1
    while document < bounds.shape[0] - 1 and bounds[document] < span[1]:
        begin, end = bounds[document], bounds[document + 1]
        document += 1
        if begin == end:
            continue
        size = min(window, end - begin)
        lowest, highest = max(begin, span[0]), min(end - size + 1, span[1])
        current[:] = -1
        for block in range(lowest, highest, size):
            for x in range(functions):
                prefix[x] = never
                least = np.int32(never)
                for j in range(size - 1, -1, -1):
                    least = min(least, ranks[tokens[block + j], x])
                    suffixes[j, x] = least
            for j in range(min(size, highest - block)):
                changed = False
                for x in range(functions):
                    if j > 0:
                        prefix[x] = min(prefix[x], ranks[tokens[block + size + j - 1], x])
                    least = min(suffixes[j, x], prefix[x])
                    if least != current[x]:
                        current[x] = least
                        changed = True
                if current[0] == never:  # a token without weight never comes first
                    continue
                if changed:
                    key = np.uint64(0)
                    for x in range(functions):
                        key = mix64((key ^ np.uint64(current[x])) + GOLDEN)
                    keys[count], starts[count] = key, block + j
                    count += 1
                ends[count - 1] = block + j + 1
    return count
