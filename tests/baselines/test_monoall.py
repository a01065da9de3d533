"""MonoAll on the running example: its keys, and the windows that each adds (Examples 7 to 10)."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baselines.brute_force import min_hash
from baselines.monoactive import generate_active_keys
from baselines.monoall import generate_keys, in_visiting_order, monotonic_partitioning
from baselines.notation import Key, dominates

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


@given(T=st.text("ABC", min_size=1, max_size=9), data=st.data())
@pytest.mark.parametrize("by_frequency", [False, True])
@pytest.mark.parametrize("generate", [generate_keys, generate_active_keys])
def test_either_order_of_ties_gives_each_passage_one_window(
    generate: Callable[..., list[Key]], by_frequency: bool, T: str, data: st.DataObject
) -> None:
    h = {}
    for t in set(T):  # by Lemma 12, weighted hash values do not rise with the frequency; some are equal
        falling = sorted(data.draw(st.lists(st.integers(1, 9), min_size=len(T), max_size=len(T))), reverse=True)
        h |= {(t, x): 3 * v + ord(t) % 3 for x, v in enumerate(falling, start=1)}
    windows = monotonic_partitioning(generate(T, h), len(T), by_frequency=by_frequency)
    for i in range(1, len(T) + 1):
        for j in range(i, len(T) + 1):
            found = [w.s.v for w in windows if w.a <= i <= w.b and w.c <= j <= w.d]
            assert found == [min(h[t, T[i - 1 : j].count(t)] for t in set(T[i - 1 : j]))]
