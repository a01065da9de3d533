"""One permutation hashing by the number: the estimate, its laws, and what score they let a search ask for.

The statistical tests have fixed seeds, so they give the same answer at every run. With fresh seeds each would raise a
false alarm with a probability below ``FALSE_ALARM``, shared out among the comparisons that it makes.
"""

import itertools
import math
from collections import Counter
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baselines.one_permutation import reach_of, values_of_bin
from ibidem.hashing import GOLDEN, function_seeds, mix64, spread
from ibidem.similarity import jaccard
from ibidem.sketches import one_permutation
from ibidem.sketches.one_permutation import (
    EMPTY_KEY,
    UNIT,
    bin_values,
    estimate,
    sketch,
)
from ibidem.weights import DocumentFrequencies, Weighting

FALSE_ALARM = 1e-6
SEEDS = function_seeds(2024, 1000)
SET, MULTISET = Weighting.of("set"), Weighting.of("multiset")
WEIGHTS = [(SET, 1), (MULTISET, 1), (Weighting.of("weighted", tf="squared"), 2)]


def array(tokens):
    return np.array(tokens, np.uint32)


def hash_of(token, number, seed):
    """The hash value of the element ``(token, number)``."""
    return int(mix64(np.uint64((int(spread(np.uint32(token), seed)) + number * int(GOLDEN)) % 2**64)))


def elements_of(tokens, weighting, units):
    table = weighting.tf_table(max(1, len(tokens)))
    return [
        (token, number) for token, f in Counter(tokens).items() for number in range(1, math.floor(table[f] * units) + 1)
    ]


def smallest_of_each_bin(tokens, weighting, units, seed, k):
    """The smallest hash value of each bin by the definition, -1 where there is none."""
    smallest = [-1] * k
    for element in elements_of(tokens, weighting, units):
        value = hash_of(*element, seed)
        place = value * k >> 64
        smallest[place] = value if smallest[place] < 0 else min(value, smallest[place])
    return smallest


tokens_of_a_text = st.lists(st.integers(2**32 - 12, 2**32 - 1), max_size=40)


@given(
    tokens=tokens_of_a_text,
    weights=st.sampled_from(WEIGHTS),
    k=st.sampled_from([1, 2, 3, 16, 1000]),
    seed=st.integers(0, 2**64 - 1),
)
def test_a_sketch_holds_the_smallest_value_of_each_bin(tokens, weights, k, seed):
    keys = [
        EMPTY_KEY if value < 0 else min(value & 0xFFFFFFFF, 0xFFFFFFFE)
        for value in smallest_of_each_bin(tokens, *weights, np.uint64(seed), k)
    ]
    assert sketch(weights[0], array(tokens), np.uint64(seed), k, weights[1]).tolist() == keys


@settings(max_examples=30)
@given(frequency=st.integers(1, 12), weights=st.sampled_from(WEIGHTS), k=st.sampled_from([1, 4, 64]))
def test_the_active_values_of_a_token_tell_its_smallest_value_at_every_frequency(frequency, weights, k):
    values = bin_values(weights[0], array([9]), np.array([frequency], np.int32), SEEDS[0], k, weights[1])
    of_bin = [values_of_bin(values, which) for which in range(k)]
    for own in of_bin:
        assert (np.diff(own.x) > 0).all()
        assert (own.rank[1:] < own.rank[:-1]).all()
    for f in range(1, frequency + 1):
        held = [own.rank[own.x <= f] for own in of_bin]
        found = [int(ranks[-1]) if len(ranks) else -1 for ranks in held]
        assert found == smallest_of_each_bin([9] * f, *weights, SEEDS[0], k)


@pytest.mark.parametrize("text", [[7] * 3000, list(range(3000)), [1, 2] * 700])
def test_buffers_grow_with_the_values_of_a_token(text):
    """One token with thousands of values: a value a bin while bins are many."""
    k = 60_000
    found = sketch(MULTISET, array(text), SEEDS[3], k)
    filled = [(which, v) for which, v in enumerate(smallest_of_each_bin(text, MULTISET, 1, SEEDS[3], k)) if v >= 0]
    assert np.flatnonzero(found != EMPTY_KEY).tolist() == [which for which, _ in filled]
    assert found[found != EMPTY_KEY].tolist() == [value & 0xFFFFFFFF for _, value in filled]


def test_a_real_value_never_has_the_key_of_an_empty_bin(monkeypatch):
    """The hash value of one element in 2^32 ends in 32 ones; its key gives way."""
    seed = SEEDS[0]
    token = np.uint32(77)
    raw = one_permutation._bin_values.py_func
    monkeypatch.setattr(one_permutation, "_find_values", one_permutation._find_values.py_func)
    monkeypatch.setattr(one_permutation, "mix64", lambda value: np.uint64(0x12345678FFFFFFFF))
    with np.errstate(over="ignore"):
        columns = raw(
            np.array([token]), np.array([1], np.int32), seed, np.uint64(4), np.array([0.0, 1.0]), np.array([1.0])
        )
    assert columns[-1].tolist() == [0xFFFFFFFE]
    assert columns[-2].tolist() == [0x12345678FFFFFFFF]


# The estimate.


