"""Similarities that are computed for all ends of a passage at once are those of each passage by itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.similarity import jaccard
from ibidem.sketches.index.verification import compute_similarities, keep_maximal, verify_alignments
from ibidem.weights import DocumentFrequencies, Weighting

FREQUENCIES = DocumentFrequencies(np.arange(6), np.array([1, 2, 3, 4, 5, 6]), 6)
WEIGHTINGS = [
    Weighting.of("set"),
    Weighting.of("multiset"),
    Weighting.of("weighted", tf="squared", idf="unary"),
    Weighting.of("weighted", tf="logarithmic", idf="standard", frequencies=FREQUENCIES),
]

tokens = st.lists(st.integers(0, 5), min_size=1, max_size=14).map(lambda values: np.array(values, np.uint32))
weightings = st.sampled_from(WEIGHTINGS)


@given(text=tokens, query=tokens, weighting=weightings)
def test_each_end_has_the_similarity_of_the_passage_up_to_it(text, query, weighting):
    expected = [
        jaccard(query, text[:end], weighting)
        if (weighting.idf_of(np.concatenate((query, text[:end]))) > 0).any()
        else 0
        for end in range(1, len(text) + 1)
    ]
    assert compute_similarities(text, query, weighting).tolist() == pytest.approx(expected, abs=1e-12)


@given(text=tokens, query=tokens, weighting=weightings, threshold=st.sampled_from([0.3, 0.5, 1.0]))
def test_verified_are_the_similar_passages_of_the_alignments_each_once(text, query, weighting, threshold):
    whole = np.array([[0, len(text) // 2, len(text) // 2, len(text) - 1]], np.int64)
    passages = {(i, j) for i in range(len(text) // 2 + 1) for j in range(len(text) // 2, len(text))}
    similarities = {(i, j): compute_similarities(text[i : j + 1], query, weighting)[-1] for i, j in passages}
    verified = verify_alignments(text, whole, query, weighting, threshold)
    found = [(i, j) for i, same, low, high in verified.tolist() for j in range(low, high + 1)]
    assert (verified[:, 0] == verified[:, 1]).all()
    expected = {passage for passage, similarity in similarities.items() if similarity >= threshold * (1 - 1e-9)}
    assert sorted(found) == sorted(expected)
    longest = keep_maximal(verified)
    assert [(i, j) for i, _, j, _ in longest.tolist()] == sorted(
        (i, j) for i, j in expected if not any((a, b) != (i, j) and a <= i and j <= b for a, b in expected)
    )
