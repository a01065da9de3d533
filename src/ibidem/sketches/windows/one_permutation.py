"""The compact windows of a text in every bin of one permutation hashing, by one sweep a bin over the bin's own tokens.

The sweep is that of scanline (``sketches/windows/scanline.py``), of which each bin sees its own keys and no others:
``find_bin_keys`` gathers them, and leaves out most of those that change nothing. The starts to the right of the last of
these keys have no value yet: in the plane of starts and ends, the passages that are empty in the bin lie between the
diagonal and a staircase. A key ``(p, j)`` ends a step of it: the starts up to ``p`` that had no value have none for the
ends before ``j``, which is one *empty window*.

All bins together have as many keys as one function has, so the time does not depend on the number of bins. For sets
the n tokens of a text give at most n windows with a key, and at most ``n + k - 2`` empty ones: one before each token
and one at the end of each bin, but none before the first token and none behind the last.
"""

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ibidem.kernels import inlined, kernel
from ibidem.sketches.one_permutation import EMPTY_KEY, BinValues
from ibidem.sketches.windows.bin_keys import BinKeys, find_bin_keys, hidden_keys_cost_more
from ibidem.sketches.windows.scanline import UNBOUNDED
from ibidem.sketches.windows.windows import Windows
from ibidem.text.token_stream import TokenStream

_EMPTY = np.uint32(EMPTY_KEY)

_Int = int | np.int64
_Ints = npt.NDArray[np.int64]
_Keys = npt.NDArray[np.uint32]
_Corners = npt.NDArray[np.int32]
# A key and the corners ``a``, ``b``, ``c`` and ``d``.
_Window = tuple[np.uint32, _Int, _Int, _Int, _Int]
# The first and the last start, and the last end.
_Passages = tuple[_Int, _Int, _Int]


def bin_windows(
    stream: TokenStream,
    values: BinValues,
    bins: range,
    min_length: int = 1,
    max_length: int = UNBOUNDED,
    hidden: bool | None = None,
) -> list[Windows]:
    """The windows of every text of ``stream`` in each of ``bins``.

    Every passage of ``min_length`` to ``max_length`` tokens lies in exactly one window of a bin. A window of the key
    ``EMPTY_KEY`` holds the passages ``[i, j]`` with ``a <= i <= b`` and ``i <= j <= d`` (its ``c`` is ``b``); one that
    has more than ``max_length`` starts is cut. ``hidden`` keys may be swept or not; the windows are the same.
    """
    max_length = min(max_length, UNBOUNDED)
    hidden = not hidden_keys_cost_more(values) if hidden is None else hidden
    bin_keys = find_bin_keys(stream, values, bins, max_length, hidden=hidden)
    cuts = len(bins) * len(stream.ids) // max_length  # of empty windows, at most
    room = 1024 + 2 * len(bin_keys.spans) + len(bins) * len(stream.bounds) + cuts
    counts, keys, corners = _sweep_bins(stream.bounds, values, bin_keys, min_length, max_length, room)
    if counts[-1] > room:
        counts, keys, corners = _sweep_bins(stream.bounds, values, bin_keys, min_length, max_length, int(counts[-1]))
    parts = [slice(low, high) for low, high in pairwise(counts.tolist())]
    columns = ([column[part] for part in parts] for column in (keys, *corners))
    return [Windows(*window_columns) for window_columns in zip(*columns, strict=True)]


