"""Two texts made ready: weights of running tokens around 1, and blocks that say where each element stands."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.alignment.weighted_pair import Pair, make_blocks, weigh_pair
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


@given(
    b=st.lists(st.integers(0, 3), min_size=4, max_size=24),
    idf=st.lists(st.sampled_from([0.25, 0.5, 1.0]), min_size=4, max_size=4),
    window=st.integers(1, 4),
)
def test_a_list_names_the_blocks_with_as_many_occurrences_of_its_token(
    b: list[int], idf: list[float], window: int
) -> None:
    growth = np.diff(np.log2(np.arange(1, 30)))
    pair = Pair(np.zeros(window, np.int32), np.array(b, np.int32), np.array(idf), growth, window)
    blocks = make_blocks(pair)
    count = (len(b) - window) // window + 1
    inside = [b[k * window : (k + 2) * window - 1] for k in range(count)]
    for token in range(4):
        first, end = blocks.elements[token], blocks.elements[token + 1]
        for occurrence, element in enumerate(range(first, end), start=1):
            listed = blocks.lists[blocks.bounds[element] : blocks.bounds[element + 1]].tolist()
            assert listed == [k for k in range(count) if inside[k].count(token) >= occurrence]
        assert end - first == max(part.count(token) for part in inside)
    for k in range(count):
        starts = range(k * window, min((k + 1) * window, len(b) - window + 1))
        weights = [
            sum(idf[token] * growth[: b[start : start + window].count(token)].sum() for token in range(4))
            for start in starts
        ]
        assert blocks.lightest[k] == pytest.approx(min(weights))
