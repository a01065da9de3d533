"""Disjoint sets against sets of Python that are merged one by one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.disjoint_sets import join_pairs, root_of, roots_of, settle

SIZE = 12
PAIRS = st.lists(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)), max_size=20)


def smallest_of_each(pairs: list[tuple[int, int]]) -> list[int]:
    sets = [{member} for member in range(SIZE)]
    for a, b in pairs:
        merged = sets[a] | sets[b]
        for member in merged:
            sets[member] = merged
    return [min(each) for each in sets]


def joined(pairs: list[tuple[int, int]]) -> np.ndarray:
    parents = np.arange(SIZE)
    join_pairs(parents, np.array(pairs, np.int64).reshape(-1, 2))
    return parents


@given(PAIRS)
def test_the_root_of_a_set_is_its_smallest_member(pairs: list[tuple[int, int]]) -> None:
    parents = joined(pairs)
    assert roots_of(parents, np.arange(SIZE)).tolist() == smallest_of_each(pairs)
    assert [root_of(parents, member) for member in range(SIZE)] == smallest_of_each(pairs)


@given(PAIRS)
def test_settled_parents_are_the_roots(pairs: list[tuple[int, int]]) -> None:
    parents = joined(pairs)
    settle(parents)
    assert parents.tolist() == smallest_of_each(pairs)
