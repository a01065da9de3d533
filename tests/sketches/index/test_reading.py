"""Windows are read where a start is left, stretch by stretch, and none is lost between two stretches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.sketches.index import reading
from ibidem.sketches.index.collision_count import BIN, PostingList
from ibidem.sketches.index.reading import _divide_stretch, _find_touching, _Stretch

REACH = 3 * BIN


@given(
    postings=st.lists(st.tuples(st.integers(0, 12 * BIN), st.integers(0, REACH - 1)), max_size=30),
    bins=st.sets(st.integers(0, 12)),
)
def test_the_windows_read_are_those_that_hold_a_start_in_a_bin(postings, bins):
    postings.sort()
    starts = np.array([start for start, _ in postings], np.uint32)
    extents = np.array([(more, 0, 0) for _, more in postings], np.uint16).reshape(-1, 3)
    touching = _find_touching(starts, extents, np.array(sorted(bins), np.int64), REACH)
    assert touching.tolist() == [
        number
        for number, (start, more) in enumerate(postings)
        if any(start // BIN <= place <= (start + more) // BIN for place in bins)
    ]


LISTS = PostingList(low=3, high=9, worth=2, empty=False), PostingList(low=9, high=40, worth=1, empty=True)
STARTS = np.concatenate((np.zeros(3), [0, 5, 63, 64, 64, 900], np.sort(np.arange(31) * 37 % 1000))).astype(np.uint32)


class Postings:
    """A segment of which only the starts of postings are looked up."""

    def find_start(self, low, high, start):
        return low + int(np.searchsorted(STARTS[low:high], start))


def are_parts(stretches):
    """Whether each stretch has the postings that begin in it."""
    for stretch in stretches:
        for whole, own in zip(LISTS, stretch.lists, strict=True):
            inside = [n for n in range(whole.low, whole.high) if stretch.first <= STARTS[n] < stretch.stop]
            assert list(range(own.low, own.high)) == inside
            assert (own.worth, own.empty) == (whole.worth, whole.empty)
    return True


@pytest.mark.parametrize("most", [1, 3, 10, 100])
def test_stretches_follow_each_other_and_share_out_the_postings(monkeypatch, most):
    monkeypatch.setattr(reading, "STRETCH_POSTINGS", most)
    stretches = list(_divide_stretch(Postings(), _Stretch(0, 16 * BIN, list(LISTS)), np.ones(16, np.bool_)))
    assert [stretch.first for stretch in stretches] == [0, *(stretch.stop for stretch in stretches[:-1])]
    assert stretches[-1].stop == 16 * BIN
    assert all(stretch.postings <= most or stretch.stop - stretch.first == BIN for stretch in stretches)
    assert are_parts(stretches)


@given(bins=st.lists(st.booleans(), min_size=16, max_size=16), enough=st.sampled_from([0, 1, 5, 1000]))
def test_stretches_hold_the_bins_that_are_left_and_little_else(bins, enough):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "_CUT_POSTINGS", enough)
        stretches = list(_divide_stretch(Postings(), _Stretch(0, 16 * BIN, list(LISTS)), np.array(bins)))
    held = [place for each in stretches for place in range(each.first // BIN, each.stop // BIN)]
    assert held == sorted(set(held))
    assert {place for place in range(16) if bins[place]} <= set(held)
    if not enough:
        assert all(bins[each.first // BIN] and bins[each.stop // BIN - 1] for each in stretches if each.postings)
    assert are_parts(stretches)
