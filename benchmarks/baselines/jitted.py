"""MonoAll, MonoActive and AllAlign compiled: the rivals of the benchmarks, as fast as the papers' steps allow.

The windows are those of the plain pages (:mod:`baselines.monoactive` and its neighbours), in another order. What
differs is the machinery: hash values are sorted, not keys (the paper's own advice at the end of Section 4.3); the
skyline is a bitset of three levels over starts, in which a neighbour is a few bit operations away where a balanced tree
needs log n; AllAlign finds a frequency from the place of an occurrence in its token's list, so no counter is reset.

The functions that take a :class:`~ibidem.text.token_stream.TokenStream`, read as one text, leave out what is done once
for all hash functions.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.kernels import inlined, kernel
from ibidem.sketches.families import ActiveValues
from ibidem.sketches.windows.bits import highest_bit, lowest_bit
from ibidem.sketches.windows.windows import Windows
from ibidem.text.token_stream import TokenStream, prepare_tokens

__all__ = [
    "active_values",
    "allalign",
    "allalign_partition",
    "monoactive",
    "monoactive_partition",
    "monoall",
    "monoall_partition",
]


def monoall_partition(ids: npt.NDArray[np.int32], values: ActiveValues) -> Windows:
    """:func:`baselines.monoall.partition`, compiled."""
    return monoall(_stream(ids), values)


def monoactive_partition(ids: npt.NDArray[np.int32], values: ActiveValues) -> Windows:
    """:func:`baselines.monoactive.partition`, compiled."""
    return monoactive(_stream(ids), values)


def allalign_partition(ids: npt.NDArray[np.int32], values: ActiveValues) -> Windows:
    """:func:`baselines.allalign.partition`, compiled."""
    return allalign(_stream(ids), values)


def monoall(stream: TokenStream, values: ActiveValues) -> Windows:
    """The windows from the keys of all ``values`` (Algorithms 3 and 4)."""
    n = len(stream.ids) + 2
    skyline = _Skyline(
        y=np.zeros(n, np.int32),
        starts=np.zeros((n >> 6) + 1, np.uint64),
        starts_64=np.zeros((n >> 12) + 1, np.uint64),
        starts_4096=np.zeros((n >> 18) + 1, np.uint64),
    )
    order = np.argsort(values.rank, kind="stable")
    return _windows(*_monotonic_partitioning(stream, values, order, skyline))


def monoactive(stream: TokenStream, values: ActiveValues) -> Windows:
    """The windows from the keys of the active ones among ``values`` (Algorithms 5 and 4)."""
    return monoall(stream, active_values(values))


def allalign(stream: TokenStream, values: ActiveValues) -> Windows:
    """The windows by recursive splits; ``values`` are all hash values or the active ones alone."""
    return _windows(*_split_rectangles(stream, active_values(values)))


def active_values(values: ActiveValues) -> ActiveValues:
    """The active ones among ``values``, those below all values of their token at lower frequencies (Definition 12)."""
    active = _is_active(values)
    before = np.zeros(len(active) + 1, dtype=np.int64)
    np.cumsum(active, out=before[1:])
    return ActiveValues(before[values.bounds], values.x[active], values.rank[active], values.key[active])


def _stream(ids: npt.NDArray[np.int32]) -> TokenStream:
    return prepare_tokens(ids.astype(np.uint32))._replace(ids=ids.astype(np.int32))


def _windows(keys: npt.NDArray[np.uint32], corners: npt.NDArray[np.int32]) -> Windows:
    return Windows(keys, corners[:, 0], corners[:, 1], corners[:, 2], corners[:, 3])


class _Skyline(NamedTuple):
    """The keys on the skyline by their start, from 1: ``y`` is their end, ``starts`` has a bit for each of them.

    ``starts_64`` has a bit for each word of ``starts`` that is not zero, ``starts_4096`` one for each such word of
    ``starts_64``. The guards 0 and n + 1 stand throughout, so a search to either side always finds a key.
    """

    y: npt.NDArray[np.int32]
    starts: npt.NDArray[np.uint64]
    starts_64: npt.NDArray[np.uint64]
    starts_4096: npt.NDArray[np.uint64]


_ONE = np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_LOW_6 = 63


@kernel
def _is_active(values: ActiveValues) -> npt.NDArray[np.bool_]:
    active = np.zeros(values.rank.shape[0], np.bool_)
    for t in range(values.bounds.shape[0] - 1):
        lowest = values.bounds[t]
        for v in range(values.bounds[t], values.bounds[t + 1]):
            if v == lowest or values.rank[v] < values.rank[lowest]:
                active[v] = True
                lowest = v
    return active


@kernel
def _occurrence_lists(stream: TokenStream, size: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Where the positions of each token start in ``stream.occurrences``, and how many they are, both int32 [V]."""
    first = np.zeros(size, np.int32)
    count = np.zeros(size, np.int32)
    for j in range(stream.ids.shape[0]):
        t = stream.ids[j]
        if count[t] == 0:
            first[t] = stream.place[j]
        count[t] += 1
    return first, count


