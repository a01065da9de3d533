"""Packing postings: what a posting adds to the one before it, in as few bits as its block needs.

Postings are cut into *blocks* of up to ``BLOCK_ROWS``, which can be unpacked one by one. A posting is turned into
*residuals*, one small number for its start and one for each extent, and a block writes each column of them with as many
bits as most of its values need. The others are *exceptions*, whose upper bits stand behind (patched frame of reference:
Zukowski et al., "Super-Scalar RAM-CPU Cache Compression", ICDE 2006).

How residuals are made is the *kind* of a block:

- ``SHARED``: several short lists. Starts are counted from the smallest of them, extents are as they are.
- ``LIST``: postings of one list. A start is counted from the one before it.
- ``STAIRCASE``: postings of one list that are windows ``a <= b <= c <= d``, none of which starts before the one before
  it has ended its starts, and none of whose ends lie before those of the one before it. That is so where the windows of
  a text under one hash value have been cut apart. Every corner is counted from where it can be at the earliest.
"""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ibidem._jit import inlined, kernel
from ibidem.store.format import BLOCK_HEADER, BLOCK_ROWS, COLUMN_HEADER, PACKED_MARGIN, SHORT_LIST
from ibidem.store.postings import Blocks

__all__ = ["LIST", "SHARED", "STAIRCASE", "find_lists", "pack", "pack_keys", "unpack", "unpack_starts"]

SHARED, LIST, STAIRCASE = 0, 1, 2

_WIDEST_START = 32
_GREATEST_REACH = 65535
_WINDOW_EXTENTS = 3

_EXCEPTION_BITS = 10
"""What an exception costs besides its upper bits: 8 for its place, and 2 for the time that it takes to unpack."""


def pack(list_ends: NDArray[np.uint32], starts: NDArray[np.uint32], extents: NDArray[Any]) -> Blocks:
    """Pack the postings of one function.

    Args:
        list_ends: of shape [K], where each list ends.
        starts: of shape [P], ascending within a list.
        extents: uint16 or uint32, of shape [P, w].

    Returns:
        Blocks whose rows and bytes are counted from 0, without the margin that ends the column.
    """
    starts, extents = np.ascontiguousarray(starts), np.ascontiguousarray(extents)
    number, width = extents.shape
    most_blocks = number // BLOCK_ROWS + 2 * (number // SHORT_LIST) + 1
    rows = np.zeros(most_blocks + 1, np.int64)
    of_one_list = np.empty(most_blocks, np.bool_)
    blocks = _cut(list_ends, rows, of_one_list)
    header = BLOCK_HEADER + COLUMN_HEADER * (width + 1)
    # Exceptions are made where they save bits; rounding the parts of a column up to bytes takes less than two.
    packed = np.empty(number * (4 + extents.itemsize * width) + blocks * (header + 2 * (width + 1)), np.uint8)
    rows = rows[: blocks + 1].copy()
    ends = np.zeros(blocks + 1, np.int64)
    _pack(rows, of_one_list, starts, extents, packed, ends)
    return Blocks(rows, ends, packed[: ends[-1]])


def unpack(
    blocks: Blocks, low: int, high: int, width: int, dtype: DTypeLike = np.uint16
) -> tuple[NDArray[np.uint32], NDArray[Any]] | None:
    """The starts [n] and extents [n, width] of the postings from ``low`` to ``high``, which are n; ``dtype`` is theirs.

    None if a block among them is not one that ``pack`` could have written. Whatever the bytes are, nothing outside of
    the arrays is read or written.
    """
    if low >= high:
        return np.empty(0, np.uint32), np.empty((0, width), dtype)
    first = int(blocks.rows.searchsorted(low, "right")) - 1
    end = int(blocks.rows.searchsorted(high))
    if first < 0 or end >= len(blocks.rows):
        return None
    begin, number = int(blocks.rows[first]), int(blocks.rows[end]) - int(blocks.rows[first])
    if not begin <= low < high <= begin + number <= begin + (end - first) * BLOCK_ROWS:
        return None
    starts, extents = np.empty(number, np.uint32), np.empty((number, width), dtype)
    if not _unpack(blocks, first, end, starts, extents):
        return None
    return starts[low - begin : high - begin], extents[low - begin : high - begin]


