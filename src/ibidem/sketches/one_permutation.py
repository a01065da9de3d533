"""One permutation hashing: one function, whose range is divided into k bins that each keep their smallest value.

After Li, Owen and Zhang (NIPS 2012) and, for passages, Peng, Zhang and Deng, "Near-duplicate text alignment with one
permutation hashing" (SIGMOD 2024). An element falls into the bin of its hash value. Two texts agree in a bin if both
have the same smallest value there; a bin in which a text has no element is empty. With ``N_mat`` bins that agree and
``N_emp`` bins that are empty in both, ``N_mat / (k - N_emp)`` estimates the Jaccard similarity without bias.

The elements of a text are the pairs ``(t, 1), (t, 2), ...`` of its tokens, as many as a token weighs: one for a set,
its frequency for a multiset, and for other weights as many as it holds whole *units*. A pair of a higher frequency may
fall into any bin, so a token has active values of its own in each of several bins.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.hashing import GOLDEN, mix64, spread
from ibidem.kernels import kernel
from ibidem.weights import Weighting

EMPTY_KEY = 0xFFFFFFFF
"""The key of an empty bin; no hash value has it."""

UNIT = 1 << 32
"""The score of a bin that agrees. One that is empty in both texts counts the threshold's share of it."""


class BinValues(NamedTuple):
    """The active hash values of the tokens 0 to V-1, token after token, and for each token bin after bin.

    A *run* is what one token has in one bin; those of a token are in the order of their first frequencies.

    Attributes:
        bounds: int64 [V + 1], the runs of token ``t`` are ``bounds[t]`` to ``bounds[t + 1]``.
        bins: int32 [R], the bin of each run.
        values: int64 [R + 1], the values of run ``r`` are ``values[r]`` to ``values[r + 1]``.
        x: int32 [A], the frequency from which a value holds, ascending within a run.
        rank: uint64 [A], the order of the hash values, descending within a run.
        key: uint32 [A], the identity that must agree; never ``EMPTY_KEY``.
    """

    bounds: npt.NDArray[np.int64]
    bins: npt.NDArray[np.int32]
    values: npt.NDArray[np.int64]
    x: npt.NDArray[np.int32]
    rank: npt.NDArray[np.uint64]
    key: npt.NDArray[np.uint32]


def bin_values(
    weighting: Weighting,
    tokens: npt.NDArray[np.uint32],
    frequencies: npt.NDArray[np.int32],
    seed: np.uint64,
    bins: int,
    units: int = 1,
) -> BinValues:
    """The active values in each of ``bins`` of distinct ``tokens`` [V] up to their ``frequencies`` [V].

    A token of weight ``w`` has ``floor(w * units)`` elements.
    """
    tf = weighting.tf_table(int(frequencies.max(initial=1))) * units
    idf = np.ascontiguousarray(weighting.idf_of(tokens), np.float64)
    return BinValues(*_bin_values(tokens, frequencies, seed, np.uint64(bins), tf, idf))


def sketch(
    weighting: Weighting, tokens: npt.NDArray[np.uint32], seed: np.uint64, bins: int, units: int = 1
) -> npt.NDArray[np.int64]:
    """The key of the smallest value of a text in each bin, int64 [bins]; ``EMPTY_KEY`` where it has none.

    ``tokens`` uint32 [n] are the text's tokens in any order.
    """
    vocabulary, counts = np.unique(tokens, return_counts=True)
    values = bin_values(weighting, vocabulary, counts.astype(np.int32), seed, bins, units)
    lowest = values.values[1:] - 1  # the last value of a run is its smallest
    keys = np.full(bins, EMPTY_KEY, np.int64)
    order = np.argsort(values.rank[lowest], kind="stable")[::-1]
    keys[values.bins[order]] = values.key[lowest[order]]
    return keys


def estimate(a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]) -> float:
    """Estimate the similarity of two sketches: ``N_mat / (k - N_emp)``; 0 if all bins are empty in both.

    >>> estimate(np.array([3, 5, EMPTY_KEY, EMPTY_KEY]), np.array([3, 6, EMPTY_KEY, 9]))
    0.3333333333333333
    """
    agree = a == b
    empty = agree & (a == EMPTY_KEY)
    occupied = len(a) - np.count_nonzero(empty)
    return float((np.count_nonzero(agree) - np.count_nonzero(empty)) / occupied) if occupied else 0.0


@kernel
def _bin_values(
    tokens: npt.NDArray[np.uint32],
    frequencies: npt.NDArray[np.int32],
    seed: np.uint64,
    bins: np.uint64,
    tf: npt.NDArray[np.float64],
    idf: npt.NDArray[np.float64],
) -> tuple[
    npt.NDArray[np.int64],
    npt.NDArray[np.int32],
    npt.NDArray[np.int64],
    npt.NDArray[np.int32],
    npt.NDArray[np.uint64],
    npt.NDArray[np.uint32],
]:
    """The columns of ``BinValues``; ``tf`` is scaled to units."""
    bounds = np.zeros(tokens.shape[0] + 1, np.int64)
    found, written = _make_room(np.full(np.int64(bins), -1, np.int64), 1024), _make_columns(2 * tokens.shape[0] + 16)
    runs, end = 0, 0
    for t in range(tokens.shape[0]):
        base, reached = spread(tokens[t], seed), _Reached(1, np.int64(0), 0)
        while True:
            reached = _find_values(base, frequencies[t], tf, idf[t], bins, found, reached)
            if reached.frequency > frequencies[t]:
                break
            found = _double_room(found)
        while end + reached.number > written.x.shape[0]:
            written = _double_columns(written)
        runs, end = _write_runs(found, reached.number, written, runs, end)
        bounds[t + 1] = runs
    written.values[runs] = end
    rank = written.rank[:end].copy()
    key = np.minimum(rank & np.uint64(0xFFFFFFFF), np.uint64(0xFFFFFFFE)).astype(np.uint32)
    return bounds, written.bins[:runs].copy(), written.values[: runs + 1].copy(), written.x[:end].copy(), rank, key


