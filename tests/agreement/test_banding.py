import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from ibidem.agreement.banding import Banding

bandings = st.builds(Banding, st.integers(1, 60), st.integers(1, 20))


def test_the_probabilities_are_those_of_the_textbook():
    # Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, figure 3.8; Gambosi's course has the same table.
    found = Banding(20, 5).probability([0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    assert found == pytest.approx([0.006, 0.047, 0.186, 0.470, 0.802, 0.975, 0.9996], abs=5e-4)
    assert found[-1] == pytest.approx(0.9996, abs=5e-5)


def test_the_threshold_is_that_of_the_textbook():
    assert Banding(16, 4).threshold == pytest.approx(0.5)
    assert Banding(20, 5).threshold == pytest.approx(0.55, abs=2e-3)


@given(banding=bandings, share=st.fractions(0, 1))
def test_a_probability_is_that_of_its_formula_to_the_last_digits(banding, share):
    exact = 1 - (1 - Fraction(float(share)) ** banding.rows) ** banding.bands
    # Neither where it is nearly nothing nor where it is nearly certain are digits lost.
    assert banding.probability(float(share)) == pytest.approx(float(exact), rel=1e-13, abs=1e-300)


def test_probabilities_have_the_shape_of_the_similarities():
    assert Banding(3, 2).probability(np.zeros((2, 3))).shape == (2, 3)
    assert Banding(3, 2).probability([0, 1]).tolist() == [0, 1]


@given(banding=bandings, probability=st.floats(0, 1))
def test_the_curve_can_be_read_backwards(banding, probability):
    assert banding.probability(banding.similarity(probability)) == pytest.approx(probability, abs=1e-9)


def test_no_similarity_has_a_probability_above_one():
    with pytest.raises(ValueError, match="probability must be at least 0 and at most 1"):
        Banding(3, 2).similarity(1.1)


def coefficients(banding):
    """1 - s^r to the power of b, as a polynomial: pairs of an exponent and a whole number."""
    return [(j * banding.rows, (-1) ** j * math.comb(banding.bands, j)) for j in range(banding.bands + 1)]


def exact_errors(banding, threshold):
    """The integrals of false positives and of false negatives, term by term."""
    t = Fraction(threshold)
    below = sum(c * t ** (e + 1) / (e + 1) for e, c in coefficients(banding))
    whole = sum(Fraction(c, e + 1) for e, c in coefficients(banding))
    return t - below, whole - below


@given(banding=st.builds(Banding, st.integers(1, 30), st.integers(1, 15)), threshold=st.floats(0, 1))
def test_the_errors_are_the_exact_integrals(banding, threshold):
    assert banding.errors(threshold) == pytest.approx([float(e) for e in exact_errors(banding, threshold)], abs=1e-13)


@given(functions=st.integers(1, 40), threshold=st.floats(0, 1), weight=st.floats(0, 1))
def test_a_banding_for_a_threshold_has_the_least_weighted_error_of_all(functions, threshold, weight):
    def error(banding):
        positives, negatives = exact_errors(banding, threshold)
        return float(weight * positives + (1 - weight) * negatives)

    found = Banding.for_threshold(threshold, functions, weight, 1 - weight)
    everything = [Banding(b, r) for r in range(1, functions + 1) for b in range(1, functions // r + 1)]
    assert found in everything
    assert error(found) <= min(map(error, everything)) + 1e-14


@pytest.mark.parametrize(
    ("threshold", "functions", "banding"),
    [  # What datasketch 1.6 takes for these, with its equal weights.
        (0.5, 128, (25, 5)),
        (0.8, 128, (9, 13)),
        (0.9, 128, (5, 25)),
        (0.7, 256, (25, 10)),
    ],
)
def test_a_banding_is_the_one_that_users_of_datasketch_expect(threshold, functions, banding):
    assert Banding.for_threshold(threshold, functions) == banding


def test_thousands_of_functions_are_integrated_as_well():
    banding = Banding.for_threshold(0.8, 2000)
    near = [
        Banding(banding.bands + b, banding.rows + r)
        for b in (-1, 0, 1)
        for r in (-1, 0, 1)
        if (banding.bands + b) * (banding.rows + r) <= 2000
    ]
    assert banding == min(near, key=lambda each: sum(exact_errors(each, 0.8)))


@given(functions=st.integers(1, 128), threshold=st.floats(0.01, 1), recall=st.floats(0.5, 0.999))
def test_a_banding_for_a_recall_keeps_it_and_no_other_has_fewer_false_candidates(functions, threshold, recall):
    keeping = [
        Banding(b, r)
        for r in range(1, functions + 1)
        for b in range(1, functions // r + 1)
        if Banding(b, r).probability(threshold) >= recall + 1e-12
    ]
    if not keeping:
        return
    found = Banding.for_recall(threshold, functions, recall)
    assert found.num_hashes <= functions
    assert found.probability(threshold) >= recall - 1e-12
    assert found.errors(threshold)[0] <= min(each.errors(threshold)[0] for each in keeping) + 1e-12


def test_a_recall_of_one_makes_every_pair_a_candidate():
    banding = Banding.for_recall(0.2, 4, recall=1)
    assert banding == (1, 0)
    assert banding.probability([0.0, 0.1, 1.0]).tolist() == [1.0, 1.0, 1.0]
    assert (banding.threshold, banding.similarity(0.5), banding.errors(0.2)) == (0.0, 0.0, (pytest.approx(0.2), 0.0))


def test_a_recall_out_of_reach_is_an_error():
    with pytest.raises(ValueError, match="num_hashes=4 cannot have a recall"):
        Banding.for_recall(0.2, 4)
    with pytest.raises(ValueError, match="cannot have a recall"):
        Banding.for_recall(0.0, 400)


def test_bands_of_more_rows_are_taken_for_a_tiny_recall_too():
    banding = Banding.for_recall(0.001, 10_000, recall=1e-15)
    assert banding == (1001, 6)
    assert banding.probability(0.001) >= 1e-15


@pytest.mark.parametrize(
    "arguments",
    [(-0.1, 8), (1.1, 8), (math.nan, 8), (0.5, 0), (0.5, 8, -1, 1), (0.5, 8, 0, 0), (0.5, 8, math.nan, 1)],
)
def test_what_is_no_threshold_no_function_or_no_weight_is_an_error(arguments):
    with pytest.raises(ValueError):
        Banding.for_threshold(*arguments)


@pytest.mark.parametrize("recall", [0, 1.1, math.nan])
def test_what_is_no_recall_is_an_error(recall):
    with pytest.raises(ValueError, match="above 0 and at most 1"):
        Banding.for_recall(0.5, 8, recall)


@pytest.mark.parametrize("threshold", [0.5, 0.8])
def test_the_picture_of_ten_bands_of_five_shades_both_errors(threshold):
    """The course's picture: 50 hash functions, an area of false positives and one of false negatives."""
    banding = Banding(10, 5)
    axes = banding.plot(threshold, axes=Figure().subplots())
    areas = {}
    for shaded in axes.collections:
        corners = shaded.get_paths()[0].vertices.tolist()
        shoelace = sum(x * v - u * y for (x, y), (u, v) in zip(corners, corners[1:] + corners[:1], strict=True))
        areas[shaded.get_label()] = abs(shoelace) / 2
    assert list(areas) == ["false positives", "false negatives"]
    assert list(areas.values()) == pytest.approx(banding.errors(threshold), abs=1e-4)
    assert not banding.plot(axes=Figure().subplots()).collections


def test_the_picture_rises_from_one_corner_to_the_other():
    axes = Banding(20, 5).plot(axes=Figure().subplots())
    curve, middle = axes.lines
    x, y = curve.get_data()
    assert (np.diff(x) >= 0).all()
    assert (np.diff(y) >= 0).all()
    assert (x[0], y[0], x[-1], y[-1]) == (0, 0, 1, 1)
    assert curve.get_label() == "20 bands of 5 rows"
    assert middle.get_xdata()[0] == Banding(20, 5).threshold


@pytest.mark.parametrize("functions", [65536, 10**20])
def test_more_functions_than_a_signature_has_are_refused_at_once(functions):
    with pytest.raises(ValueError, match="num_hashes is at most 65535"):
        Banding.for_recall(0.8, functions)
