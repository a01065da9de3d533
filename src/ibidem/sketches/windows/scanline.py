"""Scanline: the compact windows of a text in one sweep from left to right, for any family.

It needs neither the sort by hash value nor the search tree of the paper's monotonic partition. While the right end
``q`` moves, the step function ``m(i)`` = min-hash of ``[i, q]`` is kept as segments of equal value. It never decreases
in ``i``, so a key ``[p, q]`` of rank ``r`` changes one run of segments: those up to ``p`` with a rank above ``r``. Each
of them ends there, and becomes a window.

Only keys that can be the min-hash of a passage of the wanted lengths are swept (``pruning`` says which, and why the
windows remain the same). There are as many windows as the monotonic partition makes; where several share one min-hash
they may be cut along starts where the other cuts along ends.

A segment has a slot, and knows the slot of the one to its left. Their last starts are bits of a bitset, so that the
segment over a start is found by a few operations on words, however many segments there are: a text in which one token
makes up the most has a segment for each of ``max_length`` starts, others have few.

The starts to the right of the last segment have no value yet: the passages without a key lie between the diagonal of
the plane of starts and ends and a staircase. A key ``[p, q]`` ends a step of it: the starts up to ``p`` that had no
value have none for the ends before ``q``. If they are wanted, as for a bin of one permutation hashing, that is an
*empty window*; one that has more than ``max_length`` starts is cut.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from ibidem.kernels import inlined, kernel
from ibidem.sketches.families import ActiveValues
from ibidem.sketches.one_permutation import EMPTY_KEY
from ibidem.sketches.windows.bits import lowest_bit
from ibidem.sketches.windows.pruning import SortedKeys, find_keys_that_matter
from ibidem.sketches.windows.windows import Windows
from ibidem.text.token_stream import TokenStream, prepare_ids

UNBOUNDED = 2**30
"""A length that no text reaches; twice of it still fits an int32."""

# The arrays of a ``Room``.
_Writable = tuple[npt.NDArray[np.int32], npt.NDArray[np.uint64], npt.NDArray[np.uint64]]
# The least and the greatest length of a passage, and whether windows without a key are made.
_Limits = tuple[int, int, bool]

_ONE = np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_EMPTY = np.uint32(EMPTY_KEY)


def partition(
    ids: npt.NDArray[np.int32], values: ActiveValues, min_length: int = 1, max_length: int = UNBOUNDED
) -> Windows:
    """The windows of one text given as dense token ``ids`` [n]; ``values`` are active, by dense id."""
    vocabulary = np.arange(len(values.bounds) - 1, dtype=np.uint32)
    bounds = np.array([0, len(ids)], np.int64)
    return scanline(prepare_ids(ids.astype(np.int32), vocabulary, bounds), values, min_length, max_length)


def scanline(stream: TokenStream, values: ActiveValues, min_length: int = 1, max_length: int = UNBOUNDED) -> Windows:
    """The windows of every text of ``stream`` under one function, in the order in which they close.

    Every passage of ``min_length`` to ``max_length`` tokens lies in exactly one window. A window is cut to the rows
    and columns of such passages; one that holds none is not made. A passage without any hash value (all its tokens
    weigh nothing) lies in no window.
    """
    [windows] = scanlines(stream, [values], min_length, max_length)
    return windows


def scanlines(
    stream: TokenStream, functions: Sequence[ActiveValues], min_length: int = 1, max_length: int = UNBOUNDED
) -> Iterator[Windows]:
    """The windows under each of several functions, which are faster together than one by one."""
    max_length = min(max_length, UNBOUNDED)
    room = Room(stream.bounds)
    for keys in find_keys_that_matter(stream, functions, min_length, max_length):
        yield sweep(keys, room, min_length, max_length)


class Room:
    """The work space of a sweep over the texts that ``bounds`` int64 [D + 1] separates; sweeps use it in turn."""

    def __init__(self, bounds: npt.NDArray[np.int64]) -> None:
        self.bounds = bounds
        size = int(bounds[-1])
        self.slots = np.empty(size, np.int32)  # of the segments, by their last starts
        self.lasts = np.zeros((size >> 6) + 1, np.uint64)  # a bit for each last start
        self.words = np.zeros((size >> 12) + 1, np.uint64)  # a bit for each word of them that is not zero


def sweep(
    keys: SortedKeys, room: Room, min_length: int = 1, max_length: int = UNBOUNDED, *, with_empty: bool = False
) -> Windows:
    """The windows that ``keys``, given by right end and then from the last start to the first, make of their texts.

    ``with_empty`` makes windows of the passages without a key, too; their key is ``EMPTY_KEY``.
    """
    size, limits = 64 + 2 * len(keys.spans), (min_length, min(max_length, UNBOUNDED), with_empty)
    writable = (room.slots, room.lasts, room.words)
    count, identities, corners = _sweep(room.bounds, keys, limits, writable, size)
    if count > size:
        count, identities, corners = _sweep(room.bounds, keys, limits, writable, count)
    return Windows(identities[:count], *corners[:, :count])


@kernel
def _sweep(
    bounds: npt.NDArray[np.int64], keys: SortedKeys, limits: _Limits, writable: _Writable, size: int
) -> tuple[int, npt.NDArray[np.uint32], npt.NDArray[np.int32]]:
    """The number of windows, and the first ``size`` of them as keys [size] and corners [4, size]."""
    # Every array gets a local name: taking it out of a tuple costs a reference count, up and down, each time.
    spans, key_rank, key_identity = keys.spans, keys.rank, keys.identity
    (min_length, max_length, with_empty), (slots, lasts, words) = limits, writable
    identities, corners = np.empty(size, np.uint32), np.empty((4, size), np.int32)
    # A segment holds the starts after last[before] up to last; it has its rank since the right end was since.
    # Slot 0 stands for what lies before a text.
    most = min(bounds[-1], spans.shape[0]) + 1
    last, since, before = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int32)
    rank, identity, free = np.empty(most, np.uint64), np.empty(most, np.uint32), np.empty(most, np.int32)
    count, k = 0, 0
    used_count, free_count = np.int64(1), np.int64(0)
    for text in range(bounds.shape[0] - 1):
        end, top, last[0] = bounds[text + 1], np.int64(0), bounds[text] - 1
        is_at_end = False
        while not is_at_end:
            p, q, value = last[top], end, np.uint64(0)
            is_at_end = k == spans.shape[0] or spans[k, 1] >= end
            segment, place = top, np.int64(0)
            if not is_at_end:
                p, q, value = np.int64(spans[k, 0]), np.int64(spans[k, 1]), key_rank[spans[k, 2]]
                k += 1
                if p <= last[top]:
                    word = p >> 6
                    bits = lasts[word] & (_ALL << np.uint64(p & 63))
                    if not bits:
                        word += 1
                        high = word >> 6
                        bits = words[high] & (_ALL << np.uint64(word & 63))
                        while not bits:
                            high += 1
                            bits = words[high]
                        word = (high << 6) + lowest_bit(bits)
                        bits = lasts[word]
                    segment = np.int64(slots[(word << 6) + lowest_bit(bits)])
                    place = segment
                    if rank[segment] <= value:
                        continue
            if with_empty and place == 0:
                empty = last[top] + 1, end - 1 if is_at_end else p, q - 1
                count = _put_empty(identities, corners, count, empty, limits)
            b = min(p, last[segment])
            while segment > 0 and (is_at_end or rank[segment] > value):
                segment_before, end_of_segment = np.int64(before[segment]), last[segment]
                row, b, c, d = _clip(last[segment_before] + 1, b, since[segment], q - 1, min_length, max_length)
                if row <= b and c <= d:
                    if count < size:
                        identities[count] = identity[segment]
                        corners[0, count], corners[1, count], corners[2, count], corners[3, count] = row, b, c, d
                    count += 1
                if segment != place:
                    lasts[end_of_segment >> 6] &= ~(_ONE << np.uint64(end_of_segment & 63))
                    if not lasts[end_of_segment >> 6]:
                        words[end_of_segment >> 12] &= ~(_ONE << np.uint64((end_of_segment >> 6) & 63))
                    free[free_count] = segment
                    free_count += 1
                segment, b = segment_before, last[segment_before]
            if is_at_end:
                continue
            if place == 0 or last[place] != p:
                if free_count > 0:
                    free_count -= 1
                    slots[p] = free[free_count]
                else:
                    slots[p] = used_count
                    used_count += 1
                if place == 0:
                    top = np.int64(slots[p])
                else:
                    before[place] = slots[p]
                place = np.int64(slots[p])
                lasts[p >> 6] |= _ONE << np.uint64(p & 63)
                words[p >> 12] |= _ONE << np.uint64((p >> 6) & 63)
            last[place], since[place], before[place] = p, q, segment
            rank[place], identity[place] = value, key_identity[spans[k - 1, 2]]
    return count, identities, corners


@inlined
def _put_empty(
    identities: npt.NDArray[np.uint32],
    corners: npt.NDArray[np.int32],
    count: int,
    passages: tuple[np.int64, np.int64, np.int64],
    limits: _Limits,
) -> int:
    """Write the windows of the starts ``a`` to ``b`` that have no value up to the end ``d``; the number of windows."""
    a, b, d = passages
    b = min(b, d - limits[0] + 1)
    while a <= b:
        last_start = min(b, a + limits[1] - 1)
        if count < identities.shape[0]:
            identities[count] = _EMPTY
            corners[0, count], corners[1, count], corners[2, count] = a, last_start, last_start
            corners[3, count] = min(d, last_start + limits[1] - 1)
        count += 1
        a = last_start + 1
    return count


@inlined
def _clip(a: int, b: int, c: int, d: int, min_length: int, max_length: int) -> tuple[int, int, int, int]:
    """The rows and columns of ``[a, b] x [c, d]`` that hold passages of the allowed lengths; ``a > b`` if none does."""
    a = max(a, c - max_length + 1)
    d = min(d, b + max_length - 1)
    return a, min(b, d - min_length + 1), max(c, a + min_length - 1), d
