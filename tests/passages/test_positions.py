"""Positions stand in order of their tokens, and none is lost."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.passages.positions import ordered_positions


@given(
    size=st.integers(0, 300),
    spread=st.sampled_from([1, 2, 50, 2**11, 2**22, 2**32]),
    first=st.sampled_from([0, 2**11 - 1, 2**22 - 1, 2**31 - 1, 2**32 - 1]),
    seed=st.integers(0, 2**32),
)
def test_positions_are_those_of_a_stable_sort_by_token(size, spread, first, seed):
    tokens = ((np.random.default_rng(seed).integers(0, spread, size) + first) % 2**32).astype(np.uint32)
    keys, starts = ordered_positions(tokens)
    expected = np.argsort(tokens, kind="stable")
    assert keys.dtype == starts.dtype == np.uint32
    assert starts.tolist() == expected.tolist()
    assert keys.tolist() == tokens[expected].tolist()


@pytest.mark.parametrize("writable", [True, False])
def test_tokens_are_left_as_they_are(writable):
    tokens = np.array([3, 1, 2**32 - 1, 1], np.uint32)
    tokens.flags.writeable = writable
    ordered_positions(tokens)
    assert tokens.tolist() == [3, 1, 2**32 - 1, 1]
