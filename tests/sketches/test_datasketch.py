"""What users of datasketch expect of its names, and that a query can verify."""

import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from ibidem import MinHash, MinHashLSH
from ibidem.agreement.banding import Banding
from ibidem.errors import DamagedError
from ibidem.hashing import GOLDEN, function_seeds, mix64
from ibidem.sketches.datasketch import LeanMinHash, WeightedMinHash, WeightedMinHashGenerator
from ibidem.sketches.signatures import KMins

members = st.frozensets(st.integers(0, 30), max_size=20)


def signature(elements, **choices):
    minhash = MinHash(**choices)
    minhash.update_batch(elements)
    return minhash


# MinHash and LeanMinHash


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
    assert LeanMinHash.union(*map(LeanMinHash, (one, two, three))) == united
    one.merge(two)
    one.merge(three)
    assert one == united


def test_jaccard_estimates_the_similarity_and_knows_how_well():
    a, b = signature(range(900), num_perm=1024), signature(range(100, 1000), num_perm=1024)
    estimate = a.jaccard(b)
    assert abs(estimate - 0.8) <= 5 * math.sqrt(0.8 * 0.2 / 1024)
    low, high = estimate.interval(0.999)
    assert low < 0.8 < high
    assert a.jaccard(a) == LeanMinHash(a).jaccard(a) == 1.0
    assert isinstance(estimate, float)


def test_the_number_of_elements_is_estimated():
    assert signature(range(5000), num_perm=1024).count() == pytest.approx(5000, rel=5 / 32)
    assert MinHash().count() == 0


def test_a_hash_function_may_be_given():
    def length(element):
        return len(element)

    minhash = signature(["a", "rose", "is"], hashfunc=length, num_perm=8)
    assert minhash == signature([1, 4, 2], num_perm=8)
    assert minhash.copy().hashfunc is length


@pytest.mark.parametrize("cls", [MinHash, LeanMinHash])
def test_copies_are_equal_and_share_nothing(cls):
    minhash = cls(hashvalues=signature(["a", "rose"], num_perm=8, seed=5).digest(), seed=5)
    for other in (minhash.copy(), copy.deepcopy(minhash), pickle.loads(pickle.dumps(minhash))):
        assert other == minhash
        assert type(other) is cls
        assert (len(other), other.seed) == (8, 5)
        other.merge(signature(["is"], num_perm=8, seed=5))
        assert other != minhash
    assert minhash != "a"


def test_a_lean_signature_takes_no_element_and_can_be_a_key():
    lean = LeanMinHash(signature(["a", "rose"]))
    for update in (lambda: lean.update("is"), lambda: lean.update_batch(["is"])):
        with pytest.raises(TypeError, match="no element"):
            update()
    assert {lean: 1}[lean.copy()] == 1
    with pytest.raises(TypeError):
        hash(MinHash())
    with pytest.raises(ValueError, match="of a MinHash, or of a seed"):
        LeanMinHash(seed=1)


def test_a_lean_signature_is_written_to_a_buffer_and_read_back():
    lean = LeanMinHash(signature(["a", "rose"], num_perm=8, seed=5))
    buffer = bytearray(lean.bytesize())
    lean.serialize(buffer)
    assert LeanMinHash.deserialize(buffer) == lean
    with pytest.raises(ValueError, match="does not fit"):
        lean.serialize(bytearray(7))
    with pytest.raises(DamagedError):
        LeanMinHash.deserialize(buffer[:-1])


def test_clearing_forgets_all():
    minhash = signature(["a"], num_perm=8, seed=5)
    minhash.clear()
    assert minhash == MinHash(8, seed=5)
    assert minhash.is_empty()


def test_many_signatures_are_those_of_each():
    sets = [["a", "b"], [], ["c"]]
    assert MinHash.bulk(sets, num_perm=8, seed=3) == [signature(each, num_perm=8, seed=3) for each in sets]


def test_the_hash_values_cannot_be_changed_from_outside():
    with pytest.raises(ValueError, match="read-only"):
        signature(["a"]).hashvalues[0] = 0


