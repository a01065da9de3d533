import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.sketch.fingerprints import fingerprints
from ibidem.sketch.rabin import Rabin, collision_bound, irreducible, is_irreducible, remainder

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
    found = irreducible(degree, seed=3)
    assert found.bit_length() == degree + 1
    assert is_irreducible(found)
    assert not is_irreducible(product(found, 0b111))
    assert found == irreducible(degree, seed=3)


def test_every_irreducible_polynomial_of_a_degree_is_drawn():
    everything = set(range(32, 64)) - composites(5)
    assert {irreducible(5, seed) for seed in range(200)} == everything


@given(dividend=st.integers(0, 2**80), quotient=st.integers(0, 2**20), divisor=st.integers(1, 2**40))
def test_a_remainder_is_what_a_multiple_leaves(dividend, quotient, divisor):
    rest = remainder(dividend, divisor)
    assert rest.bit_length() < divisor.bit_length()
    assert remainder(dividend ^ product(quotient, divisor), divisor) == rest


def by_long_division(data, polynomial):
    return remainder(int.from_bytes(b"\x01" + data, "big"), polynomial)


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


def test_zeros_before_a_string_change_its_fingerprint():
    function = Rabin.of(61)
    assert len({function.fingerprint(b"\0" * length) for length in range(50)}) == 50


@pytest.mark.parametrize("degree", [0, 7, 65])
def test_a_fingerprint_has_the_bits_that_a_kernel_can_hold(degree):
    with pytest.raises(ValueError, match="8 to 64 bits"):
        Rabin.of(degree)


def test_there_is_no_polynomial_of_degree_zero():
    with pytest.raises(ValueError, match="1 or more"):
        irreducible(0, 1)


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
