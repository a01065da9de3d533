"""The plain sweep: scanline over every key of a text, with its segments on a stack.

The production sweep (``windows.scanline``) leaves out the keys that cannot matter for the wanted lengths; this one
finds the same windows without that reasoning, and is what it is compared with. Segments are found by a few steps from
the top and then by halving; an edit shifts the segments above it, which may be ``max_length`` in a text of few tokens.
"""

import numpy as np
import numpy.typing as npt

from ibidem.kernels import inlined, kernel
from ibidem.sketches.families import ActiveValues
from ibidem.sketches.windows.scanline import UNBOUNDED
from ibidem.sketches.windows.windows import Windows
from ibidem.text.token_stream import TokenStream

__all__ = ["scanline"]

_NEAR = 8
"""Segments that are tried one by one before the search halves what is left."""

_Int = int | np.int64
_Columns = tuple[int, npt.NDArray[np.uint32], npt.NDArray[np.int32]]

_NO_RANK = np.uint64(0xFFFFFFFFFFFFFFFF)


def scanline(stream: TokenStream, values: ActiveValues, min_length: int = 1, max_length: int = UNBOUNDED) -> Windows:
    """The windows of every text of ``stream``, in the order in which they close.

    Every passage of ``min_length`` to ``max_length`` tokens lies in exactly one window. A window is cut to the rows
    and columns of such passages; one that holds none is not made. A passage without any hash value (all its tokens
    weigh nothing) lies in no window.
    """
    room = 1024 + len(stream.ids) * (3 if min_length < 8 else 1) // 2
    max_length = min(max_length, UNBOUNDED)
    count, keys, corners = _sweep(stream, values, min_length, max_length, room)
    if count > room:
        count, keys, corners = _sweep(stream, values, min_length, max_length, count)
    return Windows(keys[:count], *corners[:, :count])


@kernel
def _sweep(stream: TokenStream, values: ActiveValues, min_length: int, max_length: int, room: int) -> _Columns:
    """The number of windows, and the first ``room`` of them as keys [room] and corners [4, room]."""
    # Every array gets a local name: taking it out of a tuple costs a reference count, up and down, each time.
    ids, bounds = stream.ids, stream.bounds
    place, occurrences, groups = stream.place, stream.occurrences, stream.groups
    value_bounds, value_x, value_rank, value_key = values.bounds, values.x, values.rank, values.key
    keys, corners = np.empty(room, np.uint32), np.empty((4, room), np.int32)
    # Segment q of the stack is [start[q], start[q + 1] - 1]; it has rank[q] since the right end was since[q].
    start, since = np.empty(ids.shape[0] + 2, np.int64), np.empty(ids.shape[0] + 2, np.int64)
    rank, key = np.empty(ids.shape[0] + 2, np.uint64), np.empty(ids.shape[0] + 2, np.uint32)
    # Up to lowered[v] the step function is known to be no higher than value v. It only falls, so that remains true.
    count, lowered = 0, np.full(value_x.shape[0], -1, np.int64)
    for text in range(bounds.shape[0] - 1):
        first, end = bounds[text], bounds[text + 1]
        height, start[0] = 0, first
        for j in range(first, end):
            since[height], rank[height], start[height + 1] = j, _NO_RANK, j + 1
            height += 1
            token, latest, oldest = ids[j], np.int64(place[j]) + 1, max(first, j - max_length + 1)
            high = height - 1
            for v in range(value_bounds[token], value_bounds[token + 1]):
                p: _Int = np.int64(j)
                if value_x[v] > 1:
                    occurrence = latest - value_x[v]
                    if occurrence < groups[token] or occurrences[occurrence] < oldest:
                        break
                    p = np.int64(occurrences[occurrence])
                    if p <= lowered[v]:
                        continue
                    near = max(0, high - _NEAR)
                    while high > near and start[high] > p:
                        high -= 1
                    if start[high] > p:
                        size, high = high, 0
                        while size > 1:
                            half = size >> 1
                            high = high + half if start[high + half] <= p else high
                            size -= half
                value, lowered[v] = value_rank[v], p
                if rank[high] <= value:
                    lower = high + 1
                    while rank[lower] <= value:
                        lower += 1
                    lowered[v] = start[lower] - 1
                    continue
                low, b = high, p
                while True:
                    a, b, c, d = _clip(start[low], b, since[low], j - 1, min_length, max_length)
                    if a <= b and c <= d and rank[low] != _NO_RANK:
                        if count < room:
                            keys[count] = key[low]
                            corners[0, count], corners[1, count], corners[2, count], corners[3, count] = a, b, c, d
                        count += 1
                    if low == 0 or rank[low - 1] <= value:
                        break
                    b = start[low] - 1
                    low -= 1
                rest = 1 if start[high + 1] - 1 > p else 0  # what lies right of p stays as it was
                since_rest, rank_rest, key_rest = since[high], rank[high], key[high]
                moved = low + rest - high
                if moved == 1:
                    for q in range(height, high, -1):
                        start[q + 1], since[q + 1], rank[q + 1], key[q + 1] = start[q], since[q], rank[q], key[q]
                elif moved < 0:
                    for q in range(high + 1, height + 1):
                        start[q + moved], since[q + moved] = start[q], since[q]
                        rank[q + moved], key[q + moved] = rank[q], key[q]
                height += moved
                if rest:
                    start[low + 1], since[low + 1], rank[low + 1], key[low + 1] = p + 1, since_rest, rank_rest, key_rest
                since[low], rank[low], key[low] = j, value, value_key[v]
                high = low
        for q in range(height):
            a, b, c, d = _clip(start[q], start[q + 1] - 1, since[q], end - 1, min_length, max_length)
            if a <= b and c <= d and rank[q] != _NO_RANK:
                if count < room:
                    keys[count] = key[q]
                    corners[0, count], corners[1, count], corners[2, count], corners[3, count] = a, b, c, d
                count += 1
    return count, keys, corners


@inlined
def _clip(a: _Int, b: _Int, c: _Int, d: _Int, min_length: int, max_length: int) -> tuple[_Int, _Int, _Int, _Int]:
    """The rows and columns of ``[a, b] x [c, d]`` that hold passages of the allowed lengths; ``a > b`` if none does."""
    a = max(a, c - max_length + 1)
    d = min(d, b + max_length - 1)
    return a, min(b, d - min_length + 1), max(c, a + min_length - 1), d
