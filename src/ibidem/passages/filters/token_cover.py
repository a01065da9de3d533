"""The count filter of the exact scheme: the starts from which enough of the query's tokens can be reached.

It counts as T-occurrence by ScanCount does (Li, Lu, Lu, ICDE 2008), over positions instead of record ids, those
occurrences of the query that ``query_prefix.py`` has chosen.

A passage of ``L`` tokens reaches a position if it starts there or up to ``L - 1`` tokens before. So the positions of a
token *cover* runs of starts; the positions of its second occurrence in a passage cover others. The covers of a start
bound how much any passage of at most ``L`` tokens from there overlaps the query. A passage of similarity ``θ`` and
weight ``m`` overlaps a query of weight ``q`` by ``(q + m) θ / (1 + θ)`` at least. Lengths are taken in bands: the
longest passage of a band says what can be reached, the shortest how heavy a passage is at least.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import inlined, kernel
from ibidem.passages.filters.query_prefix import QueryPrefix

# Blocks whose cover is added up at a time, so that it stays in the fastest cache.
_CHUNK = 1 << 13


class _Least(NamedTuple):
    """The units that a passage of a band holds at least.

    Attributes:
        needed: for any passage of the band.
        distinct: uint16 [blocks], the fewest distinct tokens of passages from each block; empty if none are counted.
        per_distinct, base: what these ask for, see ``QueryPrefix``.
    """

    weight: int
    distinct: npt.NDArray[np.uint16]
    per_distinct: float
    base: int


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
    reach = np.zeros(((stop - 1 - first) >> bits) + 1, np.int32)  # of each block, the longest passage that passes
    margin = ((longest[-1] - 2) >> bits) + 1  # blocks before a chunk from which it can be reached
    begin_at, end_at = np.zeros(_CHUNK + 2 * margin + 2, np.int32), np.zeros(_CHUNK + 2 * margin + 2, np.int32)
    begins = _seek(positions, ends, lists, first)
    stops, total = begins.copy(), np.int64(np.sum(weights))
    for low in range(first, stop, _CHUNK << bits):
        before, blocks = (low - first) >> bits, (min((_CHUNK << bits), stop - low) - 1 >> bits) + 1
        origin, span = low - (margin << bits), (blocks << bits) + longest[-1] - 1
        for occurrence in range(lists.shape[0]):
            list_bounds = ends[lists[occurrence] - 1] if lists[occurrence] else np.int64(0), ends[lists[occurrence]]
            begins[occurrence] = _step_back(positions, list_bounds[0], stops[occurrence], low)
            run = begins[occurrence], list_bounds[1], earlier[occurrence]
            stops[occurrence] = _end_covers(positions, run, weights[occurrence], (origin, low, span, bits), end_at)
        for band in range(longest.shape[0]):
            row, least_weight = prefix.rows[band], prefix.least_weights[band]
            distinct = fewest[max(row, 0), low >> bits : (low >> bits) + blocks]
            if row >= 0 and _units_needed(np.min(distinct), prefix.per_distinct, prefix.base) > total:
                continue
            for occurrence in range(lists.shape[0]):
                run = begins[occurrence], stops[occurrence], earlier[occurrence]
                _begin_covers(positions, run, weights[occurrence], (origin, longest[band], bits), begin_at)
            least = _Least(least_weight, distinct if row >= 0 else distinct[:0], prefix.per_distinct, prefix.base)
            _mark_blocks(begin_at, end_at, margin, least, longest[band], reach[before : before + blocks])
            begin_at[:] = 0
        end_at[:] = 0
    return _join_blocks(reach, bits, first, stop)


@inlined
def _seek(
    positions: npt.NDArray[np.uint32], ends: npt.NDArray[np.int64], lists: npt.NDArray[np.int64], first: int
) -> npt.NDArray[np.int64]:
    """For each occurrence, the place of the first position of its list that is not before ``first``."""
    begins = np.empty(lists.shape[0], np.int64)
    for occurrence in range(lists.shape[0]):
        begin = ends[lists[occurrence] - 1] if lists[occurrence] else np.int64(0)
        begins[occurrence] = begin + np.searchsorted(positions[begin : ends[lists[occurrence]]], first)
    return begins


@inlined
def _step_back(positions: npt.NDArray[np.uint32], begin: int | np.int64, place: int, low: int) -> int:
    """The place of the first position that is not before ``low``, at ``place`` or before it, from ``begin`` on."""
    while place > begin and positions[place - 1] >= low:
        place -= 1
    return place


@inlined
def _units_needed(distinct: int | np.uint16, per_distinct: float, base: int) -> int:
    """Units of the prefix that a passage with this many ``distinct`` tokens holds at least."""
    return int(np.float64(distinct) * per_distinct) + base


@kernel
def _end_covers(
    positions: npt.NDArray[np.uint32],
    run: tuple[int, int, int],
    weight: int,
    chunk: tuple[int, int, int, int],
    end_at: npt.NDArray[np.int32],
) -> int:
    """Take ``weight`` off behind each block from which a token is reached ``earlier + 1`` times, of any length.

    ``run`` is where positions begin and end, and ``earlier``. ``chunk`` is the position of the first block of
    ``end_at``, that of the first start, the tokens from there that can be reached, and the bits of a block. Returns the
    place of the first position that is not among these tokens: positions that do not ascend, since a file was altered,
    must not lead out of ``end_at``.
    """
    before, origin, low = np.uint64(run[2]), np.uint64(chunk[0]), np.uint64(chunk[1])
    span, bits = np.uint64(chunk[2]), np.uint64(chunk[3])
    place, end = np.uint64(run[0]) + before, np.uint64(run[1])
    while place < end:
        position, start = np.uint64(positions[place]), np.uint64(positions[place - before])
        if position - low >= span or start - low >= span:
            break
        end_at[((start - origin) >> bits) + np.uint64(1)] -= weight
        place += np.uint64(1)
    return min(int(np.int64(place)), run[1])


@kernel
def _begin_covers(
    positions: npt.NDArray[np.uint32],
    run: tuple[int, int, int],
    weight: int,
    chunk: tuple[int, int, int],
    begin_at: npt.NDArray[np.int32],
) -> None:
    """Add ``weight`` at each block from which on passages of a length reach a token ``earlier + 1`` times.

    A run of blocks begins behind the one before it, so that nothing is added twice. ``run`` is as in ``_end_covers``;
    ``chunk`` is the position of the first block of ``begin_at``, the length, and the bits of a block.
    """
    before, bits, origin = np.uint64(run[2]), np.uint64(chunk[2]), np.uint64(chunk[0])
    reach = origin + np.uint64(chunk[1] - 1)
    place, end, covered_until = np.uint64(run[0]) + before, np.uint64(run[1]), np.uint64(0)
    if not before:  # nearly all occurrences: one position says both where a run begins and where it ends
        while place < end:
            position = np.uint64(positions[place])
            begin_at[max((position - reach) >> bits, covered_until)] += weight
            covered_until = ((position - origin) >> bits) + np.uint64(1)
            place += np.uint64(1)
    while place < end:
        after = ((np.uint64(positions[place - before]) - origin) >> bits) + np.uint64(1)
        begin = max((np.uint64(positions[place]) - reach) >> bits, covered_until)
        begin_at[min(begin, after)] += weight
        covered_until = after
        place += np.uint64(1)


@kernel
def _mark_blocks(
    begin_at: npt.NDArray[np.int32],
    end_at: npt.NDArray[np.int32],
    margin: int,
    least: _Least,
    longest: int,
    reach: npt.NDArray[np.int32],
) -> None:
    """Write ``longest`` into the ``reach`` of each block that is covered by as much as ``least`` says."""
    blocks, length, least_cover = reach.shape[0], np.int32(longest), np.int32(least.weight)
    begins, ends = begin_at[margin : margin + blocks], end_at[margin : margin + blocks]
    counts_distinct = least.distinct.shape[0] > 0
    cover = np.int32(np.sum(begin_at[:margin]) + np.sum(end_at[:margin]))
    for block in range(blocks):
        cover += begins[block] + ends[block]
        if cover >= least_cover and (
            not counts_distinct or cover >= _units_needed(least.distinct[block], least.per_distinct, least.base)
        ):
            reach[block] = length


@kernel
def _join_blocks(reach: npt.NDArray[np.int32], bits: int, first: int, stop: int) -> npt.NDArray[np.int64]:
    """Blocks as ranges of starts with the longest ``reach`` of each, int64 [N, 3]; near ones are joined.

    To slide on over a gap shorter than a passage is cheaper than to begin again behind it.
    """
    count = np.int64(0)
    for block in range(reach.shape[0]):
        count += np.int64(reach[block] > 0)
    ranges, last = np.empty((count, 3), np.int64), np.int64(-1)
    for block in range(reach.shape[0] if count else 0):
        longest = np.int64(reach[block])
        if longest > 0:
            low, high = first + (block << bits), min(first + ((block + 1) << bits), stop)
            if last >= 0 and low - ranges[last, 1] <= longest:
                ranges[last, 1], ranges[last, 2] = high, max(ranges[last, 2], longest)
            else:
                last += 1
                ranges[last, 0], ranges[last, 1], ranges[last, 2] = low, high, longest
    return ranges[: last + 1].copy()