@pytest.mark.parametrize("other", [MinHash(64), MinHash(128, seed=2)], ids=repr)
def test_signatures_of_other_functions_do_not_meet(other):
    minhash = MinHash()
    for meet in (minhash.jaccard, minhash.merge, lambda each: MinHash.union(minhash, each)):
        with pytest.raises(ValueError, match="other functions"):
            meet(other)
    with pytest.raises(TypeError, match="not a str"):
        minhash.jaccard("a rose")


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


# WeightedMinHash: the definition of consistent weighted sampling

SMALL = WeightedMinHashGenerator(5, 8, seed=3)
some_weights = arrays.arrays(np.float64, 5, elements=st.sampled_from([0.0, 0.25, 1.0, 3.0, 1e6]))


def draw_uniform(element, function_seed):
    """Five uniform numbers of an element under a function, in plain Python."""
    mask = 2**64 - 1
    state = int(mix64(mix64(np.uint64(element) + GOLDEN) ^ function_seed))
    for _ in range(5):
        state = (state + int(GOLDEN)) & mask
        yield ((int(mix64(np.uint64(state))) >> 11) + 0.5) * 2.0**-53


def test_the_random_numbers_are_those_of_the_mixers():
    for function, seed in enumerate(function_seeds(3, 8)):
        for element in range(5):
            u1, u2, v1, v2, beta = draw_uniform(element, seed)
            assert SMALL.rs[function, element] == pytest.approx(-math.log(u1 * u2))
            assert SMALL.ln_cs[function, element] == pytest.approx(math.log(-math.log(v1 * v2)))
            assert SMALL.betas[function, element] == pytest.approx(beta)


@given(weights=some_weights.filter(np.any))
def test_each_function_draws_what_ioffe_defines(weights):
    values = SMALL.minhash(weights).hashvalues
    for function in range(8):
        r, ln_c, beta = (each[function] for each in (SMALL.rs, SMALL.ln_cs, SMALL.betas))
        with np.errstate(divide="ignore"):
            level = np.floor(np.log(weights) / r + beta)
        y = np.exp(r * (level - beta))
        with np.errstate(divide="ignore"):
            a = ln_c - np.log(y * np.exp(r))
        a[weights == 0] = math.inf
        assert values[function].tolist() == [a.argmin(), level[a.argmin()]]


def test_jaccard_estimates_the_weighted_similarity():
    one, other = [1.0, 4.0, 2.5, 0.0], [1.0, 1.0, 2.5, 3.0]
    a, b = WeightedMinHashGenerator(4, 4096).minhash_many([one, other])
    exact = sum(map(min, one, other)) / sum(map(max, one, other))
    estimate = a.jaccard(b)
    assert abs(estimate - exact) <= 5 * math.sqrt(exact * (1 - exact) / 4096)
    assert estimate.sampled == 4096
    assert a.jaccard(a) == 1.0


def test_a_multiple_of_all_weights_is_as_similar_as_its_factor_says():
    a, b = WeightedMinHashGenerator(3, 4096).minhash_many([[2, 3, 5], [6, 9, 15]])
    assert abs(a.jaccard(b) - 1 / 3) <= 5 * math.sqrt(2 / 9 / 4096)


class Sparse(list):
    """What is asked of a sparse matrix of scipy: that it gives rows which can be made dense."""

    class Row(list):
        def toarray(self):
            return np.array([self])

    def tocsr(self):
        return map(self.Row, self)


def test_many_rows_dense_or_sparse_are_those_of_each():
    rows = np.array([[1, 3, 0, 0, 2], [0, 0, 0, 0, 0], [0, 0, 0, 9, 0]])
    expected = [SMALL.minhash(rows[0]), None, SMALL.minhash(rows[2])]
    assert SMALL.minhash_many(rows) == SMALL.minhash_many(Sparse(rows.tolist())) == expected
    assert rows.tolist() == [[1, 3, 0, 0, 2], [0, 0, 0, 0, 0], [0, 0, 0, 9, 0]]


def test_copies_of_weighted_signatures_are_equal_and_share_nothing():
    minhash = SMALL.minhash([1, 2, 3, 4, 5])
    for other in (
        minhash.copy(),
        copy.deepcopy(minhash),
        pickle.loads(pickle.dumps(minhash)),
        WeightedMinHash(3, minhash.digest()),
    ):
        assert other == minhash
        assert (len(other), other.seed) == (8, 3)
    assert minhash != WeightedMinHash(4, minhash.digest())
    assert minhash != "a"
    changed = minhash.digest()
    changed[0] = 99
    assert minhash != WeightedMinHash(3, changed)
    assert SMALL.minhash([1, 2, 3, 4, 5]) == minhash


