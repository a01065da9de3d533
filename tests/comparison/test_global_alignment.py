"""The alignment by kernels has the score of the one that a table in plain Python gives."""

import pytest
from hypothesis import given

from ibidem.comparison import global_alignment
from ibidem.comparison.global_alignment import Sequences, align_globally

from .sequences import best_score, keeps_the_order_of_both, score_of, sequences


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
