"""What the rest of two texts leads to expect of two passages."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.alignment.extension import Measures
from ibidem.alignment.overlap_evidence import CHANCE, evidence
from ibidem.alignment.shared_by_chance import (
    PART,
    Unrelated,
    count_followers,
    evidence_beyond_the_rest,
    expected_maximum,
    has_counterparts,
    is_copied,
    measure_unforetold,
    similarities_to_windows,
)
from ibidem.alignment.weighted_pair import Pair
from ibidem.similarity import jaccard

FEW = 4
WEIGHTS = np.array([0.2, 1.0, 1.5, 2.0, 3.0, 0.7])

texts = st.lists(st.integers(0, len(WEIGHTS) - 1), min_size=2, max_size=40)


def test_long_passages_that_share_what_the_rest_shares_are_no_evidence() -> None:
    a, b = (np.random.default_rng(seed).integers(0, 50, 4000).astype(np.int32) for seed in (1, 2))
    pair, box = Pair(a, b, np.ones(50), np.ones(4000), 16), np.array([0, 1000, 2000, 3000])
    measured, similarity = Measures(pair).of(box)
    assert similarity > 0.7
    assert measured > 1000
    assert evidence_beyond_the_rest(pair, box, Unrelated.outside(pair, [])) < 10


def test_what_is_set_apart_does_not_show_what_chance_gives() -> None:
    passage, other = np.arange(100, dtype=np.int32), np.arange(100, 200, dtype=np.int32)
    a, b = np.concatenate([passage, other]), np.concatenate([passage, passage])
    pair, box = Pair(a, b, np.ones(200), np.ones(2), 16), np.array([0, 100, 0, 100])
    assert evidence_beyond_the_rest(pair, box, Unrelated.outside(pair, [])) == 0
    apart = Unrelated.outside(pair, [np.array([0, 0, 100, 200])])
    copied, _ = Measures(pair).of(box)
    assert evidence_beyond_the_rest(pair, box, apart) == pytest.approx(copied)


def test_a_copy_of_a_whole_text_has_all_its_evidence() -> None:
    text = np.arange(1000, dtype=np.int32)
    pair, box = Pair(text, text, np.ones(1000), np.ones(1), 16), np.array([0, 1000, 0, 1000])
    assert evidence_beyond_the_rest(pair, box, Unrelated.outside(pair, [])) == pytest.approx(Measures(pair).of(box)[0])


few = st.lists(st.integers(0, 5), min_size=1, max_size=20)


@settings(deadline=None)  # the first example waits for the compiler
@given(few, few)
def test_similarities_to_windows_are_those_of_every_window(part: list[int], text: list[int]) -> None:
    counts = np.zeros((2, 6), np.int64)
    found = similarities_to_windows(np.array(part, np.int32), np.array(text, np.int32), np.ones(6), np.ones(20), counts)
    windows = [text[start : start + len(part)] for start in range(len(text) - len(part) + 1)]
    assert found.tolist() == pytest.approx([jaccard(part, window, "multiset") for window in windows])
    assert not counts.any()


def words_as_frequent_as_in_a_language(count: int, seed: int) -> np.ndarray:
    return (1_000 ** np.random.default_rng(seed).random(count)).astype(np.int32)


def a_pair(a: np.ndarray, b: np.ndarray) -> tuple[Pair, np.ndarray]:
    """Two texts of 1,000 tokens, and room to count in."""
    return Pair(a, b, np.ones(1_000), np.ones(len(a) + len(b)), 32), np.zeros((2, 1_000), np.int64)


def test_two_texts_that_share_their_words_alone_have_no_counterparts() -> None:
    a, b = (words_as_frequent_as_in_a_language(3_000, seed) for seed in (1, 2))
    pair, counts = a_pair(a, b)
    assert Measures(pair).of(np.array([0, 3_000, 0, 3_000]))[1] > 0.6
    assert not has_counterparts(pair, counts, np.array([0, 3_000, 0, 3_000]))


@pytest.mark.parametrize("length", [2 * PART, 1_000, 3_000])
def test_a_copy_of_which_words_were_changed_has_counterparts(length: int) -> None:
    a, b = (words_as_frequent_as_in_a_language(3_000, seed) for seed in (1, 2))
    kept = np.random.default_rng(3).random(length) < 0.7
    b[:length][kept] = a[:length][kept]
    pair, counts = a_pair(a, b)
    assert has_counterparts(pair, counts, np.array([0, length, 0, length]))


@pytest.mark.parametrize("copied", [slice(0, 64), slice(36, 100)])
def test_a_part_at_either_end_of_a_passage_may_have_the_counterpart(copied: slice) -> None:
    a, b = (words_as_frequent_as_in_a_language(3_000, seed) for seed in (1, 2))
    b[copied] = a[copied]
    pair, counts = a_pair(a, b)
    assert has_counterparts(pair, counts, np.array([0, 100, 0, 100]))
    a[copied] = np.random.default_rng(5).permutation(a[copied.stop : 3_000])[:64]
    assert not has_counterparts(pair, counts, np.array([0, 100, 0, 100]))


def test_a_word_that_is_repeated_has_a_counterpart_everywhere() -> None:
    pair, counts = a_pair(np.zeros(2_000, np.int32), np.zeros(1_900, np.int32))
    assert has_counterparts(pair, counts, np.array([0, 2_000, 0, 1_900]))


def counterparts_one_by_one(pair: Pair, box: list[int]) -> bool:
    """Whether half of the parts have a counterpart, by numpy."""
    (text, start, end), (other, first, last) = sorted(
        ((pair.a, *box[:2]), (pair.b, *box[2:])), key=lambda each: each[2] - each[1]
    )
    number = min(-(-(end - start) // PART), 12)
    begins = sorted({int(each) for each in np.linspace(start, max(start, end - PART), number)})
    places = slice(max(0, first - PART // 2), max(first + 1, last - PART // 2))
    found = 0
    for begin in begins:
        part, counts = text[begin : min(begin + PART, end)], np.zeros((2, len(pair.idf)), np.int64)
        similar = similarities_to_windows(part, other, pair.idf, pair.growth, counts)
        best = int(similar[places].argmax()) + places.start if len(similar[places]) else None
        others = np.array([each for at, each in enumerate(similar) if best is not None and abs(at - best) >= len(part)])
        if best is None or len(others) < len(part):
            found += 1
            continue
        deviations = 2.0 + expected_maximum(len(similar) / len(part))
        found += bool(similar[best] - others.mean() >= deviations * others.std())
    return found >= (len(begins) + 1) // 2


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 1_000), st.integers(65, 900), st.integers(65, 900), st.floats(0, 1))
def test_counterparts_are_those_of_parts_compared_one_by_one(seed: int, length: int, other: int, kept: float) -> None:
    random = np.random.default_rng(seed)
    a, b = (words_as_frequent_as_in_a_language(1_000, each) for each in (seed, seed + 1))
    same = random.random(min(length, other)) < kept
    b[: len(same)][same] = a[: len(same)][same]
    pair, counts = a_pair(a, b)
    shift = int(random.integers(0, 1_000 - max(length, other) + 1))
    box = [shift, shift + length, shift, shift + other]
    assert has_counterparts(pair, counts, np.array(box)) == counterparts_one_by_one(pair, box)
    assert not counts.any()


def evidence_by_counting(pair: Pair, box: list[int], apart: list[list[int]]) -> float:
    """The evidence beyond the rest, by numpy."""
    size, weights = len(pair.idf), np.append(0.0, np.cumsum(pair.growth))
    inside, around = [], []
    for text, (first, last), taken in (
        (pair.a, box[:2], [each[:2] for each in apart]),
        (pair.b, box[2:], [each[2:] for each in apart]),
    ):
        free = np.ones(len(text), np.bool_)
        for start, end in [(first, last), *taken]:
            free[start:end] = False
        inside.append(np.bincount(text[first:last], minlength=size))
        around.append(np.bincount(text[free], minlength=size))

    def share(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
        in_x, in_y = (np.interp(each, np.arange(len(weights)), weights) * pair.idf for each in (x, y))
        return float(np.minimum(in_x, in_y).sum()), float(np.maximum(in_x, in_y).sum())

    chance = CHANCE
    for one, other, rest in ((inside[0], inside[1], around[1]), (inside[1], inside[0], around[0])):
        if rest.sum() >= other.sum():
            part, whole = share(one, rest * (other.sum() / rest.sum()))
            chance = max(chance, part / whole)
    return float(evidence(*share(*inside), chance))


@given(a=texts, b=texts, data=st.data())
def test_the_rest_is_what_lies_outside_of_the_passages_and_of_what_is_set_apart(
    a: list[int], b: list[int], data: st.DataObject
) -> None:
    def draw_box() -> list[int]:
        return [end for text in (a, b) for end in sorted(data.draw(st.permutations(range(len(text) + 1)))[:2])]

    box, apart = draw_box(), [draw_box() for _ in range(data.draw(st.integers(0, 2)))]
    pair = a_pair_of_weights(a, b)._replace(growth=1 / np.arange(1.0, data.draw(st.integers(2, 80))))
    unrelated = Unrelated.outside(pair, [np.array(each) for each in apart])
    found = evidence_beyond_the_rest(pair, np.array(box), unrelated)
    assert found == pytest.approx(evidence_by_counting(pair, box, apart))


def test_the_greatest_of_more_values_is_greater() -> None:
    assert expected_maximum(1) == 0
    assert 3 < expected_maximum(150) < expected_maximum(10_000) < 5


def a_pair_of_weights(a: list[int], b: list[int]) -> Pair:
    return Pair(np.array(a, np.int32), np.array(b, np.int32), WEIGHTS, np.ones(80), 2)


def outside(text: list[int], start: int, end: int) -> list[list[int]]:
    return [text[:start], text[end:]]


def expected_evidence(a: list[int], b: list[int], box: list[int]) -> float:
    passages = a[box[0] : box[1]], b[box[2] : box[3]]
    pieces = [*outside(a, *box[:2]), *outside(b, *box[2:])]
    stands = Counter(token for piece in pieces for token in piece)
    follows = Counter(couple for piece in pieces for couple in pairwise(piece))
    shared, either = set(passages[0]) & set(passages[1]), set(passages[0]) | set(passages[1])
    left = dict.fromkeys(shared, 1.0)
    for before, token in (couple for passage in passages for couple in pairwise(passage)):
        if {before, token} <= shared:
            left[token] = min(left[token], 1 - follows[before, token] / (stands[before] + FEW))
    part = sum(WEIGHTS[token] * left[token] for token in shared)
    return evidence(part, part + sum(WEIGHTS[token] for token in either - shared), CHANCE)


@given(a=texts, b=texts, data=st.data())
def test_a_token_counts_once_and_less_the_more_the_one_before_foretells_it(
    a: list[int], b: list[int], data: st.DataObject
) -> None:
    box = [end for text in (a, b) for end in sorted(data.draw(st.permutations(range(len(text) + 1)))[:2])]
    expected = expected_evidence(a, b, box)
    found = measure_unforetold(a_pair_of_weights(a, b), np.array(box), math.inf)
    distinct = [set(text[start:end]) for text, (start, end) in ((a, box[:2]), (b, box[2:]))]
    part, whole = (
        sum(WEIGHTS[token] for token in tokens) for tokens in (set.__and__(*distinct), set.__or__(*distinct))
    )
    in_any_order = evidence(part, whole, CHANCE)
    assert found == pytest.approx(expected if in_any_order > 0 else in_any_order)
    assert measure_unforetold(a_pair_of_weights(a, b), np.array(box), -math.inf) == pytest.approx(in_any_order)


@given(text=st.lists(st.integers(-1, 5), max_size=30), data=st.data())
def test_tokens_are_counted_with_the_one_before_outside_of_the_passage(text: list[int], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(text)))
    last = data.draw(st.integers(min(first + 1, len(text)), len(text)))
    occurs, follows = np.zeros(6, np.int64), np.zeros((6, 6), np.int32)
    numbers, tokens = np.array([3, 0, 5, 2, 4, 1, -1]), np.array([1, 5, 3, 0, 4, 2, 6], np.int32)  # 6 does not count
    count_followers(numbers, tokens[np.array(text, np.int64)], first, last, occurs, follows)
    pieces = outside(text, first, last)
    couples = Counter(couple for piece in pieces for couple in pairwise(piece))
    assert occurs.tolist() == [sum(piece.count(token) for piece in pieces) for token in range(6)]
    assert follows.tolist() == [[couples[x, y] for y in range(6)] for x in range(6)]


def test_phrases_that_a_text_is_full_of_are_little_evidence() -> None:
    phrase, around = [1, 2, 3], [0, 5] * 10
    passage = [*phrase, 4]
    rare = a_pair_of_weights(passage + around, passage + around)
    usual = a_pair_of_weights(passage + [*phrase, 0] * 20, passage + around)
    box = np.array([0, 4, 0, 4])
    once, often = (measure_unforetold(pair, box, math.inf) for pair in (rare, usual))
    assert 0 < often < 0.7 * once


def copied(a: list[int], b: list[int]) -> bool:
    pair = Pair(np.array(a, np.int32), np.array(b, np.int32), np.ones(200), np.ones(1), 1)
    return bool(is_copied(pair, np.array([0, len(a), 0, len(b)])))


def test_a_copy_is_known_by_its_runs_also_where_words_were_changed() -> None:
    refrain = list(range(8)) * 20
    assert copied(refrain, refrain)
    assert copied(refrain, [*refrain[:80], 100, *refrain[81:]])
    assert copied(refrain, [*refrain[:60], *range(100, 115), *refrain[60:]])
    assert not copied(refrain, [*refrain[:50], *range(100, 160)])
    assert not copied(refrain[:31], refrain[:31])


@given(st.lists(st.integers(0, 3), min_size=1, max_size=80), st.lists(st.integers(0, 3), min_size=1, max_size=80))
def test_a_copy_has_a_run_of_equal_tokens(a: list[int], b: list[int]) -> None:
    runs = {tuple(a[first : first + 32]) for first in range(len(a) - 31)}
    has_run = any(tuple(b[first : first + 32]) in runs for first in range(len(b) - 31))
    assert has_run or not copied(a, b)
    assert copied(a, a) == (len(a) >= 32)
