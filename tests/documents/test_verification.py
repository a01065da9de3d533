"""Exact resemblance against plain Python."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.documents import verification
from ibidem.documents.signatures import ShingleHash, make_shingle_sets
from ibidem.documents.verification import Verifier, measure_resemblances

sets = st.lists(st.sets(st.integers(0, 8) | st.integers(2**63, 2**63 + 8), max_size=12), min_size=1, max_size=6)


def resemblance(a, b):
    return len(a & b) / len(a | b) if a | b else 1.0


def all_pairs(count):
    return np.array([(a, b) for a in range(count) for b in range(count)], np.int64)


@given(sets, st.floats(0, 1))
def test_resemblance_is_the_share_of_the_union_that_both_have(given_sets, least):
    values = np.array([value for each in given_sets for value in sorted(each)], np.uint64)
    bounds = np.cumsum([0, *map(len, given_sets)], dtype=np.int64)
    pairs = all_pairs(len(given_sets))
    exact = [resemblance(given_sets[a], given_sets[b]) for a, b in pairs]
    assert measure_resemblances(values, bounds, pairs).tolist() == exact
    for similarity, true in zip(measure_resemblances(values, bounds, pairs, least).tolist(), exact, strict=True):
        assert similarity == true or (similarity == 0 and true < least)


def test_blocks_of_pairs_give_what_all_pairs_at_once_give(monkeypatch):
    source = np.random.default_rng(1)
    lengths = source.integers(0, 60, 30)
    bounds = np.concatenate([[0], np.cumsum(lengths)])
    ids = source.integers(0, 4, bounds[-1]).astype(np.uint32)
    rows = source.permutation(30)[:20]
    pairs = source.permutation(all_pairs(20))
    values, set_bounds = make_shingle_sets(ids, bounds, rows, ShingleHash(3))
    with ThreadPoolExecutor(2) as pool:
        for size in (1, 50, 10**6):
            monkeypatch.setattr(verification, "BLOCK_SHINGLES", size)
            similarities = Verifier(ids, bounds, rows, ShingleHash(3), pool, 2).measure_similarities(pairs)
            assert similarities.tolist() == measure_resemblances(values, set_bounds, pairs).tolist()
        assert len(Verifier(ids, bounds, rows, ShingleHash(3), pool, 2).measure_similarities(pairs[:0])) == 0


@given(st.lists(st.lists(st.integers(0, 3), max_size=30), min_size=2, max_size=5), st.integers(1, 9), st.floats(0, 1))
def test_long_pairs_compared_part_by_part_have_the_resemblance_of_the_whole(documents, size, least):
    bounds = np.cumsum([0, *map(len, documents)], dtype=np.int64)
    ids = np.array([token for each in documents for token in each], np.uint32)
    rows, pairs = np.arange(len(documents)), all_pairs(len(documents))
    for shingles in (ShingleHash(2), ShingleHash.rabin(2, 40)):
        whole = make_shingle_sets(ids, bounds, rows, shingles)
        with ThreadPoolExecutor(1) as pool, pytest.MonkeyPatch.context() as patch:
            patch.setattr(verification, "LONG_SHINGLES", size)
            similarities = Verifier(ids, bounds, rows, shingles, pool, 1).measure_similarities(pairs, least)
        assert similarities.tolist() == measure_resemblances(*whole, pairs, least).tolist()
