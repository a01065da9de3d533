"""The postings of an index: one list for each token of the collection, of the positions at which it occurs."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from ibidem.radix_sort import Run, sort_stably
from ibidem.store.postings.lists import Lists, find_list_ends
from ibidem.store.postings.packing import pack_lists
from ibidem.store.segments.writer import SegmentWriter
from ibidem.text.token_counts import Counts, count_documents

_Tokens = npt.NDArray[np.uint32]

WHOLE_BYTES = 22
"""Memory that a token takes while all are sorted."""

DIVIDED_BYTES = 40
"""Memory that a token takes while those of a range of keys are sorted, which are gathered first."""

_KEYS = 1 << 32
# Bits of the half of a key. Tokens are counted by the upper half of their keys first.
_HALF = 16

# Tokens that are looked through at a time.
_PIECE = 1 << 20


def write_positions(
    segment: SegmentWriter, memory: int, pool: ThreadPoolExecutor, progress: Callable[[int], None]
) -> int:
    """Write the positions of all tokens of a segment, and the vocabulary, if it was not written, which follows from
    them. Returns how many positions there are.

    They are sorted as a whole, or a range of keys after the other where the memory is too small for that.

    Args:
        memory: bytes that postings may take before they are written.
        pool: threads for the work; the result does not depend on them.
        progress: called with the number of tokens done.
    """
    tokens, bounds = segment.tokens()
    counts: list[Counts] = []
    fits_in_memory = len(tokens) <= memory // WHOLE_BYTES
    ranges = [range(_KEYS)] if fits_in_memory else _divide_keys(tokens, memory // DIVIDED_BYTES)
    for keys in ranges:
        lists = _list_positions(tokens, keys, pool.map)
        segment.append_part(pack_lists(lists))
        if not segment.has_vocabulary:
            counts.append(_count(lists, bounds))
        progress(len(lists.starts))
    segment.end_function()
    if not segment.has_vocabulary:
        segment.put_vocabulary(*(np.concatenate(column) for column in zip(*counts, strict=True)))
    return len(tokens)


def _divide_keys(tokens: _Tokens, room: int) -> Iterator[range]:
    """Divide all keys into ranges, ascending, of which each has at most ``room`` tokens, or is one key."""
    for upper in _group(_count_values(tokens, range(_KEYS), _HALF), room):
        keys = range(upper.start << _HALF, upper.stop << _HALF)
        if len(upper) > 1:
            yield keys
        else:
            lower = _group(_count_values(tokens, keys, 0), room)
            yield from (range(keys.start + group.start, keys.start + group.stop) for group in lower)


def _count_values(tokens: _Tokens, keys: range, shift: int) -> npt.NDArray[np.int64]:
    """How many tokens among ``keys`` have each value of the half of their bits that ``shift`` leaves lowest."""
    counts = np.zeros(1 << _HALF, np.int64)
    for low in range(0, len(tokens), _PIECE):
        piece = tokens[low : low + _PIECE]
        offsets = piece[(piece >= keys.start) & (piece < keys.stop)] - np.uint32(keys.start)
        counts += np.bincount(offsets >> np.uint32(shift), minlength=1 << _HALF)
    return counts


def _group(counts: npt.NDArray[np.int64], room: int) -> Iterator[range]:
    """Divide values into ranges that are counted ``room`` times together at most, or are one value; in order."""
    ends = np.cumsum(counts)
    first, before = 0, 0
    while first < len(counts):
        end = max(first + 1, int(np.searchsorted(ends, before + room, "right")))
        yield range(first, end)
        first, before = end, int(ends[end - 1])


def _count(lists: Lists, bounds: npt.NDArray[np.int64]) -> Counts:
    """The counts of the tokens of ``lists``."""
    lengths = np.diff(lists.ends, prepend=np.uint32(0)).astype(np.uint64)
    return lists.keys, count_documents(lists.starts, lists.ends, bounds), lengths


def _list_positions(tokens: _Tokens, keys: range, run: Run) -> Lists:
    """The positions of the tokens among ``keys``, a list for each of these that occurs."""
    if len(keys) == _KEYS:
        sorted_tokens, starts = sort_stably(tokens, run)
    else:
        places = np.concatenate([np.zeros(0, np.uint32), *_find_positions(tokens, keys)])
        sorted_tokens = tokens[places]
        if len(keys) > 1:
            sorted_tokens, order = sort_stably(sorted_tokens, run)
            places = places[order]
        starts = places
    return Lists(*find_list_ends(sorted_tokens), starts, np.empty((len(starts), 0), np.uint16))


def _find_positions(tokens: _Tokens, keys: range) -> Iterator[_Tokens]:
    """Where tokens among ``keys`` are, piece by piece."""
    for low in range(0, len(tokens), _PIECE):
        piece = tokens[low : low + _PIECE]
        rows = np.flatnonzero((piece >= keys.start) & (piece < keys.stop))
        yield (rows + low).astype(np.uint32)
