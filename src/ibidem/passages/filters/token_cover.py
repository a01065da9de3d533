"""The count filter of the exact scheme: the starts from which enough of the query's tokens can be reached.

This is a prefix filter (Chaudhuri, Ganti, Kaushik: "A primitive operator for similarity joins in data cleaning", ICDE
2006) that counts (T-occurrence by ScanCount: Li, Lu, Lu, ICDE 2008), over positions instead of record ids. Of the
query's occurrences, ordered by how much they tell for each position that must be read, a prefix is looked up. The rest
is taken to stand everywhere.

A passage of ``L`` tokens reaches a position if it starts there or up to ``L - 1`` tokens before. So the positions of a
token *cover* runs of starts; the positions of its second occurrence in a passage cover others. What covers a start
bounds how much any passage of at most ``L`` tokens from there overlaps the query. A passage of similarity ``θ`` and
weight ``m`` overlaps a query of weight ``q`` by ``(q + m) θ / (1 + θ)`` at least. Lengths are taken in bands: the
longest passage of a band says what can be reached, the shortest how heavy a passage is at least.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import inlined, kernel
from ibidem.passages.filters.length_bands import LengthBands
from ibidem.passages.filters.rare_tokens import UNIT
from ibidem.passages.query.query import Query
from ibidem.rounding import SLACK

__all__ = ["BLOCKS", "Occurrences", "QueryPrefix", "choose_prefix", "find_covered_starts"]

BLOCKS = range(4, 9)
"""Blocks of starts may have 16 to 256 tokens: bits."""

_CHUNK = 1 << 13
"""Blocks whose cover is added up at a time, so that it stays in the fastest cache."""

_READ_COST, _COVER_COST, _SCAN_COST, _VERIFY_COST = 0.18, 0.16, 0.045, 4.0
"""Costs of a position that is read, of the starts that it covers, of a block that is scanned, and of a block that
passes, all for each token of the collection. Their ratios were set by hand; ``benchmarks/search_index.py`` measures
what follows from them. A wrong one costs time and loses nothing."""

_NEVER = 1e-12
"""Least share of a token in the collection: one that is absent costs nothing, and must not divide by zero."""

_NORMAL_TAIL = 2.5
"""How much smaller a normal tail is than its exponential bound, for each standard deviation: √(2π)."""


class QueryPrefix(NamedTuple):
    """The occurrences of a query's tokens that are looked up, and what a similar passage must hold of them.

    An occurrence is a token with a number: the second one covers the starts from which the token is reached twice.

    Attributes:
        places: int64 [p], of the tokens in the query's vocabulary, ascending.
        lists: int64 [c], of each occurrence its place in ``places``; ascending.
        earlier: int64 [c], occurrences of the token before this one.
        weights: int32 [c], units that it adds at most.
        bits: blocks of starts have ``2^bits`` tokens.
        longest, rows: of each length band, see ``LengthBands``.
        needed: int64 [R], units that each passage of a band holds at least.
        base, per_distinct: units that it holds at least besides, and for each of its distinct tokens.
        work: estimated cost for each token of the collection, in the unit of the cost constants.
    """

    places: npt.NDArray[np.int64]
    lists: npt.NDArray[np.int64]
    earlier: npt.NDArray[np.int64]
    weights: npt.NDArray[np.int32]
    bits: int
    longest: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    needed: npt.NDArray[np.int64]
    base: int
    per_distinct: float
    work: float


class Occurrences(NamedTuple):
    """The occurrences of a query's tokens: of each token as many as add to the overlap.

    Attributes:
        places: int64 [E], of the token in the query's vocabulary.
        earlier: int64 [E], occurrences of the token before this one.
        weights: float64 [E], what it adds at most, as a share of the query's weight.
        shares: float64 [E], how often the token stands in the collection, as a share of all its tokens.
    """

    places: npt.NDArray[np.int64]
    earlier: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]
    shares: npt.NDArray[np.float64]

    @classmethod
    def of(cls, query: Query, shares: npt.NDArray[np.float64]) -> "Occurrences":
        """The occurrences of ``query``; ``shares`` float64 [V] are those of its tokens."""
        most = np.ceil(query.weights / query.heaviest - SLACK).astype(np.int64)
        places = np.repeat(np.arange(len(most)), most)
        earlier = np.arange(len(places)) - np.repeat(np.cumsum(most) - most, most)
        heaviest = query.heaviest[places]
        weights = np.minimum(heaviest, query.weights[places] - earlier * heaviest) / query.mass
        return cls(places=places, earlier=earlier, weights=weights, shares=np.maximum(shares[places], _NEVER))


def choose_prefix(occurrences: Occurrences, threshold: float, bands: LengthBands, bits: range) -> QueryPrefix:
    """Choose the occurrences, and the size of blocks, that find similar passages with the least work.

    ``bits`` are the sizes of blocks to choose from.
    """
    fair = threshold / (1.0 + threshold)
    least = np.maximum(threshold, (1.0 + bands.typical) * fair) - 1.0
    order = _order_occurrences(occurrences, np.float64(bands.longest[-1]))
    columns = Occurrences._make(column[order] for column in occurrences)
    size, last, work = _find_cheapest(columns, len(occurrences.places), bands.longest, least, np.array(bits))
    prefix = np.sort(order[: last + 1])
    missing = 1.0 - occurrences.weights[prefix].sum() + SLACK
    places, lists = np.unique(occurrences.places[prefix], return_inverse=True)
    needed = (np.maximum(threshold, (1.0 + bands.mass) * fair) - missing) * UNIT
    return QueryPrefix(
        places=places,
        lists=lists,
        earlier=occurrences.earlier[prefix],
        weights=np.ceil(occurrences.weights[prefix] * UNIT).astype(np.int32),
        bits=bits[size],
        longest=bands.longest,
        rows=bands.rows,
        needed=needed.astype(np.int64),
        base=int((fair - missing) * UNIT) - 1,
        per_distinct=bands.per_distinct * fair * UNIT,
        work=work,
    )


def find_covered_starts(
    positions: npt.NDArray[np.uint32],
    ends: npt.NDArray[np.int64],
    prefix: QueryPrefix,
    fewest: npt.NDArray[np.uint16],
    bounds: tuple[int, int],
) -> npt.NDArray[np.int64]:
    """The starts from which enough can be reached, as ranges with the longest passage of each, int64 [N, 3].

    Args:
        positions: uint32 [P], where the tokens of the prefix stand, one list after the other.
        ends: int64 [p], where each list ends.
        prefix: what is looked for.
        fewest: uint16 [rows, blocks], distinct tokens, see ``DistinctCounts``.
        bounds: the first start to look at, a multiple of all sizes of blocks, and where the starts end.
    """
    ranges: npt.NDArray[np.int64] = _find_covered(positions, ends, prefix, fewest, *bounds)
    return ranges


@kernel
def _order_occurrences(occurrences: Occurrences, length: float) -> npt.NDArray[np.int64]:
    """The order of ``occurrences``, int64 [E]: those first that tell the most for each position that is read."""
    weights, shares, earlier = occurrences.weights, occurrences.shares, occurrences.earlier
    told = np.empty(weights.shape[0])
    for place in range(weights.shape[0]):
        told[place] = -weights[place] * (1.0 - _chance_of_more(shares[place] * length, earlier[place])) / shares[place]
    return np.argsort(told)


@kernel
def _find_cheapest(
    occurrences: Occurrences,
    tokens: int,
    longest: npt.NDArray[np.int64],
    least: npt.NDArray[np.float64],
    bits: npt.NDArray[np.int64],
) -> tuple[int, int, float]:
    """The size of blocks (row of ``bits``) and the last occurrence to look up that cost least, and what they cost."""
    shares, places = occurrences.shares, occurrences.places
    best, best_size, best_last = np.inf, 0, 0
    for size in range(bits.shape[0]):
        block = np.float64(np.int64(1) << bits[size])
        passing = np.zeros(shares.shape[0])
        for band in range(longest.shape[0]):
            _add_chances(occurrences, np.float64(longest[band]), block, least[band], passing)
        read, known = 0.0, np.zeros(tokens, np.bool_)
        for place in range(shares.shape[0]):
            read += 0.0 if known[places[place]] else shares[place] * _READ_COST
            known[places[place]] = True
            read += shares[place] * _COVER_COST * longest.shape[0]
            work = read + _SCAN_COST * longest.shape[0] / block + _VERIFY_COST * min(passing[place], 1.0)
            if work < best:
                best, best_size, best_last = work, size, place
    return best_size, best_last, best


@inlined
def _add_chances(
    occurrences: Occurrences, longest: float, block: float, least: float, passing: npt.NDArray[np.float64]
) -> None:
    """Add the chance that a block passes for a length band, for each prefix of the ``occurrences``."""
    weights, shares, earlier = occurrences.weights, occurrences.shares, occurrences.earlier
    expected, squares, variance, held = 0.0, 0.0, 0.0, 0.0
    for place in range(shares.shape[0]):
        reached = _chance_of_more(shares[place] * (longest + block), earlier[place])
        held += weights[place]
        expected += reached * weights[place]
        squares += reached * weights[place] ** 2
        variance += reached * (1.0 - reached) * weights[place] ** 2
        chance = _chance_of_sum(held + least - expected, variance, squares / expected)
        passing[place] += chance * (1.0 + longest / block)


@inlined
def _chance_of_sum(more: float, variance: float, grain: float) -> float:
    """The chance that a sum of independent terms of about one ``grain`` is ``more`` above what is expected.

    Bennett's bound, divided by what a normal tail is smaller than its exponential bound.
    """
    if more <= 0.0:
        return 1.0
    variance = max(variance, 1e-18)
    ratio = 1.0 + more * grain / variance
    bound = np.exp((ratio - 1.0 - ratio * np.log(ratio)) * variance / grain**2)
    chance: float = bound / max(1.0, _NORMAL_TAIL * more / np.sqrt(variance))
    return chance


@inlined
def _chance_of_more(expected: float, earlier: int) -> float:
    """The chance of more than ``earlier`` occurrences where ``expected`` are expected, by Poisson's law."""
    term: float = np.exp(-expected)
    below = term
    for times in range(1, earlier + 1):
        term *= expected / times
        below += term
    return max(1.0 - below, _NEVER)


