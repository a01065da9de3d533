"""The heuristic finds similar passages only, and its maximal gap shrinks as the paper says."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from baselines.every_passage import every_passage
from baselines.seed_extension import seed_extension
from ibidem.weights import Weighting

from .strategies import queries, texts, thresholds


@given(texts, queries, thresholds, st.sampled_from(["set", "multiset"]))
def test_what_seed_extension_finds_is_similar(T, Q, theta, family) -> None:  # type: ignore[no-untyped-def]
    found = seed_extension(T, Q, theta, family)
    places = [passage[:2] for passage in found]
    assert set(places) <= {passage[:2] for passage in every_passage(T, Q, theta - 1e-9, Weighting.of(family))}
    assert all(first[1] <= second[0] for first, second in pairwise(places))


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
