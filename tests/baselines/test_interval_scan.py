"""The interval scan on the windows that collide: Example 4 of the paper, and windows at random."""

from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from baselines.interval_scan import Near, Window, all_passages, jitted_scan, maximal, near_duplicates

# Example 4 with θ = 0.8 and k = 2: a collision counts 10, an empty bin 8, and 16 are needed.
COLLIDED = [Window(1, 3, 3, 9, 10), Window(4, 8, 8, 13, 10), Window(6, 10, 6, 10, 8)]

ranges = st.lists(st.integers(0, 19), min_size=2, max_size=2).map(sorted)
windows = st.lists(
    st.builds(lambda starts, ends, score: Window(*starts, *ends, score), ranges, ranges, st.integers(1, 10)),
    min_size=1,
    max_size=8,
)


def arrays_of(windows: list[Window]) -> SimpleNamespace:
    a, b, c, d, counts = (np.array(column) for column in zip(*windows, strict=True))
    return SimpleNamespace(a=a, b=b, c=c, d=d, counts=counts)


def test_example_4_the_interval_scan_gives_one_compact_alignment() -> None:
    assert near_duplicates(COLLIDED, 16) == [Near((6, 8), (8, 10))]
    assert all_passages(COLLIDED, 16) == {(i, j) for i in (6, 7, 8) for j in (8, 9, 10)}
    for longest in (False, True):
        for ordered in (False, True):
            assert jitted_scan(arrays_of(COLLIDED), 16, longest=longest, ordered=ordered) == [(6, 10)]


@given(windows=windows, least=st.integers(1, 30))
def test_near_duplicates_are_the_passages_whose_windows_count_enough(windows: list[Window], least: int) -> None:
    expected = set()
    for i in range(20):
        for j in range(i, 20):
            score = sum(w.score for w in windows if w.a <= i <= w.b and w.c <= j <= w.d)
            expected |= {(i, j)} if score >= least else set()
    assert all_passages(windows, least) == expected


@given(windows=windows, least=st.integers(1, 30))
def test_the_compiled_scan_gives_the_longest_passages_whichever_way_it_is_made_faster(
    windows: list[Window], least: int
) -> None:
    longest_ones = maximal(all_passages(windows, least))
    for longest in (False, True):
        for ordered in (False, True):
            found = jitted_scan(arrays_of(windows), least, longest=longest, ordered=ordered)
            assert maximal(found) == longest_ones