@kernel
def _find_covered(
    positions: npt.NDArray[np.uint32],
    ends: npt.NDArray[np.int64],
    prefix: QueryPrefix,
    fewest: npt.NDArray[np.uint16],
    first: int,
    stop: int,
) -> npt.NDArray[np.int64]:
    weights, lists, earlier, longest, bits = prefix.weights, prefix.lists, prefix.earlier, prefix.longest, prefix.bits
    per_distinct, base = prefix.per_distinct, prefix.base
    reach = np.zeros(((stop - 1 - first) >> bits) + 1, np.int32)  # of each block, the longest passage that passes
    change = np.zeros(_CHUNK + 1, np.int32)
    begins, total = _seek(positions, ends, first), np.int64(np.sum(weights))
    for low in range(first, stop, _CHUNK << bits):
        high = min(low + (_CHUNK << bits), stop)
        _advance(positions, ends, begins, low)
        before, blocks = (low - first) >> bits, ((high - 1 - low) >> bits) + 1
        for band in range(longest.shape[0]):
            row, needed = prefix.rows[band], prefix.needed[band]
            distinct = fewest[max(row, 0), low >> bits : (low >> bits) + blocks]
            if row >= 0 and _units_needed(np.min(distinct), per_distinct, base) > total:
                continue
            for one in range(lists.shape[0]):
                listed = positions[begins[lists[one]] : ends[lists[one]]]
                _cover(listed, earlier[one], longest[band], weights[one], (low, high, bits), change)
            held = np.int64(0)
            for block in range(blocks):
                held += change[block]
                if held >= needed and (row < 0 or held >= _units_needed(distinct[block], per_distinct, base)):
                    reach[before + block] = longest[band]
            change[:] = 0
    return _join_blocks(reach, bits, first, stop)