def unpack_starts(blocks: Blocks, bounds: NDArray[np.int64], width: int) -> NDArray[np.uint32] | None:
    """The starts of the postings of several ranges ``bounds`` [L, 2], back to back; ``width`` is that of the extents.

    None if a block among them is not one that ``pack`` could have written.
    """
    bounds = np.ascontiguousarray(bounds[bounds[:, 0] < bounds[:, 1]])
    starts = np.empty(int((bounds[:, 1] - bounds[:, 0]).sum()), np.uint32)
    return starts if _unpack_starts(blocks, bounds, np.empty((1, width), np.uint16), starts) else None


def pack_keys(keys: NDArray[np.uint32], list_ends: NDArray[np.uint32]) -> Blocks:
    """Pack the keys of one function, ascending, and the lengths of their lists, as postings of one list are packed."""
    return pack(np.array([len(keys)], np.uint32), keys, np.diff(list_ends, prepend=np.uint32(0))[:, None])


def find_lists(
    blocks: Blocks, first_keys: NDArray[np.uint32], first_lists: NDArray[np.uint32], keys: NDArray[np.uint32]
) -> NDArray[np.int64] | None:
    """Where the lists of some keys begin and end, of shape [len(keys), 2]; an absent key has an empty range.

    ``blocks`` are those of the keys of one function, from the block to which ``first_keys[0]`` and ``first_lists[0]``
    belong. None if a block is not one that ``pack_keys`` could have written.
    """
    bounds = np.zeros((len(keys), 2), np.int64)
    return bounds if _find_lists(blocks, first_keys, first_lists, keys, bounds) else None


@kernel
def _cut(list_ends: Any, block_ends: Any, of_one_list: Any) -> Any:
    """Where blocks end, from ``block_ends[1]`` on, and how many there are: long lists have blocks to themselves."""
    blocks, begin, low = 0, np.int64(0), np.int64(0)
    for place in range(list_ends.shape[0]):
        end = np.int64(list_ends[place])
        if end - low >= SHORT_LIST:
            if begin < low:
                of_one_list[blocks], block_ends[blocks + 1] = False, low
                blocks += 1
            while low < end:
                low = min(low + BLOCK_ROWS, end)
                of_one_list[blocks], block_ends[blocks + 1] = True, low
                blocks += 1
            begin = end
        while end - begin >= BLOCK_ROWS:
            begin += BLOCK_ROWS
            of_one_list[blocks], block_ends[blocks + 1] = False, begin
            blocks += 1
        low = end
    if begin < low:
        of_one_list[blocks], block_ends[blocks + 1] = False, low
        blocks += 1
    return blocks


@kernel
def _pack(bounds: Any, of_one_list: Any, starts: Any, extents: Any, packed: Any, byte_ends: Any) -> None:
    """Write the blocks of postings between ``bounds``, and into ``byte_ends[1:]`` where each ends."""
    columns = extents.shape[1] + 1
    residuals = np.empty((columns, BLOCK_ROWS), np.uint32)
    exceptions = np.empty((2, BLOCK_ROWS), np.uint32)
    at = np.int64(0)
    for block in range(bounds.shape[0] - 1):
        low, high = bounds[block], bounds[block + 1]
        number = high - low
        kind, base, reach = _residuals(starts, extents, low, high, of_one_list[block], residuals)
        packed[at] = np.uint8(kind)
        _put(packed, at + 1, reach, 2)
        _put(packed, at + 3, base, 4)
        header, at = at + BLOCK_HEADER, at + BLOCK_HEADER + columns * COLUMN_HEADER
        for column in range(columns):
            at = _pack_column(residuals[column], number, packed, header, at, exceptions)
            header += COLUMN_HEADER
        byte_ends[block + 1] = at


@kernel
def _pack_column(values: Any, number: Any, packed: Any, header: Any, at: Any, exceptions: Any) -> Any:
    """Write a column of residuals and its header; ``exceptions`` [2, BLOCK_ROWS] is room. Where the column ends."""
    width, widest = _best_width(values, number)
    places, upper, found = exceptions[0], exceptions[1], np.int64(0)
    if width < widest:
        for i in range(number):
            if values[i] >> np.uint32(width):
                places[found], upper[found] = i, values[i] >> np.uint32(width)
                found += 1
    packed[header] = np.uint8(width)
    packed[header + 1] = np.uint8(widest - width)
    packed[header + 2] = np.uint8(found)
    at = _write_bits(values, number, width, packed, at)
    at = _write_bits(places, found, np.int64(8), packed, at)
    return _write_bits(upper, found, widest - width, packed, at)


