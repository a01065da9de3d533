"""Which keys of a text can be the min-hash of a passage of the wanted lengths.

A *key* ``[p, q]`` is a run of tokens that begins and ends with one token ``t`` and holds it ``x`` times; its rank is
that of the element ``(t, x)``. It matters if it is the min-hash of a passage of ``min_length`` tokens or more. Without
the other keys such passages keep their min-hashes, and so the windows remain (decision 7 has the proof). Few of the
keys matter, and most of those that do not are found by the text around them:

- The text is cut into blocks of ``B`` tokens. A passage of ``min_length`` tokens contains a run of ``w`` whole blocks,
  with ``(w + 1) B - 1 <= min_length``; if it contains position ``q``, the run holds the block around ``q``, or ends
  right before it, or begins right after. So the rank is at most the largest of the least ranks of these ``w + 2`` runs,
  for ``p`` as for ``q``, or the key does not matter.
- Blocks within ``[p, q]`` have no smaller rank either. Least ranks of 1, 2, 4, ... blocks answer that in two look-ups.

Least ranks are those of single tokens, ``x = 1``, and ranks are compared by *codes* of 16 bits, which never turn their
order round: both keep a key too many now and then, never one too few. The same steps are taken for many functions side
by side, on rows that hold a code for each of them, and a processor compares 16 codes at once: that is what makes the
test cheap.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.kernels import LANES, inlined, kernel, not_greater
from ibidem.sketches.families import ActiveValues
from ibidem.sketches.windows.bits import highest_bit
from ibidem.text.token_stream import TokenStream

MOST_FUNCTIONS = 64
"""Functions that are treated side by side: bits of a word."""

GROUP_BYTES = 1 << 26
"""The memory that the keys and the elements of a group of functions may take, more or less."""

CHUNK_TOKENS = 1 << 13
"""Tokens whose blocks are in the cache at a time, unless passages are longer."""

TESTED_KEYS = 1 << 14
"""Keys that are tested before they are distributed to functions, so that they are still in the cache."""

# Blocks in ``min_length``, or up to twice as many: finer blocks prune more keys, but take longer than they save.
_BLOCKS = 4

# In place of a code where there is no value; above every code.
_NONE = np.uint16(0xFFFF)

_HIGHEST = np.uint16(0xFFFE)
_ONE = np.uint64(1)


class SortedKeys(NamedTuple):
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
        code: uint16 [E, R], the codes of their ranks, or ``_NONE`` where the value is not active; R is F, rounded up to
            a multiple of ``LANES``.
        rank, identity: uint64 and uint32 [F, E], as in ``Keys``.
    """

    groups: npt.NDArray[np.int64]
    x: npt.NDArray[np.int32]
    code: npt.NDArray[np.uint16]
    rank: npt.NDArray[np.uint64]
    identity: npt.NDArray[np.uint32]


class _Blocks(NamedTuple):
    """Least ranks around and before each of the blocks ``low``, ``low + 1``, ...

    Attributes:
        least: uint16 [levels + 1, rows, R], codes, of ``2^level`` blocks up to this one; and in the last level the
            largest of the least ranks of the runs of blocks beside or over this one.
        low: the first block.
        shift: a block has ``2^shift`` tokens.
    """

    least: npt.NDArray[np.uint16]
    low: int
    shift: int


def find_keys_that_matter(
    stream: TokenStream, functions: Sequence[ActiveValues], min_length: int, max_length: int
) -> Iterator[SortedKeys]:
    """The keys of up to ``max_length`` tokens, under each of ``functions``, that matter for ``min_length`` or more."""
    for group in _split_functions(len(stream.ids), functions, min_length):
        elements = _collect_elements(stream, group)
        dealt = _deal_keys(stream, elements, min_length, max_length)
        for function in range(len(group)):
            yield SortedKeys(dealt.spans(function), elements.rank[function], elements.identity[function])


