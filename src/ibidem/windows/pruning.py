"""Which keys of a text can be the min-hash of a passage of the wanted lengths.

A *key* ``[p, q]`` is a run of tokens that begins and ends with one token ``t`` and holds it ``x`` times; its rank is
that of the element ``(t, x)``. It matters if it is the min-hash of a passage of ``min_length`` tokens or more. Without
the other keys such passages keep their min-hashes, and so the windows remain (decision 11 has the proof). Few of the
keys matter, and most of those that do not are told by the text around them:

- The text is cut into blocks of ``B`` tokens, with ``2 B - 1 <= min_length``. A passage of that length that contains
  position ``q`` contains the whole block around ``q``, or the one before, or the one after. So the rank is at most the
  largest of the three least ranks of these blocks, or the key does not matter.
- Blocks within ``[p, q]`` have no smaller rank either. Least ranks of 1, 2, 4, ... blocks answer that in two look-ups.

Least ranks are those of single tokens, ``x = 1``, and of their upper halves: both keep a key too many now and then,
never one too few. The same steps are taken for many functions side by side, on rows that hold a number for each of
them: that is what makes the test cheap.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import inlined, kernel
from ibidem.sketch.families import ActiveValues
from ibidem.windows.stream import TokenStream

__all__ = ["Keys", "keys_that_matter"]

MOST_FUNCTIONS = 64
"""Functions that are treated side by side: bits of a word."""

GROUP_BYTES = 1 << 26
"""What the keys and the elements of a group of functions may take, more or less."""

CHUNK_TOKENS = 1 << 15
"""Tokens whose blocks are in memory at a time, unless passages are longer."""

_NONE = np.uint32(0xFFFFFFFF)
"""In place of a rank where there is no value; above every rank."""

_HIGHEST = np.uint32(0xFFFFFFFE)
_ONE = np.uint64(1)


class Keys(NamedTuple):
    """Keys of one function in the order of their right ends, and at one right end from the last start to the first.

    Attributes:
        spans: int32 [K, 3], first token, last token, and element of each key.
        rank: uint64 [E], the order of the hash values of the elements.
        identity: uint32 [E], what must agree for two min-hashes to collide.
    """

    spans: npt.NDArray[np.int32]
    rank: npt.NDArray[np.uint64]
    identity: npt.NDArray[np.uint32]


class Elements(NamedTuple):
    """The elements ``(t, x)`` that have an active value under any of F functions.

    Attributes:
        groups: int64 [V + 1], the elements of token ``t`` are ``groups[t]`` to ``groups[t + 1]``.
        x: int32 [E], their frequencies, ascending within a token.
        high: uint32 [E, F], the upper halves of their ranks, or ``_NONE`` where the value is not active.
        rank, identity: uint64 and uint32 [F, E], as in ``Keys``.
    """

    groups: npt.NDArray[np.int64]
    x: npt.NDArray[np.int32]
    high: npt.NDArray[np.uint32]
    rank: npt.NDArray[np.uint64]
    identity: npt.NDArray[np.uint32]


class _Blocks(NamedTuple):
    """Least ranks around and before each of the blocks ``low``, ``low + 1``, ...

    Attributes:
        least: uint32 [levels + 1, rows, F], of ``2^level`` blocks up to this one; and in the last level the largest of
            the least ranks of the blocks before, here and after.
        low: the first block.
        shift: a block has ``2^shift`` tokens.
    """

    least: npt.NDArray[np.uint32]
    low: int
    shift: int


def keys_that_matter(
    stream: TokenStream, functions: Sequence[ActiveValues], min_length: int, max_length: int
) -> Iterator[Keys]:
    """The keys of up to ``max_length`` tokens, under each of ``functions``, that matter for ``min_length`` or more."""
    for group in _groups(len(stream.ids), functions, min_length):
        elements = _elements(stream, group)
        spans, counts = _group_keys(stream, elements, min_length, max_length)
        for function in range(len(group)):
            yield Keys(spans[function, : counts[function]], elements.rank[function], elements.identity[function])


def _groups(tokens: int, functions: Sequence[ActiveValues], min_length: int) -> Iterator[Sequence[ActiveValues]]:
    """Divide the functions into groups that fit the memory."""
    each = 48 * tokens // min_length + 24 * max((len(values.x) for values in functions), default=0)
    size = min(MOST_FUNCTIONS, max(4, GROUP_BYTES // max(each, 1)))
    for first in range(0, len(functions), size):
        yield functions[first : first + size]


def _elements(stream: TokenStream, functions: Sequence[ActiveValues]) -> Elements:
    bounds = np.stack([values.bounds for values in functions])
    bounds += np.cumsum([0, *(len(values.x) for values in functions)])[:-1, None]
    x, rank, key = (np.concatenate(column) for column in list(zip(*functions, strict=True))[1:])
    return Elements(*_joined(bounds, x, rank, key, stream.peaks))


def _group_keys(
    stream: TokenStream, elements: Elements, min_length: int, max_length: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """The keys that matter as spans [F, room, 3], and how many there are [F]."""
    size, functions = len(stream.ids), elements.high.shape[1]
    shift = max(2, ((min_length + 1) // 2).bit_length() - 1)
    around = min_length >= (2 << shift) - 1
    spans = np.empty((functions, 1024 + size // 4, 3), np.int32)
    counts = np.zeros(functions, np.int64)
    chunk = max(CHUNK_TOKENS, min(max_length, size)) >> shift << shift
    for first in range(0, size, chunk):
        end = min(size, first + chunk)
        low, high = (max(0, first - max_length) >> shift) - 2, (end >> shift) + 2
        levels = max(1, min(high - low, max_length >> shift).bit_length())
        least = _least_ranks(stream, elements, (low, high), shift, levels, around)
        spans = _collect(stream, elements, _Blocks(least, low, shift), (first, end), max_length, spans, counts)
    return spans, counts


@kernel
def _joined(bounds: Any, x: Any, rank: Any, key: Any, peaks: Any) -> Any:
    """``Elements`` of the values ``bounds[f, t]`` to ``bounds[f, t + 1]``, without frequencies above ``peaks``."""
    functions, size = bounds.shape[0], bounds.shape[1] - 1
    places = np.zeros(size + 1, np.int64)
    places[1:] = np.cumsum(peaks)
    element = np.full(places[-1], -1, np.int32)
    for f in range(functions):
        for t in range(size):
            for v in range(bounds[f, t], bounds[f, t + 1]):
                if x[v] > peaks[t]:
                    break
                element[places[t] + x[v] - 1] = 0
    groups, count = np.zeros(size + 1, np.int64), 0
    frequencies = np.empty(len(element), np.int32)
    for t in range(size):
        for place in range(places[t], places[t + 1]):
            if element[place] == 0:
                element[place], frequencies[count] = count, place - places[t] + 1
                count += 1
        groups[t + 1] = count
    high = np.full((count, functions), _NONE, np.uint32)
    ranks, identities = np.empty((functions, count), np.uint64), np.empty((functions, count), np.uint32)
    for tile in range(0, size, 256):  # of tokens, so that the rows which functions share are still in the cache
        for f in range(functions):
            for t in range(tile, min(size, tile + 256)):
                for v in range(bounds[f, t], bounds[f, t + 1]):
                    if x[v] > peaks[t]:
                        break
                    e = element[places[t] + x[v] - 1]
                    high[e, f] = min(np.uint32(rank[v] >> np.uint64(32)), _HIGHEST)
                    ranks[f, e], identities[f, e] = rank[v], key[v]
    return groups, frequencies[:count].copy(), high, ranks, identities


@kernel
def _least_ranks(stream: Any, elements: Any, blocks: Any, shift: Any, levels: Any, around: Any) -> Any:
    """``_Blocks.least`` of the ``blocks`` from one to another; the highest rank around all if not ``around``."""
    ids, bounds, groups, x, high = stream.ids, stream.bounds, elements.groups, elements.x, elements.high
    functions, size = high.shape[1], 1 << shift
    low, end = blocks
    least = np.empty((levels + 1, end - low, functions), np.uint32)
    text = 0
    for row in range(end - low):
        start = (low + row) << shift
        while text < bounds.shape[0] and bounds[text] <= start:
            text += 1
        if text == 0 or text == bounds.shape[0] or bounds[text] < start + size:
            least[0, row] = 0  # no passage holds a block that is not within one text
        else:
            least[0, row] = _HIGHEST
            for q in range(start, start + size):
                e = groups[ids[q]]
                if e < groups[ids[q] + 1] and x[e] == 1:
                    for f in range(functions):
                        least[0, row, f] = min(least[0, row, f], high[e, f])
        for level in range(1, levels):
            other = row - (1 << (level - 1))
            if other >= 0:
                for f in range(functions):
                    least[level, row, f] = min(least[level - 1, row, f], least[level - 1, other, f])
        if not around:
            least[levels, row] = _HIGHEST
        elif row > 1:
            for f in range(functions):
                least[levels, row - 1, f] = max(least[0, row - 2, f], least[0, row - 1, f], least[0, row, f])
    return least


@kernel
def _collect(stream: Any, elements: Any, blocks: Any, chunk: Any, max_length: Any, spans: Any, counts: Any) -> Any:
    """Append the keys that end in ``chunk`` and may matter to ``spans``, or to a larger copy of it, and return it."""
    ids, bounds, place = stream.ids, stream.bounds, stream.place
    occurrences, starts = stream.occurrences, stream.groups
    groups, x, high, least = elements.groups, elements.x, elements.high, blocks.least
    low, shift = blocks.low, blocks.shift
    functions, size, around = high.shape[1], 1 << shift, least.shape[0] - 1
    first, end = chunk
    text, most = np.searchsorted(bounds, first, side="right") - 1, counts.max()
    for q in range(first, end):
        while bounds[text + 1] <= q:
            text += 1
        token, latest = ids[q], np.int64(place[q]) + 1
        oldest, row = max(bounds[text], q - max_length + 1), (q >> shift) - low
        most += groups[token + 1] - groups[token]
        if most > spans.shape[1]:
            most = counts.max() + groups[token + 1] - groups[token]
            if most > spans.shape[1]:
                larger = np.empty((functions, most + spans.shape[1], 3), np.int32)
                for f in range(functions):
                    larger[f, : counts[f]] = spans[f, : counts[f]]
                spans = larger
        for e in range(groups[token], groups[token + 1]):
            p, level, left, right = np.int64(q), around, row, row
            if x[e] > 1:
                occurrence = latest - x[e]
                if occurrence < starts[token] or occurrences[occurrence] < oldest:
                    break
                p = np.int64(occurrences[occurrence])
                within = ((p + size - 1) >> shift) - low  # the first block that begins in the key
                if within < row:
                    level = _highest_bit(np.uint64(row - within))
                    left, right = within + (1 << level) - 1, row - 1
            hits = np.uint64(0)
            for f in range(functions):
                hit = (high[e, f] <= least[level, left, f]) & (high[e, f] <= least[level, right, f])
                hits |= np.uint64(hit) << np.uint64(f)
            while hits:
                function = _highest_bit(hits & (~hits + _ONE))
                hits &= hits - _ONE
                count = counts[function]
                spans[function, count, 0], spans[function, count, 1], spans[function, count, 2] = p, q, e
                counts[function] = count + 1
    return spans


@inlined
def _highest_bit(word: Any) -> Any:
    """Position of the highest set bit of a word that is not zero; LLVM makes one instruction of this loop."""
    bits = 0
    while word != np.uint64(0):
        word >>= _ONE
        bits += 1
    return bits - 1
