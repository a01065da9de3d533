"""MinHash: what users of datasketch expect."""

import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem import MinHash
from ibidem.errors import DamagedError
from ibidem.sketches.signatures import KMins

members = st.frozensets(st.integers(0, 30), max_size=20)


def signature(elements, **choices):
    made = MinHash(**choices)
    made.update_batch(elements)
    return made


@given(elements=members)
def test_one_by_one_or_at_once_the_signature_is_the_same(elements):
    one = MinHash(16)
    for element in elements:
        one.update(str(element).encode())
    assert one == signature([str(element) for element in elements], num_perm=16)
    assert one.is_empty() == (not elements)
    assert one.digest().tolist() == KMins.of([str(element) for element in elements], 16).values.tolist()


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


def test_numbers_of_numpy_are_elements():
    assert signature(np.arange(5)) == signature(range(5)) == signature(list(np.arange(5)))


def test_the_permutations_name_the_functions():
    assert np.array_equal(MinHash(8).permutations, MinHash(8).permutations)
    assert len(MinHash(8).permutations) == 8
    assert not np.array_equal(MinHash(8).permutations, MinHash(8, seed=2).permutations)
