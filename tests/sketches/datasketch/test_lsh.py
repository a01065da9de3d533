"""MinHashLSH: what users of datasketch expect, and that a query can verify."""

import hashlib
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem import MinHash, MinHashLSH
from ibidem.sketches.banding import Banding
from ibidem.sketches.datasketch import WeightedMinHashGenerator

members = st.frozensets(st.integers(0, 30), max_size=20)


def signature(elements, **choices):
    made = MinHash(**choices)
    made.update_batch(elements)
    return made


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
    for other, message in ((MinHash(64), "128 values, not of 64"), (MinHash(seed=9), "seed 0, not of 9")):
        for meet in (lambda made: index.insert("b", made), index.query):
            with pytest.raises(ValueError, match=message):
                meet(other)
    second = MinHashLSH(threshold=0.5)
    second.insert("b", MinHash(seed=9))
    with pytest.raises(ValueError, match="seed 0, not of 9"):
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


def test_the_tables_show_where_a_key_stands():
    index = filled({"a": [1, 2, 3], "b": [7]}, num_perm=16, params=(8, 2))
    for key, bands in index.keys.items():
        assert len(bands) == 8
        assert all(key in table[band] for table, band in zip(index.hashtables, bands, strict=True))
    assert index.hashranges == [(start, start + 2) for start in range(0, 16, 2)]
    with pytest.raises(TypeError):
        index.hashtables[0][b""] = {}
    with pytest.raises(KeyError):
        index.keys["c"]
    assert repr(index.keys) == "keys(['a', 'b'])"


def test_buffered_queries_give_what_all_of_them_find():
    sets = {"one": [1, 2, 3], "same": [1, 2, 3], "other": [7, 8, 9]}
    index = filled(sets, threshold=0.5)
    assert index.collect_query_buffer() == []
    index.add_to_query_buffer(signature([1, 2, 3]))
    assert index.collect_query_buffer() == ["one", "same"]
    index.add_to_query_buffer(signature([1, 2, 3]))
    index.add_to_query_buffer(signature([7, 8, 9]))
    assert index.collect_query_buffer() == []
    assert index.collect_query_buffer() == []
    with pytest.raises(ValueError, match="128 values, not of 64"):
        index.add_to_query_buffer(MinHash(64))


def test_sessions_insert_and_remove_as_the_index_does():
    index = MinHashLSH(threshold=0.5)
    with index.insertion_session(buffer_size=7) as session:
        session.insert("a", signature([1]), elements=[1])
        session.insert("b", signature([2]))
        with pytest.raises(ValueError, match="'a' is in the index already"):
            session.insert("a", signature([3]))
        session.insert("b", signature([4]), check_duplication=False)
    assert index.query(signature([1]), elements=[1]) == ["a"]
    with index.deletion_session() as leaving:
        leaving.remove("a")
        with pytest.raises(ValueError, match="'c' is not in the index"):
            leaving.remove("c")
    assert list(index.keys) == ["b"]
    assert index.query(signature([4])) == ["b"]


@given(sets=st.dictionaries(st.integers(0, 9), members, min_size=1, max_size=6), data=st.data())
def test_counts_of_some_keys_are_those_of_an_index_of_them_alone(sets, data):
    some = data.draw(st.lists(st.sampled_from(sorted(sets)), max_size=4))
    index = filled(sets, num_perm=16, params=(8, 2))
    alone = filled({key: sets[key] for key in some}, num_perm=16, params=(8, 2))
    assert index.get_subset_counts(*some) == alone.get_counts()
    with pytest.raises(ValueError, match="99 is not in the index"):
        index.get_subset_counts(99)


def test_bands_may_be_shortened_by_a_hash_function():
    def short(band):
        return hashlib.sha1(band).digest()[:8]

    index = MinHashLSH(threshold=0.5, hashfunc=short)
    index.insert("a", signature(range(50)))
    assert {len(band) for table in index.hashtables for band in table} == {8}
    assert index.query(signature(range(49))) == ["a"]
    assert index.query(signature(range(100, 150))) == []


def test_signatures_of_weighted_sets_are_indexed_too():
    made = WeightedMinHashGenerator(4, 16).minhash_many([[1, 2, 3, 4], [1, 2, 3, 5], [9, 0, 0, 0]])
    index = MinHashLSH(threshold=0.5, num_perm=16)
    for key, minhash in enumerate(made):
        index.insert(key, minhash)
    assert index.query(made[0], verify=True) == [0, 1]
    assert pickle.loads(pickle.dumps(index)).query(made[2]) == [2]
    index.remove(0)
    assert index.query(made[0], verify=True) == [1]
    for other, message in (
        (MinHash(16), "signatures of WeightedMinHash, not of MinHash"),
        (WeightedMinHashGenerator(4, 16, seed=2).minhash([1, 1, 1, 1]), "seed 0, not of 2"),
        (WeightedMinHashGenerator(4, 8).minhash([1, 1, 1, 1]), "16 values, not of 8"),
    ):
        with pytest.raises(ValueError, match=message):
            index.insert("other", other)
