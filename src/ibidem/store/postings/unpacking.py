"""Unpacking postings and keys from blocks; ``packing`` says how they are made.

Nothing is taken for granted: whatever the bytes of a block are, nothing outside of it is read, and nothing outside of
the results is written.
"""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ibidem.kernels import inlined, kernel
from ibidem.store.format import (
    BLOCK_HEADER,
    BLOCK_ROWS,
    COLUMN_HEADER,
    LIST,
    PACKED_MARGIN,
    SHORT_LIST,
    STAIRCASE,
    WIDEST_START,
    WINDOW_EXTENTS,
)
from ibidem.store.postings.lists import Blocks

_Bytes = NDArray[np.uint8]
_Words = NDArray[np.uint32]
_Ints = NDArray[np.int64]
_Int = int | np.int64
_Extents = NDArray[Any]


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


def narrow_lists(blocks: Blocks, bounds: NDArray[np.int64], first: int, stop: int) -> NDArray[np.int64] | None:
    """The blocks of each list, the postings ``bounds`` [L, 2], that have all its starts from ``first`` to ``stop``.

    As ranges of postings, int64 [L, 2]. None if a list is in no blocks.
    """
    narrow = np.array(bounds, np.int64)
    return narrow if _narrow_lists(blocks, narrow, first, stop) else None


def find_start(blocks: Blocks, bounds: tuple[int, int], start: int, width: int) -> int | None:
    """The first posting of a list, the postings within ``bounds``, that starts at ``start`` or behind it.

    The end of the list if there is none. Only a few blocks are unpacked. None if one of them is not one that ``pack``
    could have written, or the list is in none.
    """
    low, high = bounds
    if low >= high:
        return high
    if not blocks.rows[0] <= low < high <= blocks.rows[-1]:
        return None
    found = int(_find_start(blocks, low, high, start, np.empty((BLOCK_ROWS, width), np.uint16)))
    return None if found < 0 else found


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
def _unpack(blocks: Blocks, first: _Int, end: _Int, starts: _Words, extents: _Extents) -> bool:
    """Unpack the blocks ``first`` to ``end``; return whether they are sound and fill ``starts`` and ``extents``."""
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
        kind, reach, base = packed[at], _read_number(packed, at + 1, 2), _read_number(packed, at + 3, 4)
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
    return bool(done == starts.shape[0])


@kernel
def _unpack_starts(blocks: Blocks, bounds: _Ints, extents: _Extents, starts: _Words) -> bool:
    """Unpack the blocks that hold the postings of each range; return whether they are sound and hold them all.

    Blocks of which all postings are wanted are unpacked into the result, if postings have no extents.
    """
    rows, done, width = blocks.rows, np.int64(0), extents.shape[1]
    block_starts, block_extents = np.empty(BLOCK_ROWS, np.uint32), np.empty((BLOCK_ROWS, width), np.uint16)
    for row in range(bounds.shape[0]):
        low, high = bounds[row, 0], bounds[row, 1]
        block = np.searchsorted(rows, low, "right") - 1
        while low < high:
            if not 0 <= block < rows.shape[0] - 1 or not rows[block] <= low < rows[block + 1]:
                return False
            end = np.searchsorted(rows, high, "right") - 1
            if not width and low == rows[block] and block < end < rows.shape[0]:  # whole blocks, each where it belongs
                number = rows[end] - low
                if not 0 < number <= high - low or not _unpack(
                    blocks, block, end, starts[done : done + number], np.empty((number, 0), np.uint16)
                ):
                    return False
                low, done, block = low + number, done + number, end
                continue
            number, stop = rows[block + 1] - rows[block], min(high, rows[block + 1])
            if number > BLOCK_ROWS or not _unpack(
                blocks, block, block + 1, block_starts[:number], block_extents[:number]
            ):
                return False
            for place in range(low - rows[block], stop - rows[block]):
                starts[done] = block_starts[place]
                done += 1
            low, block = stop, block + 1
    return True


@kernel
def _narrow_lists(blocks: Blocks, bounds: _Ints, first: int, stop: int) -> bool:
    """Narrow ``bounds``, and return whether each list is in blocks. The first start of a block is in its header."""
    rows = blocks.rows
    for row in range(bounds.shape[0]):
        low, high = bounds[row, 0], bounds[row, 1]
        if high - low < SHORT_LIST:  # shares its blocks with others
            continue
        begin, end = np.searchsorted(rows, low, "right") - 1, np.searchsorted(rows, high)
        if not 0 <= begin < end < rows.shape[0] or blocks.packed.shape[0] < PACKED_MARGIN:
            return False
        after = _find_block(blocks, begin + 1, end, first)
        bounds[row, 0] = min(max(low, rows[after - 1]), high)
        bounds[row, 1] = min(max(bounds[row, 0], rows[_find_block(blocks, after, end, stop)]), high)
    return True


@inlined
def _find_block(blocks: Blocks, low: _Int, high: _Int, start: int) -> _Int:
    """The first block from ``low`` until ``high`` whose first start is ``start`` or behind it; ``high`` if none is."""
    while low < high:
        block = (low + high) >> 1
        at = min(max(blocks.bytes[block], 0), blocks.packed.shape[0] - PACKED_MARGIN)
        if _read_number(blocks.packed, at + 3, 4) >= start:
            high = block
        else:
            low = block + 1
    return low


