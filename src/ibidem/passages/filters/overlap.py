"""The overlap filter: the finest filter over start positions, and the last before verification.

It combines an overlap bound with a length filter, as PPJoin does with positions in a record (Xiao, Wang, Lin, Yu:
"Efficient similarity joins for near duplicate detection", WWW 2008). The tokens that follow a start, each counted at
most as often as the query has it, overlap the query by ``U`` at most. A passage of similarity ``θ`` and weight ``m``
overlaps a query of weight ``q`` by ``(q + m) θ / (1 + θ)`` at least. Therefore

1. ``U`` reaches ``θ q``, or no similar passage starts there;
2. ``m`` is at most ``U (1 + 1 / θ) - q``. Where each token adds to the weight, this bounds the length; where only
   distinct tokens do, as in sets, their fewest number by length bounds it (``distinct_counts.py``). Shorter passages
   hold less, so the filter runs again with the smaller length, and soon drops what is similar by chance.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.hashing import SCATTER
from ibidem.kernels import inlined, kernel
from ibidem.passages.filters.distinct_counts import BITS, LENGTHS, NOTHING_COUNTED
from ibidem.passages.query.query import Query
from ibidem.rounding import SLACK, loosen

UNIT = 1 << 20
"""In filters weights are whole numbers, and the query weighs this many units, so that sums are exact."""

# The filter runs again while it leaves less than this share of the passages, one for each start and length.
_WORTHWHILE = 0.8

# A range has at most so many times as many starts as its longest passage has tokens: one long passage makes those near
# it pass for long, and no others.
_LONGEST_RANGES = 4


class _Needs(NamedTuple):
    """The least overlap and length of a passage.

    Attributes:
        overlap: units of overlap.
        fewest: tokens.
        gain: units of weight that it may have for each unit of overlap.
        step, per_distinct: units that each token, and each distinct token, adds to its weight at least.
    """

    overlap: int
    fewest: int
    gain: float
    step: float
    per_distinct: float


class _Vocabulary(NamedTuple):
    """The query's tokens for the kernels; the last place of each column stands for all tokens that it does not have.

    Attributes:
        tokens: uint32 [V + 1].
        table: int32 [slots], a hash table from token to its place in ``tokens``; a free slot holds ``V``.
        per_token: int64 [V + 1], units that an occurrence adds at most.
        caps: int64 [V + 1], units that a token adds at most.
    """

    tokens: npt.NDArray[np.uint32]
    table: npt.NDArray[np.int32]
    per_token: npt.NDArray[np.int64]
    caps: npt.NDArray[np.int64]


class OverlapFilter(NamedTuple):
    """A query as the filter takes it.

    Attributes:
        vocabulary: the query's tokens.
        needs: what a passage must have.
    """

    vocabulary: _Vocabulary
    needs: _Needs

    @classmethod
    def of(cls, query: Query, threshold: float, shortest: int) -> "OverlapFilter":
        """The filter for similar passages of ``shortest`` tokens or more."""
        vocabulary = _Vocabulary(
            *_make_vocabulary(query.vocabulary, query.heaviest / query.mass, query.weights / query.mass)
        )
        needs = _Needs(
            overlap=int(loosen(threshold * UNIT)),
            fewest=shortest,
            gain=1.0 + 1.0 / threshold,
            step=query.least_step / query.mass * UNIT,
            per_distinct=query.least_first / query.mass * UNIT * (1.0 - SLACK),
        )
        return cls(vocabulary=vocabulary, needs=needs)

    def starts(
        self,
        tokens: npt.NDArray[np.uint32],
        ranges: npt.NDArray[np.int64],
        fewest: npt.NDArray[np.uint16] = NOTHING_COUNTED,
        first_block: int = 0,
    ) -> npt.NDArray[np.int64]:
        """The starts in ``ranges`` that pass, as ranges, int64 [N, 2], half open, ascending and apart.

        Args:
            tokens: uint32 [T].
            ranges: int64 [S, 3], half open, ascending and apart, each with the tokens of its longest passage.
            fewest: distinct tokens of passages, see ``DistinctCounts``.
            first_block: the block of ``fewest`` in which ``tokens`` begin.
        """
        narrowed: npt.NDArray[np.int64] = _narrow_repeatedly(
            tokens, ranges, self.vocabulary, self.needs, fewest, first_block
        )
        return narrowed


@kernel
def _make_vocabulary(
    tokens: npt.NDArray[np.uint32], per_token: npt.NDArray[np.float64], caps: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int32], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The columns of ``_Vocabulary``, of what an occurrence and a token add as shares of the query's weight."""
    count = tokens.shape[0]
    with_others = np.zeros(count + 1, np.uint32)
    with_others[:count] = tokens
    units, most = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64)
    for place in range(count):
        units[place], most[place] = np.int64(np.ceil(per_token[place] * UNIT)), np.int64(np.ceil(caps[place] * UNIT))
    return with_others, _build_table(tokens), units, most