@kernel
def _residuals(starts: Any, extents: Any, low: Any, high: Any, of_one_list: Any, residuals: Any) -> Any:
    """Fill ``residuals`` [w + 1, BLOCK_ROWS] with those of the postings from ``low`` to ``high``.

    Returns the kind of the block, the start from which it counts, and for ``STAIRCASE`` the least ``c - a``.
    """
    base = np.int64(starts[low])
    if of_one_list and extents.shape[1] == _WINDOW_EXTENTS:
        reach = _reach_of_staircase(starts, extents, low, high)
        if reach >= 0:
            b, c, d = base - 1, np.int64(0), np.int64(0)
            for i in range(high - low):
                a, posting = np.int64(starts[low + i]), low + i
                residuals[0, i] = np.uint32(a - b - 1)
                residuals[1, i] = extents[posting, 0]
                b = a + np.int64(extents[posting, 0])
                least = max(b, c, a + reach)
                c = b + np.int64(extents[posting, 1])
                residuals[2, i] = np.uint32(c - least)
                least = max(c, d)
                d = c + np.int64(extents[posting, 2])
                residuals[3, i] = np.uint32(d - least)
            return STAIRCASE, base, reach
    if not of_one_list:
        for posting in range(low, high):
            base = min(base, np.int64(starts[posting]))
    before = base
    for i in range(high - low):
        residuals[0, i] = np.uint32(np.int64(starts[low + i]) - before)
        before = np.int64(starts[low + i]) if of_one_list else base
        for column in range(extents.shape[1]):
            residuals[column + 1, i] = extents[low + i, column]
    return LIST if of_one_list else SHARED, base, np.int64(0)


@kernel
def _reach_of_staircase(starts: Any, extents: Any, low: Any, high: Any) -> Any:
    """The least ``c - a`` of windows whose starts are apart and whose ends never fall; -1 if they are not such."""
    reach, b, c, d = np.int64(_GREATEST_REACH), np.int64(-1), np.int64(0), np.int64(0)
    for posting in range(low, high):
        a = np.int64(starts[posting])
        next_b = a + np.int64(extents[posting, 0])
        next_c = next_b + np.int64(extents[posting, 1])
        next_d = next_c + np.int64(extents[posting, 2])
        if a <= b or next_c < c or next_d < d:
            return np.int64(-1)
        b, c, d = next_b, next_c, next_d
        reach = min(reach, c - a)
    return reach


@kernel
def _best_width(values: Any, number: Any) -> Any:
    """The width at which values and exceptions cost the fewest bits, and that of the widest value."""
    every = np.uint32(0)
    for i in range(number):
        every |= values[i]
    widest = 0
    while widest < _WIDEST_START and every >> np.uint32(widest):
        widest += 1
    best, least = widest, number * widest
    for width in range(widest - 1, -1, -1):
        limit, exceptions = np.uint32(1) << np.uint32(width), 0
        for i in range(number):
            exceptions += values[i] >= limit
        size = number * width + exceptions * (_EXCEPTION_BITS + widest - width)
        if size < least:
            best, least = width, size
    return best, widest


@kernel
def _write_bits(values: Any, number: Any, width: Any, packed: Any, at: Any) -> Any:
    """Write the lowest ``width`` bits of each value, the lowest first; where the last byte ends."""
    step, mask = np.uint64(width), (np.uint64(1) << np.uint64(width)) - np.uint64(1)
    place, waiting, bits = np.uint64(at), np.uint64(0), np.uint64(0)
    for i in range(number):
        waiting |= (np.uint64(values[i]) & mask) << bits
        bits += step
        if bits >= np.uint64(32):
            for byte in range(4):
                packed[place + np.uint64(byte)] = np.uint8(waiting >> np.uint64(8 * byte))
            waiting >>= np.uint64(32)
            place += np.uint64(4)
            bits -= np.uint64(32)
    for byte in range(np.int64((bits + np.uint64(7)) >> np.uint64(3))):
        packed[place + np.uint64(byte)] = np.uint8(waiting >> np.uint64(8 * byte))
    return at + ((number * width + 7) >> 3)