@kernel
def _monotonic_partitioning(
    stream: TokenStream, values: ActiveValues, order: npt.NDArray[np.int64], skyline: _Skyline
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int32]]:
    """Algorithm 4 over the hash values in ``order`` of rank: windows as keys [W] and corners [W, 4].

    Values of one rank are visited together, their keys by right end; only an accident of 64 bits makes that more than
    one value.
    """
    n = stream.ids.shape[0]
    first, count = _occurrence_lists(stream, values.bounds.shape[0] - 1)
    token = np.empty(order.shape[0], np.int32)
    for t in range(values.bounds.shape[0] - 1):
        token[values.bounds[t] : values.bounds[t + 1]] = t
    visited = np.zeros(order.shape[0], np.int32)
    y = skyline.y
    y[n + 1] = n + 1
    _insert(skyline, 0)
    _insert(skyline, n + 1)
    corners = np.empty((2 * n + 64, 4), np.int32)
    keys = np.empty(corners.shape[0], np.uint32)
    written = 0
    start = 0
    stop = 0
    while stop < order.shape[0]:
        start, stop = stop, stop + 1
        while stop < order.shape[0] and values.rank[order[stop]] == values.rank[order[start]]:
            stop += 1
        while True:
            v = -1
            b = 0
            c = n + 1
            for tied in range(start, stop):
                u = order[tied]
                if visited[u] + values.x[u] <= count[token[u]]:
                    place = first[token[u]] + visited[u]
                    end = stream.occurrences[place + values.x[u] - 1] + 1
                    if end < c:
                        v, b, c = u, stream.occurrences[place] + 1, end
            if v < 0:
                break
            visited[v] += 1
            right = _next_start(skyline, b)
            if y[right] <= c:  # dominated
                continue
            left = _previous_start(skyline, b) if right > b else b
            if right == b:
                right = _next_start(skyline, b + 1)
            d = y[right] - 1
            while y[left] >= c:
                _remove(skyline, left)
                previous = _previous_start(skyline, left)
                if left < b:
                    if written == keys.shape[0]:
                        corners = np.concatenate((corners, np.empty_like(corners)))
                        keys = np.concatenate((keys, np.empty_like(keys)))
                    corners[written, 0], corners[written, 1] = left, b - 1
                    corners[written, 2], corners[written, 3] = y[left] - 1, d - 1
                    keys[written] = values.key[v]
                    written += 1
                d = y[left] - 1
                left = previous
            if c <= d:
                if written == keys.shape[0]:
                    corners = np.concatenate((corners, np.empty_like(corners)))
                    keys = np.concatenate((keys, np.empty_like(keys)))
                corners[written, 0], corners[written, 1] = left, b - 1
                corners[written, 2], corners[written, 3] = c - 1, d - 1
                keys[written] = values.key[v]
                written += 1
            y[b] = c
            _insert(skyline, b)
    return keys[:written].copy(), corners[:written].copy()


@inlined
def _previous_start(skyline: _Skyline, p: int) -> int:
    """The last start at or before ``p``."""
    word = p >> 6
    found = skyline.starts[word] & (_ALL >> np.uint64(_LOW_6 - (p & _LOW_6)))
    if not found:
        place = word & _LOW_6
        word >>= 6
        found = skyline.starts_64[word] & ((_ONE << np.uint64(place)) - _ONE)
        if not found:
            place = word & _LOW_6
            word >>= 6
            found = skyline.starts_4096[word] & ((_ONE << np.uint64(place)) - _ONE)
            while not found:
                word -= 1
                found = skyline.starts_4096[word]
            word = (word << 6) + highest_bit(found)
            found = skyline.starts_64[word]
        word = (word << 6) + highest_bit(found)
        found = skyline.starts[word]
    return (word << 6) + highest_bit(found)


@inlined
def _next_start(skyline: _Skyline, p: int) -> int:
    """The first start at or after ``p``."""
    word = p >> 6
    found = skyline.starts[word] & (_ALL << np.uint64(p & _LOW_6))
    if not found:
        place = word & _LOW_6
        word >>= 6
        found = skyline.starts_64[word] & ~(_ALL >> np.uint64(_LOW_6 - place))
        if not found:
            place = word & _LOW_6
            word >>= 6
            found = skyline.starts_4096[word] & ~(_ALL >> np.uint64(_LOW_6 - place))
            while not found:
                word += 1
                found = skyline.starts_4096[word]
            word = (word << 6) + lowest_bit(found)
            found = skyline.starts_64[word]
        word = (word << 6) + lowest_bit(found)
        found = skyline.starts[word]
    return (word << 6) + lowest_bit(found)


