"""Bands of weighted min-hashes over sliding windows, and the recall that they promise.

Give each token ``t`` of rate ``r(t)`` the value ``-ln(u(t)) / r(t)`` with ``u`` uniform in (0, 1). The values of a
set of tokens are exponential clocks, and the clock that rings first in the union of two sets is one of both with a
probability equal to their Jaccard similarity ``s`` by rates, the rates of what they share over those of what either
has. So two windows have the same first token under one function with probability ``s``, under the ``f`` functions of
a band with ``s^f``, and agree in at least one of ``b`` bands with ``1 - (1 - s^f)^b``: the S-curve of banding.

The rate of a token is its weight less a part of the mean, so that common words hardly ever come first: they are what
windows share by chance. Of windows that are similar by weights, some are less similar by rates and some more.
:func:`draw_similarities` draws such windows from the collection, and the recall is their mean.

A window that slides by one token keeps its first token nearly always, so the windows of one text come in *runs* of
equal values: about ``2 f / (w + 1)`` runs a token.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.hashing import function_seeds, spread
from ibidem.kernels import kernel
from ibidem.reuse.records.hashing import make_window_records

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]

MOST_FUNCTIONS = 8

_DISCOUNT, _LEAST_RATE = 0.7, 0.02
"""What the rate of a token is less than its weight, of which the mean is 1, and what it is at least."""

_DRAWN = 1_000
"""Windows that are drawn to see how similar they are by rates."""

HASHING_SECONDS = 2.0e-9
"""Of one thread, a token and hash function."""

GROUPING_SECONDS = 22e-9
"""Of one thread, a record: bringing those of one key together."""

VERIFYING_SECONDS = 100e-9
"""Of one thread, a pair of runs that agree by chance."""

_RUNS = 1.7
"""Runs of windows of one function, times the tokens of a window and one."""


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
    """The parameters by which windows are hashed.

    Attributes:
        bands: how many bands there are.
        functions: the hash functions of a band. Under none, all windows agree, so that none is missed.
        window: the tokens of a window.

    >>> bands = Bands(bands=16, functions=3, window=32)
    >>> round(bands.recall(0.65), 3), round(bands.recall(0.3), 3)
    (0.994, 0.355)
    """

    bands: int
    functions: int
    window: int

    def recall(self, similarities: float | _Floats) -> float:
        """The probability that two windows of this similarity by rates agree in a band; of several, the mean."""
        return _find_recall(self.bands, _miss_by_log(similarities, self.functions))

    @classmethod
    def exact(cls, window: int) -> "Bands":
        """One band in which all windows agree."""
        return cls(1, 0, window)

    @classmethod
    def for_recall(cls, recall: float, similarities: float | _Floats, functions: int, window: int) -> "Bands":
        """The fewest bands of so many functions that find windows of these similarities with this probability.

        >>> Bands.for_recall(0.99, 0.65, 3, 32)
        Bands(bands=15, functions=3, window=32)
        """
        missed = _miss_by_log(similarities, functions)
        too_few, bands = 0, 1
        while _find_recall(bands, missed) < recall:
            too_few, bands = bands, 2 * bands
        while bands - too_few > 1:
            fewer = (too_few + bands) // 2
            if _find_recall(fewer, missed) < recall:
                too_few = fewer
            else:
                bands = fewer
        return cls(bands, functions, window)


def _miss_by_log(similarities: float | _Floats, functions: int) -> _Floats:
    """The logarithm of the probability that windows of these similarities do not agree in one band."""
    with np.errstate(divide="ignore"):  # of equal windows the logarithm is infinite
        missed: _Floats = np.log1p(-(np.asarray(similarities) ** functions))
    return missed


def _find_recall(bands: int, missed: _Floats) -> float:
    """The mean probability that windows agree in one of so many bands."""
    return float(np.mean(-np.expm1(bands * missed)))


def choose_bands(sample: Sample, positions: int, recall: float, similarity: float, window: int) -> Bands:
    """The bands that keep the promise with the least work, for a collection of ``positions`` tokens.

    The promise is that two windows of this ``similarity`` by weights agree in a band with a probability of ``recall``.
    With more functions in a band, fewer pairs of runs agree by chance, but more bands are needed. The pairs that agree
    by chance are counted in a sample of the collection: their number depends on the frequencies of words, and on how
    words of a text keep together.
    """
    similarities = draw_similarities(sample, similarity, window)
    best_bands, least_cost = Bands.for_recall(recall, similarities, 1, window), math.inf
    for functions in range(1, MOST_FUNCTIONS + 1):
        bands = Bands.for_recall(recall, similarities, functions, window)
        if _estimate_hashing(bands, positions) >= least_cost:
            continue  # whatever agrees by chance
        cost = estimate_cost(bands, sample, positions)
        if cost < least_cost:
            best_bands, least_cost = bands, cost
    return best_bands


def draw_similarities(sample: Sample, similarity: float, window: int) -> _Floats:
    """How similar windows are by rates that are similar by this much by weights, float64 [n].

    Tokens of windows of the sample are replaced by others of the sample, in any order, while the similarity by weights
    is not less than ``similarity``. That it is a little more is made up for in proportion.
    """
    size, random = min(window, len(sample.tokens)), np.random.default_rng(0).random
    starts = (random((_DRAWN, 1)) * (len(sample.tokens) - size + 1)).astype(np.int64)
    windows = np.sort(sample.tokens[starts + np.arange(size)], axis=1) if size else np.empty((0, 0), np.int32)
    windows = windows[(sample.weights[windows] > 0).any(axis=1)]
    if not len(windows):
        return np.array([similarity])
    is_first = np.diff(windows, axis=1, prepend=-1) > 0
    others = sample.tokens[(random(windows.shape) * len(sample.tokens)).astype(np.int64)]
    order = np.argsort(random(windows.shape), axis=1)

    def compare(weights: _Floats) -> _Floats:
        """The similarity before and after each replacement [n, size + 1]."""
        lost, gained = (
            np.cumsum(np.take_along_axis(is_first * weights[tokens], order, axis=1), axis=1)
            for tokens in (windows, others)
        )
        similarities = (lost[:, -1:] - lost) / (lost[:, -1:] + gained)
        return np.concatenate([np.ones((len(windows), 1)), similarities], axis=1)

    by_weights, by_rates = compare(sample.weights), compare(rate_tokens(sample.weights))
    last = np.count_nonzero(by_weights >= similarity, axis=1, keepdims=True) - 1
    excess = np.take_along_axis(by_weights, last, axis=1) / similarity
    return (np.take_along_axis(by_rates, last, axis=1) / excess)[:, 0].clip(0, 1)


def estimate_cost(bands: Bands, sample: Sample, positions: int) -> float:
    """Estimate the seconds of one thread that all bands take."""
    pairs = count_agreeing_pairs(sample, bands) * (positions / max(len(sample.tokens), 1)) ** 2
    return _estimate_hashing(bands, positions) + bands.bands * VERIFYING_SECONDS * pairs


def _estimate_hashing(bands: Bands, positions: int) -> float:
    """Estimate the seconds until the records of all bands are grouped."""
    hashing = bands.functions * HASHING_SECONDS * positions
    return bands.bands * (hashing + GROUPING_SECONDS * estimate_records(bands, positions))


def estimate_records(bands: Bands, positions: int) -> float:
    """About how many records a band has of so many tokens."""
    return min(1.0, _RUNS * bands.functions / (bands.window + 1)) * positions


def count_agreeing_pairs(sample: Sample, bands: Bands) -> int:
    """Return how many pairs of runs of different pieces of a sample agree in one band."""
    ranks = rank_tokens(sample.vocabulary, rate_tokens(sample.weights), function_seeds(0, bands.functions))
    records = make_window_records(sample.tokens, sample.bounds, ranks, bands.window, 0, len(sample.tokens))
    pieces = np.searchsorted(sample.bounds, records.starts, side="right")
    _, keys = np.unique(records.keys, return_inverse=True)
    return _count_pairs(keys) - _count_pairs(keys * len(sample.bounds) + pieces)


def _count_pairs(labels: _Ints) -> int:
    """Return how many pairs have the same label."""
    sizes = np.unique(labels, return_counts=True)[1]
    return int((sizes * (sizes - 1) // 2).sum())


def rate_tokens(weights: _Floats) -> _Floats:
    """The rates of tokens, float64 [V], from their ``weights`` [V], of which the mean is 1 over running tokens."""
    return np.where(weights > 0, np.maximum(weights - _DISCOUNT, _LEAST_RATE), 0.0)


def rank_tokens(vocabulary: npt.NDArray[np.uint32], rates: _Floats, seeds: npt.NDArray[np.uint64]) -> _Ids:
    """The place of every token in the order of its values under each function, int32 [f, V].

    A place is V for a token of rate 0, whose clock never rings.
    """
    ranks = np.empty((len(seeds), len(vocabulary)), np.int32)
    for row, seed in enumerate(seeds):
        ranks[row, _order_stably(_draw_clocks(vocabulary, rates, seed))] = np.arange(len(vocabulary), dtype=np.int32)
    ranks[:, rates <= 0] = len(vocabulary)
    return ranks


def _order_stably(clocks: _Floats) -> _Ints:
    """Return the order of ``clocks`` [V]; equal ones, which hardly ever occur, are in the order of their places.

    Infinite ones are last, in any order. A sort that is not stable takes half the time.
    """
    order = np.argsort(clocks)
    sorted_clocks = clocks[order]
    if (np.isfinite(sorted_clocks[1:]) & (sorted_clocks[1:] == sorted_clocks[:-1])).any():
        order = np.argsort(clocks, kind="stable")
    return order


@kernel
def _draw_clocks(vocabulary: npt.NDArray[np.uint32], rates: _Floats, seed: np.uint64) -> _Floats:
    """``-ln(u(t)) / r(t)`` float64 [V]; infinite for a token of rate 0."""
    values = np.empty(rates.shape[0])
    for t in range(rates.shape[0]):
        uniform = (np.float64(spread(vocabulary[t], seed) >> np.uint64(11)) + 0.5) * 2.0**-53
        values[t] = -math.log(uniform) / rates[t] if rates[t] > 0.0 else np.inf
    return values
