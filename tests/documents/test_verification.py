"""Exact resemblance against plain Python."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.documents.verification import Overlaps, count_overlaps

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


def test_no_pairs_have_no_overlaps():
    assert Overlaps(*np.empty((3, 0), np.int64)).resemblances.tolist() == []
