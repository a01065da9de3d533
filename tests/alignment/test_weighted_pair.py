"""Two texts made ready: weights of running tokens around 1."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.alignment.weighted_pair import weigh_in_order, weigh_pair
from ibidem.weights import DocumentFrequencies, Weighting

tokens = st.lists(st.integers(0, 6), min_size=4, max_size=30).map(lambda ids: np.array(ids, np.uint32))
WEIGHTINGS = [
    Weighting.of("multiset"),
    Weighting("logarithmic", "smooth", DocumentFrequencies([0, 1, 2, 3], [1, 2, 3, 4], num_documents=4)),
]


@given(a=tokens, b=tokens, weighting=st.sampled_from(WEIGHTINGS))
def test_a_running_token_weighs_1_on_the_average_and_more_the_rarer_it_is(
    a: np.ndarray, b: np.ndarray, weighting: Weighting
) -> None:
    pair = weigh_pair(a, b, weighting, 3)
    ids = np.concatenate([pair.a, pair.b])
    assert pair.idf[ids].mean() == pytest.approx(1.0)
    assert pair.growth[0] == 1.0
    given_tokens = np.concatenate([a, b])
    assert len(set(zip(ids.tolist(), given_tokens.tolist(), strict=True))) == len(pair.idf)
    idf = weighting.idf_of(given_tokens)
    assert pair.idf[ids] * idf[0] == pytest.approx(idf * pair.idf[ids[0]])


def test_tokens_that_weigh_nothing_are_no_division_by_zero() -> None:
    everywhere = DocumentFrequencies([0], [9], num_documents=9)
    ones = np.zeros(5, np.uint32)
    assert weigh_pair(ones, ones, Weighting("raw", "standard", everywhere), 2).idf.tolist() == [0.0]


@given(tokens, tokens)
def test_the_order_in_which_two_texts_are_weighed_follows_from_their_tokens(a: np.ndarray, b: np.ndarray) -> None:
    weighting = Weighting.of("multiset")
    ordered, exchanged = (weigh_in_order(*texts, weighting, 1) for texts in ((a, b), (b, a)))
    assert all(np.array_equal(one, other) for one, other in zip(ordered.pair, exchanged.pair, strict=True))
    assert len(ordered.pair.a) == min(len(a), len(b))
    assert (ordered.exchanged, exchanged.exchanged) in {(True, False), (False, True)} or a.tolist() == b.tolist()
