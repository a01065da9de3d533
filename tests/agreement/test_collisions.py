"""How many collisions to ask for, against exact fractions."""

import math
from fractions import Fraction
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.agreement.collisions import collisions_needed


def exact_recall(needed, functions, similarity):
    share = Fraction(similarity)
    return sum(
        math.comb(functions, m) * share**m * (1 - share) ** (functions - m) for m in range(needed, functions + 1)
    )


similarities = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.5, 0.6, 1.0, 1e-300]))


@given(functions=st.integers(1, 40), threshold=similarities, recall=st.floats(0.01, 1.0))
def test_the_collisions_asked_for_are_the_most_that_keep_the_recall(functions, threshold, recall):
    needed = collisions_needed(functions, threshold, recall)
    assert exact_recall(needed, functions, threshold) >= Fraction(recall)
    assert needed == functions or exact_recall(needed + 1, functions, threshold) < Fraction(recall)


def test_a_recall_of_one_asks_for_no_collisions_unless_all_are_certain():
    assert collisions_needed(64, 0.9, 1.0) == 0
    assert collisions_needed(64, 1.0, 1.0) == 64


def test_thousands_of_functions_do_not_leave_the_range_of_floats():
    needed = collisions_needed(4000, 0.6, 0.99)
    deviation = math.sqrt(4000 * 0.6 * 0.4)
    assert needed == pytest.approx(2400 + NormalDist().inv_cdf(0.01) * deviation, abs=2)
