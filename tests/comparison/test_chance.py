"""Runs of rare words are evidence, and chance gives as many evident runs as are expected."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.comparison.chance import is_evident, token_evidence
from ibidem.weights import DocumentFrequencies


def test_a_token_is_evidence_by_its_share_of_the_running_tokens() -> None:
    frequencies = DocumentFrequencies([1, 5], [10, 1], num_documents=700)
    evidence = token_evidence(np.array([1, 5, 9], np.uint32), frequencies)
    assert evidence.tolist() == pytest.approx([math.log(1000 / 10), math.log(1000), math.log(1000)])


@given(
    evidence=st.floats(0, 40), a=st.integers(0, 10**6), b=st.integers(0, 10**6), expected=st.sampled_from([0.01, 1.0])
)
def test_a_run_is_evident_if_fewer_are_expected_by_chance(evidence: float, a: int, b: int, expected: float) -> None:
    by_chance = max(a * b, 1) * math.exp(-evidence)
    if not math.isclose(by_chance, expected, rel_tol=1e-9):
        assert is_evident(evidence, a, b, expected) == (by_chance < expected)


def test_random_words_share_about_as_many_runs_as_are_expected() -> None:
    """2,000 and 3,000 tokens of 500 equally frequent ones share a pair of neighbours at about 24 places."""
    random = np.random.default_rng(1)
    a, b = random.integers(0, 500, 2001), random.integers(0, 500, 3001)
    shared = sum(np.count_nonzero((b[:-1] == first) & (b[1:] == second)) for first, second in pairwise(a.tolist()))
    expected = 2000 * 3000 * math.exp(-2 * math.log(500))
    assert expected == pytest.approx(24)
    assert 0.5 * expected < shared < 2 * expected
    assert not is_evident(2 * math.log(500), 2000, 3000, expected - 1)
    assert is_evident(2 * math.log(500), 2000, 3000, expected + 1)
