"""The running example's compact windows (Examples 4 and 5), which key dominates which, and the way to arrays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baselines.brute_force import min_hash
from baselines.notation import CompactWindow, Key, dominates, hash_function, to_windows
from ibidem.sketches.families import ActiveValues

from .running_example import FIGURE_1B, h, n, passage

FIGURE_1C = [
    (1, 1, 1, 8, 10),
    (1, 2, 2, 8, 10),
    (2, 1, 1, 1, 7),
    (2, 2, 2, 3, 7),
    (2, 3, 3, 3, 10),
    (2, 4, 4, 5, 10),
    (2, 5, 5, 5, 10),
    (2, 6, 6, 6, 10),
    (3, 7, 7, 9, 10),
    (3, 8, 8, 9, 10),
    (3, 9, 9, 9, 10),
    (3, 10, 10, 10, 10),
    (4, 7, 7, 8, 8),
    (9, 2, 2, 2, 2),
    (9, 4, 4, 4, 4),
    (9, 7, 7, 7, 7),
    (9, 8, 8, 8, 8),
]


def cells(window: tuple[int, ...]) -> list[tuple[int, int]]:
    """The passages of a window."""
    _, a, b, c, d = window
    return [(i, j) for i in range(a, b + 1) for j in range(c, d + 1)]


@pytest.mark.parametrize("window", [(1, 1, 2, 8, 10), (2, 4, 5, 5, 10)])
def test_example_4_compact_windows(window: tuple[int, ...]) -> None:
    assert {min_hash(passage(i, j), h) for i, j in cells(window)} == {window[0]}


@pytest.mark.parametrize(("partition", "size"), [(FIGURE_1B, 13), (FIGURE_1C, 17)])
def test_example_5_partitions(partition: list[tuple[int, ...]], size: int) -> None:
    assert len(partition) == size
    assert sorted(cell for window in partition for cell in cells(window)) == [
        (i, j) for i in range(1, n + 1) for j in range(i, n + 1)
    ]
    assert all(min_hash(passage(i, j), h) == window[0] for window in partition for i, j in cells(window))


passages = st.lists(st.integers(1, 6), min_size=2, max_size=2).map(lambda ends: tuple(sorted(ends)))


@given(s=passages, other=passages)
def test_a_key_dominates_those_that_begin_before_it_or_end_after_it(s: tuple[int, int], other: tuple[int, int]) -> None:
    inside = set(range(s[0], s[1] + 1)) < set(range(other[0], other[1] + 1))
    assert dominates(s, other) == inside


VALUES = ActiveValues(
    bounds=np.array([0, 2, 3]),
    x=np.array([1, 3, 1], np.int32),
    rank=np.array([50, 20, 2**64 - 1], np.uint64),
    key=np.array([7, 8, 9], np.uint32),
)
"""Token 0 has values at the frequencies 1 and 3, token 1 at 1."""


def test_the_values_of_arrays_are_those_of_the_hash_function() -> None:
    assert hash_function(VALUES) == {(0, 1): 50, (0, 3): 20, (1, 1): 2**64 - 1}


def test_windows_in_arrays_count_from_zero_and_have_the_keys_of_their_hash_values() -> None:
    T = [0, 0, 1, 0]
    partition = [CompactWindow(Key(1, 4, 3, 20), 1, 1, 4, 4), CompactWindow(Key(3, 3, 1, 2**64 - 1), 3, 3, 3, 3)]
    windows = to_windows(T, VALUES, partition)
    assert [column.tolist() for column in windows] == [[8, 9], [0, 2], [0, 2], [3, 2], [3, 2]]
    assert [len(column) for column in to_windows(T, VALUES, [])] == [0] * 5
