"""The global alignment of two sequences that has the highest score, in linear memory.

Each token of one sequence is paired with one of the other, or with none; pairs keep the order of both. A pair of equal
tokens scores the token's gain, a pair of different tokens 0, and a token without a partner costs ``gap`` (Needleman and
Wunsch 1970). Scores are whole numbers, so the two halves of Hirschberg's method (1975) meet without rounding.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem._jit import kernel

ALONE = -1
"""The partner of a token that has none."""

_BASE_CELLS = 1 << 20
"""Cells of a table that is kept whole, one byte each; a larger problem is halved."""

DIAGONAL, UP, LEFT = 0, 1, 2


class Sequences(NamedTuple):
    """Two sequences to align, and what their tokens score.

    Attributes:
        a, b: int32 [n] and [m], token ids from 0 to V - 1.
        gains: int64 [V], at least 0, what a pair of two occurrences of the token scores.
        gap: what a token without a partner costs.
    """

    a: NDArray[np.int32]
    b: NDArray[np.int32]
    gains: NDArray[np.int64]
    gap: int

    def part(self, a_first: int, a_last: int, b_first: int, b_last: int) -> "Sequences":
        """The same problem on ``a[a_first:a_last]`` and ``b[b_first:b_last]``."""
        return self._replace(a=self.a[a_first:a_last], b=self.b[b_first:b_last])


def align_globally(given: Sequences) -> NDArray[np.int64]:
    """Partner int64 [n] in ``b`` of each token of ``a``, or ``ALONE``, of an alignment with the highest score.

    It takes time in proportion to ``n * m`` and memory to ``n + m``.
    """
    partners = np.full(len(given.a), ALONE, np.int64)
    parts = [(0, len(given.a), 0, len(given.b))]
    while parts:
        a_first, a_last, b_first, b_last = parts.pop()
        part = given.part(a_first, a_last, b_first, b_last)
        rows, columns = a_last - a_first, b_last - b_first
        if (rows + 1) * (columns + 1) <= _BASE_CELLS or rows < 2:
            _trace(part, partners[a_first:a_last], b_first)
            continue
        middle = rows // 2
        cut = _best_cut(part, middle)
        parts.append((a_first, a_first + middle, b_first, b_first + cut))
        parts.append((a_first + middle, a_last, b_first + cut, b_last))
    return partners


def _best_cut(part: Sequences, middle: int) -> int:
    """Tokens of ``b`` that the first ``middle`` tokens of ``a`` are aligned with."""
    above = last_row(part.a[:middle], part.b, part.gains, part.gap)
    below = last_row(part.a[middle:][::-1].copy(), part.b[::-1].copy(), part.gains, part.gap)
    return int(np.argmax(above + below[::-1]))


def _trace(part: Sequences, partners: NDArray[np.int64], b_first: int) -> None:
    """Fill ``partners`` [n] from a whole table; ``b_first`` is the number of the part's first token of ``b``."""
    moves = np.empty((len(part.a) + 1, len(part.b) + 1), np.uint8)
    fill_moves(part.a, part.b, part.gains, part.gap, moves)
    follow_moves(moves, b_first, partners)


@kernel
def last_row(a: NDArray[np.int32], b: NDArray[np.int32], gains: NDArray[np.int64], gap: int) -> NDArray[np.int64]:
    """Highest scores int64 [m + 1] of all of ``a`` against each prefix of ``b``."""
    row = np.empty(b.size + 1, np.int64)
    for j in range(b.size + 1):
        row[j] = -gap * j
    for i in range(a.size):
        diagonal = row[0]
        row[0] -= gap
        token = a[i]
        gain = gains[token]
        for j in range(b.size):
            paired = diagonal + (gain if b[j] == token else 0)
            diagonal = row[j + 1]
            row[j + 1] = max(paired, diagonal - gap, row[j] - gap)
    return row


@kernel
def fill_moves(
    a: NDArray[np.int32], b: NDArray[np.int32], gains: NDArray[np.int64], gap: int, moves: NDArray[np.uint8]
) -> None:
    """Fill ``moves`` [n + 1, m + 1] with the last step of a best alignment of each two prefixes; a pair comes first."""
    row = np.empty(b.size + 1, np.int64)
    for j in range(b.size + 1):
        row[j] = -gap * j
        moves[0, j] = LEFT
    for i in range(a.size):
        diagonal = row[0]
        row[0] -= gap
        moves[i + 1, 0] = UP
        token = a[i]
        gain = gains[token]
        for j in range(b.size):
            best, move = diagonal + (gain if b[j] == token else 0), DIAGONAL
            diagonal = row[j + 1]
            if diagonal - gap > best:
                best, move = diagonal - gap, UP
            if row[j] - gap > best:
                best, move = row[j] - gap, LEFT
            row[j + 1] = best
            moves[i + 1, j + 1] = move


@kernel
def follow_moves(moves: NDArray[np.uint8], b_first: int, partners: NDArray[np.int64]) -> None:
    """Fill ``partners`` [n] by walking back from the last cell of ``moves``."""
    i, j = moves.shape[0] - 1, moves.shape[1] - 1
    while i > 0 or j > 0:
        move = moves[i, j]
        if move == LEFT:
            j -= 1
        else:
            i -= 1
            j -= 1 if move == DIAGONAL else 0
            partners[i] = b_first + j if move == DIAGONAL else ALONE
