"""Starts from which enough of a query's tokens can be reached: the first filter of the exact scheme, that loses none.

An occurrence is reached by passages of ``L`` tokens that start at it or up to ``L - 1`` tokens before it. So the
positions of a token cover stretches of starts, those of its second occurrence in a passage others, and what covers a
start bounds what any passage from there, of ``L`` tokens or fewer, overlaps the query. A passage of similarity ``θ``
and mass ``m`` overlaps a query of mass ``q`` by ``(q + m) θ / (1 + θ)`` at least. Lengths are taken in rungs: the
longest of a rung says what can be reached, the shortest how heavy the passage is at least.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import inlined, kernel
from ibidem.passages.filters.length_bands import Rungs
from ibidem.passages.filters.rare_tokens import UNIT
from ibidem.passages.query.query import Query

__all__ = ["BLOCKS", "Chosen", "Occurrences", "chosen_occurrences", "covered_starts"]

BLOCKS = range(4, 9)
"""Blocks of starts may have 16 to 256 tokens: bits."""

_CHUNK = 1 << 13
"""Blocks whose cover is added up at a time: it stays in the fastest cache."""

_READING, _COVERING, _SCANNING, _PASSING = 0.18, 0.16, 0.045, 4.0
"""Work for a position that is read, for what it covers, and for a block: in that for a token of a block that passes."""


class Chosen(NamedTuple):
    """Some occurrences of a query's tokens, and what a similar passage must hold of them.

    An occurrence is a token with a number: the second one covers the starts from which the token is reached twice.

    Attributes:
        places: int64 [p], of the tokens in the query's vocabulary, ascending.
        lists: int64 [c], of each occurrence its place in ``places``; ascending.
        earlier: int64 [c], occurrences of the token before this one.
        weights: int32 [c], units that it adds at most.
        bits: blocks of starts have ``2^bits`` tokens.
        longest, rows: of each rung, see ``Rungs``.
        asked: int64 [R], units that each passage of a rung holds at least.
        base, per_distinct: units that it holds at least besides, and for each of its distinct tokens.
        work: estimated, in the time for a token of a block that passes, for each token of the collection.
    """

    places: npt.NDArray[np.int64]
    lists: npt.NDArray[np.int64]
    earlier: npt.NDArray[np.int64]
    weights: npt.NDArray[np.int32]
    bits: int
    longest: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    asked: npt.NDArray[np.int64]
    base: int
    per_distinct: float
    work: float


class Occurrences(NamedTuple):
    """The occurrences of a query's tokens: of each token as many as add to the overlap.

    Attributes:
        places: int64 [E], of the token in the query's vocabulary.
        earlier: int64 [E], occurrences of the token before this one.
        weights: float64 [E], what it adds at most, as a share of the query's mass.
        shares: float64 [E], how often the token stands in the collection, as a share of all its tokens.
    """

    places: npt.NDArray[np.int64]
    earlier: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]
    shares: npt.NDArray[np.float64]

    @classmethod
    def of(cls, query: Query, shares: npt.NDArray[np.float64]) -> "Occurrences":
        """The occurrences of ``query``; ``shares`` float64 [V] are those of its tokens."""
        most = np.ceil(query.weights / query.heaviest - 1e-9).astype(np.int64)
        places = np.repeat(np.arange(len(most)), most)
        earlier = np.arange(len(places)) - np.repeat(np.cumsum(most) - most, most)
        heaviest = query.heaviest[places]
        weights = np.minimum(heaviest, query.weights[places] - earlier * heaviest) / query.mass
        return cls(places, earlier, weights, np.maximum(shares[places], 1e-12))


def chosen_occurrences(occurrences: Occurrences, threshold: float, rungs: Rungs, bits: range) -> Chosen:
    """The occurrences, and the size of blocks, with which similar passages are found with the least work.

    ``bits`` are the sizes of blocks to choose from.
    """
    fair = threshold / (1.0 + threshold)
    least = np.maximum(threshold, (1.0 + rungs.typical) * fair) - 1.0
    order = _most_telling(occurrences, np.float64(rungs.longest[-1]))
    columns = Occurrences(*(column[order] for column in occurrences))
    size, last, work = _cheapest(columns, len(occurrences.places), rungs.longest, least, np.array(bits))
    chosen = np.sort(order[: last + 1])
    missing = 1.0 - occurrences.weights[chosen].sum() + 1e-9
    places, lists = np.unique(occurrences.places[chosen], return_inverse=True)
    return Chosen(
        places,
        lists,
        occurrences.earlier[chosen],
        np.ceil(occurrences.weights[chosen] * UNIT).astype(np.int32),
        bits[size],
        rungs.longest,
        rungs.rows,
        ((np.maximum(threshold, (1.0 + rungs.mass) * fair) - missing) * UNIT).astype(np.int64),
        int((fair - missing) * UNIT) - 1,
        rungs.per_distinct * fair * UNIT,
        work,
    )


def covered_starts(
    positions: npt.NDArray[np.uint32],
    ends: npt.NDArray[np.int64],
    chosen: Chosen,
    fewest: npt.NDArray[np.uint16],
    share: tuple[int, int],
) -> npt.NDArray[np.int64]:
    """The starts from which enough can be reached, as ranges with the longest passage of each, int64 [N, 3].

    Args:
        positions: uint32 [P], where the chosen tokens stand, one list after the other.
        ends: int64 [p], where each list ends.
        fewest: uint16 [rows, blocks], distinct tokens, see ``Growth``.
        share: the first start that is looked at, a multiple of all sizes of blocks, and where the starts end.
    """
    ranges: npt.NDArray[np.int64] = _covered(positions, ends, chosen, fewest, *share)
    return ranges


@kernel
def _most_telling(occurrences: Any, length: Any) -> Any:
    """The order of ``occurrences``, int64 [E], in which those come first that tell the most for a position read."""
    weights, shares, earlier = occurrences.weights, occurrences.shares, occurrences.earlier
    told = np.empty(weights.shape[0])
    for place in range(weights.shape[0]):
        told[place] = -weights[place] * (1.0 - _reached(shares[place] * length, earlier[place])) / shares[place]
    return np.argsort(told)


@kernel
def _cheapest(occurrences: Any, tokens: Any, longest: Any, least: Any, bits: Any) -> Any:
    """The size of blocks (row of ``bits``) and the last occurrence to look for that cost least, and what they cost."""
    weights, shares, earlier, places = occurrences.weights, occurrences.shares, occurrences.earlier, occurrences.places
    best, best_size, best_last = np.inf, 0, 0
    for size in range(bits.shape[0]):
        block = np.float64(np.int64(1) << bits[size])
        passing = np.zeros(shares.shape[0])
        for rung in range(longest.shape[0]):
            expected, squares, variance, held = 0.0, 0.0, 0.0, 0.0
            for place in range(shares.shape[0]):
                reached = _reached(shares[place] * (longest[rung] + block), earlier[place])
                held += weights[place]
                expected += reached * weights[place]
                squares += reached * weights[place] ** 2
                variance += reached * (1.0 - reached) * weights[place] ** 2
                chance = _chance(held + least[rung] - expected, variance, squares / expected)
                passing[place] += chance * (1.0 + longest[rung] / block)
        read, known = 0.0, np.zeros(tokens, np.bool_)
        for place in range(shares.shape[0]):
            read += 0.0 if known[places[place]] else shares[place] * _READING
            known[places[place]] = True
            read += shares[place] * _COVERING * longest.shape[0]
            work = read + _SCANNING * longest.shape[0] / block + _PASSING * min(passing[place], 1.0)
            if work < best:
                best, best_size, best_last = work, size, place
    return best_size, best_last, best


@inlined
def _chance(more: Any, variance: Any, grain: Any) -> Any:
    """The chance of a sum of independent terms that is so much more than is expected, of terms of about one ``grain``.

    Bennett's bound, divided by what a normal law is smaller than its bound.
    """
    if more <= 0.0:
        return 1.0
    variance = max(variance, 1e-18)
    ratio = 1.0 + more * grain / variance
    return np.exp((ratio - 1.0 - ratio * np.log(ratio)) * variance / grain**2) / max(
        1.0, 2.5 * more / np.sqrt(variance)
    )


@inlined
def _reached(expected: Any, earlier: Any) -> Any:
    """The chance of more than ``earlier`` occurrences where so many are ``expected``: Poisson's law."""
    term = np.exp(-expected)
    below = term
    for times in range(1, earlier + 1):
        term *= expected / times
        below += term
    return max(1.0 - below, 1e-12)