@kernel
def _find_start(blocks: Blocks, low: int, high: int, start: int, extents: _Extents) -> int:
    """The first posting from ``low`` until ``high`` that starts at ``start`` or later; -1 if a block is not sound."""
    rows, starts = blocks.rows, np.empty(BLOCK_ROWS, np.uint32)
    while low < high:
        block = np.searchsorted(rows, (low + high) // 2, "right") - 1
        if not 0 <= block < rows.shape[0] - 1:
            return -1
        first, number = rows[block], rows[block + 1] - rows[block]
        if number > BLOCK_ROWS or not _unpack(blocks, block, block + 1, starts[:number], extents[:number]):
            return -1
        begin, end = max(low, first), min(high, first + number)
        if begin >= end:
            return -1
        place = begin + np.searchsorted(starts[begin - first : end - first], start)
        if place == end:
            low = end
        elif place > begin or begin == low:
            return int(place)
        else:
            high = begin
    return int(low)


@kernel
def _find_lists(blocks: Blocks, first_keys: _Words, first_lists: _Words, wanted: _Words, bounds: _Ints) -> bool:
    """Write into ``bounds`` where the lists of the wanted keys are; return whether their blocks are sound."""
    keys, lengths = np.empty(BLOCK_ROWS, np.uint32), np.empty((BLOCK_ROWS, 1), np.uint32)
    unpacked_block, number = -1, np.int64(0)
    for place in range(wanted.shape[0]):
        block = np.searchsorted(first_keys, wanted[place], "right") - 1
        if block < 0:
            continue
        if block != unpacked_block:
            unpacked_block, number = block, blocks.rows[block + 1] - blocks.rows[block]
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
def _is_sound(packed: _Bytes, begin: _Int, end: _Int, number: _Int, columns: _Int, widest: _Int) -> bool:
    """Whether the header of a block of ``number`` postings is one, and asks for as many bytes as the block has."""
    if not 0 <= begin <= end <= packed.shape[0] - PACKED_MARGIN:
        return False
    at = begin + BLOCK_HEADER + columns * COLUMN_HEADER
    if at > end or packed[begin] > STAIRCASE or (packed[begin] == STAIRCASE and columns != WINDOW_EXTENTS + 1):
        return False
    for column in range(columns):
        header = begin + BLOCK_HEADER + column * COLUMN_HEADER
        width, more, exceptions = np.int64(packed[header]), np.int64(packed[header + 1]), np.int64(packed[header + 2])
        if width + more > (widest if column else WIDEST_START) or (exceptions and not more):
            return False
        at += (number * width + 7) // 8 + exceptions + (exceptions * more + 7) // 8
    return at == end


@kernel
def _read_bits(packed: _Bytes, at: _Int, number: _Int, width: np.uint8, values: _Words) -> _Int:
    """Read ``number`` values of ``width`` bits, of which there are at most 32; return where the last byte ends."""
    step, mask = np.uint64(width), (np.uint64(1) << np.uint64(width)) - np.uint64(1)
    bit = np.uint64(at) * np.uint64(8)
    done: _Int = 0
    if 4 * np.int64(width) + 7 <= 64:  # eight bytes hold four values, wherever in a byte the first begins
        done = number // 4 * 4
        second, third, fourth = step, np.uint64(2) * step, np.uint64(3) * step
        for i in range(0, done, 4):
            four = _read_eight_bytes(packed, bit >> np.uint64(3)) >> (bit & np.uint64(7))
            values[i] = np.uint32(four & mask)
            values[i + 1] = np.uint32((four >> second) & mask)
            values[i + 2] = np.uint32((four >> third) & mask)
            values[i + 3] = np.uint32((four >> fourth) & mask)
            bit += np.uint64(4) * step
    for i in range(done, number):
        values[i] = np.uint32((_read_eight_bytes(packed, bit >> np.uint64(3)) >> (bit & np.uint64(7))) & mask)
        bit += step
    return at + ((number * np.int64(width) + 7) >> 3)


@inlined
def _read_eight_bytes(packed: _Bytes, at: np.uint64) -> np.uint64:
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
def _read_number(packed: _Bytes, at: _Int, count: _Int) -> _Int:
    """Read a number of ``count`` bytes."""
    value = np.int64(0)
    for place in range(count):
        value |= np.int64(packed[at + place]) << (8 * place)
    return value


@kernel
def _rebuild_staircase(residuals: _Words, base: _Int, reach: _Int, starts: _Words, extents: _Extents) -> None:
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
def _rebuild(residuals: _Words, base: _Int, of_one_list: bool, starts: _Words, extents: _Extents) -> None:
    """From residuals back to postings of any width."""
    before = base
    for i in range(starts.shape[0]):
        start = before + np.int64(residuals[0, i])
        starts[i] = np.uint32(start)
        before = start if of_one_list else base
    for column in range(extents.shape[1]):
        for i in range(starts.shape[0]):
            extents[i, column] = residuals[column + 1, i]
