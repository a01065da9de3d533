"""What the rest of two texts leads to expect of two passages."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.alignment.extension import measure
from ibidem.alignment.null_model import (
    PART,
    Unrelated,
    evidence_beyond_the_rest,
    expected_maximum,
    has_counterparts,
    similarities_to_windows,
)
from ibidem.alignment.weighted_pair import Pair
from ibidem.similarity import jaccard


def test_long_passages_that_share_what_the_rest_shares_are_no_evidence() -> None:
    a, b = (np.random.default_rng(seed).integers(0, 50, 4000).astype(np.int32) for seed in (1, 2))
    pair, box = Pair(a, b, np.ones(50), np.ones(4000), 16), np.array([0, 1000, 2000, 3000])
    measured, similarity = measure(pair, np.zeros((2, 50), np.int64), box)
    assert similarity > 0.7
    assert measured > 1000
    assert evidence_beyond_the_rest(pair, box, Unrelated.outside(pair, [])) < 10


def test_what_is_set_apart_does_not_show_what_chance_gives() -> None:
    passage, other = np.arange(100, dtype=np.int32), np.arange(100, 200, dtype=np.int32)
    a, b = np.concatenate([passage, other]), np.concatenate([passage, passage])
    pair, box = Pair(a, b, np.ones(200), np.ones(2), 16), np.array([0, 100, 0, 100])
    assert evidence_beyond_the_rest(pair, box, Unrelated.outside(pair, [])) == 0
    apart = Unrelated.outside(pair, [np.array([0, 0, 100, 200])])
    copied, _ = measure(pair, np.zeros((2, 200), np.int64), box)
    assert evidence_beyond_the_rest(pair, box, apart) == pytest.approx(copied)


def test_a_copy_of_a_whole_text_has_all_its_evidence() -> None:
    text = np.arange(1000, dtype=np.int32)
    pair, box = Pair(text, text, np.ones(1000), np.ones(1), 16), np.array([0, 1000, 0, 1000])
    assert evidence_beyond_the_rest(pair, box, Unrelated.outside(pair, [])) == pytest.approx(
        measure(pair, np.zeros((2, 1000), np.int64), box)[0]
    )


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
    assert measure(pair, counts, np.array([0, 3_000, 0, 3_000]))[1] > 0.6
    assert not has_counterparts(pair, counts, np.array([0, 3_000, 0, 3_000]))


@pytest.mark.parametrize("length", [2 * PART, 1_000, 3_000])
def test_a_copy_of_which_words_were_changed_has_counterparts(length: int) -> None:
    a, b = (words_as_frequent_as_in_a_language(3_000, seed) for seed in (1, 2))
    kept = np.random.default_rng(3).random(length) < 0.7
    b[:length][kept] = a[:length][kept]
    pair, counts = a_pair(a, b)
    assert has_counterparts(pair, counts, np.array([0, length, 0, length]))


def test_a_word_that_is_repeated_has_a_counterpart_everywhere() -> None:
    pair, counts = a_pair(np.zeros(2_000, np.int32), np.zeros(1_900, np.int32))
    assert has_counterparts(pair, counts, np.array([0, 2_000, 0, 1_900]))


def test_the_greatest_of_more_values_is_greater() -> None:
    assert expected_maximum(1) == 0
    assert 3 < expected_maximum(150) < expected_maximum(10_000) < 5