@inlined
def _build_table(vocabulary: npt.NDArray[np.uint32]) -> npt.NDArray[np.int32]:
    """A hash table from token to its place in ``vocabulary``: open addressing, nearly empty."""
    bits = np.uint32(8)
    while (np.int64(1) << bits) <= 16 * vocabulary.shape[0]:
        bits = np.uint32(bits + np.uint32(1))
    table = np.full(np.int64(1) << bits, vocabulary.shape[0], np.int32)
    shift, last_slot = np.uint32(np.uint32(32) - bits), np.uint32(table.shape[0] - 1)
    for place in range(vocabulary.shape[0]):
        slot = np.uint32(vocabulary[place] * SCATTER) >> shift
        while table[slot] < vocabulary.shape[0]:
            slot = np.uint32(slot + np.uint32(1)) & last_slot
        table[slot] = place
    return table


@kernel
def _narrow_repeatedly(
    tokens: npt.NDArray[np.uint32],
    ranges: npt.NDArray[np.int64],
    vocabulary: _Vocabulary,
    needs: _Needs,
    fewest: npt.NDArray[np.uint16],
    first_block: int,
) -> npt.NDArray[np.int64]:
    """Narrow ``ranges`` [S, 3] while it is worthwhile. Returns those that are left, joined where they touch [N, 2]."""
    before = _count_passages(ranges)
    narrowed = _narrow(tokens, ranges, vocabulary, needs, fewest, first_block)
    while _count_passages(narrowed) < _WORTHWHILE * before:
        before = _count_passages(narrowed)
        narrowed = _narrow(tokens, narrowed, vocabulary, needs, fewest, first_block)
    disjoint, count = np.empty((narrowed.shape[0], 2), np.int64), 0
    for row in range(narrowed.shape[0]):
        if count == 0 or narrowed[row, 0] > disjoint[count - 1, 1]:
            disjoint[count, 0] = narrowed[row, 0]
            count += 1
        disjoint[count - 1, 1] = narrowed[row, 1]
    return disjoint[:count].copy()


@inlined
def _count_passages(ranges: npt.NDArray[np.int64]) -> int:
    """Passages from the starts in ``ranges``, up to the longest of each."""
    count = np.int64(0)
    for row in range(ranges.shape[0]):
        count += (ranges[row, 1] - ranges[row, 0]) * ranges[row, 2]
    return int(count)


