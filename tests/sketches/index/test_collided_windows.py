"""Windows that cannot reach a score are left out without a sort, and the others keep every start at which they can."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.sketches.index.collided_windows import WindowSet, keep_meeting, order_events


@st.composite
def window_sets(draw):
    """Windows near each other and far apart, in any order."""
    step = draw(st.sampled_from([1, 9, 64, 1_000]))
    rows = [
        (start := step * draw(st.integers(0, 40)) + draw(st.integers(0, 3)), start + draw(st.integers(0, 150)), number)
        for number in range(draw(st.integers(0, 20)))
    ]
    a, b, c = np.array(rows, np.int64).reshape(-1, 3).T.copy()
    counts = np.array([draw(st.sampled_from([1, 2, 5])) for _ in rows], np.int64)
    return WindowSet(a, b, c, c + 1, counts)


def sums(windows):
    """What all windows count at each start, by the definition."""
    found = np.zeros(42_000, np.int64)
    for a, b, count in zip(windows.a, windows.b, windows.counts, strict=True):
        found[a : b + 1] += count
    return found


@given(windows=window_sets(), least=st.integers(1, 9))
def test_windows_are_cut_to_the_starts_at_which_all_together_reach_the_score(windows, least):
    reaching = np.flatnonzero(sums(windows) >= least)
    expected = []
    for a, b, c, d, count in zip(*windows, strict=True):
        inside = reaching[(reaching >= a) & (reaching <= b)]
        if len(inside):
            expected.append((inside[0], inside[-1], c, d, count))
    assert list(zip(*keep_meeting(windows, least), strict=True)) == expected


@given(windows=window_sets(), least=st.integers(1, 9))
def test_no_sum_that_reaches_the_score_changes(windows, least):
    before, after = sums(windows), sums(keep_meeting(windows, least))
    assert (after[before >= least] == before[before >= least]).all()
    assert (after[before < least] < least).all()


@given(windows=window_sets())
def test_events_are_in_order_and_at_one_start_ends_come_first(windows):
    begins = [(int(a), 1, window) for window, a in enumerate(windows.a)]
    ends = [(int(b) + 1, 0, -1 - window) for window, b in enumerate(windows.b)]
    expected = sorted(begins + ends, key=lambda event: event[:2])
    assert list(zip(*order_events(windows), strict=True)) == [(position, change) for position, _, change in expected]


def test_windows_at_both_ends_of_a_long_text_keep_their_places():
    a = np.array([5, 2**28 - 1], np.int64)
    windows = WindowSet(a, a + 2, a + 2, a + 9, np.array([2, 1], np.int64))
    assert list(zip(*keep_meeting(windows, 2), strict=True)) == [(5, 7, 7, 14, 2)]
    assert order_events(windows).positions.tolist() == [5, 8, 2**28 - 1, 2**28 + 2]
