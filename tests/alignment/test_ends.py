"""Pairs end where no climb moves them, but for the exceptions that are named."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.alignment.ends import climb_again, lengthen_rewritten, may_move
from ibidem.alignment.extension import climb, extend_box, measure
from ibidem.alignment.passage_pairs import find_passage_pairs
from ibidem.alignment.selection import Criteria, judge
from ibidem.alignment.weighted_pair import Pair
from tests.alignment.pairs import ALPHABET, Case, all_seeds, cases, pair_whose_zones_disagree

COPY = np.arange(100, 160)


@settings(deadline=None)
@given(cases(), st.sampled_from([0.5, 1.0, 3.0]))
def test_every_pair_ends_where_a_climb_leads_unless_it_may_not_go_there(case: Case, nats: float) -> None:
    pair, criteria = case.pair, Criteria(0.3, case.pair.window, nats)
    counts = np.zeros((2, ALPHABET), np.int64)
    found = find_passage_pairs(pair, criteria, summaries=False).similar
    for x, box in enumerate(found):
        better = extend_box(pair, counts, box)
        allowed = may_move(pair, box, better, np.delete(found, x, axis=0), criteria)
        # In texts so short nothing is set against the rest of the texts.
        assert (better == box).all() or not allowed or judge(pair, counts, better, criteria, None) <= 0


@settings(deadline=None)
@given(cases(), st.data())
def test_a_pair_may_not_overlap_another_or_lose_windows_that_are_surely_similar(
    case: Case, data: st.DataObject
) -> None:
    pair, w = case.pair, case.pair.window

    def box() -> np.ndarray:
        ends = []
        for text in (pair.a, pair.b):
            start = data.draw(st.integers(0, len(text) - 1))
            ends += [start, data.draw(st.integers(start + 1, len(text)))]
        return np.array(ends, np.int64)

    def meets(one: np.ndarray, other: np.ndarray) -> bool:
        in_a, in_b = one[0] < other[1] and other[0] < one[1], one[2] < other[3] and other[2] < one[3]
        return bool(in_a and in_b)

    old, new, other = box(), box(), box()
    windows = [np.array([i, i + w, j, j + w]) for i, j in all_seeds(case._replace(threshold=0.65))]
    lost = [each for each in windows if meets(each, old) and not meets(each, new) and not meets(each, other)]
    allowed = may_move(pair, old, new, other[np.newaxis], Criteria(0.3, w, -np.inf))
    if meets(new, other) or not meets(old, new) or lost:
        assert not allowed


def test_a_pair_that_was_cut_short_climbs_to_the_ends_of_its_copy() -> None:
    a = np.concatenate([np.arange(50), COPY, np.arange(50, 80)]).astype(np.int32)
    b = np.concatenate([np.arange(200, 240), COPY, np.arange(240, 260)]).astype(np.int32)
    pair = Pair(a, b, np.ones(260), np.ones(100), 8)
    counts = np.zeros((2, 260), np.int64)
    cut = np.array([[60, 80, 50, 70]])
    assert climb_again(pair, counts, cut, Criteria(0.3, 10, 5.0), None).tolist() == [[50, 110, 40, 100]]


def test_a_pair_whose_zones_disagree_about_its_end_comes_to_rest() -> None:
    pair = pair_whose_zones_disagree([0, 4, 8, 12, 16], 2000)
    counts = np.zeros((2, 4000), np.int64)
    trimmed = np.array([[17, 2000, 17, 2000]])
    assert climb_again(pair, counts, trimmed, Criteria(0.3, 10, 5.0), None).tolist() == [[1, 2000, 1, 2000]]


def a_sentence_in_two_texts(kept: int) -> tuple[Pair, np.ndarray]:
    """Two texts that share ``kept`` of every three words of a sentence of 30, and where a climb puts it."""
    copy = np.arange(100, 130)
    rewritten = np.where(np.arange(30) % 3 < kept, copy, copy + 100)
    a = np.concatenate([np.arange(50), copy, np.arange(50, 80)]).astype(np.int32)
    b = np.concatenate([np.arange(230, 270), rewritten, np.arange(270, 300)]).astype(np.int32)
    pair = Pair(a, b, np.ones(300), np.ones(100), 8)
    return pair, extend_box(pair, np.zeros((2, 300), np.int64), np.array([50, 80, 40, 70]))


def test_a_short_passage_that_was_rewritten_grows_to_the_least_length() -> None:
    pair, box = a_sentence_in_two_texts(kept=2)
    criteria, counts = Criteria(0.3, 40, 5.0), np.zeros((2, 300), np.int64)
    [grown] = lengthen_rewritten(pair, counts, box[np.newaxis], criteria)
    assert max(grown[1] - grown[0], grown[3] - grown[2]) == 40
    assert (grown[::2] <= box[::2]).all()
    assert (grown[1::2] >= box[1::2]).all()
    assert measure(pair, counts, grown)[0] > measure(pair, counts, np.array([40, 80, 30, 70]))[0]
    for pair_of_enough in (criteria._replace(min_length=20), criteria._replace(nats=1e3)):
        assert not len(lengthen_rewritten(pair, counts, box[np.newaxis], pair_of_enough))


def test_few_places_are_tried_for_a_passage_that_must_become_long(monkeypatch: pytest.MonkeyPatch) -> None:
    climbs = []

    def count(pair: Pair, counts: np.ndarray, box: np.ndarray, moves: int) -> tuple[float, float]:
        climbs.append(box)
        reached: tuple[float, float] = climb(pair, counts, box, moves)
        return reached

    monkeypatch.setattr("ibidem.alignment.ends.climb", count)
    short, _ = a_sentence_in_two_texts(kept=2)
    margin = np.zeros(5000, np.int32)
    pair = short._replace(a=np.concatenate([margin, short.a, margin]), b=np.concatenate([margin, short.b, margin]))
    pair = pair._replace(growth=np.ones(11_000))
    box, counts = np.array([5050, 5080, 5040, 5070]), np.zeros((2, 300), np.int64)
    [grown] = lengthen_rewritten(pair, counts, box[np.newaxis], Criteria(0.3, 5000, 5.0))
    assert grown[1] - grown[0] >= 5000
    assert climbs
    assert len(climbs) <= 41


def test_a_short_copy_is_left_as_it_is() -> None:
    pair, box = a_sentence_in_two_texts(kept=3)
    assert box.tolist() == [50, 80, 40, 70]
    assert not len(lengthen_rewritten(pair, np.zeros((2, 300), np.int64), box[np.newaxis], Criteria(0.3, 40, 5.0)))
