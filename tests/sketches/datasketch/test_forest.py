"""MinHashLSHForest: the most similar sets, and what users of datasketch expect."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem import MinHash
from ibidem.sketches.datasketch import MinHashLSHForest, WeightedMinHashGenerator

sets = st.lists(st.frozensets(st.integers(0, 30), min_size=1, max_size=12), min_size=1, max_size=8)


def filled(many, num_perm=16, l=4):  # noqa: E741
    forest = MinHashLSHForest(num_perm, l)
    for key, minhash in enumerate(MinHash.bulk(many, num_perm=num_perm)):
        forest.add(key, minhash)
    forest.index()
    return forest


@given(many=sets, wanted=st.frozensets(st.integers(0, 30), min_size=1, max_size=12), k=st.integers(1, 9))
def test_a_query_gives_the_best_of_those_that_share_a_prefix(many, wanted, k):
    forest, [sought] = filled(many), MinHash.bulk([wanted], num_perm=16)
    parts = [minhash.digest().reshape(4, 4) for minhash in MinHash.bulk(many, num_perm=16)]
    asked = sought.digest().reshape(4, 4)
    met: list[int] = []
    for depth in range(4, 0, -1):
        met = [key for key, part in enumerate(parts) if (part[:, :depth] == asked[:, :depth]).all(axis=1).any()]
        if len(met) >= k:
            break
    estimates = [float(sought.jaccard(each)) for each in MinHash.bulk(many, num_perm=16)]
    assert forest.query(sought, k) == sorted(met, key=lambda key: (-estimates[key], key))[:k]


@given(many=sets)
def test_the_tables_show_where_a_key_stands(many):
    forest = filled(many)
    assert forest.hashranges == [(0, 4), (4, 8), (8, 12), (12, 16)]
    for key, parts in forest.keys.items():
        assert all(key in table[part] for table, part in zip(forest.hashtables, parts, strict=True))
    read = pickle.loads(pickle.dumps(forest))
    assert (read.keys, read.hashtables, read.k, read.l) == (forest.keys, forest.hashtables, 4, 4)


def test_what_was_added_is_found_after_the_next_index():
    forest, [rose] = MinHashLSHForest(), MinHash.bulk([["a", "rose"]])
    forest.add("rose", rose)
    assert forest.is_empty()
    assert "rose" in forest
    assert forest.query(rose, 1) == []
    forest.index()
    assert not forest.is_empty()
    assert forest.query(rose, 1) == ["rose"]
    with pytest.raises(ValueError, match="'rose' is in the forest already"):
        forest.add("rose", rose)
    assert len(forest) == 1


def test_the_values_of_a_key_are_those_of_its_signature():
    forest = filled([{1, 2, 3}])
    assert forest.get_minhash_hashvalues(0).tolist() == MinHash.bulk([{1, 2, 3}], num_perm=16)[0].digest().tolist()
    with pytest.raises(KeyError, match="7 is not in the forest"):
        forest.get_minhash_hashvalues(7)


def test_signatures_of_weighted_sets_are_found_too():
    forest = MinHashLSHForest(32, 8)
    made = WeightedMinHashGenerator(3, 32).minhash_many([[1, 2, 3], [1, 2, 4], [9, 0, 0]])
    for key, minhash in enumerate(made):
        forest.add(key, minhash)
    forest.index()
    assert forest.query(made[0], 2) == [0, 1]


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (MinHash(8), "16 values, not of 8"),
        (MinHash(16, seed=2), "seed 0, not of 2"),
        (WeightedMinHashGenerator(2, 16).minhash([1, 1]), "of MinHash, not of WeightedMinHash"),
    ],
    ids=["size", "seed", "class"],
)
def test_other_signatures_are_refused(other, message):
    forest = filled([{1}])
    with pytest.raises(ValueError, match=message):
        forest.add("other", other)
    with pytest.raises(ValueError, match=message):
        forest.query(other, 1)


def test_what_is_no_forest_or_query_is_an_error():
    for choices in ({"l": 0}, {"num_perm": 4, "l": 5}):
        with pytest.raises(ValueError, match="a tree or more"):
            MinHashLSHForest(**choices)
    with pytest.raises(ValueError, match="one set or more"):
        filled([{1}]).query(MinHash(16), 0)
