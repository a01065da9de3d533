"""MinHash and MinHashLSH: what users of datasketch expect, and that a query can verify."""

import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem import MinHash, MinHashLSH
from ibidem.documents.banding import Banding
from ibidem.errors import DamagedError
from ibidem.sketch.signatures import KMins

members = st.frozensets(st.integers(0, 30), max_size=20)


def signature(elements, **choices):
    made = MinHash(**choices)
    made.update_batch(elements)
    return made


# MinHash.


@given(elements=members)
def test_one_by_one_or_at_once_the_signature_is_the_same(elements):
    one = MinHash(16)
    for element in elements:
        one.update(str(element).encode())
    assert one == signature([str(element) for element in elements], num_perm=16)
    assert one.is_empty() == (not elements)
    assert one.digest().tolist() == KMins.of([str(element) for element in elements], 16, seed=1).values.tolist()


@given(a=members, b=members, c=members)
def test_a_union_is_the_signature_of_all_elements(a, b, c):
    one, two, three = (signature(each, num_perm=16) for each in (a, b, c))
    united = MinHash.union(one, two, three)
    assert united == signature(a | b | c, num_perm=16)
    assert one == signature(a, num_perm=16)
    one.merge(two)
    one.merge(three)
    assert one == united


def test_jaccard_estimates_the_similarity_and_knows_how_well():
    a, b = signature(range(900), num_perm=1024), signature(range(100, 1000), num_perm=1024)
    estimate = a.jaccard(b)
    assert abs(estimate - 0.8) <= 5 * math.sqrt(0.8 * 0.2 / 1024)
    low, high = estimate.interval(0.999)
    assert low < 0.8 < high
    assert a.jaccard(a) == 1.0
    assert isinstance(estimate, float)


def test_the_number_of_elements_is_estimated():
    assert signature(range(5000), num_perm=1024).count() == pytest.approx(5000, rel=5 / 32)
    assert MinHash().count() == 0


def test_a_hash_function_may_be_given():
    def length(element):
        return len(element)

    made = signature(["a", "rose", "is"], hashfunc=length, num_perm=8)
    assert made == signature([1, 4, 2], num_perm=8)
    assert made.copy().hashfunc is length
    with pytest.raises(ValueError, match="can be called"):
        MinHash(hashfunc="sha1")


def test_copies_and_bytes_are_equal_and_share_nothing():
    made = signature(["a", "rose"], num_perm=8, seed=5)
    for other in (
        made.copy(),
        copy.deepcopy(made),
        pickle.loads(pickle.dumps(made)),
        MinHash.from_bytes(made.to_bytes()),
        MinHash(hashvalues=made.digest(), seed=5),
    ):
        assert other == made
        assert (len(other), other.seed) == (8, 5)
        other.update("is")
        assert other != made
    assert made != "a"
    with pytest.raises(DamagedError):
        MinHash.from_bytes(made.to_bytes()[:-1])


def test_clearing_forgets_all():
    made = signature(["a"], num_perm=8, seed=5)
    made.clear()
    assert made == MinHash(8, seed=5)
    assert made.is_empty()


def test_many_signatures_are_those_of_each():
    sets = [["a", "b"], [], ["c"]]
    assert MinHash.bulk(sets, num_perm=8, seed=3) == [signature(each, num_perm=8, seed=3) for each in sets]


def test_the_hash_values_cannot_be_changed_from_outside():
    made = signature(["a"])
    with pytest.raises(ValueError, match="read-only"):
        made.hashvalues[0] = 0


@pytest.mark.parametrize("other", [MinHash(64), MinHash(128, seed=2)], ids=repr)
def test_signatures_of_other_functions_do_not_meet(other):
    made = MinHash()
    for meet in (made.jaccard, made.merge, lambda each: MinHash.union(made, each)):
        with pytest.raises(ValueError, match="other functions"):
            meet(other)
    with pytest.raises(TypeError, match="not a str"):
        made.jaccard("a rose")


@pytest.mark.parametrize(
    "choices",
    [{"num_perm": 0}, {"seed": -1}, {"hashvalues": [1, 2**64 - 1]}, {"hashvalues": []}, {"hashvalues": [[1], [2]]}],
    ids=str,
)
def test_what_is_no_signature_is_an_error(choices):
    with pytest.raises(ValueError):
        MinHash(**choices)
    with pytest.raises(ValueError, match="two signatures"):
        MinHash.union(MinHash())


# MinHashLSH.


def filled(sets, **choices):
    index = MinHashLSH(**choices)
    for key, elements in sets.items():
        index.insert(key, signature(elements, num_perm=index.num_perm), elements=elements)
    return index


@given(sets=st.dictionaries(st.integers(0, 99), members, max_size=6), wanted=members)
def test_a_query_finds_the_sets_that_share_a_band(sets, wanted):
    index = filled(sets, threshold=0.5, num_perm=16, params=(8, 2))
    sought = signature(wanted, num_perm=16)
    expected = [
        key
        for key, elements in sets.items()
        if (signature(elements, num_perm=16).digest() == sought.digest()).reshape(8, 2).all(axis=1).any()
    ]
    assert index.query(sought) == expected
    estimated = [key for key in expected if sought.jaccard(signature(sets[key], num_perm=16)) >= 0.5]
    assert index.query(sought, verify=True) == estimated
    exact = [key for key in expected if len(wanted & sets[key]) >= 0.5 * len(wanted | sets[key])]
    assert index.query(sought, elements=wanted) == exact


