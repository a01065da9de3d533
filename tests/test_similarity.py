import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.similarity import containment, jaccard
from ibidem.text import Texts, make_tokenizer
from ibidem.weights import DocumentFrequencies, Weighting

sequences = st.lists(st.integers(0, 6), max_size=15)
frequencies = DocumentFrequencies([0, 1, 2, 5], [1, 3, 10, 8], num_documents=10)
weightings = st.builds(
    Weighting,
    st.sampled_from(["binary", "raw", "logarithmic", "squared"]),
    st.sampled_from(["unary", "standard", "smooth", "probabilistic"]),
    st.just(frequencies),
)


def ids(text, spec="words"):
    return make_tokenizer(spec).encode(Texts.from_strings([text])).ids


def test_multiset_example_of_abbc_and_bcd():
    assert jaccard("ABBC", "BCD", "multiset") == 2 / 5
    assert jaccard("ABBC", "BCD") == 2 / 4
    assert containment("BCD", "ABBC", "multiset") == 2 / 3


def by_definition(a, b, weighting):
    """Sums of the smaller weights, the larger weights, and the weights in ``a``, token by token."""
    smaller = larger = in_a = 0.0
    for token in {*a, *b}:
        tf = weighting.tf_table(max(len(a), len(b)))
        weights = [tf[each.count(token)] * weighting.idf_of([token])[0] for each in (a, b)]
        smaller, larger, in_a = smaller + min(weights), larger + max(weights), in_a + weights[0]
    return smaller, larger, in_a


@given(a=sequences, b=sequences, weighting=weightings)
def test_similarity_and_containment_are_the_ratios_of_their_definition(a, b, weighting):
    smaller, larger, in_a = by_definition(a, b, weighting)
    assert math.isclose(jaccard(a, b, weighting), smaller / larger if larger else 1, abs_tol=1e-12)
    assert math.isclose(containment(a, b, weighting), smaller / in_a if in_a else 1, abs_tol=1e-12)


@given(a=sequences, b=sequences, weighting=weightings)
def test_similarity_is_symmetric_and_arrays_give_the_same_as_lists(a, b, weighting):
    arrays = np.array(a, np.uint32), np.array(b, np.uint32)
    expected = jaccard(a, b, weighting)
    assert 0 <= expected <= 1
    assert jaccard(a, a, weighting) == 1
    assert math.isclose(expected, jaccard(b, a, weighting), abs_tol=1e-12)
    assert math.isclose(expected, jaccard(*arrays, weighting), abs_tol=1e-12)
    assert math.isclose(expected, jaccard(a, arrays[1], weighting), abs_tol=1e-12)


@given(a=sequences, b=sequences)
def test_for_sets_and_multisets_the_values_are_exact(a, b):
    if a or b:
        assert jaccard(a, b) == len({*a} & {*b}) / len({*a, *b})
        common = sum(min(a.count(token), b.count(token)) for token in {*a})
        assert jaccard(a, b, "multiset") == common / (len(a) + len(b) - common)


def test_two_texts_without_tokens_are_alike_and_one_is_like_no_other():
    assert jaccard([], []) == jaccard(np.zeros(0, np.uint32), np.zeros(0, np.uint32), "multiset") == 1
    assert jaccard([], ["a"]) == 0
    assert containment([], ["a"]) == 1
    assert containment(["a"], []) == 0


@pytest.mark.parametrize("tokens", [["a", "b"], [1.5], [-1], [2**32]])
def test_document_frequencies_need_token_ids(tokens):
    weighting = Weighting("raw", "smooth", frequencies)
    with pytest.raises(TypeError, match="token id"):
        jaccard(tokens, tokens, weighting)


def test_an_unknown_weighting_lists_the_known_ones():
    with pytest.raises(ValueError, match="set, multiset, weighted"):
        jaccard("a", "b", "bag")


@pytest.mark.parametrize("measure", [jaccard, containment])
def test_weighted_without_weights_is_refused(measure):
    with pytest.raises(ValueError, match="'weighted' says no weights"):
        measure("ABBC", "BCD", "weighted")


def test_tokens_weigh_what_a_dictionary_or_a_function_says():
    a, b = ["to", "be", "or", "not", "to", "be"], ["to", "be", "is", "to", "do"]
    assert jaccard(a, b, idf={"to": 0, "be": 2}) == pytest.approx(2 / (2 + 1 + 1 + 1 + 1))
    assert jaccard(a, b, idf=len) == pytest.approx(4 / (4 + 2 + 3 + 2 + 2))
    assert jaccard(a, b, "multiset", idf={"be": 3}) == pytest.approx((2 + 3) / (2 + 6 + 1 + 1 + 1 + 1))
    assert containment(a, b, idf={"not": 0}) == pytest.approx(2 / 3)
    assert jaccard(np.array([3, 5]), np.array([5]), idf={3: 0.5}) == pytest.approx(1 / 1.5)


def test_words_weigh_in_token_ids_as_their_weighting_says():
    weighting = Weighting.of_words({"to": 0.5}, tf="binary")
    assert jaccard(ids("to be"), ids("TO do"), weighting) == pytest.approx(0.5 / 2.5)
    with pytest.raises(ValueError, match="give one of them"):
        jaccard(ids("to be"), ids("to do"), weighting, idf={1: 2.0})


def test_a_weight_that_cannot_be_is_refused_by_its_token():
    with pytest.raises(ValueError, match="the weight of 'be' must be a number"):
        jaccard(["to", "be"], ["to"], idf={"be": -1})
    with pytest.raises(ValueError, match="take the place of"):
        Weighting("raw", "smooth", frequencies, Weighting.of_words({"a": 1}).weights)
