"""The global alignment of two sequences that has the highest score, or of long ones nearly.

Each token of one sequence is paired with one of the other, or with none; pairs keep the order of both. A pair of equal
tokens scores the token's gain, a pair of different tokens 0, and a token without a partner costs ``gap`` (Needleman and
Wunsch 1970). Scores are whole numbers. Three steps make it fast, for many pairs of sequences in one call:

1. Equal tokens at both ends are paired, which some best alignment does.
2. What is left is aligned exactly up to a stated number of cells. Cells from which no alignment can reach a guessed
   score are left out; if the best one reaches the guess, all of the best are among the others, and if not, the guess is
   lowered.
3. Longer sequences are divided: runs of tokens that occur once in either are paired first, in the longest order that
   both share (Bram Cohen's patience diff), and what lies between them is aligned. Parts without such a run are halved.
   Once a pair is divided, so are parts that could be aligned exactly, if they are not small and have runs of 8.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.hashing import GOLDEN, mix64
from ibidem.kernels import inlined, kernel
from ibidem.ragged import bounds_of

_Ids = NDArray[np.int32]
_Ints = NDArray[np.int64]
_Bytes = NDArray[np.uint8]
_Hashes = NDArray[np.uint64]

ALONE = -1
"""The partner of a token that has none."""

MOST_CELLS = 1 << 24
"""Product of two lengths up to which an alignment is exact."""

_WIDTHS = (16, 8, 4, 2, 1)
"""Lengths of the runs that are tried as anchors, in this order."""

_SURE_WIDTH = 8
"""The length of the runs by which a part is divided that could be aligned exactly."""

_SMALL_PART = 12
"""Such a part is small if its cells, times two to this power, are no more than those of an exact alignment."""

_FEW_CELLS = 1 << 10
"""Cells of a table of which none is left out."""

_GUESSED_LOSS = 12
"""The first guess is that a best alignment lacks this part of the gains that both sequences have."""

_LOWERED = 2
"""How many times as much may be lacking in the next guess."""

_DIAGONAL, _UP, _LEFT = 0, 1, 2
"""The steps by which an alignment reaches a cell: a pair, a token of ``a`` alone, a token of ``b`` alone."""

_NEVER = -(1 << 60)
"""The score of what no alignment reaches."""


class Sequences(NamedTuple):
    """Two sequences to align, and what their tokens score.

    Attributes:
        a, b: int32 [n] and [m], token ids from 0 to V - 1.
        gains: int64 [V], at least 0, what a pair of two occurrences of the token scores.
        gap: what a token without a partner costs.
    """

    a: _Ids
    b: _Ids
    gains: _Ints
    gap: int


def align_long(sequences: Sequences, most_cells: int = MOST_CELLS) -> _Ints:
    """Partner int64 [n] in ``b`` of each token of ``a``, or ``ALONE``.

    The score is the highest that there is if ``len(a) * len(b)`` is at most ``most_cells``.
    """
    first = len(sequences.a)
    spans = np.array([[0, first, first, first + len(sequences.b)]])
    tokens = np.concatenate([sequences.a, sequences.b])
    return align_spans(tokens, spans, sequences.gains, sequences.gap, most_cells)


def align_spans(tokens: _Ids, spans: _Ints, gains: _Ints, gap: int, most_cells: int = MOST_CELLS) -> _Ints:
    """Align many pairs of sequences, the tokens ``spans[r, 0]`` to ``spans[r, 1] - 1`` and those of the other two.

    Returns ragged int64, the partner of each token of the first sequences, counted from the start of the second.
    """
    bounds = bounds_of(spans[:, 1] - spans[:, 0])
    partners = np.empty(bounds[-1], np.int64)
    _align_spans(tokens, spans, gains, gap, most_cells, bounds, partners)
    return partners


@kernel
def _align_spans(
    tokens: _Ids, spans: _Ints, gains: _Ints, gap: int, most_cells: int, bounds: _Ints, partners: _Ints
) -> None:
    """Fill ``partners``; an exact alignment has at most ``most_cells``."""
    marks, parts = np.zeros(gains.shape[0], np.uint8), np.empty((64, 4), np.int64)
    partners[:] = ALONE
    for row in range(spans.shape[0]):
        whole_a, whole_b = tokens[spans[row, 0] : spans[row, 1]], tokens[spans[row, 2] : spans[row, 3]]
        own = partners[bounds[row] : bounds[row + 1]]
        parts[0, 0], parts[0, 1], parts[0, 2], parts[0, 3] = 0, whole_a.shape[0], 0, whole_b.shape[0]
        count, largest = 1, most_cells
        while count > 0:
            count -= 1
            a_first, a_last, b_first, b_last = parts[count, 0], parts[count, 1], parts[count, 2], parts[count, 3]
            ahead, behind = _pair_equal_ends(whole_a[a_first:a_last], whole_b[b_first:b_last], own[a_first:a_last])
            for at in range(a_first, a_first + ahead):
                own[at] += b_first
            for at in range(a_last - behind, a_last):
                own[at] += b_first
            a_first, a_last, b_first, b_last = a_first + ahead, a_last - behind, b_first + ahead, b_last - behind
            a, b, inside = whole_a[a_first:a_last], whole_b[b_first:b_last], own[a_first:a_last]
            cells = a.shape[0] * b.shape[0]
            if cells == 0:
                continue
            anchors = np.empty((0, 2), np.int64)
            if cells > most_cells:
                anchors = _find_anchors(a, b, _WIDTHS)
            elif cells > largest:
                anchors = _find_anchors(a, b, (_SURE_WIDTH,))
            if anchors.shape[0] == 0 and cells <= most_cells:
                _fill_partners(a, b, gains, gap, marks, inside)
            else:
                largest = most_cells >> _SMALL_PART
                more = _divide(a, b, anchors, inside)
                if count + more.shape[0] > parts.shape[0]:
                    parts = np.concatenate((parts, np.empty((parts.shape[0] + more.shape[0], 4), np.int64)))
                for part in range(more.shape[0]):
                    parts[count, 0], parts[count, 1] = more[part, 0] + a_first, more[part, 1] + a_first
                    parts[count, 2], parts[count, 3] = more[part, 2] + b_first, more[part, 3] + b_first
                    count += 1
            for at in range(inside.shape[0]):
                inside[at] += b_first if inside[at] != ALONE else 0


@kernel
def _pair_equal_ends(a: _Ids, b: _Ids, partners: _Ints) -> tuple[int, int]:
    """Pair the equal tokens at the beginning, and of the rest those at the end; return the number of either."""
    most, ahead, behind = min(a.shape[0], b.shape[0]), 0, 0
    while ahead < most and a[ahead] == b[ahead]:
        partners[ahead] = ahead
        ahead += 1
    while ahead + behind < most and a[a.shape[0] - 1 - behind] == b[b.shape[0] - 1 - behind]:
        behind += 1
        partners[a.shape[0] - behind] = b.shape[0] - behind
    return ahead, behind


@kernel
def _fill_partners(a: _Ids, b: _Ids, gains: _Ints, gap: int, marks: _Bytes, partners: _Ints) -> None:
    """Fill ``partners`` [n] by walking back from the last cell; a pair comes before a token of ``a`` alone."""
    moves, begins = _find_moves(a, b, gains, gap, marks)
    i, j = a.shape[0], b.shape[0]
    while i > 0:
        move = moves[begins[i, 1] + j - begins[i, 0]]
        if move == _LEFT:
            j -= 1
        else:
            i -= 1
            j -= 1 if move == _DIAGONAL else 0
            partners[i] = j if move == _DIAGONAL else ALONE


@kernel
def _find_moves(a: _Ids, b: _Ids, gains: _Ints, gap: int, marks: _Bytes) -> tuple[_Bytes, _Ints]:
    """The last step of a best alignment to each cell that one can pass; for each row its first column and its place.

    Of several best steps, a pair is the first and a token of ``b`` alone the last.
    ``marks`` uint8 [V] are zero, and stay so.
    """
    cells, begins = (a.shape[0] + 1) * (b.shape[0] + 1), np.empty((a.shape[0] + 1, 2), np.int64)
    rest = np.zeros(a.shape[0] + 1, np.int64), np.zeros(b.shape[0] + 1, np.int64)
    if cells > _FEW_CELLS:
        _sum_shared(a, b, gains, marks, rest[0])
        _sum_shared(b, a, gains, marks, rest[1])
        most = _bound(rest, 0, 0, gap)
        loss, state = abs(most) // _GUESSED_LOSS + 16 * gap + 1, 0
        moves = np.empty(cells // 2, np.uint8)
        while state == 0:
            state = _fill_moves(a, b, gains, gap, rest, most - loss, moves, begins)
            loss *= _LOWERED
        if state > 0:
            return moves, begins
    moves = np.empty(cells, np.uint8)
    _fill_moves(a, b, gains, gap, rest, 2 * _NEVER, moves, begins)
    return moves, begins


@kernel
def _sum_shared(a: _Ids, b: _Ids, gains: _Ints, marks: _Bytes, rest: _Ints) -> None:
    """Set ``rest`` [n + 1] to the gains of the tokens of ``a`` from each place on that ``b`` has, too."""
    for token in b:
        marks[token] = 1
    for i in range(a.shape[0] - 1, -1, -1):
        rest[i] = rest[i + 1] + (gains[a[i]] if marks[a[i]] else 0)
    for token in b:
        marks[token] = 0


@inlined
def _bound(rest: tuple[_Ints, _Ints], i: int, j: int, gap: int) -> int:
    """What the tokens from ``i`` and ``j`` on can score at most."""
    apart = rest[0].shape[0] - i - rest[1].shape[0] + j
    return int(min(rest[0][i], rest[1][j]) - gap * abs(apart))


@kernel
def _fill_moves(
    a: _Ids,
    b: _Ids,
    gains: _Ints,
    gap: int,
    rest: tuple[_Ints, _Ints],
    least: int,
    moves: _Bytes,
    begins: _Ints,
) -> int:
    """Fill the table row by row, without the cells at either end of a row that no score of ``least`` passes.

    Returns 1, or 0 if the best score is less, or -1 if ``moves`` has not enough room. Row ``i`` begins at the column
    ``begins[i, 0]``, in ``moves`` at ``begins[i, 1]``. The bound of a cell is at least that of the cells behind it, so
    what is left out reaches no cell of a best alignment, and scores and ties are right in each of these.
    """
    columns, scores = b.shape[0], np.empty(b.shape[0] + 1, np.int64)
    low, high, count = 0, -1, 0
    for i in range(a.shape[0] + 1):
        last = min(high + 1, columns) if i > 0 else 0
        if count + last - low + 1 > moves.shape[0]:
            return -1
        begins[i, 0], begins[i, 1] = low, count
        if i == 0:
            scores[0], moves[0] = 0, 0
        else:
            token = a[i - 1]
            gain = gains[token]
            if high < columns:
                scores[high + 1] = _NEVER
            row, own, other = scores[low : last + 1], moves[count : count + last - low + 1], b[low:last]
            diagonal, own[0] = row[0], _UP
            left = diagonal - gap
            row[0] = left
            for j in range(other.shape[0]):
                best, move = diagonal + (gain if other[j] == token else 0), _DIAGONAL
                diagonal = row[j + 1]
                if diagonal - gap > best:
                    best, move = diagonal - gap, _UP
                if left - gap > best:
                    best, move = left - gap, _LEFT
                own[j + 1] = move
                row[j + 1] = left = best
        count += last - low + 1
        high = last
        while high < columns and scores[high] - gap + _bound(rest, i, high + 1, gap) >= least:
            if count == moves.shape[0]:
                return -1
            high += 1
            scores[high], moves[count] = scores[high - 1] - gap, _LEFT
            count += 1
        while low <= high and scores[low] + _bound(rest, i, low, gap) < least:
            low += 1
        while low <= high and scores[high] + _bound(rest, i, high, gap) < least:
            high -= 1
        if low > high:
            return 0
    return 1 if high == columns else 0


@kernel
def _divide(a: _Ids, b: _Ids, anchors: _Ints, partners: _Ints) -> _Ints:
    """Pair the ``anchors`` of two sequences, and give the parts between them, int64 [K, 4]."""
    parts, count = np.empty((2, 4), np.int64), 0
    if anchors.shape[0] == 0:
        # Nothing shows where to cut: the middle of one is taken for the middle of the other.
        a_middle, b_middle = a.shape[0] // 2, b.shape[0] // 2
        parts[0, 0], parts[0, 1], parts[0, 2], parts[0, 3] = 0, a_middle, 0, b_middle
        parts[1, 0], parts[1, 1], parts[1, 2], parts[1, 3] = a_middle, a.shape[0], b_middle, b.shape[0]
        return parts
    parts = np.empty((anchors.shape[0] + 1, 4), np.int64)
    a_first = b_first = 0
    for anchor in range(anchors.shape[0] + 1):
        a_last, b_last = a.shape[0], b.shape[0]
        if anchor < anchors.shape[0]:
            a_last, b_last = anchors[anchor, 0], anchors[anchor, 1]
            partners[a_last] = b_last
        if a_first < a_last and b_first < b_last:
            parts[count, 0], parts[count, 1], parts[count, 2], parts[count, 3] = a_first, a_last, b_first, b_last
            count += 1
        a_first, b_first = a_last + 1, b_last + 1
    return parts[:count]


@kernel
def _find_anchors(a: _Ids, b: _Ids, widths: tuple[int, ...]) -> _Ints:
    """Places [K, 2] of tokens, rising in both sequences, at which a run begins that occurs once in either.

    The runs have the first of the ``widths`` of which there are any.
    """
    pairs = np.empty((0, 2), np.int64)
    for width in widths:
        if width <= min(a.shape[0], b.shape[0]):
            pairs = _match_once(_hash_runs(a, width), _hash_runs(b, width))
            if pairs.shape[0] > 0:
                return _longest_rise(pairs)
    return pairs


@kernel
def _hash_runs(ids: _Ids, width: int) -> _Hashes:
    """A hash uint64 [n - width + 1] of each run of ``width`` tokens."""
    hashes, run, leaving = np.empty(ids.shape[0] - width + 1, np.uint64), np.uint64(0), np.uint64(1)
    for place in range(width):
        run = run * GOLDEN + np.uint64(ids[place])
        leaving *= GOLDEN
    hashes[0] = run
    for place in range(1, hashes.shape[0]):  # a polynomial of the tokens (Karp and Rabin 1987), modulo 2^64
        run = run * GOLDEN + np.uint64(ids[place + width - 1]) - leaving * np.uint64(ids[place - 1])
        hashes[place] = run
    return hashes


@kernel
def _match_once(a: _Hashes, b: _Hashes) -> _Ints:
    """Places [K, 2] of the values that occur once in ``a`` and once in ``b``, in the order of ``a``."""
    bits = 4
    while 1 << bits < 2 * a.shape[0]:
        bits += 1
    table, shift, last = np.full(1 << bits, -1, np.int64), np.uint64(64 - bits), (1 << bits) - 1
    partners = np.full(a.shape[0], -1, np.int64)  # -1 for none, -2 for a value that occurs more often
    for place in range(a.shape[0]):
        slot = np.int64(mix64(a[place]) >> shift)
        while table[slot] >= 0 and a[table[slot]] != a[place]:
            slot = (slot + 1) & last
        if table[slot] < 0:
            table[slot] = place
        else:
            partners[table[slot]] = partners[place] = -2
    for place in range(b.shape[0]):
        slot = np.int64(mix64(b[place]) >> shift)
        while table[slot] >= 0 and a[table[slot]] != b[place]:
            slot = (slot + 1) & last
        if table[slot] >= 0:
            partners[table[slot]] = place if partners[table[slot]] == -1 else -2
    pairs, count = np.empty((a.shape[0], 2), np.int64), 0
    for place in range(a.shape[0]):
        if partners[place] >= 0:
            pairs[count, 0], pairs[count, 1] = place, partners[place]
            count += 1
    return pairs[:count]


@kernel
def _longest_rise(pairs: _Ints) -> _Ints:
    """The longest selection of ``pairs`` [K, 2], which rise in the first, that rises in the second, too."""
    ends, before = np.empty(pairs.shape[0], np.int64), np.full(pairs.shape[0], -1, np.int64)
    longest = 0
    for row in range(pairs.shape[0]):
        low, high = 0, longest
        while low < high:
            middle = (low + high) // 2
            if pairs[ends[middle], 1] < pairs[row, 1]:
                low = middle + 1
            else:
                high = middle
        before[row] = ends[low - 1] if low > 0 else -1
        ends[low] = row
        longest = max(longest, low + 1)
    chain, row = np.empty((longest, 2), np.int64), ends[longest - 1]
    for place in range(longest - 1, -1, -1):
        chain[place, 0], chain[place, 1] = pairs[row, 0], pairs[row, 1]
        row = before[row]
    return chain
