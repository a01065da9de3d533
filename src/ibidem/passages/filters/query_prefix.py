"""The prefix of a query: which occurrences of its tokens the count filter looks up.

A prefix filter (Chaudhuri, Ganti, Kaushik: "A primitive operator for similarity joins in data cleaning", ICDE 2006) for
a scan: of the query's occurrences, ordered by how much they say for each position that must be read, a prefix is
looked up. The rest is taken to occur everywhere. A longer prefix costs reading, and leaves fewer starts by chance; what
each costs is estimated, and the cheapest taken. ``token_cover.py`` looks the prefix up.
"""

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.kernels import inlined, kernel
from ibidem.passages.filters.length_bands import LengthBands
from ibidem.passages.filters.overlap import UNIT
from ibidem.passages.query.query import Query
from ibidem.rounding import SLACK

BLOCKS = range(4, 12)
"""Blocks of starts may have 16 to 2,048 tokens: bits."""

# Costs of a position that is read, of the starts that it covers and of a block that is scanned, both for one band or
# two, and of a block that passes, all for each token of the collection. Their ratios were set by hand;
# ``benchmarks/search_index.py`` measures what follows from them. A wrong one costs time and loses nothing.
_READ_COST, _COVER_COST, _SCAN_COST, _VERIFY_COST = 0.12, 0.14, 0.08, 4.0

# Least variance of a sum of weights: that of terms which are certain is 0, and must not divide by zero.
_LEAST_VARIANCE = 1e-18

# Least share of a token in the collection: one that is absent costs nothing, and must not divide by zero.
_NEVER = 1e-12

# How much smaller a normal tail is than its exponential bound, for each standard deviation: √(2π).
_NORMAL_TAIL = 2.5


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
        least_weights: int64 [R], units that each passage of a band holds at least.
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
    least_weights: npt.NDArray[np.int64]
    base: int
    per_distinct: float
    work: float


class Occurrences(NamedTuple):
    """The occurrences of a query's tokens: of each token as many as add to the overlap.

    Attributes:
        places: int64 [E], of the token in the query's vocabulary.
        earlier: int64 [E], occurrences of the token before this one.
        weights: float64 [E], what it adds at most, as a share of the query's weight.
        shares: float64 [E], how often the token occurs in the collection, as a share of all its tokens.
    """

    places: npt.NDArray[np.int64]
    earlier: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]
    shares: npt.NDArray[np.float64]

    @classmethod
    def of(cls, query: Query, shares: npt.NDArray[np.float64]) -> "Occurrences":
        """The occurrences of ``query``; ``shares`` float64 [V] are those of its tokens."""
        return cls(*_list_occurrences(query.weights, query.heaviest, query.mass, shares))


class _Choice(NamedTuple):
    """Length bands, the size of blocks, the last occurrence to look up in their order, and the cost of all this."""

    bands: LengthBands
    bits: int
    last: int
    work: float


def choose_prefix(
    occurrences: Occurrences, threshold: float, divisions: Sequence[LengthBands], bits: range
) -> QueryPrefix:
    """Choose the occurrences, the length bands and the size of blocks that find similar passages with the least work.

    ``divisions`` are divisions of the same lengths into bands, ``bits`` sizes of blocks, to choose from.
    """
    order = _order_occurrences(occurrences, np.float64(divisions[0].longest[-1]))
    columns = Occurrences._make(column[order] for column in occurrences)
    choices = [_choose_blocks(columns, threshold, bands, bits) for bands in divisions]
    best = min(choices, key=attrgetter("work"))
    return _make_prefix(occurrences, np.sort(order[: best.last + 1]), threshold, best)


def _choose_blocks(occurrences: Occurrences, threshold: float, bands: LengthBands, bits: range) -> _Choice:
    """Choose the size of blocks and the last of the ``occurrences``, given in the order in which they are looked up."""
    least = np.maximum(threshold, (1.0 + bands.typical) * threshold / (1.0 + threshold)) - 1.0
    size, last, work = _find_cheapest(occurrences, bands.longest, least, np.array(bits))
    return _Choice(bands=bands, bits=bits[size], last=last, work=work)


def _make_prefix(
    occurrences: Occurrences, prefix: npt.NDArray[np.int64], threshold: float, choice: _Choice
) -> QueryPrefix:
    """The occurrences ``prefix`` int64 [c], ascending, and what a similar passage must hold of them."""
    fair, bands = threshold / (1.0 + threshold), choice.bands
    missing = 1.0 - occurrences.weights[prefix].sum() + SLACK
    places, lists, earlier, weights = _take_occurrences(occurrences, prefix)
    least = (np.maximum(threshold, (1.0 + bands.mass) * fair) - missing) * UNIT
    return QueryPrefix(
        places=places,
        lists=lists,
        earlier=earlier,
        weights=weights,
        bits=choice.bits,
        longest=bands.longest,
        rows=bands.rows,
        least_weights=least.astype(np.int64),
        base=int((fair - missing) * UNIT) - 1,
        per_distinct=bands.per_distinct * fair * UNIT,
        work=choice.work,
    )


