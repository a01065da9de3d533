import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.contamination.local_alignment import (
    ADDED,
    MISSING,
    AlignableParts,
    AlignedParts,
    align_candidates,
)
from ibidem.ragged import bounds_of


def align(part: list[int], text: list[int], weights: list[float]) -> AlignedParts:
    """The alignment of a part with all of a text."""
    candidates = np.array([[0, 0, 0, len(text) - 1]], np.int64)
    arrays = (np.array(each, np.uint32) for each in (text, part))
    texts, parts = arrays
    alignable = AlignableParts(
        parts, bounds_of([len(part)]), np.array(weights, np.float64), np.array([0.25 * sum(weights)])
    )
    return align_candidates(texts, bounds_of([len(text)]), candidates, alignable)


def best_alignment(part: list[int], text: list[int], weights: list[float]) -> float:
    """What the best local alignment is worth: Smith and Waterman's recurrence."""
    scores = [[0.0] * (len(text) + 1) for _ in range(len(part) + 1)]
    for i, (token, weight) in enumerate(zip(part, weights, strict=True), 1):
        for j, other in enumerate(text, 1):
            diagonal = scores[i - 1][j - 1] + (weight if token == other else -MISSING - ADDED)
            scores[i][j] = max(0.0, diagonal, scores[i - 1][j] - MISSING, scores[i][j - 1] - ADDED)
    return max(map(max, scores))


TOKENS = st.lists(st.integers(1, 6), min_size=1, max_size=12)


@given(TOKENS, TOKENS, st.lists(st.sampled_from([0.1, 0.5, 2.0]), min_size=12, max_size=12))
def test_the_first_alignment_is_worth_what_the_recurrence_says(
    part: list[int], text: list[int], drawn: list[float]
) -> None:
    weights = drawn[: len(part)]  # so little that no further alignment is worth its price
    alignment = align(part, text, weights)
    present = sum(weight for token, weight in zip(part, weights, strict=True) if token in text)
    expected = best_alignment(part, text, weights) if present >= 0.25 * sum(weights) * 0.999 else 0.0
    assert alignment.scores[0] == pytest.approx(expected)


@given(TOKENS, TOKENS)
def test_places_hold_the_tokens_of_the_part_each_once(part: list[int], text: list[int]) -> None:
    alignment = align(part, text, [4.0] * len(part))
    places = alignment.places.tolist()
    matched_places = [place for place in places if place >= 0]
    assert len(set(matched_places)) == len(matched_places)
    assert all(text[place] == part[at] for at, place in enumerate(places) if place >= 0)
    assert alignment.shared[0] == pytest.approx(4.0 * len(matched_places))


def test_sentences_in_another_order_are_several_alignments() -> None:
    first, second = list(range(1, 9)), list(range(11, 19))
    alignment = align(first + second, [*second, 99, *first], [5.0] * 16)
    assert alignment.shared[0] == pytest.approx(80)


def test_scattered_tokens_are_worth_less_than_a_run() -> None:
    part, scattered = list(range(1, 9)), [token for at in range(1, 9) for token in (at, 99, 99, 99, 99, 99, 99)]
    assert align(part, scattered, [2.0] * 8).scores[0] < 0.5 * align(part, part, [2.0] * 8).scores[0]
