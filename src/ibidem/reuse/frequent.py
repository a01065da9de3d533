"""Frequent text: shared by so many documents that it is looked for once, and not in each two of them.

A sheet, a masthead, a licence or a menu is found before anything is compared, by *shingles*, runs of ``width`` tokens:
text is frequent where it lies in a shingle that ``least`` documents hold. So its extent is exact, a word that one copy
changed is not a part of it, and what a few documents share right beside it is not, either. Frequent text that most of
many documents hold is *common*: it is no evidence of a link between two of them.

The shingles of a collection are read three times, in pieces. First they are counted in cells that several may share, so
that only those in cells with ``least`` need be sorted; these are sorted by ranges of their hashes, and counted exactly;
and where one of them lies there is frequent text.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.hashing import GOLDEN, mix64
from ibidem.kernels import kernel
from ibidem.ragged import bounds_of

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]
_Hashes = npt.NDArray[np.uint64]
_Flags = npt.NDArray[np.bool_]

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

_PIECE = 1 << 18
"""Tokens whose shingles are hashed at once."""

_LEAST_CELLS, _MOST_CELLS = 1 << 8, 1 << 24

_SORTED = 1 << 22
"""About how many shingles are sorted at once."""

_BASE = np.uint64(0xD1342543DE82EF95)
"""The base of the polynomial that hashes a shingle."""


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


class ShingledTexts(NamedTuple):
    """Documents whose shingles are counted.

    Attributes:
        tokens: int32 [T], dense ids.
        bounds: int64 [D + 1].
        vocabulary: uint32 [V], the token of each id.
        ranks: int32 [D], the order in which one document comes before another.
        side: int32 [D], 0 or 1, if documents of either side are compared with those of the other one alone.
    """

    tokens: _Ids
    bounds: _Ints
    vocabulary: npt.NDArray[np.uint32]
    ranks: _Ids
    side: _Ids | None = None

    def own(self, places: _Ints) -> _Ints:
        """The document of each of some tokens, int64 [n]."""
        return np.searchsorted(self.bounds, places, side="right") - 1

    def read_shingles(self, width: int) -> Iterator[tuple[_Ints, _Hashes]]:
        """The starts and hashes of all shingles of ``width`` tokens, in pieces."""
        values = _mix_all(self.vocabulary)
        for first in range(0, len(self.tokens), _PIECE):
            yield _hash_piece(self.tokens, self.bounds, values, width, np.array([first, first + _PIECE]))


class FrequentText(NamedTuple):
    """Frequent text.

    Attributes:
        runs: int64 [R, 4], by place: a half-open range of tokens, where the same tokens occur first (the first of the
            other side, if there are two), or -1, and how many documents hold its most frequent shingle: ``common`` or
            more of each shingle, or fewer of each. Ranges of one document may overlap.
        hashes: uint64 [K], those of its shingles, ascending.
    """

    runs: _Ints
    hashes: _Hashes


def find_frequent(
    texts: ShingledTexts, width: int, least: int, *, common: int = NEVER, known_hashes: _Hashes | None = None
) -> FrequentText:
    """The text in shingles of ``width`` tokens that ``least`` documents hold or more.

    If ``known_hashes`` uint64, ascending, are given, those are the frequent shingles, however many documents hold them.
    """
    if known_hashes is None:
        cells = _count_in_cells(texts, width)
        may_be = cells >= least
        candidates = int(cells[may_be].sum())
    else:
        may_be = _mark_cells(known_hashes, _LEAST_CELLS << 8)
        pieces = (hashes for _, hashes in texts.read_shingles(width)) if len(known_hashes) else ()
        candidates = sum(int(np.count_nonzero(may_be[_choose_cells(each, len(may_be))])) for each in pieces)
    ranges = -(-candidates // _SORTED)
    parts = [_count_exactly(texts, width, may_be, (number, ranges)) for number in range(ranges)]
    shingles = _Shingles.join([part.take(part.counts >= least) for part in parts] if known_hashes is None else parts)
    if known_hashes is not None:
        shingles = shingles.take(np.isin(shingles.hashes, known_hashes))
    return FrequentText(_find_runs(texts, width, shingles, common), shingles.hashes)


def _count_in_cells(texts: ShingledTexts, width: int) -> _Ids:
    """How many shingles each cell has, which is as many as documents hold one of them, or more: int32."""
    cells = np.zeros(min(max(_LEAST_CELLS, 1 << (2 * len(texts.tokens)).bit_length()), _MOST_CELLS), np.int32)
    for _, hashes in texts.read_shingles(width):
        _count_cells(hashes, cells)
    return cells


def _choose_cells(hashes: _Hashes, cells: int) -> _Ints:
    return ((hashes >> np.uint64(8)) & np.uint64(cells - 1)).astype(np.int64)


def _mark_cells(hashes: _Hashes, least: int) -> _Flags:
    """The cells that one of ``hashes`` is in."""
    flags = np.zeros(min(max(least, 1 << (8 * len(hashes)).bit_length()), _MOST_CELLS), np.bool_)
    flags[_choose_cells(hashes, len(flags))] = True
    return flags


class _Shingles(NamedTuple):
    """Distinct shingles: their hashes, how many documents hold each, and where it is first in either side, or -1."""

    hashes: _Hashes
    counts: _Ints
    firsts: _Ints

    def take(self, rows: _Flags | _Ints) -> "_Shingles":
        return _Shingles(self.hashes[rows], self.counts[rows], self.firsts[rows])

    @classmethod
    def join(cls, parts: "list[_Shingles]") -> "_Shingles":
        """All of them, ascending."""
        none = cls(np.zeros(0, np.uint64), np.zeros(0, np.int64), np.empty((0, 2), np.int64))
        joined = cls(*(np.concatenate(columns) for columns in zip(none, *parts, strict=True)))
        return joined.take(np.argsort(joined.hashes))


def _count_exactly(texts: ShingledTexts, width: int, may_be: _Flags, keys: tuple[int, int]) -> _Shingles:
    """The shingles in the cells ``may_be``, of a range of hashes: a number of so many."""
    (part, ranges), starts, hashes = keys, [np.zeros(0, np.int64)], [np.zeros(0, np.uint64)]
    for piece_starts, piece_hashes in texts.read_shingles(width):
        is_asked = may_be[_choose_cells(piece_hashes, len(may_be))]
        is_asked &= (piece_hashes >> np.uint64(32)) % np.uint64(ranges) == np.uint64(part)
        starts.append(piece_starts[is_asked])
        hashes.append(piece_hashes[is_asked])
    places, values = np.concatenate(starts), np.concatenate(hashes)
    documents = texts.own(places)
    order = np.lexsort((places, texts.ranks[documents], values))
    places, values, documents = places[order], values[order], documents[order]
    is_first = np.append(True, values[1:] != values[:-1])[: len(values)]
    is_counted = is_first | np.append(True, documents[1:] != documents[:-1])[: len(values)]
    group = np.cumsum(is_first) - 1
    firsts = np.full((int(is_first.sum()), 2), -1)
    for number, rows in enumerate(_part_by_side(texts.side, documents)):
        rows = rows[np.append(True, group[rows][1:] != group[rows][:-1])[: len(rows)]]
        firsts[group[rows], number] = places[rows]
    return _Shingles(values[is_first], np.bincount(group, weights=is_counted).astype(np.int64), firsts)


def _part_by_side(side: _Ids | None, documents: _Ints) -> list[_Ints]:
    """The rows of the documents of either side, or all of them."""
    return [np.arange(len(documents))] if side is None else [np.flatnonzero(side[documents] == x) for x in (0, 1)]


def _find_runs(texts: ShingledTexts, width: int, shingles: _Shingles, common: int) -> _Ints:
    """The runs of these shingles; see ``FrequentText``."""
    if not len(shingles.hashes):
        return np.empty((0, 4), np.int64)
    may_be, runs = _mark_cells(shingles.hashes, _LEAST_CELLS), [np.empty((0, 4), np.int64)]
    for starts, hashes in texts.read_shingles(width):
        rows = np.flatnonzero(may_be[_choose_cells(hashes, len(may_be))])
        places = np.minimum(np.searchsorted(shingles.hashes, hashes[rows]), len(shingles.hashes) - 1)
        is_frequent = shingles.hashes[places] == hashes[rows]
        starts, places = starts[rows[is_frequent]], places[is_frequent]
        side = 0 if texts.side is None else 1 - texts.side[texts.own(starts)]
        columns = starts, starts + width, shingles.firsts[places, side], shingles.counts[places]
        runs.append(_chain(texts, width, np.stack(columns, axis=1), common))
    return _chain(texts, width, np.concatenate(runs), common)


def _chain(texts: ShingledTexts, width: int, runs: _Ints, common: int) -> _Ints:
    """The runs, of which some go on: the next shingle is there, also where the same tokens occur first."""
    if not len(runs):
        return runs
    is_known, is_common, documents = runs[:, 2] >= 0, runs[:, 3] >= common, texts.own(runs[:, 0])
    shift = np.where(is_known, runs[:, 2] - runs[:, 0], 0)
    goes_on = runs[1:, 0] + width - 1 == runs[:-1, 1]
    for values in (is_known, is_common, documents, shift):
        goes_on &= values[1:] == values[:-1]
    firsts = np.flatnonzero(np.append(True, ~goes_on))
    lasts = np.append(firsts[1:], len(runs)) - 1
    return np.stack([runs[firsts, 0], runs[lasts, 1], runs[firsts, 2], np.maximum.reduceat(runs[:, 3], firsts)], axis=1)


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
    """The stretches of ``runs`` (see ``FrequentText``) with fewer than ``gap`` tokens between them in one document."""
    if not len(runs):
        return Stretches(np.empty((0, 2), np.int64), np.empty(0, np.int64))
    documents = np.searchsorted(bounds, runs[:, 0], side="right") - 1
    ends = np.maximum.accumulate(runs[:, 1])
    is_start = np.concatenate([[True], (runs[1:, 0] >= ends[:-1] + gap) | (documents[1:] != documents[:-1])])
    firsts = np.flatnonzero(is_start)
    ranges = np.stack([runs[firsts, 0], ends[np.append(firsts[1:], len(runs)) - 1]], axis=1)
    return Stretches(ranges, np.cumsum(is_start) - 1)


def find_phrases(texts: ShingledTexts, phrases: list[npt.NDArray[np.uint32]]) -> _Ints:
    """Find where phrases occur, int64 [P, 2]: half-open ranges of tokens, in no order."""
    ranges = [np.empty((0, 2), np.int64)]
    for width in sorted({len(phrase) for phrase in phrases if len(phrase)}):
        of_width = [phrase for phrase in phrases if len(phrase) == width]
        wanted, _ = hash_shingles(np.concatenate(of_width), bounds_of([width] * len(of_width)), width)
        for starts, hashes in texts.read_shingles(width):
            found = starts[np.isin(hashes, wanted)]
            ranges.append(np.stack([found, found + width], axis=1))
    return np.concatenate(ranges)


def hash_shingles(ids: npt.NDArray[np.uint32], bounds: _Ints, width: int) -> tuple[_Hashes, _Ints]:
    """Hash the shingles of ``width`` tokens of each text: uint64 [S], and int64 [n + 1], where those of a text begin.

    >>> hashes, bounds = hash_shingles(np.array([5, 6, 7, 9, 5, 6, 7], np.uint32), np.array([0, 4, 7]), 3)
    >>> bool(hashes[0] == hashes[2]), len(set(hashes.tolist())), bounds.tolist()
    (True, 2, [0, 2, 3])
    """
    tokens, span = np.arange(len(ids), dtype=np.int32), np.array([0, len(ids)])
    _, hashes = _hash_piece(tokens, bounds, _mix_all(ids), width, span)
    return hashes, bounds_of(np.maximum(np.diff(bounds) - width + 1, 0))


@kernel
def _mix_all(vocabulary: npt.NDArray[np.uint32]) -> _Hashes:
    values = np.empty(vocabulary.shape[0], np.uint64)
    for t in range(vocabulary.shape[0]):
        values[t] = mix64(np.uint64(vocabulary[t]) + GOLDEN)
    return values


@kernel
def _hash_piece(tokens: _Ids, bounds: _Ints, values: _Hashes, width: int, span: _Ints) -> tuple[_Ints, _Hashes]:
    """The starts, in ``span`` int64 [2], and the hashes, never zero, of shingles; ``values`` [V] are those of tokens.

    The hash is a polynomial of the values, which a step to the next shingle changes at both ends.
    """
    room = max(min(span[1], tokens.shape[0]) - span[0], 0)
    starts, hashes, count = np.empty(room, np.int64), np.empty(room, np.uint64), 0
    power = np.uint64(1)
    for _ in range(width - 1):
        power *= _BASE
    document = np.searchsorted(bounds, span[0], side="right") - 1
    while document < bounds.shape[0] - 1 and bounds[document] < span[1]:
        begin, end, state = max(bounds[document], span[0]), bounds[document + 1], np.uint64(0)
        for p in range(begin, min(end, span[1] + width - 1)):
            if p - begin >= width:
                state -= values[tokens[p - width]] * power
            state = state * _BASE + values[tokens[p]]
            if p - begin >= width - 1:
                starts[count], hashes[count] = p - width + 1, mix64(state) | np.uint64(1)
                count += 1
        document += 1
    return starts[:count], hashes[:count]


@kernel
def _count_cells(hashes: _Hashes, cells: _Ids) -> None:
    """Add one to the cell of each hash."""
    for value in hashes:
        cells[np.int64((value >> np.uint64(8)) & np.uint64(cells.shape[0] - 1))] += 1
