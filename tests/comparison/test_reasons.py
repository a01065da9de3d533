"""Why two passages match: the rare words first, and what chance would give."""

import math

import numpy as np

import ibidem
from ibidem.comparison import Comparer, Witness, compare
from ibidem.comparison.reasons import _mean_and_variance, explain_match
from ibidem.comparison.tokenized import count_tokens, tokenize_pair

A = "The captain stood at the rail. When the ferry came in at last, all ran down with lanterns."


def test_the_reasons_name_the_rare_words_first() -> None:
    frequencies = count_tokens(["the " * 90, "ferry harbour torches " * 3], ibidem.make_tokenizer("words"))
    found = Comparer(frequencies=frequencies).compare(
        Witness("a", 0, 20, "the the ferry harbour"), Witness("b", 0, 21, "the ferry the torches")
    )
    assert found.reasons is not None
    assert [(word.text, word.a, word.b) for word in found.reasons.shared] == [("ferry", 1, 1), ("the", 2, 2)]
    assert found.reasons.shared[0].weight == round(math.log(399 / 3), 3)
    assert [word.text for word in found.reasons.only_b] == ["torches"]


def test_a_copy_surprises_and_an_unrelated_text_does_not() -> None:
    copy, other = compare(A, A).reasons, compare(A, "Bees need patience, and the hives stand at the wall.").reasons
    assert copy is not None
    assert other is not None
    assert copy.a_in_b == copy.b_in_a == 1
    assert copy.chance.deviations > 5
    assert other.chance.deviations < 5


def test_what_chance_shares_is_what_words_drawn_at_random_share() -> None:
    random = np.random.default_rng(5)
    shares = np.array([0.4, 0.3, 0.2, 0.1])
    most = np.array([3, 0, 1, 5])
    mean, variance = _mean_and_variance(most, shares, 12)
    drawn = np.minimum(random.poisson(12 * shares, (200_000, 4)), most)
    np.testing.assert_allclose(mean, drawn.mean(axis=0), atol=0.01)
    np.testing.assert_allclose(variance, drawn.var(axis=0), atol=0.02)


def test_no_more_words_are_named_than_asked_for() -> None:
    words = ibidem.make_tokenizer("words")
    tokens = tokenize_pair("one two three four", "five six", words)
    reasons = explain_match("one two three four", "five six", tokens, count_tokens([], words), 3)
    assert (len(reasons.only_a), len(reasons.only_b), reasons.shared) == (3, 2, ())
    assert (reasons.a_in_b, reasons.b_in_a) == (0.0, 0.0)
