"""What Broder 1997 has beside the sketches themselves: MIN_s(MOD_m), L_i by the size, samples and their sizes."""

import math
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.errors import ConfigurationError, DamagedError
from ibidem.intervals import standard_error_interval
from ibidem.sketches.bottom_s import BottomS
from ibidem.sketches.elements import hash_values
from ibidem.sketches.estimates import Estimate, chance_of_reaching, chance_within
from ibidem.sketches.mod_m import ModM
from ibidem.sketches.sketches import one_function

sets = st.frozensets(st.integers(0, 200), max_size=60)


@given(elements=sets, size=st.integers(2, 9), modulus=st.integers(1, 5))
def test_min_s_of_mod_m_keeps_the_smallest_values_that_m_divides(elements, size, modulus):
    values = hash_values(np.array(sorted(elements), np.uint64), one_function(7)).tolist()
    expected = sorted(value for value in values if value % modulus == 0)[:size]
    made = BottomS.of(elements, size, seed=7, modulus=modulus)
    assert made.values.tolist() == expected
    read = BottomS.from_bytes(made.to_bytes())
    assert (read, read.modulus) == (made, modulus)
    assert made.copy() == made


@given(a=sets, b=sets, modulus=st.integers(1, 4))
def test_min_s_of_mod_m_of_a_union_is_that_of_both(a, b, modulus):
    one, other = (BottomS.of(each, 8, modulus=modulus) for each in (a, b))
    assert one.union(other) == BottomS.of(a | b, 8, modulus=modulus)


def test_min_s_of_mod_m_is_unbiased_and_as_exact_as_min_s():
    a, b = range(3000), range(1000, 4000)
    found = {m: [BottomS.of(a, 64, s, m).resemblance(BottomS.of(b, 64, s, m)) for s in range(300)] for m in (1, 8)}
    deviation = math.sqrt(0.25 / 64)
    for estimates in found.values():
        assert abs(np.mean(estimates) - 0.5) <= 5 * deviation / math.sqrt(300)
        assert np.std(estimates) == pytest.approx(deviation, rel=0.2)


def test_the_number_of_elements_is_estimated_with_a_modulus_too():
    counts = [BottomS.of(range(5000), 64, seed, 8).count() for seed in range(100)]
    assert np.mean(counts) == pytest.approx(5000, rel=5 / math.sqrt(64 * 100))
    assert BottomS.of(range(40), 64, 0, 8).count() % 8 == 0


def test_nothing_is_known_where_a_modulus_left_nothing():
    assert math.isnan(BottomS(8, modulus=3).resemblance(BottomS(8, modulus=3)))
    assert math.isnan(BottomS(8, modulus=3).containment(BottomS.of(range(99), 8, modulus=3)))


def test_other_moduli_do_not_meet_and_foreign_values_are_refused():
    with pytest.raises(ConfigurationError, match="of modulus 2 cannot be compared with one of modulus 1"):
        BottomS(8, modulus=2).resemblance(BottomS(8))
    for modulus in (0, 2**16):
        with pytest.raises(ValueError, match="modulus is 1 to 65535"):
            BottomS(8, modulus=modulus)
    made = BottomS(8, modulus=2)
    made.values = np.array([3], np.uint64)
    with pytest.raises(DamagedError):
        BottomS.from_bytes(made.to_bytes())


# L_i.


@pytest.mark.parametrize(
    ("size", "modulus"), [(0, 1), (99, 1), (100, 1), (199, 1), (200, 2), (399, 2), (400, 4), (800, 8), (6400, 64)]
)
def test_the_modulus_of_l_i_follows_the_size_of_the_document(size, modulus):
    assert ModM.of_size(range(size)).modulus == modulus
    assert ModM.of_size(list(range(size)) * 2).modulus == modulus


def test_l_i_keeps_a_unit_to_two_of_them_in_expectation():
    sizes = [len(ModM.of_size(range(size), seed=seed).values) for size in (1600, 2400, 3199) for seed in range(30)]
    assert np.mean([100 - 30 <= size <= 200 + 45 for size in sizes]) > 0.98


