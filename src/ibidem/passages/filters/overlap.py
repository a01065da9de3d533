"""Where enough of the query stands close together: the last filter over start positions, and the finest.

The tokens that follow a start, each counted at most as often as the query has it, overlap the query by ``U`` at most. A
passage of similarity ``θ`` and mass ``m`` overlaps a query of mass ``q`` by ``(q + m) θ / (1 + θ)`` at least, so

1. ``U`` reaches ``θ q``, or no passage starts there;
2. ``m`` is ``U (1 + 1 / θ) - q`` at most. Where each token adds something to the mass that bounds the length, and
   shorter passages hold less: the filter is asked again, and soon nothing is left of what is similar by chance.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import inlined, kernel
from ibidem.hashing import SCATTER
from ibidem.passages.filters.rare_tokens import UNIT
from ibidem.passages.query.query import Query

__all__ = ["OverlapFilter"]


_WORTHWHILE = 0.8
"""The filter is asked again while it leaves less than this share of the passages, one for each start and length."""

_LONGEST_RANGES = 4
"""A range has at most so many times as many starts as its longest passage has tokens: one long passage makes those near
it pass for long, and no others."""


class _Asked(NamedTuple):
    """What a passage must have: units of overlap, tokens; and the units that each token adds to its mass."""

    overlap: int
    fewest: int
    gain: float
    step: float


class OverlapFilter(NamedTuple):
    """A query as the filter takes it; the last place of each column stands for all tokens that it does not have.

    Attributes:
        vocabulary: uint32 [V + 1].
        table: int32 [slots], a hash table from token to its place in ``vocabulary``; a free slot holds ``V``.
        per_token: int64 [V + 1], units that an occurrence adds at most.
        caps: int64 [V + 1], units that a token adds at most.
        asked: what a passage must have.
    """

    vocabulary: npt.NDArray[np.uint32]
    table: npt.NDArray[np.int32]
    per_token: npt.NDArray[np.int64]
    caps: npt.NDArray[np.int64]
    asked: _Asked

    @classmethod
    def of(cls, query: Query, threshold: float, shortest: int) -> "OverlapFilter":
        """The filter for similar passages, the ``shortest`` of which has so many tokens."""
        return cls(
            np.append(query.vocabulary, np.uint32(0)),
            _table(query.vocabulary, max(8, int(16 * len(query.vocabulary)).bit_length())),
            np.ceil(np.append(query.heaviest, 0.0) / query.mass * UNIT).astype(np.int64),
            np.ceil(np.append(query.weights, 0.0) / query.mass * UNIT).astype(np.int64),
            _Asked(
                int(threshold * UNIT * (1.0 - 1e-9)),
                shortest,
                1.0 + 1.0 / threshold,
                query.least_step / query.mass * UNIT,
            ),
        )

    def starts(self, tokens: npt.NDArray[np.uint32], ranges: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The starts in ``ranges`` that pass, as ranges, int64 [N, 2], half open, ascending and apart.

        Args:
            tokens: uint32 [T].
            ranges: int64 [S, 3], half open, ascending and apart, each with the tokens of its longest passage.
        """
        while True:
            before = _passages(ranges)
            ranges = _narrowed(tokens, ranges, self.table, self.vocabulary, self.per_token, self.caps, self.asked)
            if _passages(ranges) >= _WORTHWHILE * before:
                return _joined(ranges[:, :2])


