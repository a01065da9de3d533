"""The sweep with a segment tree finds what the papers' interval scan finds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baselines.interval_scan import Window, all_passages, jitted_scan, maximal
from ibidem.sketches.index import sweep
from ibidem.sketches.index.collided_windows import WindowSet, keep_meeting
from ibidem.sketches.index.sweep import sweep_maximal_passages, sweep_rectangles

LARGE = 2**30


@st.composite
def windows(draw):
    """Windows of passages, some of them empty ones that hold the ends from each start on and count less."""
    found = []
    for _ in range(draw(st.integers(0, 25))):
        a, rows, between, columns = (draw(st.integers(0, most)) for most in (30, 6, 5, 8))
        if draw(st.booleans()):
            found.append(Window(a, a + rows, a, a + rows + between + columns, draw(st.sampled_from([6, 6, 1]))))
        else:
            found.append(Window(a, a + rows, a + rows + between, a + rows + between + columns, 10))
    return found


def window_set(found):
    return WindowSet(*np.array(found, np.int64).reshape(-1, 5).T.copy())


def passages_of(rectangles):
    return [(i, j) for s, t, low, high in rectangles.tolist() for i in range(s, t + 1) for j in range(low, high + 1)]


limits = st.sampled_from([(1, LARGE), (4, LARGE), (1, 9), (5, 12), (8, 8)])
least_scores = st.sampled_from([1, 6, 10, 16, 20, 26, 35])


def allowed(passages, lengths):
    return {(i, j) for i, j in passages if lengths[0] <= j - i + 1 <= lengths[1]}


@given(found=windows(), least=least_scores, lengths=limits)
def test_the_rectangles_hold_the_passages_of_the_interval_scan_once(found, least, lengths):
    expected = allowed(all_passages(found, least), lengths)
    for swept in (window_set(found), keep_meeting(window_set(found), least)):
        rectangles = sweep_rectangles(swept, least, lengths)
        passages = [passage for passage in passages_of(rectangles) if allowed([passage], lengths)]
        assert len(passages) == len(set(passages))
        assert set(passages) == expected


@given(found=windows(), least=least_scores, lengths=limits)
def test_every_near_duplicate_lies_in_a_longest_one_and_none_of_these_in_another(found, least, lengths):
    every = allowed(all_passages(found, least), lengths)
    longest = [tuple(passage) for passage in sweep_maximal_passages(window_set(found), least, lengths).tolist()]
    assert longest == maximal(every)
    assert sweep_maximal_passages(keep_meeting(window_set(found), least), least, lengths).tolist() == [
        list(it) for it in longest
    ]
    assert all(any(i <= x and y <= j for i, j in longest) for x, y in every)
    assert not any(i <= x and y <= j and (i, j) != (x, y) for i, j in longest for x, y in longest)


@given(found=windows(), least=least_scores, lengths=limits)
def test_a_cluster_may_end_at_any_event(found, least, lengths):
    whole = window_set(found)
    rectangles = sweep_rectangles(whole, least, lengths)
    longest = sweep_maximal_passages(whole, least, lengths)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep, "CLUSTER_EVENTS", 1)
        assert sweep_rectangles(whole, least, lengths).tolist() == rectangles.tolist()
        assert sweep_maximal_passages(whole, least, lengths).tolist() == longest.tolist()


@pytest.mark.parametrize("longest", [False, True])
@pytest.mark.parametrize("ordered", [False, True])
@given(found=windows(), least=least_scores)
def test_each_way_of_the_interval_scan_has_the_same_longest_passages(longest, ordered, found, least):
    scanned = jitted_scan(window_set(found), least, longest=longest, ordered=ordered)
    assert maximal(scanned) == maximal(all_passages(found, least))


def test_many_windows_of_one_cluster_and_of_many_are_swept():
    """Long enough for the rooms to grow."""
    random = np.random.default_rng(4)
    a = random.integers(0, 16_000, 8_000)
    b = a + random.integers(0, 30, 8_000)
    c = b + random.integers(0, 30, 8_000)
    found = WindowSet(a, b, c, c + random.integers(0, 40, 8_000), np.ones(8_000, np.int64))
    listed = [Window(*row) for row in np.stack(found, axis=1).tolist()]
    expected = maximal(all_passages(listed, 6))
    assert [tuple(passage) for passage in sweep_maximal_passages(found, 6, (1, LARGE)).tolist()] == expected
    rectangles = sweep_rectangles(found, 3, (1, LARGE))
    passages = passages_of(rectangles)
    assert set(passages) == all_passages(listed, 3)
    assert len(rectangles) > 4096


def cut_at(windows, start):
    """The windows of the starts before ``start``, and those of the starts from it on."""
    before, behind = windows.a < start, windows.b >= start
    left = WindowSet(*(column[before] for column in windows))
    right = WindowSet(*(column[behind] for column in windows))
    return left._replace(b=np.minimum(left.b, start - 1)), right._replace(a=np.maximum(right.a, start))


@given(found=windows(), least=least_scores, lengths=limits, start=st.integers(0, 40))
def test_two_sweeps_one_after_the_other_find_what_one_finds(found, least, lengths, start):
    whole = window_set(found)
    left, right = cut_at(whole, start)
    rectangles = [each for side in (left, right) for each in passages_of(sweep_rectangles(side, least, lengths))]
    assert len(rectangles) == len(set(rectangles))
    assert allowed(rectangles, lengths) == allowed(passages_of(sweep_rectangles(whole, least, lengths)), lengths)
    first = sweep_maximal_passages(left, least, lengths).tolist()
    reached = first[-1][1] if first else -1
    second = sweep_maximal_passages(right, least, lengths, reached).tolist()
    assert first + second == sweep_maximal_passages(whole, least, lengths).tolist()
