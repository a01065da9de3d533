"""Pairs of documents and clusters, against examples worked by hand and the definitions."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.evaluation import Scores, adjusted_rand_index, document_pair_scores

labels = st.integers(0, 12).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2))


def test_a_pair_counts_once_in_whatever_order_and_one_of_a_document_with_itself_never() -> None:
    reported = [("a", "b"), ("b", "a"), ("a", "a"), ("a", "c")]
    truth = [("b", "a"), ("b", "c"), ("c", "d"), ("d", "d")]
    assert document_pair_scores(reported, truth) == Scores(1 / 2, 1 / 3)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc"))))
def test_true_pairs_against_themselves_are_1(pairs: list[tuple[str, str]]) -> None:
    assert document_pair_scores(pairs, [pair[::-1] for pair in pairs]) == Scores(1.0, 1.0)


def test_an_adjusted_rand_index_worked_by_hand() -> None:
    # 1 + 0 + 0 + 1 pairs are together in both, 6 in a, 3 in b, of 15: (2 - 6 * 3 / 15) / ((6 + 3) / 2 - 6 * 3 / 15).
    assert adjusted_rand_index([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2]) == pytest.approx((2 - 1.2) / (4.5 - 1.2))


@given(labels)
def test_the_index_is_that_of_the_pairs_of_documents(both: tuple[list[int], list[int]]) -> None:
    a, b = both
    pairs = list(combinations(range(len(a)), 2))
    in_a, in_b = ({(i, j) for i, j in pairs if each[i] == each[j]} for each in both)
    by_chance = len(in_a) * len(in_b) / len(pairs) if pairs else 0
    most = (len(in_a) + len(in_b)) / 2
    expected = 1.0 if most == by_chance else (len(in_a & in_b) - by_chance) / (most - by_chance)
    assert adjusted_rand_index(a, b) == pytest.approx(expected)


@given(st.lists(st.sampled_from("abcd"), max_size=12))
def test_a_clustering_against_itself_is_1_whatever_its_labels(clusters: list[str]) -> None:
    assert adjusted_rand_index(clusters, [ord(label) for label in clusters]) == pytest.approx(1.0)


def test_clusterings_of_different_documents_are_an_error() -> None:
    with pytest.raises(ValueError, match="the one clustering has 1 documents, the other 2"):
        adjusted_rand_index("a", "ab")
