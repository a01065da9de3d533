"""The count filter: the starts from which enough of the query's tokens can be reached.

It counts as T-occurrence by ScanCount does (Li, Lu, Lu, ICDE 2008), over positions instead of record ids, those
occurrences of the query that ``query_prefix.py`` has chosen.

A passage of ``L`` tokens reaches a position if it starts there or up to ``L - 1`` tokens before. So the positions of a
token *cover* runs of starts; the positions of its second occurrence in a passage cover others. The covers of a start
bound how much any passage of at most ``L`` tokens from there overlaps the query. A passage of similarity ``θ`` and
weight ``m`` overlaps a query of weight ``q`` by ``(q + m) θ / (1 + θ)`` at least. Lengths are taken in bands: the
longest passage of a band says what can be reached, the shortest how heavy a passage is at least. Two bands are counted
together: a counter of 64 bits has four fields, the covers of each band that begin and that end.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.kernels import inlined, kernel
from ibidem.passages.filters.query_prefix import QueryPrefix

# Blocks whose cover is added up at a time, so that it stays in the fastest cache.
_CHUNK = 1 << 13

# Occurrences that are counted in fields of 16 bits. Of more, each would have too few units in so few bits.
_FEW = 512

# Bits of a counter that count the covers that begin; as many count those that end.
_HALF = np.uint64(32)

_Int = int | np.int64


class _Bands(NamedTuple):
    """A band, or two that are counted together, each in a field of both halves of the counters of blocks.

    Attributes:
        first, number: the first band of the prefix, and how many.
        width: bits of a field; the highest is set where enough is reached.
        units: bits by which units are cut, so that no cover needs the highest bit of a field.
        origin: the counter of the first block of a chunk.
        behind: int64 [2], how far behind the counter of a block is the one with the covers that begin in that block.
        fields: uint64 [2], the bits of each field in the lower half; 0 in place of a second band.
        beyond: uint64 [D], for each number of blocks, 1 in the fields of the bands whose passages do not reach so far;
            the last is for any number from there on.
    """

    first: int
    number: int
    width: int
    units: int
    origin: int
    behind: npt.NDArray[np.int64]
    fields: npt.NDArray[np.uint64]
    beyond: npt.NDArray[np.uint64]


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
    blocks = ((stop - 1 - first) >> prefix.bits) + 1
    reach = np.zeros((blocks + 7) // 8 * 8, np.uint8)  # of each block, how many bands there are to the last that passes
    count = prefix.longest.shape[0]
    together = 2 if count > 1 and prefix.lists.shape[0] <= _FEW else 1
    for band in range(0, count, together):
        bands = _take_bands(prefix, band, min(together, count - band))
        _mark_reached(positions, ends, prefix, bands, fewest, (first, stop), reach)
    return _join_blocks(reach, prefix.longest, prefix.bits, (first, stop))


@kernel
def _take_bands(prefix: QueryPrefix, first: int, number: int) -> _Bands:
    """One band or two of the ``prefix``, from ``first`` on."""
    width, units = 32 // number, 0
    while np.sum(_cut_weights(prefix.weights, units)) >> np.uint64(width - 1):
        units += 1
    reach = (prefix.longest[first : first + number] - 2 >> prefix.bits) + 1  # blocks before one that may reach into it
    fields, behind = np.zeros(2, np.uint64), np.zeros(2, np.int64)
    beyond = np.zeros(reach[number - 1] + 2, np.uint64)
    for band in range(number):
        fields[band] = ((np.uint64(1) << np.uint64(width)) - np.uint64(1)) << np.uint64(band * width)
        beyond[reach[band] + 1 :] |= np.uint64(1) << np.uint64(band * width)
    if number == 1:
        return _Bands(first, number, width, units, reach[0], behind, fields, beyond)
    behind[:] = reach
    return _Bands(first, number, width, units, 0, behind, fields, beyond)


@inlined
def _cut_weights(weights: npt.NDArray[np.int32], units: int) -> npt.NDArray[np.uint64]:
    """The ``weights``, cut by so many bits and rounded up."""
    cut = np.empty(weights.shape[0], np.uint64)
    for occurrence in range(weights.shape[0]):
        cut[occurrence] = np.uint64((np.int64(weights[occurrence]) + (1 << units) - 1) >> units)
    return cut


@kernel
def _mark_reached(
    positions: npt.NDArray[np.uint32],
    ends: npt.NDArray[np.int64],
    prefix: QueryPrefix,
    bands: _Bands,
    fewest: npt.NDArray[np.uint16],
    bounds: tuple[int, int],
    reach: npt.NDArray[np.uint8],
) -> None:
    """Write into ``reach`` the longest of the ``bands`` for each block from which it reaches enough."""
    (first, stop), lists, bits = bounds, prefix.lists, prefix.bits
    longest, margin = np.int64(prefix.longest[bands.first]), bands.beyond.shape[0]
    counters, weights = np.zeros(_CHUNK + 2 * margin, np.uint64), _cut_weights(prefix.weights, bands.units)
    total, least = np.int64(np.sum(weights)), np.empty(2, np.int64)
    places = _seek(positions, ends, lists, first)
    for low in range(first, stop, _CHUNK << bits):
        before, blocks = (low - first) >> bits, (min(_CHUNK << bits, stop - low) - 1 >> bits) + 1
        here = (low >> bits, (low >> bits) + blocks)
        for band in range(bands.number):
            least[band] = _least_cover(prefix, bands.first + band, fewest, here, bands.units)
        if np.min(least[: bands.number]) > total:
            continue
        for occurrence in range(lists.shape[0]):
            begin = ends[lists[occurrence] - 1] if lists[occurrence] else np.int64(0)
            list_bounds = begin, ends[lists[occurrence]]
            places[occurrence] = _seek_near(positions, list_bounds, places[occurrence], low)
            run, weight = (places[occurrence], list_bounds[1], prefix.earlier[occurrence]), weights[occurrence]
            if bands.number == 1:
                chunk = low, (blocks << bits) + longest - 1, bits
                places[occurrence] = _count_band(positions, run, weight, chunk, (longest, bands.origin), counters)
            else:
                chunk = low, (blocks + bands.behind[1]) << bits, bits
                places[occurrence] = _count_two_bands(positions, run, weight, chunk, bands.beyond, counters)
        _mark_blocks(counters, prefix, bands, least, fewest, here, reach[before : before + blocks])


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
def _seek_near(positions: npt.NDArray[np.uint32], bounds: tuple[_Int, _Int], place: _Int, low: _Int) -> _Int:
    """The place of the first position within ``bounds`` that is not before ``low``, sought from ``place`` on."""
    while place > bounds[0] and positions[place - 1] >= low:
        place -= 1
    while place < bounds[1] and positions[place] < low:
        place += 1
    return place


@inlined
def _units_needed(distinct: int | np.uint16, per_distinct: float, base: int) -> int:
    """Units of the prefix that a passage with this many ``distinct`` tokens holds at least."""
    return int(np.float64(distinct) * per_distinct) + base


@inlined
def _least_cover(
    prefix: QueryPrefix, band: int, fewest: npt.NDArray[np.uint16], blocks: tuple[int, int], units: int
) -> int:
    """The units, cut by ``units`` bits, that each passage of a band from the ``blocks`` holds at least."""
    least, row = prefix.least_weights[band], prefix.rows[band]
    if row >= 0:
        distinct = np.min(fewest[row, blocks[0] : blocks[1]])
        least = max(least, _units_needed(distinct, prefix.per_distinct, prefix.base))
    return int(least) >> units


@kernel
def _count_band(
    positions: npt.NDArray[np.uint32],
    run: tuple[_Int, _Int, _Int],
    weight: np.uint64,
    chunk: tuple[_Int, _Int, _Int],
    band: tuple[_Int, _Int],
    counters: npt.NDArray[np.uint64],
) -> _Int:
    """Count ``weight`` where blocks begin and end from which a token is reached ``earlier + 1`` times.

    ``run`` is where positions begin and end, and ``earlier``. ``chunk`` is the position of the first block, the tokens
    from there that can be reached, and the bits of a block; ``band`` the longest passage, and the counter of the first
    block. Blocks begin to cover behind those that the position before covers, so that nothing is added twice. Returns
    the place of the first position that is not among the tokens of the chunk: positions that do not ascend, since a
    file was altered, must not lead out of ``counters``.
    """
    before, low, span, bits = np.uint64(run[2]), np.uint64(chunk[0]), np.uint64(chunk[1]), np.uint64(chunk[2])
    origin, shift = np.uint64(band[1]), np.uint64((band[1] << chunk[2]) - (band[0] - 1))
    place, end, covered_until = np.uint64(run[0]) + before, np.uint64(run[1]), np.uint64(0)
    while place < end:
        last, first = np.uint64(positions[place]) - low, np.uint64(positions[place - before]) - low
        if last >= span or first >= span:
            break
        block = (first >> bits) + origin
        counters[min(max((last + shift) >> bits, covered_until), block + np.uint64(1))] += weight
        counters[block] += weight << _HALF
        covered_until = block + np.uint64(1)
        place += np.uint64(1)
    return min(int(np.int64(place)), run[1])


@kernel
def _count_two_bands(
    positions: npt.NDArray[np.uint32],
    run: tuple[_Int, _Int, _Int],
    weight: np.uint64,
    chunk: tuple[_Int, _Int, _Int],
    beyond: npt.NDArray[np.uint64],
    counters: npt.NDArray[np.uint64],
) -> _Int:
    """Count ``weight`` as ``_count_band`` does, for two bands at once, of which both reach a whole number of blocks.

    All blocks cover from the block of the first of ``earlier + 1`` positions back to as many before that of the last as
    a band reaches. The counter of the last one's block has that this run begins, that of the first one's that it ends,
    wherever the band does not reach from one run into the next: else they are one.
    """
    before, low, span, bits = np.uint64(run[2]), np.uint64(chunk[0]), np.uint64(chunk[1]), np.uint64(chunk[2])
    place, end, widest = np.uint64(run[0]) + before, np.uint64(run[1]), np.uint64(beyond.shape[0] - 1)
    begins, every = beyond[widest], beyond[widest]
    if place >= end or np.uint64(positions[place]) - low >= span:
        return min(int(np.int64(place)), run[1])
    if not before:  # nearly all occurrences: one counter has where a run begins and where it ends
        block = (np.uint64(positions[place]) - low) >> bits
        place += np.uint64(1)
        while place < end:
            offset = np.uint64(positions[place]) - low
            if offset >= span:
                break
            following = offset >> bits
            apart = beyond[min(following - block, widest)]
            counters[block] += weight * (begins | apart << _HALF)
            block, begins = following, apart
            place += np.uint64(1)
        counters[block] += weight * (begins | every << _HALF)
        return int(np.int64(place))
    first, reaching, was_first = np.uint64(0), np.uint64(0), np.uint64(0)
    counted = False
    while place < end:
        offset, start = np.uint64(positions[place]) - low, np.uint64(positions[place - before]) - low
        if offset >= span or start >= span:
            break
        block, was_first, first = offset >> bits, first, start >> bits
        begins = every
        if counted:
            begins = beyond[min(block - was_first, widest)]
            counters[was_first] += weight * ((reaching & begins) << _HALF)
        reaching = every & ~beyond[min(block - first, widest)]
        counters[block] += weight * (reaching & begins)
        counted = True
        place += np.uint64(1)
    if counted:
        counters[first] += weight * (reaching << _HALF)
    return min(int(np.int64(place)), run[1])


@kernel
def _mark_blocks(
    counters: npt.NDArray[np.uint64],
    prefix: QueryPrefix,
    bands: _Bands,
    least: npt.NDArray[np.int64],
    fewest: npt.NDArray[np.uint16],
    blocks: tuple[int, int],
    reach: npt.NDArray[np.uint8],
) -> None:
    """Write the longest passage into the ``reach`` of each block that is covered by as much as its band asks for.

    ``least`` is the least cover for each band in these ``blocks``. What a field lacks of its highest bit at first is
    what the cover must be.
    """
    room, cover, passes = np.int64(1) << (bands.width - 1), np.uint64(0), np.uint64(0)
    for band in range(bands.number):
        cover += np.uint64(room - min(max(least[band], 0), room)) << np.uint64(band * bands.width)
        passes |= np.uint64(room) << np.uint64(band * bands.width)
        for block in range(bands.origin + bands.behind[band]):
            cover += counters[block] & bands.fields[band]
    ends, near_field, far_field = counters[bands.origin :], bands.fields[0], bands.fields[1]
    near, far = ends[bands.behind[0] :], ends[bands.behind[1] :]
    for block in range(reach.shape[0]):
        cover += (near[block] & near_field) + (far[block] & far_field)
        if cover & passes:
            for band in range(bands.number):
                spare = np.int64((cover & bands.fields[band]) >> np.uint64(band * bands.width)) - room
                row, more = prefix.rows[bands.first + band], 0
                if row >= 0:
                    needed = _units_needed(fewest[row, blocks[0] + block], prefix.per_distinct, prefix.base)
                    more = (needed >> bands.units) - max(least[band], 0)
                if spare >= max(more, 0):
                    reach[block] = bands.first + band + 1
        cover -= ends[block] >> _HALF
        ends[block] = 0
    counters[: bands.origin], ends[reach.shape[0] :] = 0, 0


@kernel
def _join_blocks(
    reach: npt.NDArray[np.uint8], longest: npt.NDArray[np.int64], bits: int, bounds: tuple[int, int]
) -> npt.NDArray[np.int64]:
    """Blocks as ranges of starts with the longest passage of each, int64 [N, 3]; near ones are joined.

    ``reach`` says of each block, of which there are a multiple of eight, how many bands there are from the shortest to
    the last that passes. To slide on over a gap shorter than a passage is cheaper than to begin again behind it.
    """
    (first, stop), eights = bounds, reach.view(np.uint64)
    ranges, last = np.empty((np.count_nonzero(reach), 3), np.int64), np.int64(-1)
    for eight in range(eights.shape[0]):
        for block in range(8 * eight, 8 * eight + 8 if eights[eight] else 0):  # nearly always none passes
            if not reach[block]:
                continue
            length = longest[np.int64(reach[block]) - 1]
            low, high = first + (block << bits), min(first + ((block + 1) << bits), stop)
            if last >= 0 and low - ranges[last, 1] <= length:
                ranges[last, 1], ranges[last, 2] = high, max(ranges[last, 2], length)
            else:
                last += 1
                ranges[last, 0], ranges[last, 1], ranges[last, 2] = low, high, length
    return ranges[: last + 1].copy()