@kernel
def _narrow(
    tokens: npt.NDArray[np.uint32],
    stretches: npt.NDArray[np.int64],
    vocabulary: _Vocabulary,
    needs: _Needs,
    fewest: npt.NDArray[np.uint16],
    first_block: int,
) -> npt.NDArray[np.int64]:
    """The starts that pass, as ranges with the longest passage of each, int64 [N, 3].

    ``stretches`` int64 [S, 3] has such ranges. A token that occurs ``f`` times overlaps by ``min(f * per_token, caps)``
    at most.
    """
    per_token, left_over = vocabulary.per_token, vocabulary.caps.copy()  # what a token can add yet, or less than 0
    ranges = np.empty((1 + np.sum(stretches[:, 1] - stretches[:, 0] + 1) // 2, 3), np.int64)
    places = np.empty(_longest_stretch(stretches), np.int32)
    count = 0
    for stretch in range(stretches.shape[0]):
        first, stop, longest = stretches[stretch, 0], stretches[stretch, 1], stretches[stretch, 2]
        end = min(stop - 1 + longest, tokens.shape[0])
        _find_places(tokens, first, end, vocabulary, places)
        total, right, open_since, reach = 0, first, -1, 0
        for left in range(first, stop + 1):
            while right < min(left + longest, end):
                total += _add(places[right - first], per_token, left_over)
                right += 1
            passes, length = left < stop and total >= needs.overlap, 0
            if passes:
                length = _bound_length(total, longest, needs, fewest, first_block + (left >> BITS))
                passes = length >= needs.fewest
            if open_since >= 0 and not (passes and left - open_since < _LONGEST_RANGES * longest):
                ranges[count, 0], ranges[count, 1], ranges[count, 2] = open_since, left, reach
                count += 1
                open_since, reach = -1, 0
            if passes:
                open_since, reach = left if open_since < 0 else open_since, max(reach, length)
            if left < end:
                total -= _remove(places[left - first], per_token, left_over)
        left_over[:] = vocabulary.caps
    return ranges[:count].copy()


@inlined
def _longest_stretch(stretches: npt.NDArray[np.int64]) -> int:
    """Tokens of the longest stretch with the passages that start in it."""
    longest = 0
    for stretch in range(stretches.shape[0]):
        longest = max(longest, int(stretches[stretch, 1] - stretches[stretch, 0] + stretches[stretch, 2]))
    return 1 + longest


@inlined
def _find_places(
    tokens: npt.NDArray[np.uint32], first: int, end: int, vocabulary: _Vocabulary, places: npt.NDArray[np.int32]
) -> None:
    """Look up the place in the vocabulary of each token from ``first`` to ``end``."""
    vocabulary_tokens, table = vocabulary.tokens, vocabulary.table
    shift, last_slot = _shift_of(table.shape[0]), np.uint32(table.shape[0] - 1)
    unknown = vocabulary_tokens.shape[0] - 1
    for j in range(first, end):
        slot = np.uint32(tokens[j] * SCATTER) >> shift
        # Nearly always false as a whole; whether the query has a token cannot be foreseen, and is not branched on.
        while (table[slot] < unknown) & (vocabulary_tokens[table[slot]] != tokens[j]):
            slot = np.uint32(slot + np.uint32(1)) & last_slot
        places[j - first] = table[slot]


@inlined
def _add(place: int, per_token: npt.NDArray[np.int64], left_over: npt.NDArray[np.int64]) -> int:
    """Count one more occurrence of a token. Returns the units that it adds."""
    units: int = min(per_token[place], max(0, left_over[place]))
    left_over[place] -= per_token[place]
    return units


@inlined
def _remove(place: int, per_token: npt.NDArray[np.int64], left_over: npt.NDArray[np.int64]) -> int:
    """Count one occurrence of a token less. Returns the units that it had added."""
    left_over[place] += per_token[place]
    units: int = min(per_token[place], max(0, left_over[place]))
    return units


@inlined
def _bound_length(total: int, longest: int, needs: _Needs, fewest: npt.NDArray[np.uint16], block: int) -> int:
    """The most tokens of a similar passage that starts in a block and overlaps the query by ``total`` units."""
    length, heaviest = longest, np.float64(total) * needs.gain - UNIT * (1.0 - SLACK)
    if needs.step > 0.0:
        length = min(longest, int(heaviest / needs.step))
    row, rows = 0, fewest.shape[0] if fewest.shape[1] else 0
    while row < rows and LENGTHS[row] <= length:
        if np.float64(fewest[row, block]) * needs.per_distinct > heaviest:
            length = LENGTHS[row] - 1
        row += 1
    return length


@inlined
def _shift_of(size: int) -> np.uint32:
    """How far to shift a 32-bit hash for a table of ``size`` slots, a power of two."""
    shift = np.uint32(32)
    while size > 1:
        size >>= 1
        shift = np.uint32(shift - np.uint32(1))
    return shift