def _split_functions(
    tokens: int, functions: Sequence[ActiveValues], min_length: int
) -> Iterator[Sequence[ActiveValues]]:
    """Divide the functions into groups that fit the memory."""
    bytes_per_function = 48 * tokens // min_length + 24 * max((len(values.x) for values in functions), default=0)
    size = min(MOST_FUNCTIONS, max(4, GROUP_BYTES // max(bytes_per_function, 1)))
    for first in range(0, len(functions), size):
        yield functions[first : first + size]


def _collect_elements(stream: TokenStream, functions: Sequence[ActiveValues]) -> Elements:
    bounds = np.stack([values.bounds for values in functions])
    bounds += np.cumsum([0, *(len(values.x) for values in functions)])[:-1, None]
    x, rank, key = (np.concatenate(column) for column in list(zip(*functions, strict=True))[1:])
    return Elements(*_join(bounds, x, rank, key, stream.peaks))


def _deal_keys(stream: TokenStream, elements: Elements, min_length: int, max_length: int) -> "_FunctionKeys":
    """The keys that matter, by function."""
    size = len(stream.ids)
    shift = max(2, ((min_length + 1) // _BLOCKS).bit_length() - 1)
    run = (min_length + 1 >> shift) - 1
    room = max(TESTED_KEYS, int(np.diff(elements.groups).max(initial=0)))
    keys, words = np.empty((room, 3), np.int32), np.empty(room + 1, np.uint64)
    dealt = _FunctionKeys(len(elements.rank), room + size // 16)
    chunk = max(CHUNK_TOKENS, min(max_length, size)) >> shift << shift
    for first in range(0, size, chunk):
        end = min(size, first + chunk)
        low, high = (max(0, first - max_length) >> shift) - run - 2, (end >> shift) + run + 2
        levels = max(1, min(high - low, max_length >> shift).bit_length())
        blocks = _Blocks(_least_ranks(stream, elements, (low, high), shift, levels, run), low, shift)
        while first < end:
            count, first = _test_keys(stream, elements, blocks, (first, end), max_length, keys, words)
            dealt.deal(keys, words, count, first / size)
    return dealt


class _FunctionKeys:
    """Keys as spans [F, room, 3], of which each function has those up to its place."""

    def __init__(self, functions: int, room: int) -> None:
        self._spans = np.empty((functions, room, 3), np.int32)
        self._begins = np.arange(functions) * room
        self._places = self._begins.copy()

    def spans(self, function: int) -> npt.NDArray[np.int32]:
        """The keys of a function."""
        return self._spans[function, : self._places[function] - self._begins[function]]

    def deal(self, keys: npt.NDArray[np.int32], words: npt.NDArray[np.uint64], count: int, share_read: float) -> None:
        """Give the ``count`` keys that ``_test_keys`` returned to the functions to which they may matter.

        ``share_read`` is the part of the text that has been tested, from which the room needed is estimated.
        """
        most = int((self._places - self._begins).max())
        if most + count > self._spans.shape[1]:
            self._grow(count + max(most, int(1.1 * most / share_read)))
        _deal(keys, words, count, self._spans.reshape(-1, 3), self._places)

    def _grow(self, room: int) -> None:
        counts = self._places - self._begins
        spans = np.empty((len(counts), room, 3), np.int32)
        for function, count in enumerate(counts):
            spans[function, :count] = self._spans[function, :count]
        self._spans, self._begins = spans, np.arange(len(counts)) * room
        self._places = self._begins + counts


@kernel
def _join(
    bounds: npt.NDArray[np.int64],
    x: npt.NDArray[np.int32],
    rank: npt.NDArray[np.uint64],
    key: npt.NDArray[np.uint32],
    peaks: npt.NDArray[np.int32],
) -> tuple[
    npt.NDArray[np.int64],
    npt.NDArray[np.int32],
    npt.NDArray[np.uint16],
    npt.NDArray[np.uint64],
    npt.NDArray[np.uint32],
]:
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
    code = np.full((count, -(-functions // LANES) * LANES), _NONE, np.uint16)
    lowest = np.full(functions, ~np.uint64(0), np.uint64)
    for f in range(functions):
        for v in range(bounds[f, 0], bounds[f, size]):
            lowest[f] = min(lowest[f], rank[v])
    ranks, identities = np.empty((functions, count), np.uint64), np.empty((functions, count), np.uint32)
    for tile in range(0, size, 256):  # of tokens, so that the rows which functions share are still in the cache
        for f in range(functions):
            for t in range(tile, min(size, tile + 256)):
                for v in range(bounds[f, t], bounds[f, t + 1]):
                    if x[v] > peaks[t]:
                        break
                    e = element[places[t] + x[v] - 1]
                    code[e, f] = _code_of(rank[v] - lowest[f])
                    ranks[f, e], identities[f, e] = rank[v], key[v]
    return groups, frequencies[:count].copy(), code, ranks, identities


@inlined
def _code_of(rank: np.uint64) -> np.uint16:
    """How many bits the upper half of a rank has, and the eleven behind its highest, as one number below ``_NONE``.

    Ranks are counted from the lowest of a function, so that codes separate the ranks that matter in every family.
    """
    upper = rank >> np.uint64(32) | _ONE
    bits = np.uint64(highest_bit(upper))
    behind = (upper << (np.uint64(31) - bits)) >> np.uint64(20) & np.uint64(0x7FF)
    return min(np.uint16(bits << np.uint64(11) | behind), _HIGHEST)


@kernel
def _least_ranks(
    stream: TokenStream, elements: Elements, blocks: tuple[int, int], shift: int, levels: int, run: int
) -> npt.NDArray[np.uint16]:
    """``_Blocks.least`` of the ``blocks`` from one to another; if ``run`` is 0 the highest rank around all."""
    ids, bounds, groups, x, code = stream.ids, stream.bounds, elements.groups, elements.x, elements.code
    functions, size = code.shape[1], 1 << shift
    low, end = blocks
    least = np.empty((levels + 1, end - low, functions), np.uint16)
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
                        least[0, row, f] = min(least[0, row, f], code[e, f])
        for level in range(1, levels):
            second_row = row - (1 << (level - 1))
            if second_row >= 0:
                for f in range(functions):
                    least[level, row, f] = min(least[level - 1, row, f], least[level - 1, second_row, f])
    if run > 0:
        _largest_around(least, run)
    else:
        least[levels] = _HIGHEST
    return least


@kernel
def _largest_around(least: npt.NDArray[np.uint16], run: int) -> None:
    """Write into the last level of ``least`` the largest of the least ranks of runs of blocks beside or over each."""
    rows, functions = least.shape[1:]
    of_run = np.zeros((rows, functions), np.uint16)
    for row in range(run - 1, rows):
        of_run[row] = least[0, row]
        for second_row in range(row - run + 1, row):
            for f in range(functions):
                of_run[row, f] = min(of_run[row, f], least[0, second_row, f])
    around = least[-1]
    around[:] = 0
    for row in range(rows):
        for last in range(max(0, row - 1), min(row + run + 1, rows)):
            for f in range(functions):
                around[row, f] = max(around[row, f], of_run[last, f])


@kernel
def _test_keys(
    stream: TokenStream,
    elements: Elements,
    blocks: _Blocks,
    chunk: tuple[int, int],
    max_length: int,
    keys: npt.NDArray[np.int32],
    words: npt.NDArray[np.uint64],
) -> tuple[int, int]:
    """Write the keys that end in ``chunk`` and may matter, and the bits of the functions to which they may.

    Returns how many there are, and where the chunk continues if ``keys`` and ``words`` are full.
    """
    ids, bounds, place = stream.ids, stream.bounds, stream.place
    occurrences, starts = stream.occurrences, stream.groups
    groups, x, code, least = elements.groups, elements.x, elements.code.reshape(-1), blocks.least.reshape(-1)
    low, shift = blocks.low, blocks.shift
    levels, rows, width = blocks.least.shape
    size, around, room, count = 1 << shift, levels - 1, keys.shape[0], 0
    first, end = chunk
    text = np.searchsorted(bounds, first, side="right") - 1
    for q in range(first, end):
        while bounds[text + 1] <= q:
            text += 1
        token, latest = ids[q], np.int64(place[q]) + 1
        oldest, row = max(bounds[text], q - max_length + 1), (q >> shift) - low
        if groups[token + 1] - groups[token] > room - count:
            return count, q
        for e in range(groups[token], groups[token + 1]):
            p, level = np.int64(q), around
            first_row: int | np.int64 = row
            last_row: int | np.int64 = row
            start_row: int | np.int64 = row
            if x[e] > 1:
                occurrence = latest - x[e]
                if occurrence < starts[token] or occurrences[occurrence] < oldest:
                    break
                p = np.int64(occurrences[occurrence])
                start_row = (p >> shift) - low
                within = ((p + size - 1) >> shift) - low  # the first block that begins in the key
                if within < row:
                    level = highest_bit(np.uint64(row - within))
                    first_row, last_row = within + (1 << level) - 1, row - 1
            hits, code_begin = np.uint64(0), e * width
            first_row, last_row = (level * rows + first_row) * width, (level * rows + last_row) * width
            before, behind = (around * rows + start_row) * width, (around * rows + row) * width
            for f in range(0, width, LANES):
                hit = not_greater(code, code_begin + f, least, first_row + f) & not_greater(
                    code, code_begin + f, least, last_row + f
                )
                hit &= not_greater(code, code_begin + f, least, before + f) & not_greater(
                    code, code_begin + f, least, behind + f
                )
                hits |= hit << np.uint64(f)
            keys[count, 0], keys[count, 1], keys[count, 2], words[count] = p, q, e, hits
            count += hits != np.uint64(0)
    return count, end


@kernel
def _deal(
    keys: npt.NDArray[np.int32],
    words: npt.NDArray[np.uint64],
    number: int,
    spans: npt.NDArray[np.int32],
    places: npt.NDArray[np.int64],
) -> None:
    """Write every key of ``keys`` to the place in ``spans`` of each function of which ``words`` have the bit.

    There are ``number`` keys, and one more word of any value.
    """
    i, word = np.uint64(0), words[0]
    while i < np.uint64(number):
        function, following = highest_bit(word & (~word + _ONE)), words[i + _ONE]
        place = places[function]
        for column in range(3):
            spans[place, column] = keys[i, column]
        places[function] = place + 1
        word &= word - _ONE
        last = np.uint64(word == np.uint64(0))
        word |= following & (~last + _ONE)  # no branch: one that cannot be foreseen takes longer than all the rest
        i += last