@inlined
def _insert(skyline: _Skyline, p: int) -> None:
    skyline.starts[p >> 6] |= _ONE << np.uint64(p & _LOW_6)
    skyline.starts_64[p >> 12] |= _ONE << np.uint64((p >> 6) & _LOW_6)
    skyline.starts_4096[p >> 18] |= _ONE << np.uint64((p >> 12) & _LOW_6)


@inlined
def _remove(skyline: _Skyline, p: int) -> None:
    skyline.starts[p >> 6] &= ~(_ONE << np.uint64(p & _LOW_6))
    if not skyline.starts[p >> 6]:
        skyline.starts_64[p >> 12] &= ~(_ONE << np.uint64((p >> 6) & _LOW_6))
        if not skyline.starts_64[p >> 12]:
            skyline.starts_4096[p >> 18] &= ~(_ONE << np.uint64((p >> 12) & _LOW_6))


@kernel
def _previous_occurrences(stream: TokenStream, size: int) -> npt.NDArray[np.int32]:
    """The position before each position at which the same token stands, int32 [n]; -1 if there is none."""
    previous = np.empty(stream.ids.shape[0], np.int32)
    latest = np.full(size, -1, np.int32)
    for j in range(stream.ids.shape[0]):
        previous[j] = latest[stream.ids[j]]
        latest[stream.ids[j]] = j
    return previous


@kernel
def _split_rectangles(
    stream: TokenStream, values: ActiveValues
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int32]]:
    """AllAlign with a stack of rectangles [a, b] × [a, c]: windows as keys [W] and corners [W, 4], positions from 0.

    The starts [a, b] of the rectangles on the stack never overlap, so there are at most n of them.
    """
    n = stream.ids.shape[0]
    first = np.empty(values.bounds.shape[0] - 1, np.int32)  # place of a token's first occurrence in [a, c]
    reached = np.empty(values.bounds.shape[0] - 1, np.int64)  # the token's value after those reached in [a, q]
    previous = _previous_occurrences(stream, values.bounds.shape[0] - 1)
    rectangles = np.empty((n + 1, 3), np.int32)
    rectangles[0, 0], rectangles[0, 1], rectangles[0, 2] = 0, n - 1, n - 1
    depth = min(n, 1)
    corners = np.empty((2 * n + 64, 4), np.int32)
    keys = np.empty(corners.shape[0], np.uint32)
    written = 0
    while depth > 0:
        depth -= 1
        a, b, c = rectangles[depth, 0], rectangles[depth, 1], rectangles[depth, 2]
        lowest = np.int64(-1)
        tied = False
        for q in range(a, c + 1):
            t = stream.ids[q]
            place = stream.place[q]
            if previous[q] < a:
                first[t] = place
                reached[t] = values.bounds[t]
            v = reached[t]
            if v < values.bounds[t + 1] and values.x[v] == place - first[t] + 1:
                reached[t] = v + 1
                if lowest < 0 or values.rank[v] < values.rank[lowest]:
                    lowest, tied = v, False
                elif values.rank[v] == values.rank[lowest]:
                    tied = True
        if lowest < 0:
            continue
        t = np.searchsorted(values.bounds, lowest, side="right") - 1
        place = np.int64(first[t])
        last = place + values.x[lowest] - 1
        while a <= b and last < n and stream.occurrences[last] <= c and stream.ids[stream.occurrences[last]] == t:
            p, q = stream.occurrences[place], stream.occurrences[last]
            if written == keys.shape[0]:
                corners = np.concatenate((corners, np.empty_like(corners)))
                keys = np.concatenate((keys, np.empty_like(keys)))
            keys[written] = values.key[lowest]
            corners[written, 0], corners[written, 1] = a, min(p, b)
            corners[written, 2], corners[written, 3] = q, c
            written += 1
            if a < q:
                rectangles[depth, 0], rectangles[depth, 1], rectangles[depth, 2] = a, min(p, b, q - 1), q - 1
                depth += 1
            a = p + 1
            place += 1
            last += 1
            if tied:  # another token has a key of this rank, perhaps before the next key of this one
                break
        if a <= b:
            rectangles[depth, 0], rectangles[depth, 1], rectangles[depth, 2] = a, b, c
            depth += 1
    return keys[:written].copy(), corners[:written].copy()
