"""What a one permutation signature keeps, and how its empty bins are filled.

The statistical test has fixed seeds. With fresh seeds it would raise a false alarm less than once in a million.
"""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.hashing import function_seeds
from ibidem.sketches.densification import OnePermutation, fill_empty_bins
from ibidem.sketches.sketches import EMPTY

from .sets_and_seeds import ELEMENTS as elements
from .sets_and_seeds import SEEDS as seeds
from .sets_and_seeds import values_of


@given(members=elements, seed=seeds, bins=st.sampled_from([1, 7, 8]))
def test_one_permutation_keeps_the_smallest_hash_value_of_each_bin_and_fills_the_others(members, seed, bins):
    expected = [int(EMPTY)] * bins
    for value in values_of(members, seed):
        place = (value >> 32) * bins >> 32
        expected[place] = min(expected[place], value)
    made = OnePermutation.of(members, bins, seed)
    assert made.values.tolist() == expected
    assert made.signature.tolist() == filled(expected, seed)


def splitmix(x):
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    x = (x ^ x >> 27) * 0x94D049BB133111EB % 2**64
    return x ^ x >> 31


def filled(bins, seed):
    """Every empty bin follows a sequence of its own to the first that is not."""
    if set(bins) == {int(EMPTY)}:
        return bins
    found = []
    for place, value in enumerate(bins):
        state = splitmix(place ^ int(function_seeds(seed, 1)[0]))
        while value == EMPTY:
            state = (state + 0x9E3779B97F4A7C15) % 2**64
            value = bins[(splitmix(state) >> 32) * len(bins) >> 32]
        found.append(value)
    return found


@given(
    bins=st.lists(st.sampled_from([1, 2**63 + 1, 2**64 - 2, int(EMPTY)]), min_size=1, max_size=20),
    seed=st.sampled_from([0, 5, 2**64 - 1]),
)
def test_empty_bins_are_filled_along_their_sequences(bins, seed):
    assert fill_empty_bins(np.array(bins, np.uint64), seed).tolist() == filled(bins, seed)


def agreements(bins, a, b, runs):
    """The share of filled places that agree, under each of many functions."""
    pairs = ((OnePermutation.of(each, bins, seed).signature for each in (a, b)) for seed in range(runs))
    return np.array([np.mean(one == other) for one, other in pairs])


def test_filled_bins_estimate_without_bias_and_scatter_as_said():
    """The mean of 2000 estimates is nearly normal: 5 deviations are exceeded less than once in a million.

    So is a fifth of the variance, whose own deviation is about 3 %; the number of bins held is taken at its mean.
    """
    for number in (8, 32, 128, 1024):  # half of them in both sets
        a, b = range(number * 3 // 4), range(number // 4, number)
        estimates = agreements(64, a, b, 2000)
        held = 64 * (1 - (1 - 1 / 64) ** number)
        spread = 1 / held + (1 - 1 / held) * (64 - held) / 64**2
        variance = 0.25 * (spread - (1 - spread) / (number - 1))
        assert abs(estimates.mean() - 0.5) <= 5 * math.sqrt(variance / 2000)
        assert 0.8 * variance <= estimates.var() <= 1.2 * variance


def test_a_set_of_one_element_fills_every_bin_with_it_and_an_empty_set_none():
    one = OnePermutation.of(["rose"], 64)
    assert len(set(one.signature.tolist())) == 1
    assert (OnePermutation(64).signature == EMPTY).all()
    assert fill_empty_bins(one.values, seed=1).tolist() == one.signature.tolist()
