"""Pairs of sequences with gains, and the best score of their alignment by a plain table."""

from itertools import pairwise

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from ibidem.comparison.global_alignment import ALONE, Sequences


def best_score(given: Sequences) -> int:
    """Needleman and Wunsch's table, one cell at a time."""
    a, b, gap = given.a.tolist(), given.b.tolist(), given.gap
    table = [[-gap * (i + j) for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i, ours in enumerate(a, 1):
        for j, theirs in enumerate(b, 1):
            paired = table[i - 1][j - 1] + (int(given.gains[ours]) if ours == theirs else 0)
            table[i][j] = max(paired, table[i - 1][j] - gap, table[i][j - 1] - gap)
    return table[-1][-1]


@st.composite
def sequences(draw: st.DrawFn, longest: int = 24) -> Sequences:
    tokens = st.lists(st.integers(0, 5), max_size=longest)
    gains = draw(st.lists(st.integers(0, 40), min_size=6, max_size=6))
    a, b = (np.array(draw(tokens), np.int32) for _ in range(2))
    return Sequences(a, b, np.array(gains, np.int64), draw(st.integers(0, 20)))


def keeps_the_order_of_both(partners: npt.NDArray[np.int64], length: int) -> bool:
    paired = partners[partners != ALONE].tolist()
    return all(x < y for x, y in pairwise(paired)) and all(0 <= x < length for x in paired)


def score_of(given: Sequences, partners: npt.NDArray[np.int64]) -> int:
    """Score of the alignment that ``partners`` [n] describes."""
    paired = partners != ALONE
    equal = given.a[paired] == given.b[partners[paired]]
    alone = len(given.a) + len(given.b) - 2 * int(paired.sum())
    return int(given.gains[given.a[paired][equal]].sum()) - given.gap * alone


@st.composite
def edited_copies(draw: st.DrawFn) -> Sequences:
    """A sequence, and one made of its parts in any order with tokens left out and replaced: most cells lie aside."""
    source = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size, length = draw(st.sampled_from([2, 6, 100])), draw(st.integers(0, 50))
    a = source.integers(0, size, length)
    parts = np.split(a, np.sort(source.integers(0, length + 1, draw(st.integers(0, 3)))))
    b = np.concatenate([parts[at] for at in source.permutation(len(parts))])
    b = b[source.random(len(b)) >= draw(st.sampled_from([0, 0.05, 0.5]))]
    b = np.where(source.random(len(b)) < draw(st.sampled_from([0, 0.05, 0.5])), source.integers(0, size, len(b)), b)
    gains = source.integers(0, 100, 100)
    return Sequences(a.astype(np.int32), b.astype(np.int32), gains, draw(st.sampled_from([0, 1, 16])))
