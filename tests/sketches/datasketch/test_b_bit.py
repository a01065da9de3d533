"""bBitMinHash: an unbiased estimate from a few bits, and bytes that keep it."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem import MinHash
from ibidem.errors import DamagedError
from ibidem.sketches.datasketch import bBitMinHash


def signatures(*sets, **choices):
    return MinHash.bulk(sets, **choices)


@pytest.mark.parametrize("b", [1, 2, 4, 8, 32])
def test_the_estimate_is_unbiased(b):
    estimates = []
    for seed in range(40):
        one, other = signatures(range(900), range(300, 1200), num_perm=256, seed=seed)
        estimates.append(bBitMinHash(one, b).jaccard(bBitMinHash(other, b)))
    chance = 2.0**-b
    agreeing = chance + (1 - chance) * 0.5
    error = math.sqrt(agreeing * (1 - agreeing) / 256 / 40) / (1 - chance)
    assert abs(np.mean(estimates) - 0.5) <= 5 * error


def test_chance_counts_how_large_a_share_of_all_elements_the_sets_are():
    """Theorem 1 of Li and König, with sets that are half of what there is."""
    estimates = []
    for seed in range(60):
        one, other = signatures(range(60), range(30, 90), num_perm=512, seed=seed)
        estimates.append(bBitMinHash(one, 1, r=0.5).jaccard(bBitMinHash(other, 1, r=0.5)))
    a = 0.5 * 0.5 / (1 - 0.25)
    one, other = (bBitMinHash(each, 1, r=0.5) for each in signatures([1], [2], num_perm=64))
    agreeing = float(np.mean(one.hashvalues == other.hashvalues))
    assert one.jaccard(other) == pytest.approx((agreeing - a) / (1 - a))
    assert len(set(estimates)) > 1


def test_other_shares_of_the_two_sets_weigh_as_the_theorem_says():
    one, other = signatures([1], [2], num_perm=64)
    small, large = bBitMinHash(one, 2, r=0.2), bBitMinHash(other, 2, r=0.6)
    a = [r * (1 - r) ** 3 / (1 - (1 - r) ** 4) for r in (0.2, 0.6)]
    c1, c2 = (a[0] * 0.6 + a[1] * 0.2) / 0.8, (a[0] * 0.2 + a[1] * 0.6) / 0.8
    agreeing = float(np.mean(small.hashvalues == large.hashvalues))
    assert small.jaccard(large) == pytest.approx((agreeing - c1) / (1 - c2))


@given(
    elements=st.frozensets(st.integers(0, 99), max_size=9),
    b=st.integers(1, 32),
    num_perm=st.integers(1, 70),
    r=st.sampled_from([0.0, 0.3]),
)
def test_bytes_and_pickles_give_the_same_signature(elements, b, num_perm, r):
    made = bBitMinHash(signatures(elements, num_perm=num_perm, seed=9)[0], b, r)
    data = made.to_bytes()
    assert len(data) == made.bytesize() == 28 + math.ceil(num_perm * b / 8) + 8
    for other in (bBitMinHash.from_bytes(data), pickle.loads(pickle.dumps(made))):
        assert other == made
        assert other.hashvalues.tolist() == made.hashvalues.tolist()
        assert other.jaccard(made) == 1.0
    with pytest.raises(DamagedError):
        bBitMinHash.from_bytes(data[:-1])
    with pytest.raises(DamagedError):
        bBitMinHash.from_bytes(b"IBsk" + data[4:])


def test_the_lowest_bits_are_kept():
    [made] = signatures(["a", "rose"], num_perm=64)
    assert bBitMinHash(made, 5).hashvalues.tolist() == [int(value) % 32 for value in made.hashvalues]


def test_signatures_of_other_functions_or_bits_do_not_meet():
    one, other, third = signatures([1], num_perm=8), signatures([1], num_perm=8, seed=2), signatures([1], num_perm=9)
    made = bBitMinHash(one[0])
    for unlike in (bBitMinHash(other[0]), bBitMinHash(third[0]), bBitMinHash(one[0], 2)):
        assert made != unlike
        with pytest.raises(ValueError, match="cannot be compared"):
            made.jaccard(unlike)
    assert made != "a"


@pytest.mark.parametrize("choices", [{"b": 0}, {"b": 33}, {"r": 1.0}, {"r": -0.1}], ids=str)
def test_what_cannot_be_kept_is_an_error(choices):
    with pytest.raises(ValueError, match="not"):
        bBitMinHash(MinHash(8), **choices)
