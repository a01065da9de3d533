"""Brute force on texts beside the similarity of every passage, and on the examples of both papers."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baselines.every_passage import every_passage
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.plan import plan_search
from ibidem.passages.query.query import Query
from ibidem.passages.search.verification import CandidateRanges, verify_candidates
from ibidem.similarity import jaccard
from ibidem.weights import Weighting

from .strategies import WEIGHTINGS, queries, texts, thresholds


@given(texts, queries, thresholds, st.sampled_from(WEIGHTINGS))
def test_brute_force_gives_every_passage_that_is_similar(T, Q, theta, weighting) -> None:  # type: ignore[no-untyped-def]
    found = every_passage(T, Q, theta, weighting)
    similarities = {
        (start, stop): jaccard(T[start:stop], Q, weighting) for start, stop in combinations(range(len(T) + 1), 2)
    }
    weighs = {place: weighting.idf_of(np.concatenate([T[slice(*place)], Q])).sum() > 0 for place in similarities}
    expected = {place for place, value in similarities.items() if weighs[place] and value >= theta - 1e-9}
    assert {passage[:2] for passage in found} <= expected
    assert {place for place in expected if similarities[place] > theta + 1e-9} <= {passage[:2] for passage in found}
    assert all(passage.similarity == pytest.approx(similarities[passage[:2]]) for passage in found)


@given(texts, queries, thresholds, st.sampled_from(WEIGHTINGS))
def test_the_verified_search_gives_what_brute_force_gives(T, Q, theta, weighting) -> None:  # type: ignore[no-untyped-def]
    query = Query.of(Q, weighting)
    if not query.mass:
        return
    regions = CandidateRanges(np.array([[0, len(T)]]), np.array([len(T)]), np.array([0]))
    plan = plan_search(query, weighting, SearchOptions(threshold=theta), (1, len(T)))
    areas = verify_candidates(T, regions, plan)
    runs = zip(areas.starts[:, 0].tolist(), *areas.ends.T.tolist(), strict=True)
    found = {(start, last + 1) for start, first, end in runs for last in range(first, end + 1)}
    assert found == {passage[:2] for passage in every_passage(T, Q, theta, weighting)}


def test_example_3_the_passages_similar_to_a_query() -> None:
    found = {}
    for name, text in {"T": "ABBCDE", "S": "BCCDEF"}.items():
        tokens, query = (np.array([ord(letter) for letter in each], np.uint32) for each in (text, "ACE"))
        passages = every_passage(tokens, query, 0.5, Weighting.of("multiset"))
        found[name] = [(passage.start + 1, passage.stop) for passage in passages]
    assert found == {"T": [(1, 6), (4, 6)], "S": [(3, 5)]}
    assert jaccard("CCDE", "ACE", "multiset") == pytest.approx(2 / 5)


def test_example_1_brute_force_finds_the_three_passages() -> None:
    texts = [(7, 1, 2, 8, 5, 9, 7), (2, 9, 7, 8, 4, 6, 3), (6, 1, 1, 9, 5, 8, 2)]
    query = np.array([8, 2, 9], np.uint32)
    found = [every_passage(np.array(text, np.uint32), query, 0.75, Weighting.of("set")) for text in texts]
    places = [[(passage.start + 1, passage.stop) for passage in passages] for passages in found]
    assert places == [[(3, 6)], [(1, 4)], [(4, 7)]]
