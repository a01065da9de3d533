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
    count = tokens.shape[0]
    bounds = np.zeros(count + 1, np.int64)
    room = 2 * count + 16
    run_bins, run_values = np.empty(room, np.int32), np.empty(room + 1, np.int64)
    x, rank = np.empty(room, np.int32), np.empty(room, np.uint64)
    # The values of one token in order of frequency; ``earlier`` leads from each to the one before it in its bin.
    latest, earlier = np.full(np.int64(bins), -1, np.int64), np.empty(1024, np.int64)
    found_x, found_rank, found_bin = np.empty(1024, np.int64), np.empty(1024, np.uint64), np.empty(1024, np.int64)
    runs, end = 0, 0
    for t in range(count):
        base = spread(tokens[t], seed)
        element, value_count = np.int64(0), 0
        for frequency in range(1, frequencies[t] + 1):
            last = np.int64(np.floor(tf[frequency] * idf[t]))
            while element < last:
                element += 1
                value = mix64(base + np.uint64(element) * GOLDEN)
                place = np.int64(_high_product(value, bins))
                earlier_value = latest[place]
                if earlier_value >= 0 and found_rank[earlier_value] <= value:
                    continue
                if earlier_value >= 0 and found_x[earlier_value] == frequency:
                    found_rank[earlier_value] = value
                    continue
                if value_count == earlier.shape[0]:
                    earlier = np.concatenate((earlier, np.empty(value_count, np.int64)))
                    found_x = np.concatenate((found_x, np.empty(value_count, np.int64)))
                    found_rank = np.concatenate((found_rank, np.empty(value_count, np.uint64)))
                    found_bin = np.concatenate((found_bin, np.empty(value_count, np.int64)))
                found_x[value_count], found_rank[value_count], found_bin[value_count] = frequency, value, place
                earlier[value_count], latest[place] = earlier_value, value_count
                value_count += 1
        while end + value_count > room:
            run_bins = np.concatenate((run_bins, np.empty(room, np.int32)))
            run_values = np.concatenate((run_values, np.empty(room, np.int64)))
            x = np.concatenate((x, np.empty(room, np.int32)))
            rank = np.concatenate((rank, np.empty(room, np.uint64)))
            room = 2 * room
        for q in range(value_count):
            place = found_bin[q]
            earlier_value, size = latest[place], 0
            if earlier_value < 0:
                continue  # the bin's values were written with its first
            latest[place] = -1
            run_bins[runs], run_values[runs] = place, end
            runs += 1
            while earlier_value >= 0:
                x[end + size], rank[end + size] = found_x[earlier_value], found_rank[earlier_value]
                earlier_value = earlier[earlier_value]
                size += 1
            x[end : end + size] = x[end : end + size][::-1].copy()
            rank[end : end + size] = rank[end : end + size][::-1].copy()
            end += size
        bounds[t + 1] = runs
    run_values[runs] = end
    key = np.minimum(rank[:end] & np.uint64(0xFFFFFFFF), np.uint64(0xFFFFFFFE)).astype(np.uint32)
    return bounds, run_bins[:runs].copy(), run_values[: runs + 1].copy(), x[:end].copy(), rank[:end].copy(), key


@kernel
def _high_product(a: np.uint64, b: np.uint64) -> np.uint64:
    """The upper 64 bits of the product of ``a`` and ``b``, both uint64; ``b`` is below 2^32.

    It divides the range of ``a`` into ``b`` equal parts and says in which ``a`` lies.
    """
    low, high = a & np.uint64(0xFFFFFFFF), a >> np.uint64(32)
    return (high * b + ((low * b) >> np.uint64(32))) >> np.uint64(32)
