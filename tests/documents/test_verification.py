"""Exact resemblance against plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.documents import verification
from ibidem.documents.signatures import make_shingle_sets
from ibidem.documents.verification import Overlaps, count_long_overlaps, count_overlaps

sets = st.lists(st.sets(st.integers(0, 8) | st.integers(2**63, 2**63 + 8), max_size=12), min_size=1, max_size=6)


def resemblance(a, b):
    return len(a & b) / len(a | b) if a | b else 1.0


def containment(a, b):
    return len(a & b) / len(b) if b else 1.0


def all_pairs(count):
    return np.array([(a, b) for a in range(count) for b in range(count)], np.int64)


@given(sets, st.floats(0, 1))
def test_resemblance_is_the_share_of_the_union_and_containment_that_of_the_second(given_sets, least):
    values = np.array([value for each in given_sets for value in sorted(each)], np.uint64)
    bounds = np.cumsum([0, *map(len, given_sets)], dtype=np.int64)
    pairs = all_pairs(len(given_sets))
    exact = [resemblance(given_sets[a], given_sets[b]) for a, b in pairs]
    overlaps = count_overlaps(values, bounds, pairs)
    assert overlaps.resemblances.tolist() == exact
    assert overlaps.containments.tolist() == [containment(given_sets[a], given_sets[b]) for a, b in pairs]
    for similarity, true in zip(count_overlaps(values, bounds, pairs, least).resemblances, exact, strict=True):
        assert similarity == true or (similarity == 0 and true < least)


@given(st.lists(st.lists(st.integers(0, 3), max_size=30), min_size=2, max_size=5), st.integers(1, 9))
def test_long_pairs_counted_part_by_part_have_the_overlap_of_the_whole(documents, size):
    bounds = np.cumsum([0, *map(len, documents)], dtype=np.int64)
    arrays = [np.array(each, np.uint32) for each in documents]
    rows, pairs = np.arange(len(documents)), all_pairs(len(documents))
    whole = make_shingle_sets(np.concatenate(arrays), bounds, rows, 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verification, "LONG_SHINGLES", size)
        overlaps = count_long_overlaps([(arrays[a], arrays[b]) for a, b in pairs.tolist()], 2)
    assert np.array_equal(overlaps, count_overlaps(*whole, pairs))


def test_no_pairs_have_no_overlaps():
    assert [column.tolist() for column in count_long_overlaps([], 2)] == [[], [], []]
    assert Overlaps(*np.empty((3, 0), np.int64)).resemblances.tolist() == []