@kernel
def _sweep_bins(
    texts: _Ints, values: BinValues, bin_keys: BinKeys, min_length: int, max_length: int, room: int
) -> tuple[_Ints, _Keys, _Corners]:
    """The windows up to each bin [bins + 1], and the first ``room`` of all as keys [room] and corners [4, room]."""
    value_rank, value_key = values.rank, values.key
    key_bounds, spans = bin_keys.bounds, bin_keys.spans
    keys, corners = np.empty(room, np.uint32), np.empty((4, room), np.int32)
    counts, count = np.zeros(key_bounds.shape[0], np.int64), 0
    # Segment q of the stack is [start[q], start[q + 1] - 1]; it has rank[q] since the right end was since[q]. The
    # starts from start[height] on have no value.
    most = 2 + np.max(texts[1:] - texts[:-1])
    lengths = min_length, max_length
    start, since = np.empty(most, np.int64), np.empty(most, np.int64)
    rank, key = np.empty(most, np.uint64), np.empty(most, np.uint32)
    for bin_number in range(key_bounds.shape[0] - 1):
        k = key_bounds[bin_number]
        for text in range(texts.shape[0] - 1):
            first, end = texts[text], texts[text + 1]
            height, start[0] = 0, first
            while k < key_bounds[bin_number + 1] and spans[k, 1] < end:
                p, j, v = np.int64(spans[k, 0]), np.int64(spans[k, 1]), spans[k, 2]
                value = value_rank[v]
                k += 1
                low = high = height
                if p >= start[height]:
                    count = _put_empty(keys, corners, count, (start[height], p, j - 1), lengths)
                else:
                    high = _segment_of(start, height, p)
                    if rank[high] <= value:
                        continue
                    low = high + 1
                b = min(p, start[height] - 1)
                while low > 0 and rank[low - 1] > value:
                    low -= 1
                    window = key[low], start[low], b, since[low], j - 1
                    count = _put(keys, corners, count, window, lengths)
                    b = start[low] - 1
                # Segments low to high become one that ends at p; what lies right of p stays as it was.
                if high == height:
                    height, start[low + 1] = low + 1, p + 1
                else:
                    height = _splice(start, since, rank, key, height, low, high, p)
                since[low], rank[low], key[low] = j, value, value_key[v]
            for q in range(height):
                window = key[q], start[q], start[q + 1] - 1, since[q], end - 1
                count = _put(keys, corners, count, window, lengths)
            count = _put_empty(keys, corners, count, (start[height], end - 1, end - 1), lengths)
        counts[bin_number + 1] = count
    return counts, keys, corners


@inlined
def _segment_of(start: _Ints, height: int, p: np.int64) -> int:
    """The segment of the stack over ``p``, by halving."""
    segment, size = 0, height
    while size > 1:
        half = size >> 1
        segment = segment + half if start[segment + half] <= p else segment
        size -= half
    return segment


@inlined
def _splice(
    start: _Ints, since: _Ints, rank: npt.NDArray[np.uint64], key: _Keys, height: int, low: int, high: int, p: np.int64
) -> int:
    """Make room for one segment in the place of ``low`` to the part of ``high`` up to ``p``; the new height."""
    remainder = 1 if start[high + 1] - 1 > p else 0
    since_rest, rank_rest, key_rest = since[high], rank[high], key[high]
    shift = low + remainder - high
    if shift > 0:
        for q in range(height, high, -1):
            start[q + 1], since[q + 1], rank[q + 1], key[q + 1] = start[q], since[q], rank[q], key[q]
    elif shift < 0:
        for q in range(high + 1, height + 1):
            start[q + shift], since[q + shift] = start[q], since[q]
            rank[q + shift], key[q + shift] = rank[q], key[q]
    if remainder:
        start[low + 1], since[low + 1], rank[low + 1], key[low + 1] = p + 1, since_rest, rank_rest, key_rest
    return height + shift


@inlined
def _put(keys: _Keys, corners: _Corners, count: int, window: _Window, lengths: tuple[int, int]) -> int:
    """Write a window, cut to the rows and columns that hold passages of the allowed lengths; the number of windows."""
    key, a, b, c, d = window
    a, d = max(a, c - lengths[1] + 1), min(d, b + lengths[1] - 1)
    b, c = min(b, d - lengths[0] + 1), max(c, a + lengths[0] - 1)
    if a <= b and c <= d:
        if count < keys.shape[0]:
            keys[count] = key
            corners[0, count], corners[1, count], corners[2, count], corners[3, count] = a, b, c, d
        count += 1
    return count


@inlined
def _put_empty(keys: _Keys, corners: _Corners, count: int, window: _Passages, lengths: tuple[int, int]) -> int:
    """Write the windows of starts that have no value up to the end ``d``; the number of windows."""
    a, b, d = window
    b = min(b, d - lengths[0] + 1)
    while a <= b:
        last = min(b, a + lengths[1] - 1)
        if count < keys.shape[0]:
            keys[count] = _EMPTY
            corners[0, count], corners[1, count], corners[2, count] = a, last, last
            corners[3, count] = min(d, last + lengths[1] - 1)
        count += 1
        a = last + 1
    return count
