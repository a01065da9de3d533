"""Texts of large buckets are joined and completed as all pairs would join them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.agreement.banding import Banding
from ibidem.clusters import label_components
from ibidem.documents.candidates import Signatures
from ibidem.documents.large_buckets import LargeBuckets, complete_links, join_large_buckets

EVERYONE = np.arange(12)


@given(
    st.lists(st.sampled_from([1, 2**31, 2**32 - 1]), min_size=6, max_size=6),
    st.sets(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=30),
    st.permutations(range(12)),
)
def test_joining_gives_the_clusters_of_all_similar_pairs_and_completing_leaves_none_between_two_kept(
    signature, similar, ordering
):
    """``similar`` stands for what the sets of shingles would say; one bucket holds all texts."""
    values = np.tile(np.array(signature, np.uint32), (12, 1))
    large = LargeBuckets([(0, EVERYONE)], EVERYONE, EVERYONE, Signatures(values, Banding(3, 2), 0))
    similar = {(min(pair), max(pair)) for pair in similar}

    def compare(pairs, least):
        return np.array([float(tuple(sorted(pair)) in similar) for pair in pairs.tolist()])

    order = np.array(ordering)
    links = join_large_buckets(large, np.arange(12), 0.5, compare)
    real = [pair for pair in similar if pair[0] != pair[1]]
    assert (
        label_components(links.pairs, 12).tolist()
        == label_components(np.array(real, np.int64).reshape(-1, 2), 12).tolist()
    )
    completed = complete_links(large, EVERYONE, links, 0.5, order, compare)
    known = {tuple(pair) for pair in [*links.pairs.tolist(), *completed.pairs.tolist()]}
    representatives = []
    for one in ordering:
        if not any((min(one, other), max(one, other)) in similar for other in representatives):
            assert not any((min(one, other), max(one, other)) in known for other in representatives)
            representatives.append(one)
        else:
            assert any((min(one, other), max(one, other)) in known for other in representatives)


def test_texts_of_large_buckets_are_found_among_those_of_all_groups():
    values = np.zeros((3, 6), np.uint32)
    texts = np.array([4, 7, 9])
    large = LargeBuckets([(0, texts)], texts, texts, Signatures(values, Banding(3, 2), 0))

    def compare(pairs, least):
        return np.ones(len(pairs))

    links = join_large_buckets(large, np.arange(10), 0.5, compare)
    assert links.pairs.tolist() == [[4, 7], [4, 9]]
    group = np.array([4, 5, 7, 9])
    places = links._replace(pairs=np.searchsorted(group, links.pairs))
    completed = complete_links(large, group, places, 0.5, np.array([2, 0, 1, 3]), compare)
    assert completed.pairs.tolist() == [[0, 2], [2, 3]]
