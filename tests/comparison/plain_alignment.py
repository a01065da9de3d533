"""The global alignment step by step in plain Python: every cell of a table, and every run of tokens by itself."""

from bisect import bisect_left
from collections import Counter

import numpy as np
import numpy.typing as npt

from ibidem.comparison.global_alignment import ALONE, Sequences

Part = tuple[int, int, int, int]

DIAGONAL, UP, LEFT = range(3)


def align_plainly(given: Sequences, most_cells: int) -> list[int]:
    """Align what lies between equal ends exactly up to ``most_cells``, and what is longer by its anchors.

    Parts of what is longer are divided again by runs of eight down to a 4,096th of these cells.
    """
    a, b = given.a.tolist(), given.b.tolist()
    partners = [ALONE] * len(a)
    parts = [(0, len(a), 0, len(b))]
    divided = False
    while parts:
        a_first, a_last, b_first, b_last = parts.pop()
        while a_first < a_last and b_first < b_last and a[a_first] == b[b_first]:
            partners[a_first] = b_first
            a_first, b_first = a_first + 1, b_first + 1
        while a_first < a_last and b_first < b_last and a[a_last - 1] == b[b_last - 1]:
            a_last, b_last = a_last - 1, b_last - 1
            partners[a_last] = b_last
        cells, part = (a_last - a_first) * (b_last - b_first), (a_first, a_last, b_first, b_last)
        anchors = []
        if cells > most_cells:
            anchors = find_anchors(a[a_first:a_last], b[b_first:b_last], (16, 8, 4, 2, 1))
        elif divided and cells > most_cells // 4096:
            anchors = find_anchors(a[a_first:a_last], b[b_first:b_last], (8,))
        if cells > most_cells or anchors:
            divided = True
            parts += divide(part, anchors, partners)
        elif cells:
            follow(fill(given, a[a_first:a_last], b[b_first:b_last])[1], b_first, a_first, partners)
    return partners


def fill(given: Sequences, a: list[int], b: list[int]) -> tuple[list[list[int]], list[list[int]]]:
    """Needleman and Wunsch's table of scores, and the step that each comes from: a pair rather than one alone."""
    gap = given.gap
    scores = [[-gap * (i + j) for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    moves = [[UP if i else LEFT for _ in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i, ours in enumerate(a, 1):
        for j, theirs in enumerate(b, 1):
            steps = [
                scores[i - 1][j - 1] + (int(given.gains[ours]) if ours == theirs else 0),
                scores[i - 1][j] - gap,
                scores[i][j - 1] - gap,
            ]
            scores[i][j], moves[i][j] = max(steps), steps.index(max(steps))
    return scores, moves


def follow(moves: list[list[int]], b_first: int, a_first: int, partners: list[int]) -> None:
    i, j = len(moves) - 1, len(moves[0]) - 1
    while i > 0:
        move = moves[i][j]
        i, j = i - (move != LEFT), j - (move != UP)
        if move == DIAGONAL:
            partners[a_first + i] = b_first + j


def divide(part: Part, anchors: list[tuple[int, int]], partners: list[int]) -> list[Part]:
    """Pair the anchors of a part, and return the parts between them, or two halves where there is none."""
    a_first, a_last, b_first, b_last = part
    if not anchors:
        a_middle, b_middle = (a_first + a_last) // 2, (b_first + b_last) // 2
        return [(a_first, a_middle, b_first, b_middle), (a_middle, a_last, b_middle, b_last)]
    parts = []
    for i, j in [*((a_first + i, b_first + j) for i, j in anchors), (a_last, b_last)]:
        parts.append((a_first, i, b_first, j))
        if i < a_last:
            partners[i] = j
        a_first, b_first = i + 1, j + 1
    return parts


def find_anchors(a: list[int], b: list[int], widths: tuple[int, ...]) -> list[tuple[int, int]]:
    """The places of the longest runs that occur once in either, in the longest order that both share."""
    for width in widths:
        runs = [[tuple(text[at : at + width]) for at in range(len(text) - width + 1)] for text in (a, b)]
        counts = [Counter(of_text) for of_text in runs]
        pairs = [(i, runs[1].index(run)) for i, run in enumerate(runs[0]) if counts[0][run] == counts[1][run] == 1]
        if pairs:
            return rise(pairs)
    return []


def rise(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """A longest selection that rises in the second number, too; of several, the one that patience sorting gives."""
    ends: list[int] = []
    chains: list[list[tuple[int, int]]] = []
    for pair in pairs:
        length = bisect_left(ends, pair[1])
        ends[length : length + 1] = [pair[1]]
        chains[length : length + 1] = [[*(chains[length - 1] if length else []), pair]]
    return chains[-1]


def spans_of(pairs: list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]]) -> npt.NDArray[np.int64]:
    """The spans of pairs of sequences that lie one behind the other."""
    ends = np.cumsum([0, *(len(text) for pair in pairs for text in pair)])
    return np.stack([ends[:-1], ends[1:]], axis=1).reshape(-1, 4)
