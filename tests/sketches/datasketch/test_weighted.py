"""WeightedMinHash: the definition of consistent weighted sampling, and what users of datasketch expect."""

import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from ibidem.hashing import GOLDEN, function_seeds, mix64
from ibidem.sketches.datasketch import MinHash, WeightedMinHash, WeightedMinHashGenerator

SMALL = WeightedMinHashGenerator(5, 8, seed=3)
some_weights = arrays.arrays(np.float64, 5, elements=st.sampled_from([0.0, 0.25, 1.0, 3.0, 1e6]))


def drawn(element, function_seed):
    """Five uniform numbers of an element under a function, in plain Python."""
    mask = 2**64 - 1
    state = int(mix64(mix64(np.uint64(element) + GOLDEN) ^ function_seed))
    for _ in range(5):
        state = (state + int(GOLDEN)) & mask
        yield ((int(mix64(np.uint64(state))) >> 11) + 0.5) * 2.0**-53


def test_the_random_numbers_are_those_of_the_mixers():
    for function, seed in enumerate(function_seeds(3, 8)):
        for element in range(5):
            u1, u2, v1, v2, beta = drawn(element, seed)
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


class Sparse:
    """The arrays of a sparse matrix, as scipy's have them."""

    def __init__(self, dense):
        dense = np.asarray(dense)
        self.shape = dense.shape
        self.indptr = np.cumsum([0, *np.count_nonzero(dense, axis=1)])
        self.indices, self.data = np.nonzero(dense)[1], dense[np.nonzero(dense)]

    def tocsr(self):
        return self


def test_many_rows_dense_or_sparse_are_those_of_each():
    rows = np.array([[1, 3, 0, 0, 2], [0, 0, 0, 0, 0], [0, 0, 0, 9, 0]])
    expected = [SMALL.minhash(rows[0]), None, SMALL.minhash(rows[2])]
    assert SMALL.minhash_many(rows) == SMALL.minhash_many(Sparse(rows)) == expected
    assert rows.tolist() == [[1, 3, 0, 0, 2], [0, 0, 0, 0, 0], [0, 0, 0, 9, 0]]


def test_copies_are_equal_and_share_nothing():
    made = SMALL.minhash([1, 2, 3, 4, 5])
    for other in (
        made.copy(),
        copy.deepcopy(made),
        pickle.loads(pickle.dumps(made)),
        WeightedMinHash(3, made.digest()),
    ):
        assert other == made
        assert (len(other), other.seed) == (8, 3)
    assert made != WeightedMinHash(4, made.digest())
    assert made != "a"
    changed = made.digest()
    changed[0] = 99
    assert made != WeightedMinHash(3, changed)
    assert SMALL.minhash([1, 2, 3, 4, 5]) == made


def test_signatures_of_other_functions_do_not_meet():
    made = SMALL.minhash([1, 1, 1, 1, 1])
    for other in (WeightedMinHash(4, made.digest()), WeightedMinHash(3, made.digest()[:4])):
        with pytest.raises(ValueError, match="other functions"):
            made.jaccard(other)
    with pytest.raises(TypeError, match="not a MinHash"):
        made.jaccard(MinHash(8))


@pytest.mark.parametrize(
    "weights", [[0, 0, 0, 0, 0], [1, 2, 3], [1, 2, 3, 4, -1], [1, 2, 3, 4, math.nan], [[1, 2, 3, 4, 5]]], ids=str
)
def test_what_is_no_weighted_set_is_an_error(weights):
    with pytest.raises(ValueError, match="weight"):
        SMALL.minhash(weights)
    with pytest.raises(TypeError, match="vector of its weights"):
        SMALL.minhash(7)
    with pytest.raises(ValueError, match="of 5 elements"):
        SMALL.minhash_many(Sparse([[1, 2]]))


@pytest.mark.parametrize("choices", [{"dim": 0}, {"dim": 3, "sample_size": 0}, {"dim": 3, "seed": -1}], ids=str)
def test_what_is_no_generator_is_an_error(choices):
    with pytest.raises(ValueError, match="is"):
        WeightedMinHashGenerator(**choices)


def test_hash_values_are_pairs():
    for values in ([], [1, 2], [[1, 2, 3]]):
        with pytest.raises(ValueError, match="pairs of a dimension and a level"):
            WeightedMinHash(1, values)
