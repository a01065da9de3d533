"""Long sequences are divided at what stands once in both, and the order is kept."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.comparison.anchors import align_long
from ibidem.comparison.global_alignment import Sequences

from .sequences import best_score, keeps_the_order_of_both, score_of, sequences


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
