"""Of the passages that meet the criteria those with most evidence are kept, and no two overlap in both texts."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.alignment.extension import Measures
from ibidem.alignment.selection import Criteria, judge, overlaps, select, stands_up
from ibidem.alignment.shared_by_chance import Unrelated
from ibidem.alignment.weighted_pair import weigh_pair
from ibidem.weights import Weighting

WORDS = np.random.default_rng(3).permutation(60).astype(np.uint32)
TEXT = np.concatenate([WORDS[:40], WORDS[10:30], WORDS[40:]])
PAIR = weigh_pair(TEXT, TEXT[5:], Weighting.of("multiset"), window=8)
CRITERIA = Criteria(threshold=0.3, min_pair_length=6, nats=5.0)

ranges = st.lists(st.integers(0, 70), min_size=2, max_size=2, unique=True).map(sorted)
boxes = st.builds(lambda a, b: [*a, *b], ranges, ranges)


@given(box=boxes, others=st.lists(boxes, max_size=6))
def test_boxes_overlap_if_they_share_tokens_in_both_texts(box: list[int], others: list[list[int]]) -> None:
    expected = [
        bool(
            set(range(box[0], box[1])) & set(range(other[0], other[1]))
            and set(range(box[2], box[3])) & set(range(other[2], other[3]))
        )
        for other in others
    ]
    assert overlaps(np.array(box), np.array(others, np.int64).reshape(-1, 4)).tolist() == expected


@given(drawn=st.lists(boxes, max_size=10))
def test_a_box_is_left_out_only_for_one_that_has_more_evidence(drawn: list[list[int]]) -> None:
    found = np.array(drawn, np.int64).reshape(-1, 4)
    kept = select(Measures(PAIR), found, CRITERIA, None)
    strength = {tuple(box): judge(Measures(PAIR), box, CRITERIA, None) for box in found}
    for number, box in enumerate(kept):
        assert strength[tuple(box)] >= CRITERIA.nats
        assert not overlaps(box, kept[:number]).any()
    for box in found:
        own = strength[tuple(box)]
        if own > 0:
            stronger = [other for other in kept if strength[tuple(other)] >= own]
            assert overlaps(box, np.array(stronger, np.int64).reshape(-1, 4)).any()


def test_a_few_words_that_both_passages_repeat_are_not_enough_evidence() -> None:
    repeated, other = np.tile(np.arange(4), 10), np.arange(10, 30)
    texts = (np.concatenate([repeated, tail]).astype(np.uint32) for tail in (other, other + 30))
    pair = weigh_pair(*texts, Weighting.of("multiset"), window=8)
    box = np.array([0, 60, 0, 60])
    assert judge(Measures(pair), box, CRITERIA._replace(nats=6.0), None) == 0.0
    assert judge(Measures(pair), np.array([0, 40, 0, 40]), CRITERIA._replace(nats=6.0), None) > 0.0


def test_a_pair_that_misses_one_criterion_has_no_evidence() -> None:
    copy = np.array([10, 30, 5, 25])
    assert judge(Measures(PAIR), copy, CRITERIA, None) > CRITERIA.nats
    for harder in (
        CRITERIA._replace(min_pair_length=21),
        CRITERIA._replace(nats=1e3),
        CRITERIA._replace(threshold=1.1),
    ):
        assert judge(Measures(PAIR), copy, harder, None) == 0.0
    assert judge(Measures(PAIR), np.array([0, 10, 50, 60]), CRITERIA, None) == 0.0


def test_a_pair_judged_without_the_rest_stands_up_to_it_as_if_it_was_judged_again() -> None:
    drawn = np.random.default_rng(5)
    copied = drawn.integers(0, 400, 100)
    texts = [
        np.concatenate([drawn.integers(0, 60, 600), copied, drawn.integers(0, 60, 600)]).astype(np.uint32)
        for _ in range(2)
    ]
    pair = weigh_pair(*texts, Weighting.of("multiset"), window=8)
    outside = Unrelated.outside(pair, [])
    verdicts = set()
    for box in map(np.array, ([600, 700, 600, 700], [580, 720, 580, 720], [560, 700, 560, 700], [600, 660, 600, 660])):
        strength = judge(Measures(pair), box, CRITERIA, None)
        assert strength > 0
        for nats in (0.2 * strength, 0.999 * strength):
            criteria = CRITERIA._replace(nats=nats)
            again = judge(Measures(pair), box, criteria, outside) > 0
            assert stands_up(pair, box, criteria, outside) == again
            verdicts.add(again)
    assert verdicts == {True, False}
