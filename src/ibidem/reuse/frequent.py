"""Frequent text: shared by so many documents that it is looked for once, and not in each two of them.

A sheet, a masthead, a licence or a menu is found before anything is compared, by *shingles*, runs of ``width`` tokens:
text is frequent where it lies in a shingle that ``least`` documents hold. So its extent is exact, a word that one copy
changed is not a part of it, and what a few documents share right beside it is not, either. Frequent text that most of
many documents hold is *common*: it is no evidence of a link between two of them.

Shingles are counted in two passes. The first counts documents in cells that several shingles may share, so it yields an
upper bound; the second counts exactly the shingles whose cells reach ``least``, which are few.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.arguments import count_threads
from ibidem.hashing import GOLDEN, mix64
from ibidem.kernels import inlined, kernel
from ibidem.parallel import in_threads
from ibidem.ragged import bounds_of

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]
_Hashes = npt.NDArray[np.uint64]

_SHARE, _MANY, _SHARE_OF_FEW, _FEW = 0.1, 20, 0.8, 10
"""The share of all documents that hold a frequent text, and the least number of them; in a small collection, four
fifths of them and at least ten."""

_MORE_THAN_HALF = 10
"""Documents besides half of them that hold a common text: what all of a few hold may be all that links two of them."""

_BYTES = 44
"""Bytes of text in a shingle, about: eight English words. No phrase is as long, and a copy with a word changed here and
there has most of its shingles left."""

_LEAST_WIDTH, _MOST_WIDTH = 8, 32

NEVER = 1 << 60
"""More documents than there are."""

_MOST_CELLS = 1 << 24

_LEAST_TABLE = 1 << 12

_SHARED_OUT = 1 << 16
"""Tokens whose shingles are counted by several threads, at the least."""

_BASE = np.uint64(0xD1342543DE82EF95)
"""The base of the polynomial that hashes a shingle."""


class FrequentShingles(NamedTuple):
    """The shingles that many documents hold, in a table with open addressing.

    Attributes:
        width: tokens of a shingle.
        keys: uint64 [2^b], zero where a slot is free.
        counts: int32 [2^b], how many documents hold each.
        firsts: int64 [2^b, 2], where each occurs first in the documents of either side, or -1.
    """

    width: int
    keys: _Hashes
    counts: _Ids
    firsts: _Ints

    @property
    def hashes(self) -> _Hashes:
        """The hashes of all of them, ascending."""
        return np.sort(self.keys[self.keys != 0])


def choose_least_documents(documents: int) -> int:
    """Return the least number of documents, of so many, that hold a frequent text.

    >>> [choose_least_documents(count) for count in (5, 10, 15, 40, 12_000)]
    [10, 10, 12, 20, 1200]
    """
    few = max(_FEW, -int(-_SHARE_OF_FEW * documents // 1))
    return max(min(_MANY, few), -int(-_SHARE * documents // 1))


def choose_common_documents(documents: int) -> int:
    """Return the least number of documents, of so many, that hold a common text.

    >>> [choose_common_documents(count) for count in (5, 14, 19, 30, 200)]
    [12, 17, 19, 25, 110]
    """
    return documents // 2 + _MORE_THAN_HALF


def choose_shingle_width(tokens: int, size: int) -> int:
    """Tokens of a shingle in texts of so many ``tokens`` and bytes.

    >>> choose_shingle_width(1_000, 5_700), choose_shingle_width(1_000, 3_000), choose_shingle_width(1_000, 1_000)
    (8, 15, 32)
    """
    return min(max(_LEAST_WIDTH, round(_BYTES * max(tokens, 1) / max(size, 1))), _MOST_WIDTH)


class _Texts(NamedTuple):
    """Documents as kernels read them: their tokens, their bounds, a value for each token, and the order of counting."""

    tokens: _Ids
    bounds: _Ints
    values: _Hashes
    order: _Ints
    side: _Ids


def _make_texts(
    tokens: _Ids, bounds: _Ints, vocabulary: npt.NDArray[np.uint32], order: _Ints | None, side: _Ids | None
) -> _Texts:
    documents = len(bounds) - 1
    order = np.arange(documents) if order is None else order.astype(np.int64)
    return _Texts(tokens, bounds, _mix_all(vocabulary), order, np.zeros(documents, np.int32) if side is None else side)


@kernel
def _mix_all(vocabulary: npt.NDArray[np.uint32]) -> _Hashes:
    values = np.empty(vocabulary.shape[0], np.uint64)
    for t in range(vocabulary.shape[0]):
        values[t] = mix64(np.uint64(vocabulary[t]) + GOLDEN)
    return values


def count_frequent(
    tokens: _Ids,
    bounds: _Ints,
    vocabulary: npt.NDArray[np.uint32],
    width: int,
    least: int,
    *,
    order: _Ints | None = None,
    side: _Ids | None = None,
    known_hashes: _Hashes | None = None,
    threads: int | None = None,
) -> FrequentShingles:
    """The shingles of ``width`` tokens that ``least`` documents hold or more.

    Args:
        order: int64 [D], the documents in the order in which one comes before another; that of their numbers if not
            given.
        side: int32 [D], 0 or 1: the side of each.
        known_hashes: those of the shingles that are frequent, if they were counted before.
        threads: how many threads to use; if not given, one for each core.
    """
    texts = _make_texts(tokens, bounds, vocabulary, order, side)
    may_be_frequent = np.zeros(0, np.bool_)
    if known_hashes is None:
        may_be_frequent = _count_in_cells(texts, width, threads) >= least
        if not may_be_frequent.any():
            known_hashes = np.zeros(0, np.uint64)
    size = _LEAST_TABLE
    while True:
        table = FrequentShingles(
            width, np.zeros(size, np.uint64), np.zeros(size, np.int32), np.full((size, 2), -1, np.int64)
        )
        if known_hashes is not None and len(known_hashes) == 0:
            return table
        if _count_exactly(
            texts, table, may_be_frequent, np.zeros(0, np.uint64) if known_hashes is None else known_hashes
        ):
            break
        size *= 2
    return table if known_hashes is not None else _keep_frequent(table, least)


def _keep_frequent(table: FrequentShingles, least: int) -> FrequentShingles:
    """The shingles of ``least`` documents or more, in a table of their own."""
    rows = np.flatnonzero(table.counts >= least)
    size = max(_LEAST_TABLE, 1 << (4 * len(rows)).bit_length())
    frequent_table = FrequentShingles(
        table.width, np.zeros(size, np.uint64), np.zeros(size, np.int32), np.full((size, 2), -1, np.int64)
    )
    _copy(table, rows, frequent_table)
    return frequent_table


def find_runs(
    shingles: FrequentShingles,
    tokens: _Ids,
    bounds: _Ints,
    vocabulary: npt.NDArray[np.uint32],
    *,
    side: _Ids | None = None,
    common: int = NEVER,
) -> _Ints:
    """Find frequent text and its first occurrences, int64 [R, 4], by its places.

    A row is a half-open range of tokens, where the same tokens occur first (the first of the other side, if there are
    two), or -1, and how many documents hold its most frequent shingle: ``common`` or more of each shingle, or fewer of
    each. Ranges of one document may overlap.
    """
    if not shingles.counts.any():
        return np.empty((0, 4), np.int64)
    texts = _make_texts(tokens, bounds, vocabulary, None, side)
    room = 1 << 12
    while True:
        runs = np.empty((room, 4), np.int64)
        count = _find_runs(texts, shingles, side is not None, common, runs)
        if count >= 0:
            return runs[:count].copy()
        room *= 4


class Stretches(NamedTuple):
    """Frequent text with little else between.

    Attributes:
        ranges: int64 [S, 2], ascending, half open; none overlap.
        of: int64 [R], the stretch of each run.
    """

    ranges: _Ints
    of: _Ints

    @property
    def lengths(self) -> _Ints:
        """Tokens of each."""
        lengths: _Ints = self.ranges[:, 1] - self.ranges[:, 0]
        return lengths


def join_runs(runs: _Ints, bounds: _Ints, gap: int) -> Stretches:
    """The stretches of ``runs`` (see ``find_runs``) with fewer than ``gap`` tokens between them in one document."""
    if not len(runs):
        return Stretches(np.empty((0, 2), np.int64), np.empty(0, np.int64))
    documents = np.searchsorted(bounds, runs[:, 0], side="right") - 1
    ends = np.maximum.accumulate(runs[:, 1])
    is_start = np.concatenate([[True], (runs[1:, 0] >= ends[:-1] + gap) | (documents[1:] != documents[:-1])])
    firsts = np.flatnonzero(is_start)
    ranges = np.stack([runs[firsts, 0], ends[np.append(firsts[1:], len(runs)) - 1]], axis=1)
    return Stretches(ranges, np.cumsum(is_start) - 1)


def find_phrases(
    tokens: _Ids, bounds: _Ints, vocabulary: npt.NDArray[np.uint32], phrases: list[npt.NDArray[np.uint32]]
) -> _Ints:
    """Find where phrases occur, int64 [P, 2]: half-open ranges of tokens, in no order."""
    ranges = [np.empty((0, 2), np.int64)]
    texts = _make_texts(tokens, bounds, vocabulary, None, None)
    for width in sorted({len(phrase) for phrase in phrases if len(phrase)}):
        hashes = np.unique(
            np.array([_hash_phrase(_mix_all(phrase)) for phrase in phrases if len(phrase) == width], np.uint64)
        )
        starts = _find_hashes(texts, width, hashes)
        ranges.append(np.stack([starts, starts + width], axis=1))
    return np.concatenate(ranges)


@kernel
def _hash_phrase(values: _Hashes) -> np.uint64:
    state = np.uint64(0)
    for value in values:
        state = state * _BASE + value
    return state


def hash_shingles(ids: npt.NDArray[np.uint32], bounds: _Ints, width: int) -> tuple[_Hashes, _Ints]:
    """Hash the shingles of ``width`` tokens of each text: uint64 [S], and int64 [n + 1], where those of a text begin.

    >>> hashes, bounds = hash_shingles(np.array([5, 6, 7, 9, 5, 6, 7], np.uint32), np.array([0, 4, 7]), 3)
    >>> bool(hashes[0] == hashes[2]), len(set(hashes.tolist())), bounds.tolist()
    (True, 2, [0, 2, 3])
    """
    shingle_bounds = bounds_of(np.maximum(np.diff(bounds) - width + 1, 0))
    hashes = np.empty(int(shingle_bounds[-1]), np.uint64)
    _hash_all(_mix_all(ids), bounds, width, hashes)
    return hashes, shingle_bounds


@kernel
def _hash_all(values: _Hashes, bounds: _Ints, width: int, hashes: _Hashes) -> None:
    """Fill ``hashes`` with the keys of all shingles of texts with these values of their tokens."""
    power, count = _raise_base(width), 0
    for text in range(bounds.shape[0] - 1):
        state = np.uint64(0)
        for p in range(bounds[text], bounds[text + 1]):
            if p - bounds[text] >= width:
                state -= values[p - width] * power
            state = _roll(state, values[p])
            if p - bounds[text] >= width - 1:
                hashes[count] = _make_key(state)
                count += 1


@kernel
def _raise_base(width: int) -> np.uint64:
    """The base to the power of ``width - 1``."""
    power = np.uint64(1)
    for _ in range(width - 1):
        power *= _BASE
    return power


@inlined
def _roll(state: np.uint64, entering: np.uint64) -> np.uint64:
    return state * _BASE + entering


@inlined
def _make_key(state: np.uint64) -> np.uint64:
    """Return the key of a shingle: never zero."""
    return mix64(state) | np.uint64(1)


@kernel
def _find_place(values: _Hashes, value: np.uint64) -> int:
    """Return how many of ``values``, ascending, are smaller than ``value``."""
    low, high = 0, values.shape[0]
    while low < high:
        middle = (low + high) // 2
        if values[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _find_hashes(texts: _Texts, width: int, hashes: _Hashes) -> _Ints:
    """Return where the shingles with one of the ``hashes``, ascending, begin."""
    starts = np.empty(texts.tokens.shape[0], np.int64)
    count, power = 0, _raise_base(width)
    for document in range(texts.bounds.shape[0] - 1):
        begin, end, state = texts.bounds[document], texts.bounds[document + 1], np.uint64(0)
        for p in range(begin, end):
            if p - begin >= width:
                state -= texts.values[texts.tokens[p - width]] * power
            state = _roll(state, texts.values[texts.tokens[p]])
            if p - begin >= width - 1:
                place = _find_place(hashes, state)
                if place < hashes.shape[0] and hashes[place] == state:
                    starts[count] = p - width + 1
                    count += 1
    return starts[:count].copy()


def _count_in_cells(texts: _Texts, width: int, threads: int | None) -> _Ids:
    """Count the documents that hold one of the shingles of each cell, int32. Each thread has cells of its own."""
    positions = len(texts.tokens)
    cells = min(1 << max(8, (2 * positions).bit_length()), _MOST_CELLS)
    parts = count_threads(threads) if positions >= _SHARED_OUT else 1
    cuts = np.linspace(0, cells, parts + 1).astype(np.int64)
    rows = np.zeros((cells, 2), np.int32)
    list(in_threads(lambda part: _count_cells(texts, width, cuts[part : part + 2], rows), range(parts), parts))
    return rows[:, 0]


@kernel
def _count_cells(texts: _Texts, width: int, span: _Ints, rows: _Ids) -> None:
    """Count in each cell of ``span`` int64 [2] the documents that hold one of its shingles.

    ``rows`` int32 [C, 2] are zero at first: the documents of each cell, and the number of the last one, from 1.
    """
    power, last = _raise_base(width), np.uint64(rows.shape[0] - 1)
    for document in range(texts.bounds.shape[0] - 1):
        begin, end, state = texts.bounds[document], texts.bounds[document + 1], np.uint64(0)
        for p in range(begin, end):
            if p - begin >= width:
                state -= texts.values[texts.tokens[p - width]] * power
            state = _roll(state, texts.values[texts.tokens[p]])
            if p - begin >= width - 1:
                cell = np.int64((_make_key(state) >> np.uint64(8)) & last)
                if span[0] <= cell < span[1] and rows[cell, 1] != document + 1:
                    rows[cell, 0] += 1
                    rows[cell, 1] = document + 1


@kernel
def _find_slot(keys: _Hashes, key: np.uint64) -> int:
    """Return the slot of a key in a table, or the free slot in which it belongs."""
    last = keys.shape[0] - 1
    slot = np.int64((key >> np.uint64(32)) & np.uint64(last))
    while keys[slot] != np.uint64(0) and keys[slot] != key:
        slot = (slot + 1) & last
    return int(slot)


@kernel
def _count_exactly(
    texts: _Texts, table: FrequentShingles, may_be_frequent: npt.NDArray[np.bool_], known_hashes: _Hashes
) -> bool:
    """Count the documents of each shingle that may be frequent; false where the table is too small for them.

    Those are the shingles whose cell is true in ``may_be_frequent``, or if there are no cells, the ``known_hashes``.
    """
    width, keys, counts, firsts = table.width, table.keys, table.counts, table.firsts
    stamps = np.full(keys.shape[0], -1, np.int32)
    power, last, count = _raise_base(width), np.uint64(max(may_be_frequent.shape[0] - 1, 0)), 0
    for document in texts.order:
        begin, end, state = texts.bounds[document], texts.bounds[document + 1], np.uint64(0)
        for p in range(begin, end):
            if p - begin >= width:
                state -= texts.values[texts.tokens[p - width]] * power
            state = _roll(state, texts.values[texts.tokens[p]])
            if p - begin < width - 1:
                continue
            key = _make_key(state)
            if may_be_frequent.shape[0] > 0:
                if not may_be_frequent[np.int64((key >> np.uint64(8)) & last)]:
                    continue
            else:
                place = _find_place(known_hashes, key)
                if place == known_hashes.shape[0] or known_hashes[place] != key:
                    continue
            slot = _find_slot(keys, key)
            if keys[slot] == np.uint64(0):
                count += 1
                if 2 * count > keys.shape[0]:
                    return False
                keys[slot] = key
            if stamps[slot] != document:
                stamps[slot] = document
                counts[slot] += 1
            side = texts.side[document]
            if firsts[slot, side] < 0:
                firsts[slot, side] = p - width + 1
    return True


@kernel
def _copy(table: FrequentShingles, rows: _Ints, target: FrequentShingles) -> None:
    for row in rows:
        slot = _find_slot(target.keys, table.keys[row])
        target.keys[slot], target.counts[slot] = table.keys[row], table.counts[row]
        target.firsts[slot, 0], target.firsts[slot, 1] = table.firsts[row, 0], table.firsts[row, 1]


@kernel
def _find_runs(texts: _Texts, table: FrequentShingles, two_sides: bool, common: int, runs: _Ints) -> int:
    """Fill ``runs`` as ``find_runs`` returns them, and return their number, or -1 where there is no room."""
    width, count = table.width, 0
    power = _raise_base(width)
    for document in range(texts.bounds.shape[0] - 1):
        begin, end, state = texts.bounds[document], texts.bounds[document + 1], np.uint64(0)
        side = 1 - texts.side[document] if two_sides else 0
        is_open = False  # whether the last run may continue
        for p in range(begin, end):
            if p - begin >= width:
                state -= texts.values[texts.tokens[p - width]] * power
            state = _roll(state, texts.values[texts.tokens[p]])
            if p - begin < width - 1:
                continue
            slot = _find_slot(table.keys, _make_key(state))
            if table.keys[slot] == np.uint64(0):
                is_open = False
                continue
            first, start = table.firsts[slot, side], p - width + 1
            if is_open:
                row = runs[count - 1]
                is_continued = first == row[2] + start - row[0] if first >= 0 else row[2] < 0
                if is_continued and (row[3] >= common) == (table.counts[slot] >= common):
                    row[1] = p + 1
                    row[3] = max(row[3], table.counts[slot])
                    continue
            if count == runs.shape[0]:
                return -1
            runs[count, 0], runs[count, 1], runs[count, 2] = start, p + 1, first
            runs[count, 3] = table.counts[slot]
            count += 1
            is_open = True
    return count
