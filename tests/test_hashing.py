"""Hash values by the number: they are part of the index format, and must not change on any machine."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.hashing import function_seeds, mix64, spread

MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15

numbers = st.integers(0, MASK)


def mixed(x: int) -> int:
    """SplitMix64's finaliser in whole numbers."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


@pytest.mark.parametrize(
    ("x", "value"),
    [(0, 0), (1, 6238072747940578789), (2**63, 2720858781877447050), (2**64 - 1, 13029008266876403067)],
)
def test_mixed_numbers_are_those_of_the_format(x, value):
    assert int(mix64(np.uint64(x))) == value


@pytest.mark.parametrize(
    ("seed", "values"),
    [
        (0, [12035550249420947055, 12935080325729570654, 7141179953334974231, 12108695660851890438]),
        (2**63 - 1, [638959688222221321, 8927451824245223934, 16896751055604991608]),
    ],
)
def test_seeds_of_functions_are_those_of_the_format(seed, values):
    assert function_seeds(seed, len(values)).tolist() == values


@given(x=numbers)
def test_the_mixer_computes_modulo_two_to_the_64(x):
    assert int(mix64(np.uint64(x))) == mixed(x)


@given(token=st.integers(0, 2**32 - 1), seed=numbers)
def test_spreading_computes_modulo_two_to_the_64(token, seed):
    assert int(spread(np.uint32(token), np.uint64(seed))) == mixed(mixed(token + GOLDEN & MASK) ^ seed)


@given(seed=st.integers(0, 2**63 - 1))
def test_more_functions_begin_with_the_same_ones(seed):
    assert function_seeds(seed, 20)[:7].tolist() == function_seeds(seed, 7).tolist()
