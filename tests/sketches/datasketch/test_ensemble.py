"""MinHashLSHEnsemble: the sets that contain a set, and what users of datasketch expect."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem import MinHash
from ibidem.sketches.datasketch import MinHashLSHEnsemble
from ibidem.sketches.datasketch.ensemble import _equal_parts, _least_error


def entries(sets, **choices):
    return [
        (key, minhash, len(each))
        for (key, each), minhash in zip(sets.items(), MinHash.bulk(sets.values(), **choices), strict=True)
    ]


def filled(sets, threshold=0.8, **choices):
    ensemble = MinHashLSHEnsemble(threshold, **choices)
    ensemble.index(entries(sets))
    return ensemble


def test_a_set_is_found_in_those_that_contain_it_however_large_they_are():
    sets = {size: range(size) for size in range(10, 400, 13)}
    ensemble = filled(sets, weights=(0.05, 0.95))  # larger sets are less similar: one misses none for many false ones
    wanted = {size: {other for other in sets if other >= size} for size in sets}
    found = {size: set(ensemble.query(minhash, size)) for size, minhash, _ in entries(sets)}
    assert sum(len(found[size] & wanted[size]) for size in sets) >= 0.95 * sum(map(len, wanted.values()))
    assert all(size in found[size] for size in sets)


def test_sets_that_are_too_small_to_contain_enough_are_passed_over():
    ensemble = filled({size: range(size) for size in range(10, 400, 13)}, num_part=100)
    assert min(ensemble.query(MinHash.bulk([range(300)])[0], 300)) >= 0.8 * 300


def test_sets_that_share_nothing_are_not_found():
    sets = {start: range(start, start + 50) for start in range(0, 2000, 50)}
    ensemble = filled(sets)
    for start, elements in sets.items():
        assert set(ensemble.query(MinHash.bulk([elements])[0], 50)) == {start}


def test_an_ensemble_can_be_pickled():
    sets = {size: range(size) for size in range(5, 60, 7)}
    ensemble = filled(sets)
    read = pickle.loads(pickle.dumps(ensemble))
    for key, minhash, size in entries(sets):
        assert set(read.query(minhash, size)) == set(ensemble.query(minhash, size))
        assert key in set(ensemble.query(minhash, size))


@given(sizes=st.lists(st.integers(1, 12), min_size=1, max_size=30).map(sorted), parts=st.integers(1, 9))
def test_partitions_hold_all_sets_once_and_part_no_equal_sizes(sizes, parts):
    ranges = list(_equal_parts(sizes, parts))
    assert len(ranges) <= parts
    assert [place for first, last in ranges for place in range(first, last)] == list(range(len(sizes)))
    assert all(sizes[last - 1] < sizes[last] for _, last in ranges[:-1])


@pytest.mark.parametrize(("threshold", "ratio"), [(0.5, 0.25), (0.9, 1.0), (0.6, 8.0), (0.3, 0.5)])
def test_the_bands_are_those_that_err_least(threshold, ratio):
    chosen = _least_error(threshold, 12, 4, ratio, (0.3, 0.7))
    containments = (np.arange(20_000) + 0.5) / 20_000
    possible = containments < ratio
    similar = np.minimum(1, containments / (ratio + 1 - containments))

    def error(bands, rows):
        candidate = 1 - (1 - similar**rows) ** bands
        wrong = np.where(containments < threshold, 0.3 * candidate, 0.7 * (1 - candidate))
        return wrong[possible].sum() / 20_000

    best = min(error(bands, rows) for rows in range(1, 5) for bands in range(1, 12 // rows + 1))
    assert error(*chosen) == pytest.approx(best, abs=1e-4)


def test_sets_are_added_by_one_call():
    ensemble = filled({"a": range(5)})
    assert not ensemble.is_empty()
    with pytest.raises(ValueError, match="by one call"):
        ensemble.index(entries({"b": range(5)}))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([], "a set or more"),
        ([("a", MinHash(), 1), ("a", MinHash(), 2)], "2 sets have only 1 keys"),
        ([("a", MinHash(), 0)], "'a' has 0 elements"),
        ([("a", MinHash(64), 1)], "128 values, not of 64"),
        ([("a", MinHash(), 1), ("b", MinHash(seed=2), 2)], "seed 0, not of 2"),
    ],
    ids=["none", "twice", "empty", "size", "seed"],
)
def test_what_cannot_be_added_leaves_the_ensemble_empty(wrong, message):
    ensemble = MinHashLSHEnsemble()
    with pytest.raises(ValueError, match=message):
        ensemble.index(wrong)
    assert ensemble.is_empty()
    assert "a" not in ensemble


def test_a_query_is_of_a_set_with_elements_and_the_same_functions():
    ensemble = filled({"a": range(5)})
    with pytest.raises(ValueError, match="the query has 0 elements"):
        ensemble.query(MinHash(), 0)
    with pytest.raises(ValueError, match="seed 0, not of 2"):
        ensemble.query(MinHash(seed=2), 5)
    assert list(MinHashLSHEnsemble().query(MinHash(), 5)) == []


@pytest.mark.parametrize(
    "choices",
    [{"threshold": 1.5}, {"m": 0}, {"m": 129}, {"num_part": 0}, {"weights": (0, 0)}, {"weights": (-1, 2)}],
    ids=str,
)
def test_what_is_no_ensemble_is_an_error(choices):
    with pytest.raises(ValueError, match="not"):
        MinHashLSHEnsemble(**choices)
