"""The oracle against the definition that it unrolls (Equation 1), and on the running example of the paper."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from baselines.brute_force import hash_value_set, min_hash, min_hashes
from baselines.notation import hash_function
from ibidem.sketches.families import ActiveValues

from .running_example import T, h, n, passage

num_tokens = 3
num_frequencies = 4


@given(
    ids=st.lists(st.integers(0, num_tokens - 1), max_size=12),
    ranks=st.lists(st.integers(0, 2**64 - 1), min_size=12, max_size=12, unique=True),
    exists=st.lists(st.booleans(), min_size=12, max_size=12),
)
def test_min_hashes_are_the_smallest_of_the_hash_value_sets(
    ids: list[int], ranks: list[int], exists: list[bool]
) -> None:
    chosen = np.array(exists)
    bounds = np.concatenate(([0], np.cumsum(chosen)))[::num_frequencies]
    x = np.tile(np.arange(1, num_frequencies + 1, dtype=np.int32), num_tokens)[chosen]
    rank = np.array(ranks, dtype=np.uint64)[chosen]
    values = ActiveValues(bounds, x, rank, np.arange(len(x), dtype=np.uint32))
    found = min_hashes(np.array(ids, dtype=np.int32), values)
    for i in range(len(ids)):
        for j in range(len(ids)):
            hash_values = hash_value_set(ids[i : j + 1], hash_function(values))
            assert found.exists[i, j] == bool(hash_values)
            if hash_values:
                assert found.rank[i, j] == min(hash_values)
                assert rank[found.key[i, j]] == min(hash_values)


FIGURE_1A = [  # row j holds the min-hashes of T[1, j] to T[j, j]
    [2],
    [2, 9],
    [2, 2, 2],
    [2, 2, 2, 9],
    [2, 2, 2, 2, 2],
    [2, 2, 2, 2, 2, 2],
    [2, 2, 2, 2, 2, 2, 9],
    [1, 1, 2, 2, 2, 2, 4, 9],
    [1, 1, 2, 2, 2, 2, 3, 3, 3],
    [1, 1, 2, 2, 2, 2, 3, 3, 3, 3],
]


def test_example_2_the_min_hash_of_the_text() -> None:
    assert min_hash(T, h) == h["B", 4] == 1


def test_figure_1a_the_min_hash_of_every_passage() -> None:
    assert [[min_hash(passage(i, j), h) for i in range(1, j + 1)] for j in range(1, n + 1)] == FIGURE_1A


def test_example_6_hash_value_sets() -> None:
    assert hash_value_set(passage(3, 6), h) == {2, 5, 8, 9}
    assert min_hash(passage(3, 6), h) == 2
