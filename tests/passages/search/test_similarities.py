"""The similarity of chosen passages, beside the plain function."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.plan import plan_search
from ibidem.passages.query.query import Query
from ibidem.passages.search import similarities
from ibidem.passages.search.similarities import measure_passages
from ibidem.similarity import jaccard
from ibidem.weights import DocumentFrequencies, Weighting

FREQUENCIES = DocumentFrequencies([0, 1, 2, 3, 4, 5], [10, 1, 3, 3, 9, 10], 10)
WEIGHTINGS = [Weighting.of("set"), Weighting.of("multiset"), Weighting("logarithmic", "smooth", FREQUENCIES)]


@given(
    stream=st.lists(st.integers(0, 5), min_size=8, max_size=40),
    query=st.lists(st.integers(0, 4), min_size=1, max_size=6),
    rows=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)).map(sorted), max_size=8),
    weighting=st.sampled_from(WEIGHTINGS),
)
def test_the_similarity_of_passages_is_that_of_the_definition(stream, query, rows, weighting):
    tokens, asked = np.array(stream, np.uint32), np.array(query, np.uint32)
    plan = plan_search(Query.of(asked, weighting), weighting, SearchOptions(threshold=0.1), (1, 40))
    expected = [jaccard(asked, tokens[first : last + 1], weighting) for first, last in rows]
    passages = np.array(rows, np.int64).reshape(-1, 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(similarities, "_PASSAGES_AT_A_TIME", 3)
        assert measure_passages(tokens, passages, plan).tolist() == pytest.approx(expected)
