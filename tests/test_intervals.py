"""Intervals of shares hold them as often as they say, and have the values of the literature."""

import math
from fractions import Fraction
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.intervals import binomial_interval, incomplete_beta, normal_interval

shares = st.floats(0.001, 0.999)


def chances(n, p):
    """The binomial, term by term."""
    p = Fraction(p)
    return [math.comb(n, m) * p**m * (1 - p) ** (n - m) for m in range(n + 1)]


@given(n=st.integers(1, 60), data=st.data(), p=shares)
def test_the_incomplete_beta_function_is_the_tail_of_a_binomial(n, data, p):
    m = data.draw(st.integers(1, n))
    assert incomplete_beta(p, m, n - m + 1) == pytest.approx(float(sum(chances(n, p)[m:])), rel=1e-11, abs=1e-14)


@pytest.mark.parametrize(
    ("x", "a", "b", "value"),
    [  # Closed forms: I_x(1/2, 1/2) is an arc, and one of a or b = 1 leaves a power.
        (0.3, 0.5, 0.5, 2 / math.pi * math.asin(math.sqrt(0.3))),
        (0.5, 3000.5, 3000.5, 0.5),
        (0.2, 1, 7.5, 1 - 0.8**7.5),
        (0.999, 2000, 1, 0.999**2000),
        (0, 2, 3, 0),
        (1, 2, 3, 1),
    ],
)
def test_the_incomplete_beta_function_has_its_known_values(x, a, b, value):
    assert incomplete_beta(x, a, b) == pytest.approx(value, rel=1e-11)


@pytest.mark.parametrize(
    ("agreeing", "sampled", "low", "high"),
    [  # Closed forms where none or all agree, and where 1 of 2 does.
        (0, 10, 0, 1 - 0.025**0.1),
        (10, 10, 0.025**0.1, 1),
        (1, 2, 1 - math.sqrt(0.975), math.sqrt(0.975)),
        (0, 0, 0, 1),
    ],
)
def test_the_exact_interval_has_its_known_values(agreeing, sampled, low, high):
    assert binomial_interval(agreeing, sampled, 0.95) == pytest.approx((low, high), abs=1e-12)


def test_the_exact_interval_is_that_of_the_tables():
    # 81 of 263: Newcombe, Statistics in Medicine 17 (1998), table I.
    assert binomial_interval(81, 263) == pytest.approx((0.2527, 0.3676), abs=5e-5)
    assert normal_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert binomial_interval(15, 148) == pytest.approx((0.0578, 0.1617), abs=5e-5)
    assert normal_interval(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)


@given(sampled=st.integers(1, 40), similarity=shares, confidence=st.floats(0.5, 0.999))
def test_the_exact_interval_holds_the_similarity_as_often_as_it_says(sampled, similarity, confidence):
    held = 0
    for agreeing, chance in enumerate(chances(sampled, similarity)):
        low, high = binomial_interval(agreeing, sampled, confidence)
        held += chance if low <= similarity <= high else 0
    assert held >= confidence - 1e-9


@given(sampled=st.integers(1, 300), data=st.data(), confidence=st.floats(0.5, 0.999))
def test_the_ends_of_the_normal_interval_are_z_deviations_from_the_share(sampled, data, confidence):
    agreeing = data.draw(st.integers(0, sampled))
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    low, high = normal_interval(agreeing, sampled, confidence)
    assert 0 <= low <= agreeing / sampled <= high <= 1
    for end in (low, high):
        if 0 < end < 1:
            distance = abs(agreeing / sampled - end)
            assert distance == pytest.approx(z * math.sqrt(end * (1 - end) / sampled), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("arguments", [(-1, 5), (6, 5), (1, 5, 0), (1, 5, 1)])
def test_an_interval_of_what_cannot_be_is_an_error(arguments):
    for make in (binomial_interval, normal_interval):
        with pytest.raises(ValueError):
            make(*arguments)
