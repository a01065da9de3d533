"""The count filter of the exact scheme: the starts from which enough of the query's tokens can be reached.

It counts as T-occurrence by ScanCount does (Li, Lu, Lu, ICDE 2008), over positions instead of record ids, those
occurrences of the query that ``query_prefix.py`` has chosen.

A passage of ``L`` tokens reaches a position if it starts there or up to ``L - 1`` tokens before. So the positions of a
token *cover* runs of starts; the positions of its second occurrence in a passage cover others. The covers of a start
bound how much any passage of at most ``L`` tokens from there overlaps the query. A passage of similarity ``θ`` and
weight ``m`` overlaps a query of weight ``q`` by ``(q + m) θ / (1 + θ)`` at least. Lengths are taken in bands: the
longest passage of a band says what can be reached, the shortest how heavy a passage is at least.
"""

import numpy as np
import numpy.typing as npt

from ibidem._jit import inlined, kernel
from ibidem.passages.filters.query_prefix import QueryPrefix

__all__ = ["find_covered_starts"]

# Blocks whose cover is added up at a time, so that it stays in the fastest cache.
_CHUNK = 1 << 13


def find_covered_starts(
    positions: npt.NDArray[np.uint32],
    ends: npt.NDArray[np.int64],
    prefix: QueryPrefix,
    fewest: npt.NDArray[np.uint16],
    bounds: tuple[int, int],
) -> npt.NDArray[np.int64]:
    """The starts from which enough can be reached, as ranges with the longest passage of each, int64 [N, 3].

    Args:
        positions: uint32 [P], where the tokens of the prefix are, one list after the other.
        ends: int64 [p], where each list ends.
        prefix: what is looked for.
        fewest: uint16 [rows, blocks], distinct tokens, see ``DistinctCounts``.
        bounds: the first start to look at, a multiple of all sizes of blocks, and where the starts end.
    """
    ranges: npt.NDArray[np.int64] = _find_covered(positions, ends, prefix, fewest, *bounds)
    return ranges


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
        begins[row] += np.searchsorted(positions[begins[row] : ends[row]], low)


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