@inlined
def _seek(positions: npt.NDArray[np.uint32], ends: npt.NDArray[np.int64], first: int) -> npt.NDArray[np.int64]:
    """The place in each list of its first position that is not before ``first``."""
    begins = np.empty(ends.shape[0], np.int64)
    for row in range(ends.shape[0]):
        begin = ends[row - 1] if row else np.int64(0)
        begins[row] = begin + np.searchsorted(positions[begin : ends[row]], first)
    return begins


@inlined
def _advance(
    positions: npt.NDArray[np.uint32], ends: npt.NDArray[np.int64], begins: npt.NDArray[np.int64], low: int
) -> None:
    """Move the place in each list to its first position that is not before ``low``."""
    for row in range(ends.shape[0]):
        while begins[row] < ends[row] and positions[begins[row]] < low:
            begins[row] += 1


@inlined
def _units_needed(distinct: int | np.uint16, per_distinct: float, base: int) -> int:
    """Units of the prefix that a passage with this many ``distinct`` tokens holds at least."""
    return int(np.float64(distinct) * per_distinct) + base


@kernel
def _cover(
    positions: npt.NDArray[np.uint32],
    earlier: int,
    length: int,
    weight: int,
    chunk: tuple[int, int, int],
    change: npt.NDArray[np.int32],
) -> None:
    """Add ``weight`` where passages of ``length`` from a block reach a token ``earlier + 1`` times.

    ``chunk`` is the first position, the end and the bits of the blocks; ``change`` int32 [blocks + 1] is the difference
    of each block to the one before it.
    """
    low, high, bits = chunk
    covered = np.uint64(0)  # blocks before this one are done
    last = np.uint64((high - 1 - low) >> bits)
    reach = low + length - 1
    for place in range(earlier, positions.shape[0]):
        start = np.int64(positions[place]) - reach
        if start >= high - low:
            break
        block = np.uint64((np.int64(positions[place - earlier]) - low) >> bits)
        after: np.uint64 = min(block, last) + np.uint64(1)
        begin: np.uint64 = min(max(np.uint64(max(int(start), 0) >> bits), covered), after)
        change[begin] += weight
        change[after] -= weight
        covered = after


@kernel
def _join_blocks(reach: npt.NDArray[np.int32], bits: int, first: int, stop: int) -> npt.NDArray[np.int64]:
    """Blocks as ranges of starts with the longest ``reach`` of each, int64 [N, 3]; near ones are joined.

    To slide on over a gap shorter than a passage is cheaper than to begin again behind it.
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
