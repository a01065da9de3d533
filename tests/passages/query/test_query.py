"""What a query asks of the lengths of similar passages."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.passages.query.query import Query
from ibidem.weights import DocumentFrequencies, Weighting

FREQUENCIES = DocumentFrequencies(range(40), np.random.default_rng(2).integers(1, 11, 40), 10)
WEIGHTINGS = [Weighting.of("set"), Weighting.of("multiset"), Weighting("logarithmic", "smooth", FREQUENCIES)]


@given(
    tokens=st.lists(st.integers(0, 39), min_size=1, max_size=60),
    weighting=st.sampled_from(WEIGHTINGS),
    threshold=st.sampled_from([0.01, 0.2, 1 / 3, 0.5, 2 / 3, 0.9, 1.0]),
)
def test_the_fewest_tokens_are_those_of_the_heaviest_occurrences(tokens, weighting, threshold):
    query = Query.of(np.array(tokens, np.uint32), weighting)
    heaviest = sorted(np.repeat(query.heaviest, query.frequencies).tolist(), reverse=True)
    enough = [n for n in range(1, len(tokens) + 1) if sum(heaviest[:n]) >= threshold * query.mass * (1 - 1e-8)]
    few = [n for n in range(1, len(tokens) + 1) if sum(heaviest[:n]) >= threshold * query.mass * (1 + 1e-8)]
    assert enough[0] <= query.fewest_tokens(threshold) <= min([*few, len(tokens)])


@given(st.lists(st.integers(0, 39) | st.integers(2**31, 2**32 - 1), max_size=60))
def test_the_vocabulary_has_each_token_once_with_how_often_it_stands(tokens):
    query = Query.of(np.array(tokens, np.uint32), Weighting.of("multiset"))
    vocabulary, frequencies = np.unique(np.array(tokens, np.uint32), return_counts=True)
    assert query.vocabulary.tolist() == vocabulary.tolist()
    assert query.frequencies.tolist() == frequencies.tolist()