def test_l_i_of_two_documents_are_compared_at_the_modulus_of_the_longer():
    short, long = range(300), range(150, 5000)
    small, large = ModM.of_size(short), ModM.of_size(long)
    assert (small.modulus, large.modulus) == (2, 32)
    same = ModM.of(short, 32)
    assert small.at_modulus(32).tolist() == same.values.tolist()
    assert small.resemblance(large) == same.resemblance(large)
    assert small.containment(large).sampled == len(same.values)
    assert small.union(large) == large.union(small) == ModM.of(range(5000), 32)
    assert small.modulus == 2


def test_a_modulus_that_divides_no_other_cannot_meet_it():
    with pytest.raises(ConfigurationError, match="of modulus 2 cannot be compared with one of modulus 3"):
        ModM(2).resemblance(ModM(3))
    with pytest.raises(ConfigurationError, match="of seed 0 cannot be compared with one of seed 1"):
        ModM(2).resemblance(ModM(2, seed=1))
    with pytest.raises(ValueError, match="has lost what modulus 3 keeps"):
        ModM(2).at_modulus(3)
    with pytest.raises(ValueError, match="a unit is 1 element or more"):
        ModM.of_size([], unit=0)


# Section 4.2: the size of the sample.


@given(
    values=st.integers(1, 60), similarity=st.sampled_from([0.25, 0.5, 0.9]), error=st.sampled_from([0.05, 0.1, 0.25])
)
def test_the_chance_to_be_near_is_the_sum_of_the_binomial(values, similarity, error):
    near = [k for k in range(values + 1) if abs(k / values - similarity) <= error + 1e-9]
    expected = sum(comb(values, k) * similarity**k * (1 - similarity) ** (values - k) for k in near)
    assert chance_within(error, values, similarity) == pytest.approx(expected, abs=1e-9)


def test_a_hundred_samples_are_reasonable_and_two_hundred_more_than_enough():
    assert chance_within(0.1, 100, 0.5) > 0.95
    assert chance_within(0.1, 200, 0.5) > 0.99
    assert chance_within(0.1, 100, 0.9) > chance_within(0.1, 100, 0.5)


def test_no_pair_of_the_web_under_a_half_is_estimated_at_nine_tenths():
    """With probability above 0.999, of the pairs of 30 million documents, from 200 values."""
    pairs = 30_000_000**2 / 2
    assert pairs * chance_of_reaching(0.9, 200, 0.5) < 0.001
    assert chance_of_reaching(0.0, 10, 0.5) == 1.0
    assert chance_of_reaching(0.5, 2, 0.5) == pytest.approx(0.75)


def test_the_interval_of_textbooks_is_p_plus_and_minus_z_s():
    """Gambosi's course: [p - Z s, p + Z s] with s = sqrt(p (1 - p) / k)."""
    low, high = standard_error_interval(96, 128, 0.95)
    s = math.sqrt(0.75 * 0.25 / 128)
    assert (low, high) == pytest.approx((0.75 - 1.959964 * s, 0.75 + 1.959964 * s), abs=1e-6)
    assert Estimate(0.75, 128).interval(0.95, "standard error") == (low, high)
    assert standard_error_interval(0, 0) == (0.0, 1.0)
    assert standard_error_interval(128, 128) == (1.0, 1.0)  # a point: why it is not the default


def test_the_interval_of_textbooks_holds_less_often_than_it_says():
    def coverage(method):
        chances = [comb(30, k) * 0.95**k * 0.05 ** (30 - k) for k in range(31)]
        return sum(
            chance
            for k, chance in enumerate(chances)
            if Estimate(k / 30, 30).interval(0.95, method)[0] <= 0.95 <= Estimate(k / 30, 30).interval(0.95, method)[1]
        )

    assert coverage("standard error") < 0.8
    assert coverage("normal") > 0.9
    assert coverage("exact") >= 0.95
