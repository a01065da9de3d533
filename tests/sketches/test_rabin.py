import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.sketches.elements import fingerprints
from ibidem.sketches.rabin import (
    Rabin,
    collision_bound,
    distinct_tail,
    draw_irreducible,
    expected_distinct,
    is_irreducible,
    pair_collision_bound,
    remainder,
    resemblance_error,
)

degrees = st.sampled_from([8, 9, 31, 53, 63, 64])
seeds = st.integers(0, 5)


def product(a, b):
    """Over GF(2)."""
    total = 0
    while b:
        total ^= a if b & 1 else 0
        a, b = a << 1, b >> 1
    return total


def composites(degree):
    """Every product, of this degree, of two polynomials that are not 1."""
    return {
        product(a, b)
        for low in range(1, degree)
        for a in range(1 << low, 2 << low)
        for b in range(1 << degree - low, 2 << degree - low)
    }


@pytest.mark.parametrize("degree", range(1, 9))
def test_irreducible_is_what_no_two_polynomials_multiply_to(degree):
    found = {polynomial for polynomial in range(1 << degree, 2 << degree) if is_irreducible(polynomial)}
    assert found == set(range(1 << degree, 2 << degree)) - composites(degree)


def test_a_constant_is_not_irreducible():
    assert not is_irreducible(0)
    assert not is_irreducible(1)


@pytest.mark.parametrize("degree", [1, 2, 8, 31, 61, 64, 127])
def test_an_irreducible_polynomial_is_found_for_any_degree_and_is_that_of_its_seed(degree):
    found = draw_irreducible(degree, seed=3)
    assert found.bit_length() == degree + 1
    assert is_irreducible(found)
    assert not is_irreducible(product(found, 0b111))
    assert found == draw_irreducible(degree, seed=3)


def test_every_irreducible_polynomial_of_a_degree_is_drawn():
    everything = set(range(32, 64)) - composites(5)
    assert {draw_irreducible(5, seed) for seed in range(200)} == everything


@given(dividend=st.integers(0, 2**80), quotient=st.integers(0, 2**20), divisor=st.integers(1, 2**40))
def test_a_remainder_is_what_a_multiple_leaves(dividend, quotient, divisor):
    rest = remainder(dividend, divisor)
    assert rest.bit_length() < divisor.bit_length()
    assert remainder(dividend ^ product(quotient, divisor), divisor) == rest


def by_long_division(data, polynomial):
    """With a 1 before the string, and null bytes behind it for all bits of a fingerprint."""
    nulls = bytes(-(-(polynomial.bit_length() - 1) // 8))
    return remainder(int.from_bytes(b"\x01" + data + nulls, "big"), polynomial)


@given(data=st.binary(max_size=40), degree=degrees, seed=seeds)
def test_a_fingerprint_is_the_remainder_of_long_division(data, degree, seed):
    function = Rabin.of(degree, seed)
    assert function.fingerprint(data) == by_long_division(data, function.polynomial)


@given(data=st.binary(max_size=60), window=st.integers(1, 20), degree=degrees, seed=seeds)
def test_rolling_gives_the_remainder_of_every_window(data, window, degree, seed):
    polynomial = Rabin.of(degree, seed).polynomial
    windows = [data[i : i + window] for i in range(len(data) - window + 1)]
    rolled = fingerprints(data, window, "rabin", seed=seed, degree=degree)
    assert rolled.tolist() == [by_long_division(each, polynomial) for each in windows]


def test_strings_that_differ_in_the_last_letter_differ_in_all_parts_of_their_fingerprints():
    """The flaw that Broder names (section 4.1): without null bytes only the last eight bits would differ."""
    function = Rabin.of(40, seed=2)
    upper = {function.fingerprint(b"a rose is a ros" + bytes([last])) >> 8 for last in range(256)}
    assert len(upper) == 256
    assert len({fingerprint >> 24 for fingerprint in upper}) > 100


def test_the_bounds_of_section_4_hold_for_ids_drawn_at_random():
    bits, n = 12, 400
    drawn = np.random.default_rng(3).integers(0, 2**bits, (2000, n))
    distinct = np.array([len(set(row)) for row in drawn.tolist()])
    expected = expected_distinct(n, bits)
    assert expected == pytest.approx(n - math.comb(n, 2) / 2**bits + math.comb(n, 3) / 2 ** (2 * bits), abs=0.1)
    assert abs(distinct.mean() - expected) <= 5 * distinct.std() / math.sqrt(2000)
    for deviation in (0.1, 0.3, 0.5):
        assert np.mean(np.abs(distinct - expected) > deviation * math.sqrt(n)) <= distinct_tail(deviation)
    assert expected_distinct(10**6, 64) == pytest.approx(10**6)
    assert distinct_tail(0) == 1.0


def test_a_resemblance_by_ids_is_hardly_ever_further_off_than_its_bound():
    """Two sets of 300 elements, 200 of them in both, r = 0.5, by ids of 20 bits."""
    source = np.random.default_rng(4)
    errors = []
    for _ in range(300):
        ids = source.integers(0, 2**20, 400)
        a, b = set(ids[:300].tolist()), set(ids[100:].tolist())
        errors.append(abs(len(a & b) / len(a | b) - 0.5))
    assert np.mean(np.array(errors) < resemblance_error(400, 20)) >= 0.999
    assert resemblance_error(400, 20) == 400 / 2**9
    assert resemblance_error(2000, 40) < 1e-5


def test_two_strings_share_a_fingerprint_no_more_often_than_their_length_allows():
    polynomials = [polynomial for polynomial in range(256, 512) if is_irreducible(polynomial)]
    texts = [bytes([i, 7 * i % 256, i * i % 256]) for i in range(60)]
    for one, other in itertools.pairwise(texts):
        collide = sum(by_long_division(one, p) == by_long_division(other, p) for p in polynomials)
        assert collide / len(polynomials) <= pair_collision_bound(24, 8)


def test_zeros_before_a_string_change_its_fingerprint():
    function = Rabin.of(61)
    assert len({function.fingerprint(b"\0" * length) for length in range(50)}) == 50


@pytest.mark.parametrize("degree", [0, 7, 65])
def test_a_fingerprint_has_the_bits_that_a_kernel_can_hold(degree):
    with pytest.raises(ValueError, match="8 to 64 bits"):
        Rabin.of(degree)


def test_there_is_no_polynomial_of_degree_zero():
    with pytest.raises(ValueError, match="1 or more"):
        draw_irreducible(0, 1)


def test_collisions_over_all_polynomials_stay_below_the_bound():
    """The bound is on the draw: for two strings it holds over every irreducible polynomial of degree 8."""
    polynomials = [polynomial for polynomial in range(256, 512) if is_irreducible(polynomial)]
    # A product of three of them, so that three polynomials see no difference: the worst for strings so short.
    difference = product(product(polynomials[0], polynomials[1]), polynomials[2]).to_bytes(4, "big")
    strings = (bytes(4), difference)
    collide = sum(by_long_division(strings[0], p) == by_long_division(strings[1], p) for p in polynomials)
    assert collide == 3
    assert collide / len(polynomials) <= collision_bound(2, 32, degree=8)
    assert collision_bound(10**6, 8 * 1000) < 1e-3
    assert collision_bound(10**9, 8 * 1000, degree=31) == 1
