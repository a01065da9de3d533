"""The densest range against every range, in plain Python, and what is called a summary."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.alignment.overlap_evidence import evidence
from ibidem.alignment.summaries import (
    evidence_of_own_words,
    find_candidate,
    find_densest,
    find_fullest_place,
    find_summary,
    stands_out,
)

patient = settings(deadline=None)  # the first example waits for the compiler
tokens = st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0, 2.0]), st.booleans()), max_size=25)
NONE = np.empty((0, 2), np.int64)


def likelihood_ratio(part: float, whole: float, share: float, chance: float) -> float:
    return part * math.log(share / chance) + (whole - part) * math.log((1 - share) / (1 - chance))


@patient
@given(tokens, st.sampled_from([0.5, 0.7]), st.integers(1, 4))
def test_the_densest_range_is_the_best_of_all_ranges(
    weighed: list[tuple[float, bool]], least: float, steps: int
) -> None:
    weights, held = np.array([w for w, _ in weighed]), np.array([h for _, h in weighed], np.bool_)
    part, whole = (weights * held), weights
    chance = float(part.sum() / whole.sum()) if whole.sum() else 0.0
    shares = [share for step in range(steps) if 0 < chance < (share := least + (1 - least) * step / steps)]

    def best_of(start: int, end: int) -> float:
        ratios = (likelihood_ratio(part[start:end].sum(), whole[start:end].sum(), each, chance) for each in shares)
        return max(ratios, default=0.0)

    start, end = find_densest(weights, held, least, steps)
    ranges = [(i, j) for i in range(len(weights)) for j in range(i + 1, len(weights) + 1)]
    assert best_of(start, end) >= max((best_of(*each) for each in ranges), default=0.0) - 1e-9


def candidate_by_masks(
    text: np.ndarray, other: np.ndarray, idf: np.ndarray, taken: np.ndarray, longest: int
) -> tuple[int, int, float]:
    """The candidate of a summary, by numpy."""

    def share(weights: np.ndarray, held: np.ndarray) -> float:
        return float(weights[held].sum() / weights.sum()) if weights.sum() > 0 else 0.0

    weights, held = idf[text], np.isin(text, other)
    least = (1 + share(weights, held)) / 2
    start, end = find_densest(weights, held, least, 6)
    outside = (taken[:, 0] >= end) | (taken[:, 1] <= start)
    if not 0 < end - start <= longest or outside.any() or share(weights[start:end], held[start:end]) < least:
        return 0, 0, 0.0
    if len(taken):
        row = max(taken.tolist(), key=lambda each: float((weights * held)[each[0] : each[1]].sum()))
        weights[row[0] : row[1]] = 0
        held = np.isin(text, np.delete(other, slice(row[2], row[3])))
    part, whole = float((weights * held)[start:end].sum()), float(weights[start:end].sum())
    return start, end, float(evidence(part, whole, share(weights, held)))


words = st.lists(st.integers(0, 9), min_size=4, max_size=40)


@patient
@given(words, words, st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), min_size=10, max_size=10), st.data())
def test_the_candidate_is_the_densest_passage_without_the_most_telling_similar_one(
    text: list[int], other: list[int], weights: list[float], data: st.DataObject
) -> None:
    def draw_range(length: int) -> list[int]:
        return sorted(data.draw(st.permutations(range(length + 1)))[:2])

    rows = [draw_range(len(text)) + draw_range(len(other)) for _ in range(data.draw(st.integers(0, 2)))]
    given = np.array(text, np.int32), np.array(other, np.int32), np.array(weights)
    taken, longest = np.array(rows, np.int64).reshape(-1, 4), data.draw(st.integers(1, 20))
    start, end, strength = find_candidate(*given, taken, longest)
    expected = candidate_by_masks(*given, taken, longest)
    assert (start, end) == expected[:2]
    assert strength == pytest.approx(expected[2])


def test_a_summary_takes_from_everywhere_what_the_rest_of_its_text_does_not_have() -> None:
    source = np.arange(400, dtype=np.int32)
    text = np.concatenate([np.arange(400, 600), np.arange(0, 400, 5), np.arange(600, 800), [5, 6]]).astype(np.int32)
    found = find_summary(text, source, np.ones(800), NONE, NONE)
    assert found is not None
    assert (found.start, found.end) == (200, 280)
    assert (found.first, found.last) == (0, 400)
    assert found.evidence > 80


def test_what_is_summed_up_is_a_longer_place_of_a_book_or_all_of_a_short_text() -> None:
    page, drawn = np.arange(300, dtype=np.int32), np.random.default_rng(3)
    text = np.concatenate([np.arange(400, 800), page[::3], np.arange(800, 1200)]).astype(np.int32)
    whole = find_summary(text, page, np.ones(1_200), NONE, NONE)
    assert whole is not None
    assert (whole.first, whole.last) == (0, 300)
    book = drawn.choice(drawn.permutation(np.arange(400, 1_200, dtype=np.int32))[:480], 20_000)
    book[5_000:5_300] = page  # the rest of the book holds three words in five of the other passages
    place = find_summary(text, book, np.ones(1_200), NONE, NONE)
    assert place is not None
    assert abs(place.start - whole.start) <= 5
    assert abs(place.end - whole.end) <= 5
    assert 4_980 <= place.first <= 5_002
    assert 5_190 <= place.last <= 5_320


def test_words_that_one_place_has_together_are_no_summary() -> None:
    place = np.arange(60)  # in another order: no passage of it is similar to this place by what comes before
    for source, is_summary in (
        (np.concatenate([place, np.arange(60, 400)]), False),
        (np.concatenate([np.append(place[first : first + 6], np.arange(60, 94)) for first in range(0, 60, 6)]), True),
    ):
        text = np.concatenate([np.arange(400, 700), place[::-1], np.arange(700, 1000)]).astype(np.int32)
        found = find_summary(text, source.astype(np.int32), np.ones(1000), NONE, NONE, nats=12.0)
        assert (found is not None) is is_summary


@patient
@given(st.lists(st.integers(0, 5), min_size=1, max_size=6), st.lists(st.integers(0, 5), max_size=20), st.data())
def test_the_fullest_place_has_most_of_a_part(part: list[int], text: list[int], data: st.DataObject) -> None:
    idf = np.array(data.draw(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=6, max_size=6)))

    def weight(first: int) -> float:
        return float(idf[sorted(set(part) & set(text[first : first + len(part)]))].sum())

    place = find_fullest_place(np.array(part, np.int32), np.array(text, np.int32), idf)
    assert weight(place) == max(map(weight, range(max(len(text) - len(part), 0) + 1)))


def test_a_version_is_no_summary() -> None:
    source = np.arange(200, dtype=np.int32)
    text = np.concatenate([np.arange(400, 600), np.arange(0, 200, 2), np.arange(600, 800)]).astype(np.int32)
    assert find_summary(text, source, np.ones(800), NONE, NONE) is None


def test_a_text_with_a_similar_passage_elsewhere_is_no_summary() -> None:
    source = np.arange(400, dtype=np.int32)
    text = np.concatenate([np.arange(400, 600), np.arange(0, 400, 5), np.arange(600, 800)]).astype(np.int32)
    assert find_summary(text, source, np.ones(800), np.array([[0, 40]]), np.array([[0, 40]])) is None


def test_what_is_similar_to_one_place_is_no_evidence_of_a_summary() -> None:
    source = np.arange(400, dtype=np.int32)
    text = np.concatenate([np.arange(400, 600), np.arange(100, 160), np.arange(600, 800)]).astype(np.int32)
    assert find_summary(text, source, np.ones(800), NONE, NONE) is None
    for end in (260, 255):  # the words that an alignment left out at the end of a copy are none either
        taken = np.array([[200, end]]), np.array([[100, end - 100]])
        assert find_summary(text, source, np.ones(800), *taken) is None


def test_copies_of_two_places_are_a_summary() -> None:
    source = np.arange(400, dtype=np.int32)
    copies = [np.arange(400, 600), np.arange(50, 90), np.arange(300, 340), np.arange(600, 800)]
    taken = np.array([[200, 240], [240, 280]]), np.array([[50, 90], [300, 340]])
    found = find_summary(np.concatenate(copies).astype(np.int32), source, np.ones(800), *taken)
    assert found is not None
    assert (found.start, found.end) == (200, 280)
    assert found.evidence > 30


def test_a_passage_stands_out_by_the_spread_of_those_around_it() -> None:
    drawn = np.random.default_rng(1)
    even, weights = drawn.random(4_000) < 0.5, np.ones(4_000)
    even[1_000:1_100] = drawn.random(100) < 0.9
    assert stands_out(weights, even, 1_000, 1_100)
    uneven = even.copy()  # stretches that hold much, as where a text comes to another subject
    for start in range(0, 4_000, 400):
        uneven[start : start + 100] = drawn.random(100) < 0.85
    assert not stands_out(weights, uneven, 1_000, 1_100)


def test_a_passage_does_not_stand_out_where_there_is_nothing_else() -> None:
    assert not stands_out(np.ones(100), np.ones(100, np.bool_), 0, 100)


def test_what_is_said_in_words_that_every_text_has_is_no_summary() -> None:
    drawn = np.random.default_rng(2)
    novel = (1_000 ** drawn.random(30_000)).astype(np.int32)
    text = (1_000 ** drawn.random(3_000)).astype(np.int32)
    text[500:600] = (30 ** drawn.random(100)).astype(np.int32)
    assert find_summary(text, novel, np.ones(1_000), NONE, NONE) is None


def test_texts_without_a_word_in_common_have_no_summary() -> None:
    found = find_summary(np.arange(50, dtype=np.int32), np.arange(50, 90, dtype=np.int32), np.ones(90), NONE, NONE)
    assert found is None or found.evidence == 0.0


def test_words_of_the_whole_text_are_no_evidence_and_words_of_the_passage_alone_are() -> None:
    everywhere = np.tile(np.arange(20, dtype=np.int32), 30)
    occurs = np.zeros(1_000, np.bool_)
    occurs[:20] = True
    assert evidence_of_own_words(everywhere, occurs, 200, 260) == 0.0
    text = everywhere.copy()
    text[::2] = np.arange(300, 600)
    assert evidence_of_own_words(text, occurs, 200, 260) <= 0.0
    occurs[400:430] = True
    assert evidence_of_own_words(text, occurs, 200, 260) > 60
    occurs[300:600] = True  # every passage has as much
    assert evidence_of_own_words(text, occurs, 200, 260) < 1


@given(st.lists(st.integers(0, 8), min_size=1, max_size=30), st.lists(st.booleans(), min_size=9, max_size=9), st.data())
def test_own_words_are_those_that_stand_in_the_passage_alone(
    words: list[int], occurs: list[bool], data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    places = {word: [p for p, each in enumerate(words) if each == word] for word in set(words)}
    own = {word for word, at in places.items() if start <= at[0] and at[-1] < end}
    elsewhere = {word for word, at in places.items() if word not in own and at[-1] - at[0] < end - start}
    chance = (sum(occurs[word] for word in elsewhere) + 0.5) / (len(elsewhere) + 1)
    held = sum(occurs[word] for word in own)
    found = evidence_of_own_words(np.array(words, np.int32), np.array(occurs), start, end)
    if not own or held == len(own) * chance:
        assert found == 0.0
    else:
        expected = likelihood_ratio(held, len(own), min(max(held / len(own), 1e-12), 1 - 1e-12), chance)
        assert found == pytest.approx(expected if held / len(own) > chance else -expected, abs=1e-6)
