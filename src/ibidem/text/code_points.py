"""The kernels that read code points of UTF-8, and the hash by which a token's letters become its id.

A token's id is a hash of its folded code points: 64 bits, finalised and cut to 32. Two given tokens share an id with
probability 2^-32; among ``V`` distinct tokens, about ``V² / 2^33`` pairs do. A similarity is changed only by a
collision inside the two passages compared, so two passages of 1,000 distinct tokens together are compared exactly but
with probability 10^-4. In return ids need no vocabulary, and indexes made apart can be merged.
"""

import numpy as np
from numpy.typing import NDArray

from ibidem.hashing import GOLDEN, mix64
from ibidem.kernels import kernel
from ibidem.text.batches import Texts
from ibidem.text.unicode_table import EMPTY, MARK, ORDER_BIT, PLACE_BIT, FoldTable

SEED = np.uint64(0x6962696465_6D0001)
Int = int | np.int64

REPLACEMENT = 0xFFFD
INVALID = 0x40  # no byte that continues a character
CODE_POINT = (1 << ORDER_BIT) - 1
ANY_ORDER = 256  # more than any combining class


@kernel
def absorb(state: np.uint64, code_point: Int) -> np.uint64:
    """State of the hash after one more code point.

    Multiples of ``GOLDEN`` by numbers below 2^21, the differences of two code points, stay far apart, so that no two
    tokens of one or two code points share a state.
    """
    return (state ^ np.uint64(code_point)) * GOLDEN


@kernel
def finalise(state: np.uint64) -> np.uint32:
    """Mix a state and keep its lower 32 bits, the id."""
    return np.uint32(mix64(state) & np.uint64(0xFFFFFFFF))


@kernel
def decode(data: NDArray[np.uint8], i: Int, stop: Int) -> tuple[Int, int]:
    """Code point at byte ``i`` and its width; a byte that is not valid there reads as U+FFFD of width 1.

    Surrogates are read as such, like Python's ``surrogatepass``.
    """
    lead = np.int64(data[i])
    if lead < 0x80:
        return lead, 1
    # Each width by itself: a loop over the bytes takes a third longer.
    second = np.int64(data[i + 1]) ^ 0x80 if i + 1 < stop else INVALID
    if second >= 0x40:
        return REPLACEMENT, 1
    if 0xC2 <= lead < 0xE0:
        return (lead & 0x1F) << 6 | second, 2
    third = np.int64(data[i + 2]) ^ 0x80 if i + 2 < stop else INVALID
    if third >= 0x40 or lead < 0xE0:
        return REPLACEMENT, 1
    code_point = (lead & 0x0F) << 12 | second << 6 | third
    if lead < 0xF0:
        return (code_point, 3) if code_point >= 0x800 else (REPLACEMENT, 1)
    fourth = np.int64(data[i + 3]) ^ 0x80 if i + 3 < stop else INVALID
    code_point = (lead & 0x07) << 18 | second << 12 | third << 6 | fourth
    if fourth >= 0x40 or lead >= 0xF5 or code_point < 0x10000 or code_point > 0x10FFFF:
        return REPLACEMENT, 1
    return code_point, 4


@kernel
def look_up(blocks: NDArray[np.uint16], entries: NDArray[np.uint32], code_point: Int) -> Int:
    """Entry of a code point in the table."""
    block = np.int64(blocks[code_point >> 7])
    return np.int64(entries[block << 7 | code_point & 127])


@kernel
def absorb_marks(
    state: np.uint64, data: NDArray[np.uint8], i: Int, skip: Int, stop: Int, table: FoldTable
) -> tuple[np.uint64, Int]:
    """State of the hash after all marks on one letter, in canonical order (Unicode, D109), and the byte behind them.

    The first mark is in the character at byte ``i``, behind ``skip`` letters that it folds to. Marks that are in order,
    as most are, are read once; others are read once more for each combining class, so they need no room.
    """
    _, blocks, entries, expansions = table
    as_written, last_order, is_ordered = state, np.int64(0), True
    order = np.int64(0)
    while True:
        position, next_order = i, np.int64(ANY_ORDER)
        while position < stop:
            code_point, width = decode(data, position, stop)
            entry = look_up(blocks, entries, code_point)
            length, first = entry >> 3 & 7, entry >> PLACE_BIT
            if position == i:
                first, length = first + skip, length - skip
            elif (
                entry & 7 != MARK or length == 0 or (length != EMPTY and np.int64(expansions[first]) >> ORDER_BIT == 0)
            ):
                break
            for k in range(first, first + (length if length != EMPTY else 0)):
                letter = np.int64(expansions[k])
                its_order = letter >> ORDER_BIT
                if order == 0:
                    as_written = absorb(as_written, letter & CODE_POINT)
                    is_ordered = bool(is_ordered and its_order >= last_order)
                    last_order = its_order
                if its_order == order:
                    state = absorb(state, letter & CODE_POINT)
                elif order < its_order < next_order:
                    next_order = its_order
            position += width
        if is_ordered:
            return as_written, position
        if next_order == ANY_ORDER:
            return state, position
        order = next_order


@kernel
def hash_each(data: NDArray[np.uint8], bounds: NDArray[np.int64], ids: NDArray[np.uint32]) -> None:
    """Fill ``ids`` [n] with the hash of each text's code points, unfolded."""
    for text in range(bounds.size - 1):
        i, stop = bounds[text], bounds[text + 1]
        state = SEED
        while i < stop:
            code_point, width = decode(data, i, stop)
            state = absorb(state, code_point)
            i += width
        ids[text] = finalise(state)


def hash_texts(texts: Texts) -> NDArray[np.uint32]:
    """Id of each text taken whole as one token, without folding: uint32 [n]."""
    ids = np.empty(len(texts), np.uint32)
    hash_each(texts.data, texts.bounds, ids)
    return ids