@given(sets=st.dictionaries(st.integers(0, 9), members, min_size=1, max_size=6), data=st.data())
def test_a_removed_set_leaves_nothing_behind(sets, data):
    gone = data.draw(st.sampled_from(sorted(sets)))
    index = filled(sets, num_perm=16, params=(8, 2))
    index.remove(gone)
    rest = filled({key: elements for key, elements in sets.items() if key != gone}, num_perm=16, params=(8, 2))
    assert index.get_counts() == rest.get_counts()
    assert list(index.keys) == list(rest.keys)
    assert gone not in index
    with pytest.raises(ValueError, match="is not in the index"):
        index.remove(gone)


@given(
    one=st.dictionaries(st.integers(0, 9), members, max_size=4),
    other=st.dictionaries(st.integers(0, 9), members, max_size=4),
)
def test_a_merged_index_finds_what_both_find(one, other):
    index, second = (filled(sets, num_perm=16, params=(8, 2)) for sets in (one, other))
    index.merge(second)
    assert index.get_counts() == filled({**one, **other}, num_perm=16, params=(8, 2)).get_counts()
    assert len(second) == len(other)


def test_bands_are_those_of_the_threshold_or_those_given():
    assert (MinHashLSH(0.8, 128).b, MinHashLSH(0.8, 128).r) == Banding.for_threshold(0.8, 128) == (9, 13)
    assert MinHashLSH(0.8, 128, weights=(0.1, 0.9)).banding == Banding.for_threshold(0.8, 128, 0.1, 0.9)
    given = MinHashLSH(params=(16, 8))
    assert (given.b, given.r, given.h, given.threshold) == (16, 8, 128, 0.9)


def test_a_key_is_inserted_once_or_replaced():
    index = filled({"a": [1, 2, 3]}, threshold=0.5)
    with pytest.raises(ValueError, match="'a' is in the index already"):
        index.insert("a", signature([1]))
    index.insert("a", signature([7]), check_duplication=False)
    assert index.query(signature([1, 2, 3])) == []
    assert index.query(signature([7])) == ["a"]
    assert len(index) == 1
    assert not index.is_empty()
    assert MinHashLSH().is_empty()


def test_what_is_inserted_does_not_change_with_the_signature():
    index, made = MinHashLSH(threshold=0.5), signature(["a"])
    index.insert("a", made)
    made.update("b")
    assert index.query(signature(["a"])) == ["a"]
    index.remove("a")
    assert all(not table for table in index.get_counts())


def test_exact_verification_needs_the_elements_of_every_candidate():
    index = MinHashLSH(threshold=0.5)
    index.insert("rose", signature(["a", "rose"]))
    with pytest.raises(ValueError, match="'rose' was inserted without its elements"):
        index.query(signature(["a", "rose"]), elements=["a", "rose"])
    assert index.query(signature(["a", "rose"]), verify=True) == ["rose"]


def test_signatures_of_another_length_or_seed_are_refused():
    index = filled({"a": [1]}, threshold=0.5)
    for other, message in ((MinHash(64), "128 values, not of 64"), (MinHash(seed=9), "seed 1, not of 9")):
        for meet in (lambda made: index.insert("b", made), index.query):
            with pytest.raises(ValueError, match=message):
                meet(other)
    second = MinHashLSH(threshold=0.5)
    second.insert("b", MinHash(seed=9))
    with pytest.raises(ValueError, match="seed 1, not of 9"):
        index.merge(second)
    assert list(index.keys) == ["a"]


def test_indexes_of_other_bands_or_with_a_common_key_are_not_merged():
    index = filled({"a": [1]}, threshold=0.5)
    with pytest.raises(ValueError, match="cannot take in"):
        index.merge(MinHashLSH(threshold=0.8))
    with pytest.raises(ValueError, match="'a' is in both"):
        index.merge(filled({"b": [2], "a": [1]}, threshold=0.5), check_overlap=True)
    assert list(index.keys) == ["a"]


@pytest.mark.parametrize(
    "choices",
    [{"threshold": 1.5}, {"weights": (-1, 2)}, {"num_perm": 0}, {"params": (20, 7)}, {"params": (0, 4)}],
    ids=str,
)
def test_what_is_no_index_is_an_error(choices):
    with pytest.raises(ValueError):
        MinHashLSH(**choices)


def test_an_index_can_be_pickled():
    index = filled({"rose": ["a", "rose"], "place": ["in", "the", "same", "place"]}, threshold=0.5)
    read = pickle.loads(pickle.dumps(index))
    assert read.get_counts() == index.get_counts()
    assert read.query(signature(["a", "rose"]), elements=["a", "rose"]) == ["rose"]


def test_two_empty_sets_are_alike():
    index = filled({"nothing": [], "something": [1]}, threshold=0.5)
    assert index.query(MinHash(), elements=[]) == ["nothing"]


def test_numbers_of_numpy_are_elements():
    assert signature(np.arange(5)) == signature(range(5)) == signature(list(np.arange(5)))
