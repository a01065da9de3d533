"""Sketches by the number, and what collisions say of the exact similarity.

The statistical tests have fixed seeds, so they give the same answer at every run. With fresh seeds each would raise a
false alarm with a probability below ``FALSE_ALARM``, shared out among the comparisons that it makes.
"""

import math
from statistics import NormalDist

import numpy as np
import pytest

from ibidem.hashing import function_seeds
from ibidem.similarity import jaccard
from ibidem.sketches.families import MultisetFamily, SetFamily, WeightedFamily
from ibidem.sketches.kmins import EMPTY, sketch
from ibidem.text import Texts, make_tokenizer
from ibidem.weights import IDF, TF, DocumentFrequencies, Weighting

FALSE_ALARM = 1e-6
FUNCTIONS = 3000
SEEDS = function_seeds(2026, FUNCTIONS)


def array(tokens):
    return np.array(tokens, np.uint32)


def pairs():
    """Texts of tokens near 2^32 that share much or little, with few and with many repetitions."""
    random = np.random.default_rng(11)
    top = 2**32 - 1
    common = top - random.zipf(1.5, 150) % 60
    return {
        "disjoint": (array([1, 2, 3, 3]), array([4, 5, 5, 6])),
        "one repeated": (array([top] * 3), array([top] * 40)),
        "nearly equal": (array(common), array([*common[:140], 7, 8, 9])),
        "half": (array([*common, *range(30)]), array([*common[:75], *range(15, 60)])),
        "little": (array(range(100)), array(range(90, 200))),
        "one in the other": (array(common[:40]), array(common)),
        "same tokens, other frequencies": (array([1] * 9 + [2, 3] * 2), array([1, 2, 3] + [2] * 8)),
    }


DOCUMENTS = DocumentFrequencies(
    np.unique(np.concatenate([token for pair in pairs().values() for token in pair])),
    np.random.default_rng(5).integers(
        1, 50, len(np.unique(np.concatenate([token for pair in pairs().values() for token in pair])))
    ),
    100,
)
FAMILIES = {
    "set": SetFamily(),
    "multiset": MultisetFamily(),
    **{f"{tf}, {idf}": WeightedFamily(Weighting(tf, idf, DOCUMENTS)) for tf in TF for idf in IDF},
}

each_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES.keys())


@each_family
def test_the_share_of_collisions_estimates_the_exact_similarity(family):
    """Bernstein's inequality bounds the false alarm; keys of 32 bits that agree by accident are too few to be seen."""
    z = math.sqrt(2 * math.log(2 * len(pairs()) / FALSE_ALARM))
    for a, b in pairs().values():
        exact = jaccard(a, b, family.weighting)
        collisions = np.count_nonzero(sketch(family, a, SEEDS) == sketch(family, b, SEEDS))
        assert abs(collisions / FUNCTIONS - exact) <= z * math.sqrt(exact * (1 - exact) / FUNCTIONS) + z**2 / FUNCTIONS


@pytest.mark.parametrize("name", ["set", "multiset", "logarithmic, smooth", "squared, unary"])
def test_functions_collide_independently_of_each_other(name):
    """Over groups of 20 functions the collisions scatter as a binomial does.

    The sum of squares over n groups is nearly chi-squared with n degrees of freedom, and further than 6 standard
    deviations from n less than once in 1e6; so are the four sums of products, nearly normal, from 0.
    """
    a, b = pairs()["half"]
    family = FAMILIES[name]
    groups = FUNCTIONS // 20
    hits = (sketch(family, a, SEEDS) == sketch(family, b, SEEDS)).reshape(groups, 20).sum(axis=1)
    exact = jaccard(a, b, family.weighting)
    scatter = float(((hits - 20 * exact) ** 2).sum() / (20 * exact * (1 - exact)))
    assert abs(scatter - groups) <= 6 * math.sqrt(2 * groups)
    agreements = sketch(family, a, SEEDS) == sketch(family, b, SEEDS)
    z = NormalDist().inv_cdf(1 - FALSE_ALARM / 4 / 2)
    for lag in (1, 2, 3, 16):  # no function foretells the next
        products = (agreements[lag:] - exact) * (agreements[:-lag] - exact)
        assert abs(products.mean()) <= z * exact * (1 - exact) / math.sqrt(len(products))


@pytest.mark.parametrize("family", [SetFamily(), MultisetFamily(), WeightedFamily(Weighting())])
def test_each_element_is_as_likely_to_be_the_smallest(family):
    """50 tokens under 3000 functions: a chi-squared with 49 degrees of freedom is above 115 less than once in 1e6."""
    tokens = array(range(2**32 - 50, 2**32))
    keys = sketch(family, tokens, SEEDS)
    winners = [
        np.argmin(values.rank) for values in (family.active(tokens, np.ones(50, np.int32), seed) for seed in SEEDS)
    ]
    counts = np.bincount(winners, minlength=50)
    assert ((counts - FUNCTIONS / 50) ** 2 / (FUNCTIONS / 50)).sum() < 115
    assert len(np.unique(keys)) > FUNCTIONS - 50


TEXT = "To be, or not to be: that is the question. To die, to sleep, to sleep, perchance to dream."


@pytest.mark.parametrize(
    ("family", "keys"),
    [
        (SetFamily(), [4099217253, 21279897, 3782282423, 1464701741]),
        (MultisetFamily(), [3566159772, 2417738151, 2921915761, 472148870]),
        (WeightedFamily(Weighting("squared")), [1565451920, 3867456541, 1832026593, 1552230751]),
    ],
)
def test_the_sketch_of_a_text_is_that_of_the_format(family, keys):
    tokens = make_tokenizer("words").encode(Texts.from_strings([TEXT])).ids
    assert sketch(family, tokens, function_seeds(0, 4)).tolist() == keys


@each_family
def test_a_sketch_does_not_depend_on_the_order_of_tokens(family):
    tokens = pairs()["half"][0]
    shuffled = np.random.default_rng(3).permutation(tokens)
    assert sketch(family, tokens, SEEDS[:50]).tolist() == sketch(family, shuffled, SEEDS[:50]).tolist()


@each_family
def test_a_text_without_tokens_has_an_empty_sketch(family):
    assert sketch(family, array([]), SEEDS[:3]).tolist() == [EMPTY] * 3


def test_a_text_of_tokens_that_weigh_nothing_has_an_empty_sketch():
    everywhere = Weighting("raw", "standard", DocumentFrequencies([4], [10], 10))
    assert sketch(WeightedFamily(everywhere), array([4, 4]), SEEDS[:3]).tolist() == [EMPTY] * 3
