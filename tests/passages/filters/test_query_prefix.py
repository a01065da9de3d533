"""The occurrences of a query, and the prefix of them that is looked up."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.passages.filters.length_bands import divide_lengths
from ibidem.passages.filters.overlap import UNIT
from ibidem.passages.filters.query_prefix import BLOCKS, Occurrences, choose_prefix
from ibidem.passages.query.query import Query
from ibidem.rounding import SLACK
from ibidem.weights import TF, Weighting


def list_occurrences(query, shares):
    """Place, number, weight and share of each occurrence that adds to the overlap, from the definition."""
    for place, (weight, heaviest) in enumerate(zip(query.weights.tolist(), query.heaviest.tolist(), strict=True)):
        for earlier in range(int(np.ceil(weight / heaviest - SLACK))):
            added = min(heaviest, weight - earlier * heaviest) / query.mass
            yield place, earlier, added, max(shares[place], 1e-12)


queries = st.tuples(
    st.lists(st.integers(0, 12), min_size=1, max_size=40).map(lambda tokens: np.array(tokens, np.uint32)),
    st.sampled_from(sorted(TF)),
)


@given(queries, st.integers(0, 2**32))
def test_the_occurrences_are_those_of_the_definition(made, seed):
    query = Query.of(made[0], Weighting(made[1]))
    shares = np.random.default_rng(seed).random(len(query.vocabulary)) * (query.vocabulary > 2)
    occurrences = Occurrences.of(query, shares)
    assert list(zip(*(column.tolist() for column in occurrences), strict=True)) == list(
        list_occurrences(query, shares.tolist())
    )


@given(queries, st.integers(0, 2**32), st.sampled_from([0.3, 0.6, 0.9]))
def test_a_prefix_holds_the_columns_of_its_occurrences(made, seed, threshold):
    query = Query.of(made[0], Weighting(made[1]))
    shares = np.random.default_rng(seed).random(len(query.vocabulary)) / 100
    occurrences = Occurrences.of(query, shares)
    divisions = list(divide_lengths(query, (3, 90)))
    prefix = choose_prefix(occurrences, threshold, divisions, BLOCKS)
    taken = list(zip(prefix.places[prefix.lists].tolist(), prefix.earlier.tolist(), strict=True))
    rows = list(zip(occurrences.places.tolist(), occurrences.earlier.tolist(), strict=True))
    assert taken == sorted(set(taken))
    assert set(taken) <= set(rows)
    weights = np.ceil(occurrences.weights[[rows.index(each) for each in taken]] * UNIT)
    assert prefix.weights.tolist() == weights.tolist()
    assert prefix.work == min(choose_prefix(occurrences, threshold, [each], BLOCKS).work for each in divisions)


def test_occurrences_of_a_token_share_its_weight():
    query = Query.of(np.array([4, 4, 4, 9], np.uint32), Weighting("logarithmic"))
    occurrences = Occurrences.of(query, np.array([0.1, 0.2]))
    assert occurrences.places.tolist() == [0, 0, 1]
    assert occurrences.earlier.tolist() == [0, 1, 0]
    # ln 4 is 2 ln 2: a second occurrence of the token adds the rest, whatever the third would
    np.testing.assert_allclose(occurrences.weights, np.log(2) / query.mass)
    assert occurrences.shares.tolist() == [0.1, 0.1, 0.2]
