"""Positions of bits, beside those that Python counts."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.kernels import kernel
from ibidem.sketches.windows.bits import highest_bit, lowest_bit


@kernel
def positions(word):
    return highest_bit(word), lowest_bit(word)


words = st.one_of(st.integers(1, 2**64 - 1), st.integers(0, 63).map(lambda bit: 1 << bit))


@given(word=words)
def test_the_highest_and_the_lowest_bit_are_those_of_the_number(word):
    set_bits = [bit for bit in range(64) if word >> bit & 1]
    assert positions(np.uint64(word)) == (set_bits[-1], set_bits[0])
