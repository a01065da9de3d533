"""The sweep with a segment tree finds what the papers' interval scan finds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.baselines.interval_scan import Window, all_passages, jitted_scan, maximal
from ibidem.passages.search import collision_sweep
from ibidem.passages.search.collision_sweep import sweep_maximal_passages, sweep_rectangles
from ibidem.passages.search.collision_windows import WindowSet, keep_meeting

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
    return [
        (i, j) for s, t, low, high, _, _ in rectangles.tolist() for i in range(s, t + 1) for j in range(low, high + 1)
    ]


limits = st.sampled_from([(1, LARGE), (4, LARGE), (1, 9), (5, 12), (8, 8)])
least_scores = st.sampled_from([1, 6, 10, 16, 20, 26, 35])


def allowed(passages, lengths):
    return {(i, j) for i, j in passages if lengths[0] <= j - i + 1 <= lengths[1]}


def scores_of(found):
    scores = np.zeros((60, 60), np.int64)
    for a, b, c, d, count in found:
        for i in range(a, b + 1):
            scores[i, max(i, c) : d + 1] += count
    return scores


@given(found=windows(), least=least_scores, lengths=limits)
def test_the_rectangles_hold_the_passages_of_the_interval_scan_once(found, least, lengths):
    expected = allowed(all_passages(found, least), lengths)
    for swept in (window_set(found), keep_meeting(window_set(found), least)):
        rectangles, _ = sweep_rectangles(swept, least, lengths)
        passages = [passage for passage in passages_of(rectangles) if allowed([passage], lengths)]
        assert len(passages) == len(set(passages))
        assert set(passages) == expected


@given(found=windows(), least=least_scores)
def test_a_rectangle_names_a_passage_of_its_highest_score(found, least):
    scores = scores_of(found)
    rectangles, highest = sweep_rectangles(window_set(found), least, (1, LARGE))
    for (s, t, low, high, i, j), score in zip(rectangles.tolist(), highest, strict=True):
        inside = [scores[x, y] for x in range(s, t + 1) for y in range(max(x, low), high + 1)]
        assert score == max(inside) == scores[i, j]
        assert s == i
        assert low <= j <= high


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
    rectangles, scores = sweep_rectangles(whole, least, lengths)
    longest = sweep_maximal_passages(whole, least, lengths)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(collision_sweep, "CLUSTER_EVENTS", 1)
        cut, cut_scores = sweep_rectangles(whole, least, lengths)
        assert sweep_maximal_passages(whole, least, lengths).tolist() == longest.tolist()
    assert (cut.tolist(), cut_scores.tolist()) == (rectangles.tolist(), scores.tolist())


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
    rectangles, _ = sweep_rectangles(found, 3, (1, LARGE))
    passages = passages_of(rectangles)
    assert set(passages) == all_passages(listed, 3)
    assert len(rectangles) > 4096
