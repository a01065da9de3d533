"""How fast a text brings new tokens: the fewest distinct ones of passages by length, block by block of their starts.

Where a repeated token adds little or nothing to the mass of a passage, as in sets, its length bounds no mass, and its
distinct tokens do. They are counted once for a segment, when a search first asks, and kept while the segment is open.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.hashing import SCATTER
from ibidem.store.segment import Segment

__all__ = ["BITS", "LENGTHS", "Growth", "growth"]

BITS = 5
"""Starts are told apart by blocks of ``2^5`` tokens."""

LENGTHS: npt.NDArray[np.int64] = 16 << np.arange(9)
"""Lengths of the passages whose distinct tokens are counted: 16 to 4,096 tokens."""

SHARE = 1 << 20
"""Starts that a thread looks at."""


_LOW, _SAMPLE = 0.1, 1 << 12
"""Nine in ten of so many blocks have more distinct tokens than those that are taken as typical."""


class Growth(NamedTuple):
    """Distinct tokens of the passages of a segment.

    Attributes:
        fewest: uint16 [R, blocks], the fewest of any passage of ``LENGTHS[row]`` tokens that starts in a block. Where
            the text ends sooner, no more than it has.
        typical: int64 [R], as few as few blocks have.
    """

    fewest: npt.NDArray[np.uint16]
    typical: npt.NDArray[np.int64]


_counted: "WeakKeyDictionary[Segment, Growth]" = WeakKeyDictionary()


def growth(segment: Segment, longest: int, pool: ThreadPoolExecutor) -> Growth:
    """Distinct tokens of passages of the ``LENGTHS`` up to ``longest`` or more, counted by the threads of a pool."""
    rows = max(1, int(np.searchsorted(LENGTHS, longest, side="right")))
    known = _counted.get(segment)
    if known is None or len(known.typical) < rows:
        work = partial(_fewest_distinct, segment.tokens, LENGTHS[:rows], SHARE)
        fewest = np.concatenate(list(pool.map(work, range(0, segment.num_tokens, SHARE))), axis=1)
        sample = fewest[:, :: 1 + fewest.shape[1] // _SAMPLE]
        known = Growth(fewest, np.quantile(sample, _LOW, axis=1).astype(np.int64))
        _counted[segment] = known
    return known


@kernel
def _fewest_distinct(tokens: Any, lengths: Any, share: Any, first: Any) -> Any:
    """For the ``share`` starts from position ``first`` on: uint16 [R, blocks of the share].

    Where each token stood before is looked up in a table that keeps one token a slot. What has been overwritten may
    have stood before, and counts as if it had: the counts are never too high.
    """
    stop = min(first + share, tokens.shape[0])
    longest = lengths[-1]
    size = min(stop + longest, tokens.shape[0]) - first
    bits = np.uint32(8)
    while (np.int64(1) << bits) < 16 * longest:
        bits = np.uint32(bits + np.uint32(1))
    token_at, place_of = np.zeros(1 << bits, np.uint32), np.full(1 << bits, -longest - 1, np.int64)
    before, after = np.full(size, -1, np.int64), np.full(size, size, np.int64)
    for j in range(size):
        token = tokens[first + j]
        slot = np.uint32(token * SCATTER) >> np.uint32(np.uint32(32) - bits)
        place = place_of[slot]
        if place >= 0 and token_at[slot] == token:
            before[j], after[place] = place, j
        elif place > j - longest:
            before[j] = j
        token_at[slot], place_of[slot] = token, j
    fewest = np.full((lengths.shape[0], ((stop - first - 1) >> BITS) + 1), 65535, np.uint16)
    for row in range(lengths.shape[0]):
        count, right = np.int64(0), np.int64(0)
        for left in range(stop - first):
            while right < min(left + lengths[row], size):
                count += np.int64(before[right] < left)
                right += 1
            fewest[row, left >> BITS] = min(np.int64(fewest[row, left >> BITS]), count)
            count += np.int64(after[left] < right) - np.int64(before[left] != left)
    return fewest