@kernel
def _put(packed: Any, at: Any, value: Any, count: Any) -> None:
    """Write a number into ``count`` bytes."""
    for place in range(count):
        packed[at + place] = np.uint8((value >> (8 * place)) & 255)


@kernel
def _unpack(blocks: Any, first: Any, end: Any, starts: Any, extents: Any) -> Any:
    """Unpack the blocks from ``first`` to ``end``; whether they are sound and fill ``starts`` and ``extents``."""
    bounds, byte_bounds, packed = blocks.rows, blocks.bytes, blocks.packed
    columns = extents.shape[1] + 1
    residuals = np.empty((columns, BLOCK_ROWS), np.uint32)
    upper = np.empty(BLOCK_ROWS, np.uint32)
    done = np.int64(0)
    for block in range(first, end):
        number, at = bounds[block + 1] - bounds[block], byte_bounds[block]
        if not 0 < number <= min(BLOCK_ROWS, starts.shape[0] - done):
            return False
        if not _is_sound(packed, at, byte_bounds[block + 1], number, columns, 8 * extents.itemsize):
            return False
        kind, reach, base = packed[at], _get(packed, at + 1, 2), _get(packed, at + 3, 4)
        header, at = at + BLOCK_HEADER, at + BLOCK_HEADER + columns * COLUMN_HEADER
        for column in range(columns):
            values = residuals[column]
            width, more, exceptions = packed[header], packed[header + 1], np.int64(packed[header + 2])
            header += COLUMN_HEADER
            at = _read_bits(packed, at, number, width, values)
            if exceptions:
                places, at = at, at + exceptions
                at = _read_bits(packed, at, exceptions, more, upper)
                for i in range(exceptions):
                    values[packed[places + i]] |= upper[i] << np.uint32(width)
        if kind == STAIRCASE:
            _rebuild_staircase(residuals, base, reach, starts[done : done + number], extents[done : done + number])
        else:
            _rebuild(residuals, base, kind == LIST, starts[done : done + number], extents[done : done + number])
        done += number
    return done == starts.shape[0]


@kernel
def _unpack_starts(blocks: Any, bounds: Any, extents: Any, starts: Any) -> Any:
    """Unpack the blocks that hold the postings of each range; whether they are sound and hold them all."""
    rows, done = blocks.rows, np.int64(0)
    block_starts, block_extents = np.empty(BLOCK_ROWS, np.uint32), np.empty((BLOCK_ROWS, extents.shape[1]), np.uint16)
    for row in range(bounds.shape[0]):
        low, high = bounds[row, 0], bounds[row, 1]
        block = np.searchsorted(rows, low, "right") - 1
        while low < high:
            if not 0 <= block < rows.shape[0] - 1 or not rows[block] <= low < rows[block + 1]:
                return False
            number = rows[block + 1] - rows[block]
            if number > BLOCK_ROWS or not _unpack(
                blocks, block, block + 1, block_starts[:number], block_extents[:number]
            ):
                return False
            stop = min(high, rows[block + 1])
            for place in range(low - rows[block], stop - rows[block]):
                starts[done] = block_starts[place]
                done += 1
            low, block = stop, block + 1
    return True


@kernel
def _find_lists(blocks: Any, first_keys: Any, first_lists: Any, wanted: Any, bounds: Any) -> Any:
    """Write into ``bounds`` where the lists of the wanted keys are; whether their blocks are sound."""
    keys, lengths = np.empty(BLOCK_ROWS, np.uint32), np.empty((BLOCK_ROWS, 1), np.uint32)
    held, number = -1, np.int64(0)
    for place in range(wanted.shape[0]):
        block = np.searchsorted(first_keys, wanted[place], "right") - 1
        if block < 0:
            continue
        if block != held:
            held, number = block, blocks.rows[block + 1] - blocks.rows[block]
            if not 0 < number <= BLOCK_ROWS or not _unpack(blocks, block, block + 1, keys[:number], lengths[:number]):
                return False
        at = np.searchsorted(keys[:number], wanted[place])
        if at < number and keys[at] == wanted[place]:
            begin = np.int64(first_lists[block])
            for before in range(at):
                begin += np.int64(lengths[before, 0])
            bounds[place, 0], bounds[place, 1] = begin, begin + np.int64(lengths[at, 0])
    return True


