"""Exact resemblance against plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.documents import verification
from ibidem.documents.signatures import ShingleHash, make_shingle_sets
from ibidem.documents.verification import measure_long_pair, measure_resemblances

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


@given(st.lists(st.lists(st.integers(0, 3), max_size=30), min_size=2, max_size=5), st.integers(1, 9), st.floats(0, 1))
def test_long_pairs_compared_part_by_part_have_the_resemblance_of_the_whole(documents, size, least):
    bounds = np.cumsum([0, *map(len, documents)], dtype=np.int64)
    arrays = [np.array(each, np.uint32) for each in documents]
    rows, pairs = np.arange(len(documents)), all_pairs(len(documents))
    for shingles in (ShingleHash(2), ShingleHash.rabin(2, 40)):
        whole = make_shingle_sets(np.concatenate(arrays), bounds, rows, shingles)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(verification, "LONG_SHINGLES", size)
            similarities = [measure_long_pair(arrays[a], arrays[b], shingles, least) for a, b in pairs.tolist()]
        assert similarities == measure_resemblances(*whole, pairs, least).tolist()