class _Found(NamedTuple):
    """The values of one token in order of frequency.

    Attributes:
        latest: int64 [bins], the last one of each bin, or -1.
        earlier: int64 [S], the one before each in its bin, or -1.
        x, rank, bin: int64, uint64, int64 [S], as in ``BinValues``.
    """

    latest: npt.NDArray[np.int64]
    earlier: npt.NDArray[np.int64]
    x: npt.NDArray[np.int64]
    rank: npt.NDArray[np.uint64]
    bin: npt.NDArray[np.int64]


class _Reached(NamedTuple):
    """How far the values of a token are found: the frequency and element to go on with, and how many there are."""

    frequency: int
    element: np.int64
    number: int


class _Columns(NamedTuple):
    """The columns of ``BinValues``, with room for more."""

    bins: npt.NDArray[np.int32]
    values: npt.NDArray[np.int64]
    x: npt.NDArray[np.int32]
    rank: npt.NDArray[np.uint64]


@kernel
def _make_room(latest: npt.NDArray[np.int64], size: int) -> _Found:
    integers = np.empty((3, size), np.int64)
    return _Found(latest, integers[0], integers[1], np.empty(size, np.uint64), integers[2])


@kernel
def _double_room(found: _Found) -> _Found:
    size = found.x.shape[0]
    more = _make_room(found.latest, 2 * size)
    more.earlier[:size], more.x[:size], more.rank[:size], more.bin[:size] = (
        found.earlier,
        found.x,
        found.rank,
        found.bin,
    )
    return more


@kernel
def _make_columns(size: int) -> _Columns:
    return _Columns(
        np.empty(size, np.int32), np.empty(size + 1, np.int64), np.empty(size, np.int32), np.empty(size, np.uint64)
    )


@kernel
def _double_columns(written: _Columns) -> _Columns:
    size = written.x.shape[0]
    more = _make_columns(2 * size)
    more.bins[:size], more.values[: size + 1] = written.bins, written.values
    more.x[:size], more.rank[:size] = written.x, written.rank
    return more


@kernel
def _find_values(
    base: np.uint64,
    most: int,
    tf: npt.NDArray[np.float64],
    idf: float,
    bins: np.uint64,
    found: _Found,
    reached: _Reached,
) -> _Reached:
    """Find the values of a token with frequencies up to ``most``, until there is no more room."""
    frequency, element, count = reached
    while frequency <= most:
        last = np.int64(np.floor(tf[frequency] * idf))
        while element < last:
            value = mix64(base + np.uint64(element + 1) * GOLDEN)
            place = np.int64(_high_product(value, bins))
            earlier = found.latest[place]
            if earlier < 0 or found.rank[earlier] > value:
                if earlier >= 0 and found.x[earlier] == frequency:
                    found.rank[earlier] = value
                elif count == found.x.shape[0]:
                    return _Reached(frequency, element, count)
                else:
                    found.x[count], found.rank[count], found.bin[count] = frequency, value, place
                    found.earlier[count], found.latest[place] = earlier, count
                    count += 1
            element += 1
        frequency += 1
    return _Reached(frequency, element, count)


@kernel
def _write_runs(found: _Found, count: int, written: _Columns, runs: int, end: int) -> tuple[int, int]:
    """Write the values of a token behind ``end`` others in ``runs`` runs, a run for each bin; return the new numbers.

    ``found.latest`` is -1 again for all bins then.
    """
    for number in range(count):
        place = found.bin[number]
        value = found.latest[place]
        if value < 0:
            continue  # the bin's values were written with its first
        found.latest[place] = -1
        written.bins[runs], written.values[runs] = place, end
        runs += 1
        size, earlier = 0, value
        while earlier >= 0:
            earlier = found.earlier[earlier]
            size += 1
        for behind in range(end + size - 1, end - 1, -1):
            written.x[behind], written.rank[behind] = found.x[value], found.rank[value]
            value = found.earlier[value]
        end += size
    return runs, end


@kernel
def _high_product(a: np.uint64, b: np.uint64) -> np.uint64:
    """The upper 64 bits of the product of ``a`` and ``b``, both uint64; ``b`` is below 2^32.

    It divides the range of ``a`` into ``b`` equal parts and says in which ``a`` lies.
    """
    low, high = a & np.uint64(0xFFFFFFFF), a >> np.uint64(32)
    return (high * b + ((low * b) >> np.uint64(32))) >> np.uint64(32)
