"""MonoAll on the running example: its keys, and the windows that each adds (Examples 7 to 10)."""

import numpy as np

from baselines.brute_force import min_hash
from baselines.monoall import generate_keys, in_visiting_order, monotonic_partitioning
from baselines.notation import dominates

from .running_example import FIGURE_1B, T, drawn, h, n, passage


def test_example_7_the_keys_of_the_text() -> None:
    K = generate_keys(T, h)
    assert len(K) == 23
    assert [(s.x, s.v) for s in K if (s.p, s.q) == (1, 3)] == [(2, 5)]


def test_example_8_the_min_hash_is_the_smallest_of_the_keys_inside() -> None:
    inside = [s for s in generate_keys(T, h) if s.p >= 1 and s.q <= 3]
    assert sorted(s[:2] for s in inside) == [(1, 1), (1, 3), (2, 2), (3, 3)]
    assert min(s.v for s in inside) == min_hash(passage(1, 3), h) == 2


def test_example_9_the_first_keys_and_the_windows_that_each_adds() -> None:
    first = in_visiting_order(generate_keys(T, h))[:8]
    assert [s[:2] for s in first] == [(2, 8), (1, 1), (3, 3), (5, 5), (6, 6), (9, 9), (10, 10), (2, 4)]
    sizes = [len(monotonic_partitioning(first[:m], n)) for m in range(9)]
    assert np.diff(sizes).tolist() == [1, 1, 2, 1, 1, 1, 1, 0]
    assert dominates((3, 3), (2, 4))  # hence the last key adds nothing


def test_example_10_visiting_a_key_that_dominates_one_on_the_skyline() -> None:
    first = in_visiting_order(generate_keys(T, h))[:3]
    assert drawn(monotonic_partitioning(first, n)[2:]) == [(2, 2, 3, 3, 7), (2, 3, 3, 8, 10)]


def test_monoall_gives_the_windows_of_figure_1b() -> None:
    assert sorted(drawn(monotonic_partitioning(generate_keys(T, h), n))) == FIGURE_1B
