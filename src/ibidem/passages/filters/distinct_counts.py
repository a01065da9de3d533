"""The fewest distinct tokens of passages by length, block by block of their starts: a length filter for sets.

Where a repeated token adds little or nothing to the weight of a passage, as in sets, the length of a passage bounds no
weight, but its distinct tokens do. They are counted once for a segment, when a search first needs them, and kept while
the segment is open.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from ibidem.hashing import SCATTER
from ibidem.kernels import inlined, kernel
from ibidem.store.segments.segment import Segment

BITS = 5
"""A block has ``2^5`` starts."""

LENGTHS: npt.NDArray[np.int64] = 16 << np.arange(9)
"""Lengths of the passages whose distinct tokens are counted: 16 to 4,096 tokens."""

NOTHING_COUNTED = np.empty((1, 0), np.uint16)
"""Takes the place of ``DistinctCounts.fewest`` where distinct tokens say nothing."""

STARTS_PER_TASK = 1 << 20
"""Starts that a thread looks at."""

# Nine blocks in ten have more distinct tokens than the count that is taken as typical.
_TYPICAL_QUANTILE = 0.1

# Blocks by which the typical count is judged.
_SAMPLE = 1 << 12


class DistinctCounts(NamedTuple):
    """Distinct tokens of the passages of a segment.

    Attributes:
        fewest: uint16 [R, blocks], the fewest distinct tokens of any passage of ``LENGTHS[row]`` tokens that starts in
            a block. Where the text ends sooner, those of the shorter passage.
        typical: int64 [R], a count that most blocks exceed.
    """

    fewest: npt.NDArray[np.uint16]
    typical: npt.NDArray[np.int64]


_counted: "WeakKeyDictionary[Segment, DistinctCounts]" = WeakKeyDictionary()


_Map = Callable[[Callable[[int], npt.NDArray[np.uint16]], Iterable[int]], Iterator[npt.NDArray[np.uint16]]]


def count_distinct(segment: Segment, longest: int, run: _Map) -> DistinctCounts:
    """Count the distinct tokens of passages of all ``LENGTHS`` up to ``longest``, and of the first one in any case.

    ``run`` does the parts of the work, as ``map`` does, and gives what they give in order.
    """
    rows = max(1, int(np.searchsorted(LENGTHS, longest, side="right")))
    counts = _counted.get(segment)
    if counts is None or len(counts.typical) < rows:
        work = partial(_count_fewest_from, segment.tokens, LENGTHS[:rows])
        fewest = np.concatenate(list(run(work, range(0, segment.num_tokens, STARTS_PER_TASK))), axis=1)
        sample = fewest[:, :: 1 + fewest.shape[1] // _SAMPLE]
        typical = np.quantile(sample, _TYPICAL_QUANTILE, axis=1).astype(np.int64)
        counts = DistinctCounts(fewest=fewest, typical=typical)
        _counted[segment] = counts
    return counts


def _count_fewest_from(
    tokens: npt.NDArray[np.uint32], lengths: npt.NDArray[np.int64], first: int
) -> npt.NDArray[np.uint16]:
    """For the starts of a task, from position ``first`` on: uint16 [R, blocks of these starts]."""
    starts = min(STARTS_PER_TASK, len(tokens) - first)
    fewest: npt.NDArray[np.uint16] = _count_fewest(tokens[first : first + starts + int(lengths[-1])], lengths, starts)
    return fewest


@kernel
def _count_fewest(
    tokens: npt.NDArray[np.uint32], lengths: npt.NDArray[np.int64], starts: int
) -> npt.NDArray[np.uint16]:
    """For the first ``starts`` of the ``tokens``, which go on for the longest of the ``lengths`` or to their end."""
    before, after = _link_occurrences(tokens, lengths[-1])
    fewest = np.full((lengths.shape[0], ((starts - 1) >> BITS) + 1), 65535, np.uint16)
    for row in range(lengths.shape[0]):
        _slide(before, after, lengths[row], starts, fewest[row])
    return fewest


@inlined
def _link_occurrences(
    tokens: npt.NDArray[np.uint32], longest: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Where each token occurred before (-1 where it did not), and where it occurs again (the end where it does not).

    A table remembers one token in each slot. A token that was overwritten may have occurred before and is taken to have
    done so, which keeps counts of distinct tokens from being too high.
    """
    bits = np.uint32(8)
    while (np.int64(1) << bits) < 16 * longest:
        bits = np.uint32(bits + np.uint32(1))
    size = tokens.shape[0]
    token_at, place_of = np.zeros(1 << bits, np.uint32), np.full(1 << bits, -longest - 1, np.int64)
    before, after = np.full(size, -1, np.int64), np.full(size, size, np.int64)
    for j in range(size):
        slot = np.uint32(tokens[j] * SCATTER) >> np.uint32(np.uint32(32) - bits)
        place = place_of[slot]
        if place >= 0 and token_at[slot] == tokens[j]:
            before[j], after[place] = place, j
        elif place > j - longest:
            before[j] = j
        token_at[slot], place_of[slot] = tokens[j], j
    return before, after


@inlined
def _slide(
    before: npt.NDArray[np.int64],
    after: npt.NDArray[np.int64],
    length: int,
    starts: int,
    fewest: npt.NDArray[np.uint16],
) -> None:
    """Slide a window of ``length`` tokens over the ``starts``, and keep the fewest distinct tokens of each block."""
    count, right = np.int64(0), np.int64(0)
    for left in range(starts):
        while right < min(left + length, before.shape[0]):
            count += np.int64(before[right] < left)
            right += 1
        fewest[left >> BITS] = min(np.int64(fewest[left >> BITS]), count)
        count += np.int64(after[left] < right) - np.int64(before[left] != left)
