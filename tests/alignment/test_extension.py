"""The climb against every single move, tried in plain Python."""

from collections import Counter

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.alignment.extension import GROW, GROW_AND_TRIM, MEASURE, ZONE, Measures, climb, extend_box, join_boxes
from ibidem.alignment.overlap_evidence import CHANCE, evidence
from ibidem.alignment.weighted_pair import Pair
from ibidem.similarity import jaccard
from tests.alignment.pairs import pair_whose_zones_disagree

patient = settings(deadline=None)  # the first example waits for the compiler
texts = st.lists(st.integers(0, 9), min_size=4, max_size=40)


def multiset_pair(a: list[int], b: list[int], window: int) -> Pair:
    return Pair(np.array(a, np.int32), np.array(b, np.int32), np.ones(10), np.ones(max(len(a), len(b))), window)


def no_counts() -> npt.NDArray[np.int64]:
    return np.zeros((2, 10), np.int64)


def evidence_of(pair: Pair, box: tuple[int, ...]) -> tuple[float, int]:
    """The evidence of two passages, to the precision of the climb, and the size of their union."""
    in_a, in_b = Counter(pair.a[box[0] : box[1]].tolist()), Counter(pair.b[box[2] : box[3]].tolist())
    either = (in_a | in_b).total()
    return round(evidence((in_a & in_b).total(), either, CHANCE), 6), either


def single_moves(pair: Pair, box: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Every place that one move reaches: outwards ``window`` tokens, inwards as far as a token is left."""
    moved = []
    for which in ((0,), (1,), (2,), (3,), (0, 2), (1, 3)):
        for step in range(-40, 41):
            target = list(box)
            for end in which:
                target[end] += step
            outward = -step if which[0] % 2 == 0 else step
            fits = min(target) >= 0 and target[1] <= len(pair.a) and target[3] <= len(pair.b)
            long_enough = min(target[1] - target[0], target[3] - target[2]) >= 1
            if step and fits and outward <= pair.window and (long_enough or outward > 0):
                moved.append(tuple(target))
    return moved


@patient
@given(texts, texts, st.data())
def test_no_single_move_helps_after_a_climb(a: list[int], b: list[int], data: st.DataObject) -> None:
    window = data.draw(st.integers(1, 4))
    pair, counts = multiset_pair(a, b, window), no_counts()
    i, j = (data.draw(st.integers(0, len(text) - window)) for text in (a, b))
    box = np.array([i, data.draw(st.integers(i + window, len(a))), j, data.draw(st.integers(j + window, len(b)))])
    before = evidence_of(pair, tuple(box.tolist()))
    reached, similarity = climb(pair, counts, box, GROW_AND_TRIM)
    best = tuple(box.tolist())
    assert evidence_of(pair, best) >= before
    assert all(evidence_of(pair, target) <= evidence_of(pair, best) for target in single_moves(pair, best))
    assert round(reached, 6) == evidence_of(pair, best)[0]
    assert similarity == jaccard(pair.a[best[0] : best[1]], pair.b[best[2] : best[3]], "multiset")
    assert not counts.any()


@patient
@given(texts, texts, st.data())
def test_a_climb_that_only_grows_keeps_what_it_began_with(a: list[int], b: list[int], data: st.DataObject) -> None:
    pair, counts = multiset_pair(a, b, 4), no_counts()
    i, j = (data.draw(st.integers(0, len(text) - 4)) for text in (a, b))
    box = np.array([i, i + 4, j, j + 4])
    before = evidence_of(pair, (i, i + 4, j, j + 4))
    climb(pair, counts, box, GROW)
    assert box[0] <= i
    assert i + 4 <= box[1]
    assert box[2] <= j
    assert j + 4 <= box[3]
    assert evidence_of(pair, tuple(box.tolist())) >= before
    assert not counts.any()


def test_measuring_moves_nothing() -> None:
    box = np.array([0, 2, 0, 2])
    assert climb(multiset_pair([1, 2, 3], [1, 2, 3], 1), no_counts(), box, MEASURE)[1] == 1.0
    assert box.tolist() == [0, 2, 0, 2]


@given(texts, texts, st.lists(st.tuples(st.integers(0, 999), st.integers(0, 999)), max_size=4), st.integers(1, 4))
def test_what_is_remembered_is_what_a_climb_measures(
    a: list[int], b: list[int], drawn: list[tuple[int, ...]], window: int
) -> None:
    pair = multiset_pair(a, b, 1)
    starts = [(i % (len(a) - window + 1), j % (len(b) - window + 1)) for i, j in drawn]
    boxes = np.array([[i, i + window, j, j + window] for i, j in starts], np.int64).reshape(-1, 4)
    measures = Measures(pair)
    best = measures.extend(boxes, window)
    assert best.tolist() == [extend_box(pair._replace(window=window), no_counts(), box).tolist() for box in boxes]
    rows = np.vstack([boxes, best, boxes])
    assert measures.of_boxes(rows).tolist() == [list(climb(pair, no_counts(), box.copy(), MEASURE)) for box in rows]
    assert [measures.of(box) for box in best] == [Measures(pair).of(box) for box in best]
    assert not measures.counts.any()


def test_a_passage_longer_than_a_zone_is_trimmed_where_its_match_ends() -> None:
    length = 3 * ZONE
    own_a, own_b = np.arange(40, dtype=np.int32), np.arange(40, 80, dtype=np.int32)
    shared = np.arange(80, 80 + length, dtype=np.int32)
    a, b = np.concatenate([own_a, shared, own_a]), np.concatenate([own_b, shared, own_b])
    pair = Pair(a, b, np.ones(80 + length), np.ones(2), 16)
    box = np.array([0, len(a), 0, len(b)])
    assert climb(pair, np.zeros((2, 80 + length), np.int64), box, GROW_AND_TRIM)[1] == 1.0
    assert box.tolist() == [40, 40 + length, 40, 40 + length]


@pytest.mark.parametrize("replaced", [[0, 4, 8, 12, 16], list(range(0, 64, 3)), list(range(0, 150, 2))])
@pytest.mark.parametrize("length", [2000, 2016, 2040])
def test_a_climb_from_where_one_ended_leads_nowhere_though_zones_disagree(replaced: list[int], length: int) -> None:
    pair = pair_whose_zones_disagree(replaced, length)
    counts = np.zeros((2, 2 * length), np.int64)
    ended = extend_box(pair, counts, np.array([0, length, 0, length]))
    assert extend_box(pair, counts, ended).tolist() == ended.tolist()
    trimmed = ended + np.array([replaced[-1], 0, replaced[-1], 0])
    assert extend_box(pair, counts, trimmed).tolist() == ended.tolist()


def test_boxes_near_each_other_in_both_texts_are_joined() -> None:
    boxes = np.array([[0, 3, 0, 3], [4, 7, 4, 7]])
    assert join_boxes(boxes, 1).tolist() == [[0, 7, 0, 7]]
    assert join_boxes(boxes, 0).tolist() == boxes.tolist()


def test_passages_that_changed_places_are_not_joined() -> None:
    boxes = np.array([[0, 3, 7, 10], [7, 10, 0, 3]])
    assert join_boxes(boxes, 3).tolist() == boxes.tolist()