@kernel
def _covered(positions: Any, ends: Any, chosen: Any, fewest: Any, first: Any, stop: Any) -> Any:
    weights, lists, earlier = chosen.weights, chosen.lists, chosen.earlier
    longest, asked = chosen.longest, chosen.asked
    bits, rows, base, per_distinct = chosen.bits, chosen.rows, chosen.base, chosen.per_distinct
    reach = np.zeros(((stop - 1 - first) >> bits) + 1, np.int32)  # of each block, the longest passage that passes
    change = np.zeros(_CHUNK + 1, np.int32)
    begins, total = np.empty(ends.shape[0], np.int64), np.int64(np.sum(weights))
    for row in range(ends.shape[0]):
        begin = ends[row - 1] if row else np.int64(0)
        begins[row] = begin + np.searchsorted(positions[begin : ends[row]], first)
    for low in range(first, stop, np.int64(_CHUNK) << bits):
        high = min(low + (np.int64(_CHUNK) << bits), stop)
        for row in range(ends.shape[0]):
            while begins[row] < ends[row] and positions[begins[row]] < low:
                begins[row] += 1
        before, blocks = (low - first) >> bits, ((high - 1 - low) >> bits) + 1
        for rung in range(longest.shape[0]):
            distinct = fewest[max(rows[rung], 0), low >> bits : (low >> bits) + blocks]
            if rows[rung] >= 0 and _asked(np.min(distinct), per_distinct, base) > total:
                continue
            for one in range(lists.shape[0]):
                listed = positions[begins[lists[one]] : ends[lists[one]]]
                _cover(listed, earlier[one], longest[rung], weights[one], (low, high, bits), change)
            held = np.int64(0)
            for block in range(blocks):
                held += change[block]
                if held >= asked[rung] and (rows[rung] < 0 or held >= _asked(distinct[block], per_distinct, base)):
                    reach[before + block] = longest[rung]
            change[:] = 0
    return _ranges(reach, bits, first, stop)


