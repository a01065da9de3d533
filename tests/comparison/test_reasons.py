"""The words that two passages do not share: the rare ones first."""

import math

import ibidem
from ibidem.comparison import Comparer, Witness, compare
from ibidem.comparison.reasons import explain_match
from ibidem.comparison.tokenized import count_tokens, tokenize_pair

A = "The captain stood at the rail. When the ferry came in at last, all ran down with lanterns."


def test_the_rare_words_come_first_however_often_a_common_one_occurs() -> None:
    frequencies = count_tokens(["the " * 90, "ferry harbour torches " * 3], ibidem.make_tokenizer("words"))
    found = Comparer(frequencies=frequencies).compare(
        Witness("a", 0, 15, "the the harbour"), Witness("b", 0, 61, f"{'the ' * 12}torches ferry")
    )
    assert found.reasons is not None
    assert [(word.text, word.a, word.b) for word in found.reasons.only_a] == [("harbour", 1, 0)]
    assert found.reasons.only_a[0].weight == round(math.log(399 / 3), 3)
    assert {word.text for word in found.reasons.only_b[:2]} == {"torches", "ferry"}
    assert [(word.text, word.a, word.b) for word in found.reasons.only_b[2:]] == [("the", 2, 12)]


def test_a_copy_has_all_of_the_weight_and_an_unrelated_text_little() -> None:
    copy, other = compare(A, A).reasons, compare(A, "Bees need patience, and the hives stand at the wall.").reasons
    assert copy is not None
    assert other is not None
    assert copy.a_in_b == copy.b_in_a == 1
    assert other.a_in_b < 0.3


def test_no_more_words_are_named_than_asked_for() -> None:
    words = ibidem.make_tokenizer("words")
    tokens = tokenize_pair("one two three four", "five six", words)
    reasons = explain_match("one two three four", "five six", tokens, count_tokens([], words), 3)
    assert (len(reasons.only_a), len(reasons.only_b)) == (3, 2)
    assert (reasons.a_in_b, reasons.b_in_a) == (0.0, 0.0)
