"""The alignment by kernels has the score of the one that a table in plain Python gives."""

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.comparison import global_alignment
from ibidem.comparison.anchors import align_long
from ibidem.comparison.global_alignment import ALONE, Sequences, align_globally, score_of


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


@given(sequences())
def test_the_score_is_the_highest(given: Sequences) -> None:
    partners = align_globally(given)
    assert keeps_the_order_of_both(partners, len(given.b))
    assert score_of(given, partners) == best_score(given)


@given(sequences())
def test_halving_loses_nothing(given: Sequences) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(global_alignment, "_BASE_CELLS", 12)
        assert score_of(given, align_globally(given)) == best_score(given)


@given(sequences())
def test_pairing_what_both_ends_share_loses_nothing(given: Sequences) -> None:
    partners = align_long(given)
    assert keeps_the_order_of_both(partners, len(given.b))
    assert score_of(given, partners) == best_score(given)


@given(sequences(longest=60), st.integers(1, 40))
def test_anchors_keep_the_order_and_never_beat_the_best(given: Sequences, most_cells: int) -> None:
    partners = align_long(given, most_cells)
    assert keeps_the_order_of_both(partners, len(given.b))
    assert score_of(given, partners) <= best_score(given)


def test_anchors_find_a_long_copy_with_edits_whole() -> None:
    source = np.random.default_rng(7)
    a = source.integers(0, 500, 4000).astype(np.int32)
    b = np.delete(a, np.arange(0, 4000, 37))
    given = Sequences(a, b, np.full(500, 50, np.int64), 16)
    assert score_of(given, align_long(given, 10_000)) == 50 * len(b) - 16 * (len(a) - len(b))
