"""Packing postings: what a posting adds to the one before it, in as few bits as its block needs.

Postings are cut into *blocks* of up to ``BLOCK_ROWS``, which can be unpacked one by one. A posting is turned into
*residuals*, one small number for its start and one for each extent, and a block writes each column of them with as many
bits as most of its values need. The others are *exceptions*, whose upper bits follow (patched frame of reference:
Zukowski et al., "Super-Scalar RAM-CPU Cache Compression", ICDE 2006).

How residuals are made is the *kind* of a block (``unpacking`` undoes it):

- ``SHARED``: several short lists. Starts are counted from the smallest of them, extents are as they are.
- ``LIST``: postings of one list. A start is counted from the one before it.
- ``STAIRCASE``: postings of one list that are windows ``a <= b <= c <= d``, none of which starts before the one before
  it has ended its starts, and none of whose ends lie before those of the one before it. That is so where the windows of
  a text under one hash value have been cut apart. Every corner is counted from where it can be at the earliest.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.kernels import kernel
from ibidem.store.format import (
    BLOCK_HEADER,
    BLOCK_ROWS,
    COLUMN_HEADER,
    LIST,
    SHARED,
    SHORT_LIST,
    STAIRCASE,
    WIDEST_START,
    WINDOW_EXTENTS,
)
from ibidem.store.postings.lists import Blocks, Lists, PackedLists, require_order

_Bytes = NDArray[np.uint8]
_Words = NDArray[np.uint32]
_Ints = NDArray[np.int64]
_Int = int | np.int64
_Flags = NDArray[np.bool_]
_Extents = NDArray[Any]

_GREATEST_REACH = 65535

# The cost of an exception besides its upper bits: 8 for its place, and 2 for the time that it takes to unpack.
_EXCEPTION_BITS = 10


def pack_lists(lists: Lists) -> PackedLists:
    """Pack the lists of one function and their directory.

    Raises:
        ValueError: the postings are not sorted by (key, start).
    """
    require_order(lists)
    directory = pack_keys(lists.keys, lists.ends)
    firsts = directory.rows[:-1]
    first_lists = np.append(np.uint32(0), lists.ends)[firsts]
    packed = pack(lists.ends, lists.starts, lists.extents)
    return PackedLists(packed, directory, lists.keys[firsts], first_lists, lists.extents.shape[1])


def pack(list_ends: NDArray[np.uint32], starts: NDArray[np.uint32], extents: _Extents) -> Blocks:
    """Pack the postings of one function.

    Args:
        list_ends: of shape [K], where each list ends.
        starts: of shape [P], ascending within a list.
        extents: uint16 or uint32, of shape [P, w].

    Returns:
        Blocks whose rows and bytes are counted from 0, without the margin that ends the column.
    """
    starts = np.ascontiguousarray(starts)
    extents = np.ascontiguousarray(extents)
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


def pack_keys(keys: NDArray[np.uint32], list_ends: NDArray[np.uint32]) -> Blocks:
    """Pack the keys of one function, ascending, and the lengths of their lists, as postings of one list are packed."""
    return pack(np.array([len(keys)], np.uint32), keys, np.diff(list_ends, prepend=np.uint32(0))[:, None])


@kernel
def _cut(list_ends: _Words, block_ends: _Ints, of_one_list: _Flags) -> _Int:
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
def _pack(
    bounds: _Ints, of_one_list: _Flags, starts: _Words, extents: _Extents, packed: _Bytes, byte_ends: _Ints
) -> None:
    """Write the blocks of postings between ``bounds``, and into ``byte_ends[1:]`` where each ends."""
    columns = extents.shape[1] + 1
    residuals = np.empty((columns, BLOCK_ROWS), np.uint32)
    exceptions = np.empty((2, BLOCK_ROWS), np.uint32)
    at: _Int = np.int64(0)
    for block in range(bounds.shape[0] - 1):
        low, high = bounds[block], bounds[block + 1]
        number = high - low
        kind, base, reach = _fill_residuals(starts, extents, low, high, of_one_list[block], residuals)
        packed[at] = np.uint8(kind)
        _write_number(packed, at + 1, reach, 2)
        _write_number(packed, at + 3, base, 4)
        header, at = at + BLOCK_HEADER, at + BLOCK_HEADER + columns * COLUMN_HEADER
        for column in range(columns):
            at = _pack_column(residuals[column], number, packed, header, at, exceptions)
            header += COLUMN_HEADER
        byte_ends[block + 1] = at


@kernel
def _pack_column(values: _Words, number: _Int, packed: _Bytes, header: _Int, at: _Int, exceptions: _Words) -> _Int:
    """Write a column of residuals and its header; ``exceptions`` [2, BLOCK_ROWS] is room. Where the column ends."""
    width, widest = _choose_width(values, number)
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
def _fill_residuals(
    starts: _Words, extents: _Extents, low: _Int, high: _Int, of_one_list: bool, residuals: _Words
) -> tuple[_Int, _Int, _Int]:
    """Fill ``residuals`` [w + 1, BLOCK_ROWS] with those of the postings from ``low`` to ``high``.

    Returns the kind of the block, the start from which it counts, and for ``STAIRCASE`` the least ``c - a``.
    """
    base = np.int64(starts[low])
    if of_one_list and extents.shape[1] == WINDOW_EXTENTS:
        reach = _find_reach(starts, extents, low, high)
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
def _find_reach(starts: _Words, extents: _Extents, low: _Int, high: _Int) -> _Int:
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
def _choose_width(values: _Words, number: _Int) -> tuple[_Int, _Int]:
    """The width at which values and exceptions cost the fewest bits, and that of the widest value."""
    every = np.uint32(0)
    for i in range(number):
        every |= values[i]
    widest = 0
    while widest < WIDEST_START and every >> np.uint32(widest):
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
def _write_bits(values: _Words, number: _Int, width: _Int, packed: _Bytes, at: _Int) -> _Int:
    """Write the lowest ``width`` bits of each value, the lowest first; return where the last byte ends."""
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
def _write_number(packed: _Bytes, at: _Int, value: _Int, count: _Int) -> None:
    """Write a number into ``count`` bytes."""
    for place in range(count):
        packed[at + place] = np.uint8((value >> (8 * place)) & 255)
