"""Links between documents; how large buckets are joined is tested beside the candidates."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.documents.large_buckets import Links

LINKS = st.lists(st.tuples(st.integers(0, 4), st.integers(5, 9), st.sampled_from([0.2, 0.5, 0.9])))


def links(triples: list[tuple[int, int, float]]) -> Links:
    pairs = np.array([triple[:2] for triple in triples], np.int64).reshape(-1, 2)
    return Links(pairs, np.array([triple[2] for triple in triples], np.float64))


def listed(of: Links) -> list[tuple[int, int, float]]:
    return [(*pair, similarity) for pair, similarity in zip(of.pairs.tolist(), of.similarities.tolist(), strict=True)]


@given(LINKS, LINKS)
def test_links_are_put_one_behind_the_other(a: list[tuple[int, int, float]], b: list[tuple[int, int, float]]) -> None:
    assert listed(Links.concatenate([links(a), links(b)])) == a + b


@given(LINKS)
def test_links_that_reach_a_threshold_are_selected(triples: list[tuple[int, int, float]]) -> None:
    assert listed(links(triples).select(0.5)) == [triple for triple in triples if triple[2] >= 0.5]


@given(LINKS)
def test_each_pair_is_left_once_in_order(triples: list[tuple[int, int, float]]) -> None:
    distinct_pairs = [triple[:2] for triple in listed(links(triples).distinct(10))]
    assert distinct_pairs == sorted({triple[:2] for triple in triples})