def test_the_estimate_leaves_out_bins_that_are_empty_in_both():
    """Ten bins with the counts of the paper's Figure 2: four agree, one is empty in both, 4 / (10 - 1).

    The paper's hash values are not at hand; these sketches were made up to have its counts.
    """
    e = EMPTY_KEY
    first = np.array([3, 14, e, 27, 35, 41, 52, 66, e, 93])
    second = np.array([3, 14, e, 29, 35, e, 52, 67, 88, 99])
    assert round(estimate(first, second), 3) == 0.444


def test_texts_whose_bins_are_all_empty_are_not_similar():
    nothing = np.full(4, EMPTY_KEY)
    assert estimate(nothing, nothing) == 0.0


def pairs():
    random = np.random.default_rng(11)
    common = (2**32 - 1 - random.zipf(1.5, 150) % 60).tolist()
    return {
        "disjoint": ([1, 2, 3, 3], [4, 5, 5, 6]),
        "few, half": ([1, 2, 3], [2, 3, 4]),
        "nearly equal": (common, [*common[:140], 7, 8, 9]),
        "half": ([*common, *range(30)], [*common[:75], *range(15, 60)]),
        "little": (list(range(100)), list(range(90, 200))),
        "other frequencies": ([1] * 9 + [2, 3] * 2, [1, 2, 3] + [2] * 8),
    }


@pytest.mark.parametrize("weighting", [SET, MULTISET], ids=["set", "multiset"])
@pytest.mark.parametrize("k", [1, 8, 64])
def test_the_estimate_is_unbiased(weighting, k):
    """The mean over 1000 functions; estimates lie in [0, 1], so Hoeffding's inequality bounds the false alarm."""
    slack = math.sqrt(math.log(2 * len(pairs()) * 6 / FALSE_ALARM) / 2 / len(SEEDS))
    for a, b in pairs().values():
        exact = jaccard(array(a), array(b), weighting)
        found = [estimate(sketch(weighting, array(a), seed, k), sketch(weighting, array(b), seed, k)) for seed in SEEDS]
        deviation = float(np.std(found)) / math.sqrt(len(found))
        assert abs(np.mean(found) - exact) <= min(slack, 6 * deviation + 1e-9)


# The law of the score.


def exact_chances(k, union, shared, threshold):
    """The chance of each score as a fraction, by all ways of dropping a small union into bins in random order."""
    chances = Counter()
    empty = math.floor(threshold * UNIT)
    for boxes in itertools.product(range(k), repeat=union):
        for in_common in itertools.combinations(range(union), shared):
            smallest = {}  # elements are numbered in the order of their hash values
            for element, box in enumerate(boxes):
                smallest.setdefault(box, element)
            agree = sum(element in in_common for element in smallest.values())
            chances[agree * UNIT + empty * (k - len(smallest))] += 1
    total = k**union * math.comb(union, shared)
    return {score: Fraction(count, total) for score, count in chances.items()}


@cache
def reach(k, union, threshold):
    """The exact chance to reach each score, descending, for the least number of shared elements that is enough."""
    shared = math.ceil(threshold * union - 1e-9)
    chances = exact_chances(k, union, shared, threshold)
    return [
        (score, sum(p for other, p in chances.items() if other >= score)) for score in sorted(chances, reverse=True)
    ]


@pytest.mark.parametrize("threshold", [0.3, 0.5])
@pytest.mark.parametrize(("k", "union"), [(1, 3), (2, 5), (3, 4), (4, 5)])
def test_the_chance_to_reach_a_score_is_that_of_all_ways_to_fill_the_bins(k, union, threshold):
    for score, exact in reach(k, union, threshold):
        shared = math.ceil(threshold * union - 1e-9)
        assert reach_of(k, union, shared, score, threshold) == pytest.approx(float(exact), abs=1e-12)


def test_the_sketch_of_a_text_is_that_of_the_format():
    text = array([1, 2, 2, 3, 2**32 - 1])
    assert sketch(MULTISET, text, function_seeds(0, 1)[0], 4).tolist() == FORMAT


FORMAT = [100209050, 1998220186, 92388381, EMPTY_KEY]


# Weights in units.


@given(
    a=st.lists(st.integers(1, 12), min_size=1, max_size=60),
    b=st.lists(st.integers(1, 12), min_size=1, max_size=60),
    units=st.sampled_from([1, 2, 8, 64]),
    tf=st.sampled_from(["raw", "logarithmic", "squared"]),
)
def test_counting_whole_units_changes_the_similarity_by_less_than_its_bounds(a, b, units, tf):
    """Each weight falls by less than a unit, so the overlap by less than one for each token that both have."""
    frequencies = DocumentFrequencies(list(range(1, 13)), list(range(1, 13)), 12)
    weighting = Weighting(tf, "smooth", frequencies)
    exact = jaccard(array(a), array(b), weighting)
    table, idf = weighting.tf_table(60) * units, weighting.idf_of(np.arange(13))
    counts = np.array([[side.count(t) for t in range(13)] for side in (a, b)])
    whole = np.floor(table[counts] * idf)
    weights = table[counts] * idf
    similarity = float(np.minimum(*whole).sum()) / max(1.0, float(np.maximum(*whole).sum()))
    assert similarity >= exact - len(set(a)) / weights[0].sum() - 1e-12
    left = np.maximum(*weights).sum() - len(set(a) | set(b))
    assert left <= 0 or similarity <= np.minimum(*weights).sum() / left + 1e-12
