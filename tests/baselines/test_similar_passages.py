"""Brute force, Faerie's filter, SeedExtension and the verified search on the passages similar to a query."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.baselines.every_passage import every_passage
from ibidem.baselines.faerie import faerie
from ibidem.baselines.seed_extension import seed_extension
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.plan import plan_search
from ibidem.passages.query.query import Query
from ibidem.passages.search.verification import CandidateRanges, verify_candidates
from ibidem.similarity import jaccard
from ibidem.weights import DocumentFrequencies, Weighting

FREQUENCIES = DocumentFrequencies([0, 1, 2, 3], [1, 2, 3, 4], num_documents=4)
WEIGHTINGS = [
    Weighting.of("set"),
    Weighting.of("multiset"),
    Weighting("squared", "smooth", FREQUENCIES),
    Weighting("logarithmic", "standard", FREQUENCIES),
]

texts = st.lists(st.integers(0, 5), max_size=16).map(lambda tokens: np.array(tokens, np.uint32))
queries = st.lists(st.integers(0, 4), min_size=1, max_size=8).map(lambda tokens: np.array(tokens, np.uint32))
thresholds = st.sampled_from([0.1, 0.3, 0.5, 2 / 3, 0.8, 1.0])


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


@given(texts, queries, thresholds, st.sampled_from(["set", "multiset"]))
def test_the_filter_of_faerie_loses_nothing(T, Q, theta, family) -> None:  # type: ignore[no-untyped-def]
    found = faerie(T.tolist(), Q.tolist(), theta, family)
    expected = every_passage(T, Q, theta, Weighting.of(family))
    assert [passage[:2] for passage in found] == [passage[:2] for passage in expected]
    assert [passage.similarity for passage in found] == pytest.approx([passage.similarity for passage in expected])


@given(texts, queries, thresholds, st.sampled_from(["set", "multiset"]))
def test_what_seed_extension_finds_is_similar(T, Q, theta, family) -> None:  # type: ignore[no-untyped-def]
    found = seed_extension(T, Q, theta, family)
    places = [passage[:2] for passage in found]
    assert set(places) <= {passage[:2] for passage in every_passage(T, Q, theta - 1e-9, Weighting.of(family))}
    assert all(first[1] <= second[0] for first, second in pairwise(places))


@given(texts, queries, thresholds, st.sampled_from(WEIGHTINGS))
def test_the_verified_search_gives_what_brute_force_gives(T, Q, theta, weighting) -> None:  # type: ignore[no-untyped-def]
    query = Query.of(Q, weighting)
    if not query.mass:
        return
    regions = CandidateRanges(np.array([[0, len(T)]]), np.array([len(T)]), np.array([0]))
    plan = plan_search(query, weighting, SearchOptions(threshold=theta), (1, len(T)), None)
    areas = verify_candidates(T, regions, plan)
    runs = zip(areas.starts[:, 0].tolist(), *areas.ends.T.tolist(), strict=True)
    found = {(start, last + 1) for start, first, end in runs for last in range(first, end + 1)}
    assert found == {passage[:2] for passage in every_passage(T, Q, theta, weighting)}


def test_the_maximal_gap_goes_from_four_times_what_must_be_shared_down_to_four() -> None:
    """Section 5.3 of the paper on one permutation hashing: ``maxgap`` from ``4 θ |Q|`` to 4."""
    Q = np.array([1, 2, 3, 4], np.uint32)
    apart = np.array([1, 9, 8, 7, 6, 5, 0, 2, 3, 4], np.uint32)  # from the first seed to the second it is 7 tokens
    assert [each[:2] for each in seed_extension(apart, Q, 0.6)] == [(7, 10)]
    alike = np.array([1, 9, 9, 9, 9, 9, 9, 2, 3, 4], np.uint32)
    assert [each[:2] for each in seed_extension(alike, Q, 0.8)] == [(0, 10)]  # 4 of 5 distinct tokens
    beyond = np.array([1, *[9] * 15, 2, 3, 4], np.uint32)  # 16 tokens: more than 4 * 0.8 * 4 - 1
    assert seed_extension(beyond, Q, 0.8) == []
    near = np.array([1, 9, 8, 2, 7, 6, 3, 5, 0, 4], np.uint32)  # 3 tokens apart: no gap divides these
    assert [each[:2] for each in seed_extension(near, Q, 0.4)] == [(0, 10)]
    assert seed_extension(near, Q, 0.41) == []


def test_a_cluster_that_is_not_similar_is_divided_at_a_smaller_gap() -> None:
    T = np.array([1, 9, 8, 7, 9, 2, 3, 4, 6, 6, 6, 6, 6, 1], np.uint32)
    [passage] = seed_extension(T, np.array([1, 2, 3, 4], np.uint32), 0.6)
    assert passage[:2] == (5, 8)  # of [1 9 8 7 9 2 3 4] 4 of 7 distinct tokens are shared, of [2 3 4] 3 of 4


def test_seed_extension_may_miss_what_is_similar() -> None:
    T, Q = np.array([1, 8, 9, 2, 3, 7, 6, 4], np.uint32), np.array([1, 2, 3, 4], np.uint32)
    assert not seed_extension(T, Q, 0.6)  # the best passage, [2 3 7 6 4], is no cluster of any gap
    assert seed_extension(T, Q, 0.5)


def test_the_filter_knows_no_weights() -> None:
    with pytest.raises(ValueError, match="'set' and 'multiset', not for 'weighted'"):
        faerie("ab", "ab", 0.5, "weighted")
