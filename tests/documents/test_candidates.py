"""Bands, buckets and joining against plain Python."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.clusters import label_components
from ibidem.documents import candidates
from ibidem.documents.candidates import (
    BandedSignatures,
    count_agreements,
    find_candidates,
    find_next_candidates,
    hash_bands,
)
from ibidem.documents.large_buckets import complete_links, join_large_buckets
from ibidem.sketches.banding import Banding

BANDING = Banding(3, 2)

signatures = st.lists(
    st.lists(st.sampled_from([1, 2**31, 2**32 - 1]), min_size=6, max_size=6), min_size=1, max_size=12
).map(lambda rows: np.array(rows, np.uint32))


def shared_bands(a, b):
    return [band for band in range(3) if (a[2 * band : 2 * band + 2] == b[2 * band : 2 * band + 2]).all()]


def of(made, least_agreeing=0):
    return BandedSignatures(made, hash_bands(made, BANDING), np.arange(len(made)), least_agreeing)


@given(signatures)
def test_band_hashes_agree_where_all_values_of_the_band_do(made):
    hashes = hash_bands(made, BANDING)
    for a, b in combinations(range(len(made)), 2):
        assert np.flatnonzero(hashes[a] == hashes[b]).tolist() == shared_bands(made[a], made[b])


@given(signatures, st.integers(0, 6), st.integers(1, 3))
def test_a_pair_is_a_candidate_in_its_first_common_band_if_enough_values_agree(made, least_agreeing, parts):
    for band in range(3):
        found = [find_candidates(of(made, least_agreeing), band, part, parts) for part in range(parts)]
        pairs = {
            (a, b): count
            for each in found
            for (a, b), count in zip(each.pairs.tolist(), each.agreeing.tolist(), strict=True)
        }
        assert pairs == {
            (a, b): (made[a] == made[b]).sum()
            for a, b in combinations(range(len(made)), 2)
            if shared_bands(made[a], made[b])[:1] == [band] and (made[a] == made[b]).sum() >= least_agreeing
        }


@given(signatures)
def test_a_large_bucket_gives_its_documents_in_order(made):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidates, "SMALL", 2)
        documents = of(made)
        for band in range(3):
            found = find_candidates(documents, band)
            buckets = {}
            for document, each in enumerate(documents.bands[:, band].tolist()):
                buckets.setdefault(each, []).append(document)
            expected = sorted(bucket for bucket in buckets.values() if len(bucket) > 2)
            parts = np.split(found.members, found.bounds[1:-1])
            assert sorted(part.tolist() for part in parts if len(part)) == expected


@given(signatures)
def test_agreements_are_counted(made):
    left, right = np.arange(len(made)), np.arange(len(made))[::-1].copy()
    assert count_agreements(made, left, right).tolist() == (made == made[::-1]).sum(axis=1).tolist()


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=8), signatures, st.integers(0, 6))
def test_the_next_candidates_are_those_of_other_clusters_that_were_not_met_before(pairs, made, least_agreeing):
    documents = of(made, least_agreeing)
    labels = label_components(pairs, 10 + len(made))
    members = np.arange(len(made))
    expected = [
        (a, b)
        for a, b in combinations(range(len(made)), 2)
        if labels[a] != labels[b]
        and (made[a] == made[b]).sum() >= least_agreeing
        and 0 not in shared_bands(made[a], made[b])
    ]
    found, at = [], 0
    while at < len(members):
        at, others = find_next_candidates(members, at, 1, labels[members], *documents[:3], least_agreeing)
        found += [(at, other) for other in others.tolist()]
        at += 1
    assert found == expected


@given(signatures, st.sets(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=30), st.permutations(range(12)))
def test_joining_gives_the_clusters_of_all_similar_pairs_and_completing_leaves_none_between_two_kept(
    made, similar, ordering
):
    """``similar`` stands for what the sets of shingles would say; one bucket holds all documents."""
    documents = of(np.tile(made[:1], (12, 1)))
    similar = {(min(pair), max(pair)) for pair in similar}

    def compare(pairs, least):
        return np.array([float(tuple(sorted(pair)) in similar) for pair in pairs.tolist()])

    everyone, order = np.arange(12), np.array(ordering)
    links = join_large_buckets(documents, [(0, everyone)], np.arange(12), 0.5, compare)
    real = [pair for pair in similar if pair[0] != pair[1]]
    assert (
        label_components(links.pairs, 12).tolist()
        == label_components(np.array(real, np.int64).reshape(-1, 2), 12).tolist()
    )
    links = complete_links(documents, everyone, links, 0.5, order, compare)
    known = {tuple(pair) for pair in links.pairs.tolist()}
    representatives = []
    for one in ordering:
        if not any((min(one, other), max(one, other)) in similar for other in representatives):
            assert not any((min(one, other), max(one, other)) in known for other in representatives)
            representatives.append(one)
        else:
            assert any((min(one, other), max(one, other)) in known for other in representatives)