def _joined(ranges: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Ascending ``ranges`` [N, 2], those that touch as one."""
    apart = np.flatnonzero(ranges[1:, 0] > ranges[:-1, 1])
    lows, highs = np.append(0, apart + 1)[: len(ranges)], np.append(apart, -1)[: len(ranges)]
    return np.stack((ranges[lows, 0], ranges[highs, 1]), axis=1)


def _passages(ranges: npt.NDArray[np.int64]) -> int:
    """Passages from the starts in ``ranges``, up to the longest of each."""
    return int(((ranges[:, 1] - ranges[:, 0]) * ranges[:, 2]).sum())


@kernel
def _table(vocabulary: Any, bits: Any) -> Any:
    """A hash table of ``2^bits`` slots from token to its place in ``vocabulary``: open addressing, nearly empty."""
    table = np.full(1 << bits, vocabulary.shape[0], np.int32)
    shift, last_slot = np.uint32(32 - bits), np.uint32(table.shape[0] - 1)
    for place in range(vocabulary.shape[0]):
        slot = np.uint32(vocabulary[place] * SCATTER) >> shift
        while table[slot] < vocabulary.shape[0]:
            slot = np.uint32(slot + np.uint32(1)) & last_slot
        table[slot] = place
    return table


@kernel
def _narrowed(tokens: Any, stretches: Any, table: Any, vocabulary: Any, per_token: Any, caps: Any, asked: Any) -> Any:
    """The starts that pass, as ranges with the longest passage of each, int64 [N, 3].

    ``stretches`` int64 [S, 3] has such ranges. A token that stands ``f`` times overlaps by ``min(f * per_token, caps)``
    at most. ``table`` finds the place of a token in ``vocabulary``; its last place stands for all tokens that the query
    does not have, and weighs nothing.
    """
    needed, fewest, gain, step = asked.overlap, asked.fewest, asked.gain, asked.step
    shift, last_slot = _shift_of(table.shape[0]), np.uint32(table.shape[0] - 1)
    unknown = vocabulary.shape[0] - 1
    left_over = caps.copy()  # what a token can add yet; below 0 once it stands more often than the query has it
    ranges = np.empty((1 + np.sum(stretches[:, 1] - stretches[:, 0] + 1) // 2, 3), np.int64)
    known = np.empty(1 + np.max(stretches[:, 1] - stretches[:, 0] + stretches[:, 2]) if len(stretches) else 0, np.int32)
    found = 0
    for stretch in range(stretches.shape[0]):
        first, stop, longest = stretches[stretch, 0], stretches[stretch, 1], stretches[stretch, 2]
        end = min(stop - 1 + longest, tokens.shape[0])
        for j in range(first, end):
            slot = np.uint32(tokens[j] * SCATTER) >> shift
            # Nearly always false as a whole; whether the query has a token cannot be foreseen, and is not branched on.
            while (table[slot] < unknown) & (vocabulary[table[slot]] != tokens[j]):
                slot = np.uint32(slot + np.uint32(1)) & last_slot
            known[j - first] = table[slot]
        total, right = np.int64(0), first
        open_since: Any = np.int64(-1)
        reach: Any = np.int64(0)
        for left in range(first, stop + 1):
            while right < min(left + longest, end):
                place = known[right - first]
                total += min(per_token[place], max(0, left_over[place]))
                left_over[place] -= per_token[place]
                right += 1
            length = longest
            if step > 0.0:
                length = min(longest, np.int64((np.float64(total) * gain - UNIT * (1.0 - 1e-9)) / step))
            passes = left < stop and total >= needed and length >= fewest
            if open_since >= 0 and not (passes and left - open_since < _LONGEST_RANGES * longest):
                ranges[found, 0], ranges[found, 1], ranges[found, 2] = open_since, left, reach
                found += 1
                open_since, reach = np.int64(-1), np.int64(0)
            if passes:
                open_since, reach = left if open_since < 0 else open_since, max(reach, length)
            if left < end:
                gone = known[left - first]
                left_over[gone] += per_token[gone]
                total -= min(per_token[gone], max(0, left_over[gone]))
        left_over[:] = caps
    return ranges[:found].copy()


@inlined
def _shift_of(size: Any) -> Any:
    """How far to shift a 32-bit hash for a table of ``size`` slots, a power of two."""
    shift = np.uint32(32)
    while size > 1:
        size >>= 1
        shift = np.uint32(shift - np.uint32(1))
    return shift
