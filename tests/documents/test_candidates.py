"""Bands, buckets and pairs against plain Python."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.agreement.banding import Banding
from ibidem.clusters import label_components
from ibidem.documents import candidates
from ibidem.documents.candidates import (
    Buckets,
    Signatures,
    count_agreements,
    find_band,
    find_next_candidates,
    hash_bands,
    list_candidates,
)

BANDING = Banding(3, 2)

signatures = st.lists(
    st.lists(st.sampled_from([1, 2**31, 2**32 - 1]), min_size=6, max_size=6), min_size=1, max_size=12
).map(lambda rows: np.array(rows, np.uint32))


def shared_bands(a, b):
    return [band for band in range(3) if (a[2 * band : 2 * band + 2] == b[2 * band : 2 * band + 2]).all()]


def bucket_all(made):
    hashes = hash_bands(made, BANDING)
    return Buckets.of(hashes.reshape(-1), np.repeat(np.arange(len(made)), 3))


@given(signatures)
def test_band_hashes_agree_where_all_values_of_the_band_do(made):
    hashes = hash_bands(made, BANDING)
    for a, b in combinations(range(len(made)), 2):
        assert np.flatnonzero(hashes[a] == hashes[b]).tolist() == shared_bands(made[a], made[b])
    for band in range(3):
        assert find_band(made[0], BANDING, hashes[0, band]) == band


@given(signatures)
def test_a_bucket_has_the_texts_of_one_hash_in_order(made):
    buckets = bucket_all(made)
    expected = {}
    for text, hashes in enumerate(hash_bands(made, BANDING).tolist()):
        for value in hashes:
            expected.setdefault(value, []).append(text)
    found = dict(zip(buckets.hashes.tolist(), [each.tolist() for each in buckets.split()], strict=True))
    assert found == {value: texts for value, texts in expected.items() if len(texts) > 1}


@given(signatures, st.integers(1, 5), st.integers(1, 7))
def test_buckets_are_selected_and_cut_whole(made, small, together):
    buckets = bucket_all(made)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidates, "SMALL", small)
        patch.setattr(candidates, "_TOGETHER", together)
        is_small = buckets.are_small()
        selected = buckets.select(is_small)
        pieces = list(selected.cut())
    expected = [each.tolist() for each in buckets.split() if len(each) <= small]
    assert [each.tolist() for each in selected.split()] == expected
    assert [each.tolist() for piece in pieces for each in piece.split()] == expected
    assert [value for piece in pieces for value in piece.hashes.tolist()] == selected.hashes.tolist()
    assert all(len(piece.members) < together + max(map(len, expected)) for piece in pieces)


@given(signatures, st.integers(0, 6))
def test_a_pair_is_a_candidate_in_its_first_common_band_if_enough_values_agree(made, least_agreeing):
    found = list_candidates(bucket_all(made), Signatures(made, BANDING, least_agreeing))
    expected = [
        (a, b)
        for a, b in combinations(range(len(made)), 2)
        if shared_bands(made[a], made[b]) and (made[a] == made[b]).sum() >= least_agreeing
    ]
    assert sorted(map(tuple, found.tolist())) == expected


@given(signatures)
def test_every_pair_is_a_candidate_of_a_band_without_values(made):
    hashes = hash_bands(made, Banding(1, 0))
    buckets = Buckets.of(hashes.reshape(-1), np.arange(len(made)))
    found = list_candidates(buckets, Signatures(made, Banding(1, 0), 0))
    assert sorted(map(tuple, found.tolist())) == list(combinations(range(len(made)), 2))


@given(signatures)
def test_agreements_are_counted(made):
    left, right = np.arange(len(made)), np.arange(len(made))[::-1].copy()
    assert count_agreements(made, left, right).tolist() == (made == made[::-1]).sum(axis=1).tolist()


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=8), signatures, st.integers(0, 6))
def test_the_next_candidates_are_those_of_other_clusters_that_were_not_met_before(pairs, made, least_agreeing):
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
        at, others = find_next_candidates(members, at, 1, labels[members], made, BANDING.rows, least_agreeing)
        found += [(at, other) for other in others.tolist()]
        at += 1
    assert found == expected
