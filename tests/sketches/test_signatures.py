"""What a signature of k minima keeps, by its definition."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.hashing import function_seeds
from ibidem.sketches.elements import hash_values
from ibidem.sketches.families import SetFamily
from ibidem.sketches.kmins import sketch
from ibidem.sketches.signatures import KMins
from ibidem.sketches.sketches import EMPTY

from .sets_and_seeds import ELEMENTS as elements
from .sets_and_seeds import SEEDS as seeds


@given(members=elements, seed=seeds)
def test_k_mins_keeps_the_smallest_hash_value_of_each_function(members, seed):
    array = np.array(sorted(members), np.uint64)
    expected = [hash_values(array, each).min(initial=EMPTY) for each in function_seeds(seed, 8)]
    assert KMins.of(members, 8, seed).values.tolist() == expected


@given(members=st.frozensets(st.integers(2**32 - 9, 2**32 - 1), min_size=1), seed=st.sampled_from([0, 2**63 - 1]))
def test_k_mins_has_the_functions_of_an_index_of_sets(members, seed):
    tokens = np.array(sorted(members), np.uint32)
    keys = KMins.of(tokens, 8, seed).values & np.uint64(0xFFFFFFFF)
    assert keys.tolist() == sketch(SetFamily(), tokens, function_seeds(seed, 8)).tolist()
