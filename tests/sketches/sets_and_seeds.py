"""Sets of elements, seeds, and the hash values that sketches of them keep."""

from collections.abc import Collection

import numpy as np
from hypothesis import strategies as st

from ibidem.hashing import function_seeds
from ibidem.sketches.elements import hash_values

ELEMENTS = st.one_of(
    st.frozensets(st.integers(0, 40), max_size=30), st.frozensets(st.integers(2**63 - 20, 2**64 - 1), max_size=30)
)
SEEDS = st.sampled_from([0, 1, 2**64 - 1])


def values_of(members: Collection[int], seed: int) -> list[int]:
    """The hash values of a set under the one function of a seed, ascending."""
    array = np.array(sorted(members), np.uint64)
    return sorted(hash_values(array, function_seeds(seed, 1)[0]).tolist())
