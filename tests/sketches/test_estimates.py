import copy
import math
import pickle
from fractions import Fraction

import pytest

from ibidem.intervals import binomial_interval, normal_interval
from ibidem.sketches.estimates import Estimate, values_for
from tests.test_intervals import chances


def within(error, values, similarity):
    share, error = Fraction(str(similarity)), Fraction(str(error))
    return sum(chance for m, chance in enumerate(chances(values, share)) if abs(Fraction(m, values) - share) <= error)


@pytest.mark.parametrize(
    ("error", "confidence", "similarity"), [(0.1, 0.95, 0.5), (0.1, 0.99, 0.5), (0.15, 0.9, 0.8), (0.2, 0.8, 0.05)]
)
def test_so_many_values_are_enough_and_one_fewer_is_not(error, confidence, similarity):
    values = values_for(error, confidence, similarity)
    assert all(within(error, n, similarity) >= confidence for n in range(values, values + 30))
    assert values == 1 or within(error, values - 1, similarity) < confidence


def test_a_hundred_to_two_hundred_values_are_what_broder_recommends():
    # On the resemblance and containment of documents, section 4.2.
    for method in ("exact", "normal"):
        assert 90 <= values_for(0.1, 0.95, method=method) <= 110
        assert 160 <= values_for(0.1, 0.99, method=method) <= 200
        assert 90 <= values_for(0.05, 0.95, similarity=0.93, method=method) <= 130


def test_a_fifth_of_the_error_takes_twenty_five_times_the_values():
    assert values_for(0.02, method="normal") == pytest.approx(25 * values_for(0.1, method="normal"), rel=0.02)
    assert values_for(0.02) == pytest.approx(values_for(0.02, method="normal"), rel=0.03)


def test_an_estimate_is_a_number_that_knows_how_many_values_it_comes_from():
    estimate = Estimate.of(96, 128)
    assert estimate == 0.75
    assert estimate.interval(0.9) == binomial_interval(96, 128, 0.9)
    assert estimate.interval(0.9, "normal") == normal_interval(96, 128, 0.9)
    for copied in (copy.deepcopy(estimate), pickle.loads(pickle.dumps(estimate))):
        assert (copied, copied.sampled) == (0.75, 128)


def test_an_estimate_from_nothing_says_nothing():
    assert math.isnan(Estimate.of(0, 0))
    for method in ("exact", "normal"):
        assert Estimate.of(0, 0).interval(method=method) == (0, 1)


@pytest.mark.parametrize("arguments", [(0,), (1,), (0.1, 1), (0.1, 0.95, 0), (0.1, 0.95, 0.5, "guess")])
def test_a_plan_for_what_cannot_be_is_an_error(arguments):
    with pytest.raises(ValueError):
        values_for(*arguments)


def test_an_unknown_interval_lists_the_known_ones():
    with pytest.raises(ValueError, match="exact, normal"):
        Estimate(0.5, 10).interval(method="wald")
