"""Sequences are aligned as a table in plain Python aligns them, many at once, and long ones by what occurs once."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.comparison.global_alignment import Sequences, align_long, align_spans
from ibidem.ragged import bounds_of

from .plain_alignment import align_plainly, spans_of
from .sequences import best_score, edited_copies, keeps_the_order_of_both, score_of, sequences

cells = st.sampled_from([1, 10, 100, 1000, 1 << 24])


@given(sequences())
def test_the_score_is_the_highest(given: Sequences) -> None:
    partners = align_long(given)
    assert keeps_the_order_of_both(partners, len(given.b))
    assert score_of(given, partners) == best_score(given)


@given(st.one_of(sequences(longest=40), edited_copies()), cells)
def test_the_partners_are_those_of_the_plain_alignment(given: Sequences, most_cells: int) -> None:
    assert align_long(given, most_cells).tolist() == align_plainly(given, most_cells)


@given(st.lists(edited_copies(), min_size=1, max_size=4), cells)
def test_many_pairs_are_aligned_as_each_by_itself(several: list[Sequences], most_cells: int) -> None:
    gains, gap = several[0].gains, several[0].gap
    tokens = np.concatenate([text for each in several for text in (each.a, each.b)])
    spans = spans_of([(each.a, each.b) for each in several])
    partners, bounds = align_spans(tokens, spans, gains, gap, most_cells), bounds_of(spans[:, 1] - spans[:, 0])
    for row, each in enumerate(several):
        alone = align_long(Sequences(each.a, each.b, gains, gap), most_cells)
        assert partners[bounds[row] : bounds[row + 1]].tolist() == alone.tolist()


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