def test_weighted_signatures_of_other_functions_do_not_meet():
    minhash = SMALL.minhash([1, 1, 1, 1, 1])
    for other in (WeightedMinHash(4, minhash.digest()), WeightedMinHash(3, minhash.digest()[:4])):
        with pytest.raises(ValueError, match="other functions"):
            minhash.jaccard(other)
    with pytest.raises(TypeError, match="not a MinHash"):
        minhash.jaccard(MinHash(8))


@pytest.mark.parametrize(
    "weights", [7, [0, 0, 0, 0, 0], [1, 2, 3], [1, 2, 3, 4, -1], [1, 2, 3, 4, math.nan], [[1, 2, 3, 4, 5]]], ids=str
)
def test_what_is_no_weighted_set_is_an_error(weights):
    with pytest.raises(ValueError, match="weight"):
        SMALL.minhash(weights)


@pytest.mark.parametrize("choices", [{"dim": 0}, {"dim": 3, "sample_size": 0}, {"dim": 3, "seed": -1}], ids=str)
def test_what_is_no_generator_is_an_error(choices):
    with pytest.raises(ValueError, match="is"):
        WeightedMinHashGenerator(**choices)


def test_hash_values_of_weighted_signatures_are_pairs():
    for values in ([], [1, 2], [[1, 2, 3]]):
        with pytest.raises(ValueError, match="pairs of a dimension and a level"):
            WeightedMinHash(1, values)


# MinHashLSH


def fill_index(sets, **choices):
    index = MinHashLSH(**choices)
    for key, elements in sets.items():
        index.insert(key, signature(elements, num_perm=index.h), elements=elements)
    return index


@given(sets=st.dictionaries(st.integers(0, 99), members, max_size=6), query=members)
def test_a_query_finds_the_sets_that_share_a_band(sets, query):
    index = fill_index(sets, threshold=0.5, num_perm=16, params=(8, 2))
    minhash = signature(query, num_perm=16)
    expected = [
        key
        for key, elements in sets.items()
        if (signature(elements, num_perm=16).digest() == minhash.digest()).reshape(8, 2).all(axis=1).any()
    ]
    assert index.query(minhash) == expected
    estimated = [key for key in expected if minhash.jaccard(signature(sets[key], num_perm=16)) >= 0.5]
    assert index.query(minhash, verify=True) == estimated
    exact = [key for key in expected if len(query & sets[key]) >= 0.5 * len(query | sets[key])]
    assert index.query(minhash, elements=query) == exact


@given(sets=st.dictionaries(st.integers(0, 9), members, min_size=1, max_size=6), data=st.data())
def test_a_removed_set_leaves_nothing_behind(sets, data):
    removed_key = data.draw(st.sampled_from(sorted(sets)))
    index = fill_index(sets, num_perm=16, params=(8, 2))
    index.remove(removed_key)
    rest = {key: elements for key, elements in sets.items() if key != removed_key}
    assert index.get_counts() == fill_index(rest, num_perm=16, params=(8, 2)).get_counts()
    assert list(index.keys) == list(rest)
    assert removed_key not in index
    with pytest.raises(ValueError, match="is not in the index"):
        index.remove(removed_key)


@given(
    one=st.dictionaries(st.integers(0, 9), members, max_size=4),
    other=st.dictionaries(st.integers(0, 9), members, max_size=4),
)
def test_a_merged_index_finds_what_both_find(one, other):
    index, second = (fill_index(sets, num_perm=16, params=(8, 2)) for sets in (one, other))
    index.merge(second)
    assert index.get_counts() == fill_index({**one, **other}, num_perm=16, params=(8, 2)).get_counts()
    assert len(second) == len(other)


def test_bands_are_those_of_the_threshold_or_those_given():
    assert (MinHashLSH(0.8, 128).b, MinHashLSH(0.8, 128).r) == Banding.for_threshold(0.8, 128) == (9, 13)
    weighted = MinHashLSH(0.8, 128, weights=(0.1, 0.9))
    assert (weighted.b, weighted.r) == Banding.for_threshold(0.8, 128, 0.1, 0.9)
    index = MinHashLSH(params=(16, 8))
    assert (index.b, index.r, index.h, index.threshold) == (16, 8, 128, 0.9)