@inlined
def _asked(distinct: Any, per_distinct: Any, base: Any) -> Any:
    """Units that a passage holds at least that has so many ``distinct`` tokens."""
    return np.int64(np.float64(distinct) * per_distinct) + base


@kernel
def _cover(positions: Any, earlier: Any, length: Any, weight: Any, chunk: Any, change: Any) -> None:
    """Add ``weight`` where passages of ``length`` from a block reach a token ``earlier + 1`` times.

    ``chunk`` is the first position, the end and the bits of the blocks; ``change`` int32 [blocks + 1] is what each has
    more than the block before it.
    """
    low, high, bits = chunk
    covered = np.uint64(0)  # blocks before this one are done
    last = np.uint64((high - 1 - low) >> bits)
    reach = low + length - 1
    for place in range(earlier, positions.shape[0]):
        start = np.int64(positions[place]) - reach
        if start >= high - low:
            break
        after = min(np.uint64((np.int64(positions[place - earlier]) - low) >> bits), last) + np.uint64(1)
        begin = min(max(np.uint64(max(start, 0) >> bits), covered), after)
        change[begin] += weight
        change[after] -= weight
        covered = after


@kernel
def _ranges(reach: Any, bits: Any, first: Any, stop: Any) -> Any:
    """Blocks as ranges of starts with the longest ``reach`` of each, int64 [N, 3]; those near each other are joined.

    To slide on over a gap shorter than a passage is cheaper than to begin anew behind it.
    """
    found = np.int64(0)
    for block in range(reach.shape[0]):
        found += np.int64(reach[block] > 0)
    ranges, last = np.empty((found, 3), np.int64), np.int64(-1)
    for block in range(reach.shape[0] if found else 0):
        longest = np.int64(reach[block])
        if longest > 0:
            low, high = first + (block << bits), min(first + ((block + 1) << bits), stop)
            if last >= 0 and low - ranges[last, 1] <= longest:
                ranges[last, 1], ranges[last, 2] = high, max(ranges[last, 2], longest)
            else:
                last += 1
                ranges[last, 0], ranges[last, 1], ranges[last, 2] = low, high, longest
    return ranges[: last + 1].copy()
