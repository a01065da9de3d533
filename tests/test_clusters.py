import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.clusters import cluster_components, cluster_greedily, label_components

COUNT = 9
members = st.integers(0, COUNT - 1)
strengths = st.sampled_from([0.5, 0.6, 0.75, 0.75, 0.9, 1.0])
links = st.lists(st.tuples(members, members, strengths), max_size=20)


def split(triples):
    return np.array([triple[:2] for triple in triples], np.int64).reshape(-1, 2), np.array(
        [triple[2] for triple in triples]
    )


def reached(pairs, start):
    """All that can be walked to from ``start``."""
    found, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        new = {b for a, b in pairs if a == here} | {a for a, b in pairs if b == here}
        waiting += new - found
        found |= new
    return found


@given(triples=links)
def test_a_component_is_what_can_be_walked_to_under_the_name_of_its_smallest_member(triples):
    pairs, _ = split(triples)
    assert label_components(pairs, COUNT).tolist() == [min(reached(pairs.tolist(), start)) for start in range(COUNT)]


def test_a_long_chain_is_one_component_whichever_way_it_comes():
    chain = np.stack([np.arange(99_999), np.arange(1, 100_000)], axis=1)
    for pairs in (chain, chain[::-1], np.random.default_rng(4).permutation(chain)[:, ::-1]):
        assert not label_components(pairs, 100_000).any()


@given(triples=links, threshold=strengths)
def test_links_under_the_threshold_are_cut(triples, threshold):
    pairs, _ = split([triple for triple in triples if triple[2] >= threshold])
    assert (
        cluster_components(*split(triples), COUNT, threshold).labels.tolist() == label_components(pairs, COUNT).tolist()
    )


@given(triples=links)
def test_the_weakest_link_is_the_highest_threshold_at_which_a_cluster_is_still_one(triples):
    clusters = cluster_components(*split(triples), COUNT)
    for document, (label, weakest) in enumerate(zip(*clusters, strict=True)):
        cluster = np.flatnonzero(clusters.labels == label).tolist()
        if len(cluster) == 1:
            assert weakest == 1
            continue
        standing = [
            threshold
            for threshold in sorted({triple[2] for triple in triples})
            if sorted(reached([triple[:2] for triple in triples if triple[2] >= threshold], document)) == cluster
        ]
        assert weakest == standing[-1]


def by_the_book(triples, order):
    """Broder's greedy clustering, document by document."""
    similarity = {}
    for a, b, strength in triples:
        for pair in ((a, b), (b, a)):
            similarity[pair] = max(strength, similarity.get(pair, 0))
    labels, weakest, representatives = {}, {}, []
    for document in order:
        near = [representative for representative in representatives if (representative, document) in similarity]
        if near:  # of equals, max gives the first
            best = max(near, key=lambda representative: similarity[representative, document])
            labels[document] = best
            weakest[best] = min(weakest[best], similarity[best, document])
        else:
            representatives.append(document)
            labels[document], weakest[document] = document, 1.0
    return [labels[i] for i in range(COUNT)], [weakest[labels[i]] for i in range(COUNT)]


@given(triples=links, order=st.permutations(range(COUNT)), threshold=strengths)
def test_documents_gather_around_representatives_as_by_the_book(triples, order, threshold):
    clusters = cluster_greedily(*split(triples), COUNT, threshold, order)
    expected = by_the_book([triple for triple in triples if triple[2] >= threshold], order)
    assert (clusters.labels.tolist(), clusters.weakest.tolist()) == expected


@given(triples=links, data=st.data())
def test_no_result_depends_on_the_order_or_the_direction_of_the_pairs(triples, data):
    turned = [(b, a, s) if data.draw(st.booleans()) else (a, b, s) for a, b, s in data.draw(st.permutations(triples))]
    for make in (cluster_components, cluster_greedily):
        clusters, clusters_of_turned = make(*split(triples), COUNT), make(*split(turned), COUNT)
        assert clusters.labels.tolist() == clusters_of_turned.labels.tolist()
        assert clusters.weakest.tolist() == clusters_of_turned.weakest.tolist()


@given(sets=st.lists(st.frozensets(st.integers(0, 6), min_size=1), min_size=1, max_size=COUNT))
def test_two_documents_of_a_gathered_cluster_are_as_similar_as_the_metric_says(sets):
    pairs = [(a, b) for a in range(len(sets)) for b in range(a)]
    similarity = {pair: len(sets[pair[0]] & sets[pair[1]]) / len(sets[pair[0]] | sets[pair[1]]) for pair in pairs}
    clusters = cluster_greedily(pairs, [similarity[pair] for pair in pairs], len(sets), 0.5)
    for a, b in pairs:
        if clusters.labels[a] == clusters.labels[b]:
            assert similarity[a, b] >= 2 * clusters.weakest[a] - 1 - 1e-12


def test_a_chain_is_one_cluster_when_linked_and_several_when_gathered():
    chain = [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert cluster_components(chain, [0.9, 0.8, 0.9, 0.9], 5, 0.75).labels.tolist() == [0] * 5
    assert cluster_components(chain, [0.9, 0.8, 0.9, 0.9], 5, 0.85).labels.tolist() == [0, 0, 2, 2, 2]
    assert cluster_greedily(chain, [0.9, 0.8, 0.9, 0.9], 5, 0.75).labels.tolist() == [0, 0, 2, 2, 4]


def test_without_pairs_every_document_is_alone():
    assert label_components([], 3).tolist() == [0, 1, 2]
    assert cluster_components([], [], 3).labels.tolist() == cluster_greedily([], [], 3).labels.tolist() == [0, 1, 2]
    assert label_components([], 0).tolist() == []


@pytest.mark.parametrize("pairs", [[(0, 5)], [(-1, 0)], [0, 1], [(0, 1, 2)], [(0.5, 1)], [(2**63, 1)]])
def test_what_names_no_documents_is_no_pair(pairs):
    for make in (
        lambda: label_components(pairs, 5),
        lambda: cluster_components(pairs, [0.5], 5),
        lambda: cluster_greedily(pairs, [0.5], 5),
    ):
        with pytest.raises(ValueError, match="pairs"):
            make()


def test_similarities_are_numbers_and_as_many_as_pairs():
    with pytest.raises(ValueError, match="2 pairs have as many similarities"):
        cluster_components([(0, 1), (1, 2)], [0.5], 3)
    with pytest.raises(ValueError, match=r"pair \[1, 2\] is no number"):
        cluster_greedily([(0, 1), (1, 2)], [0.5, np.nan], 3)


@pytest.mark.parametrize("order", [[0, 1], [0, 0, 1], [1, 2, 3]])
def test_an_order_names_every_document_once(order):
    with pytest.raises(ValueError, match="each of the 3 documents once"):
        cluster_greedily([(0, 1)], [0.5], 3, order=order)