@kernel
def _is_sound(packed: Any, begin: Any, end: Any, number: Any, columns: Any, widest: Any) -> Any:
    """Whether the header of a block of ``number`` postings is one, and asks for as many bytes as the block has."""
    if not 0 <= begin <= end <= packed.shape[0] - PACKED_MARGIN:
        return False
    at = begin + BLOCK_HEADER + columns * COLUMN_HEADER
    if at > end or packed[begin] > STAIRCASE or (packed[begin] == STAIRCASE and columns != _WINDOW_EXTENTS + 1):
        return False
    for column in range(columns):
        header = begin + BLOCK_HEADER + column * COLUMN_HEADER
        width, more, exceptions = np.int64(packed[header]), np.int64(packed[header + 1]), np.int64(packed[header + 2])
        if width + more > (widest if column else _WIDEST_START) or (exceptions and not more):
            return False
        at += (number * width + 7) // 8 + exceptions + (exceptions * more + 7) // 8
    return at == end


@kernel
def _read_bits(packed: Any, at: Any, number: Any, width: Any, values: Any) -> Any:
    """Read ``number`` values of ``width`` bits, of which there are at most 32; where the last byte ends."""
    step, mask = np.uint64(width), (np.uint64(1) << np.uint64(width)) - np.uint64(1)
    bit = np.uint64(at) * np.uint64(8)
    done = 0
    if 4 * np.int64(width) + 7 <= 64:  # eight bytes hold four values, wherever in a byte the first begins
        done = number // 4 * 4
        second, third, fourth = step, np.uint64(2) * step, np.uint64(3) * step
        for i in range(0, done, 4):
            four = _eight_bytes(packed, bit >> np.uint64(3)) >> (bit & np.uint64(7))
            values[i] = np.uint32(four & mask)
            values[i + 1] = np.uint32((four >> second) & mask)
            values[i + 2] = np.uint32((four >> third) & mask)
            values[i + 3] = np.uint32((four >> fourth) & mask)
            bit += np.uint64(4) * step
    for i in range(done, number):
        values[i] = np.uint32((_eight_bytes(packed, bit >> np.uint64(3)) >> (bit & np.uint64(7))) & mask)
        bit += step
    return at + ((number * np.int64(width) + 7) >> 3)


@inlined
def _eight_bytes(packed: Any, at: Any) -> Any:
    """Eight bytes as one number; the compiler makes one load of them."""
    return (
        np.uint64(packed[at])
        | np.uint64(packed[at + np.uint64(1)]) << np.uint64(8)
        | np.uint64(packed[at + np.uint64(2)]) << np.uint64(16)
        | np.uint64(packed[at + np.uint64(3)]) << np.uint64(24)
        | np.uint64(packed[at + np.uint64(4)]) << np.uint64(32)
        | np.uint64(packed[at + np.uint64(5)]) << np.uint64(40)
        | np.uint64(packed[at + np.uint64(6)]) << np.uint64(48)
        | np.uint64(packed[at + np.uint64(7)]) << np.uint64(56)
    )


@kernel
def _get(packed: Any, at: Any, count: Any) -> Any:
    """Read a number of ``count`` bytes."""
    value = np.int64(0)
    for place in range(count):
        value |= np.int64(packed[at + place]) << (8 * place)
    return value


@kernel
def _rebuild_staircase(residuals: Any, base: Any, reach: Any, starts: Any, extents: Any) -> None:
    """From residuals back to windows."""
    b, c, d = base - 1, np.int64(0), np.int64(0)
    for i in range(starts.shape[0]):
        a = b + 1 + np.int64(residuals[0, i])
        b = a + np.int64(residuals[1, i])
        c = max(b, c, a + reach) + np.int64(residuals[2, i])
        d = max(c, d) + np.int64(residuals[3, i])
        starts[i] = np.uint32(a)
        extents[i, 0], extents[i, 1], extents[i, 2] = b - a, c - b, d - c


@kernel
def _rebuild(residuals: Any, base: Any, of_one_list: Any, starts: Any, extents: Any) -> None:
    """From residuals back to postings of any width."""
    before = base
    for i in range(starts.shape[0]):
        start = before + np.int64(residuals[0, i])
        starts[i] = np.uint32(start)
        before = start if of_one_list else base
    for column in range(extents.shape[1]):
        for i in range(starts.shape[0]):
            extents[i, column] = residuals[column + 1, i]