@kernel
def _list_occurrences(
    weights: npt.NDArray[np.float64], heaviest: npt.NDArray[np.float64], mass: float, shares: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The columns of ``Occurrences``, from those of a query and the ``shares`` of its tokens."""
    count = 0
    for token in range(weights.shape[0]):
        count += int(np.ceil(weights[token] / heaviest[token] - SLACK))
    places, earlier = np.empty(count, np.int64), np.empty(count, np.int64)
    gains, share, row = np.empty(count, np.float64), np.empty(count, np.float64), 0
    for token in range(weights.shape[0]):
        for before in range(int(np.ceil(weights[token] / heaviest[token] - SLACK))):
            places[row], earlier[row] = token, before
            gains[row] = min(heaviest[token], weights[token] - before * heaviest[token]) / mass
            share[row] = max(shares[token], _NEVER)
            row += 1
    return places, earlier, gains, share


@kernel
def _take_occurrences(
    occurrences: Occurrences, prefix: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """The columns ``places``, ``lists``, ``earlier`` and ``weights`` of a ``QueryPrefix``."""
    size, last = prefix.shape[0], -1
    places, lists = np.empty(size, np.int64), np.empty(size, np.int64)
    earlier, weights = np.empty(size, np.int64), np.empty(size, np.int32)
    for row in range(size):
        occurrence = prefix[row]
        if last < 0 or places[last] != occurrences.places[occurrence]:
            last += 1
            places[last] = occurrences.places[occurrence]
        lists[row], earlier[row] = last, occurrences.earlier[occurrence]
        weights[row] = np.int32(np.ceil(occurrences.weights[occurrence] * UNIT))
    return places[: last + 1].copy(), lists, earlier, weights


@kernel
def _order_occurrences(occurrences: Occurrences, length: float) -> npt.NDArray[np.int64]:
    """The order of ``occurrences``, int64 [E]: those first that say the most for each position that is read."""
    weights, shares, earlier = occurrences.weights, occurrences.shares, occurrences.earlier
    values = np.empty(weights.shape[0])
    for place in range(weights.shape[0]):
        values[place] = (
            -weights[place] * (1.0 - _chance_of_more(shares[place] * length, earlier[place])) / shares[place]
        )
    return np.argsort(values)


@kernel
def _find_cheapest(
    occurrences: Occurrences,
    longest: npt.NDArray[np.int64],
    least: npt.NDArray[np.float64],
    bits: npt.NDArray[np.int64],
) -> tuple[int, int, float]:
    """The size of blocks (row of ``bits``) and the last occurrence to look up that cost least, and their cost."""
    shares, places = occurrences.shares, occurrences.places
    best, best_size, best_last = np.inf, 0, 0
    for size in range(bits.shape[0]):
        block = np.float64(np.int64(1) << bits[size])
        passing, walks = np.zeros(shares.shape[0]), (longest.shape[0] + 1) // 2
        for band in range(longest.shape[0]):
            reached = longest[band] + block
            if longest.shape[0] > 1:  # bands that are counted together reach whole blocks
                reached = (np.ceil((longest[band] - 1) / block) + 1.0) * block
            _add_chances(occurrences, reached, block, least[band], passing)
        read, is_read = 0.0, np.zeros(places.shape[0], np.bool_)  # a token has an occurrence at least
        for place in range(shares.shape[0]):
            read += 0.0 if is_read[places[place]] else shares[place] * _READ_COST
            is_read[places[place]] = True
            read += shares[place] * _COVER_COST * walks
            work = read + _SCAN_COST * walks / block + _VERIFY_COST * min(passing[place], 1.0)
            if work < best:
                best, best_size, best_last = work, size, place
    return best_size, best_last, best


@inlined
def _add_chances(
    occurrences: Occurrences, reached: float, block: float, least: float, passing: npt.NDArray[np.float64]
) -> None:
    """Add, for each prefix of the ``occurrences``, the chance that a block passes which has ``reached`` tokens."""
    weights, shares, earlier = occurrences.weights, occurrences.shares, occurrences.earlier
    expected, squares, variance, prefix_weight = 0.0, 0.0, 0.0, 0.0
    for place in range(shares.shape[0]):
        chance_of_token = _chance_of_more(shares[place] * reached, earlier[place])
        prefix_weight += weights[place]
        expected += chance_of_token * weights[place]
        squares += chance_of_token * weights[place] ** 2
        variance += chance_of_token * (1.0 - chance_of_token) * weights[place] ** 2
        chance = _chance_of_sum(prefix_weight + least - expected, variance, squares / expected)
        passing[place] += chance * reached / block


@inlined
def _chance_of_sum(excess: float, variance: float, grain: float) -> float:
    """The chance that a sum of independent terms of about one ``grain`` is ``excess`` above what is expected.

    Bennett's bound, divided by the ratio of the exponential bound of a normal tail to the tail.
    """
    if excess <= 0.0:
        return 1.0
    variance = max(variance, _LEAST_VARIANCE)
    ratio = 1.0 + excess * grain / variance
    bound = np.exp((ratio - 1.0 - ratio * np.log(ratio)) * variance / grain**2)
    chance: float = bound / max(1.0, _NORMAL_TAIL * excess / np.sqrt(variance))
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