def test_a_key_is_inserted_once_or_replaced():
    index = fill_index({"a": [1, 2, 3]}, threshold=0.5)
    with pytest.raises(ValueError, match="'a' is in the index already"):
        index.insert("a", signature([1]))
    index.insert("a", signature([7]), check_duplication=False)
    assert index.query(signature([1, 2, 3])) == []
    assert index.query(signature([7])) == ["a"]
    assert len(index) == 1
    assert not index.is_empty()
    assert MinHashLSH().is_empty()


def test_what_is_inserted_does_not_change_with_the_signature():
    index, minhash = MinHashLSH(threshold=0.5), signature(["a"])
    index.insert("a", minhash)
    minhash.update("b")
    assert index.query(signature(["a"])) == ["a"]
    index.remove("a")
    assert all(not table for table in index.get_counts())


def test_exact_verification_needs_the_elements_of_every_candidate():
    index = MinHashLSH(threshold=0.5)
    index.insert("rose", signature(["a", "rose"]))
    with pytest.raises(ValueError, match="'rose' was inserted without its elements"):
        index.query(signature(["a", "rose"]), elements=["a", "rose"])
    assert index.query(signature(["a", "rose"]), verify=True) == ["rose"]


def test_an_index_refuses_signatures_of_another_length_or_seed():
    index = fill_index({"a": [1]}, threshold=0.5)
    for other, message in ((MinHash(64), "128 values, not of 64"), (MinHash(seed=9), r"seed=0.*seed=9")):
        for meet in (lambda minhash: index.insert("b", minhash), index.query):
            with pytest.raises(ValueError, match=message):
                meet(other)
    second = MinHashLSH(threshold=0.5)
    second.insert("b", MinHash(seed=9))
    with pytest.raises(ValueError, match=r"seed=0.*seed=9"):
        index.merge(second)
    assert list(index.keys) == ["a"]


def test_indexes_of_other_bands_or_with_a_common_key_are_not_merged():
    index = fill_index({"a": [1]}, threshold=0.5)
    with pytest.raises(ValueError, match="cannot take in"):
        index.merge(MinHashLSH(threshold=0.8))
    with pytest.raises(ValueError, match="'a' are in both"):
        index.merge(fill_index({"b": [2], "a": [1]}, threshold=0.5), check_overlap=True)
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
    index = fill_index({"rose": ["a", "rose"], "place": ["in", "the", "same", "place"]}, threshold=0.5)
    read = pickle.loads(pickle.dumps(index))
    assert read.get_counts() == index.get_counts()
    assert read.query(signature(["a", "rose"]), elements=["a", "rose"]) == ["rose"]


def test_two_empty_sets_are_alike():
    index = fill_index({"nothing": [], "something": [1]}, threshold=0.5)
    assert index.query(MinHash(), elements=[]) == ["nothing"]


def test_a_session_is_the_index_itself():
    index = MinHashLSH(threshold=0.5)
    with index.insertion_session(buffer_size=7) as session:
        session.insert("a", signature([1]), elements=[1])
    assert index.query(signature([1]), elements=[1]) == ["a"]


def test_lean_and_weighted_signatures_are_indexed_too():
    weighted = WeightedMinHashGenerator(4, 16).minhash_many([[1, 2, 3, 4], [1, 2, 3, 5], [9, 0, 0, 0]])
    index = MinHashLSH(threshold=0.5, num_perm=16)
    for key, minhash in enumerate(weighted):
        index.insert(key, minhash)
    assert index.query(weighted[0], verify=True) == [0, 1]
    assert pickle.loads(pickle.dumps(index)).query(weighted[2]) == [2]
    index.remove(0)
    assert index.query(weighted[0], verify=True) == [1]
    for other in (MinHash(16), WeightedMinHashGenerator(4, 16, seed=2).minhash([1, 1, 1, 1])):
        with pytest.raises(ValueError, match="the index holds signatures such as WeightedMinHash"):
            index.insert("other", other)
    lean_index = MinHashLSH(threshold=0.5)
    lean_index.insert("a", LeanMinHash(signature(["a"])))
    assert lean_index.query(signature(["a"]), verify=True) == ["a"]
