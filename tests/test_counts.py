"""Numbers in sentences agree with their nouns, and texts in them are short."""

import pytest

from ibidem.counts import format_count, shorten


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 matches"), (1, "1 match"), (2, "2 matches"), (1_000, "1,000 matches")]
)
def test_a_number_has_the_form_of_its_noun(number: int, words: str) -> None:
    assert format_count(number, "match", "matches") == words
    assert format_count(number, "document") == words.replace("matches", "documents").replace("match", "document")


def test_the_middle_of_a_long_text_is_left_out() -> None:
    assert shorten("x" * 10, 10) == "x" * 10
    assert shorten("a" * 50 + "z" * 50, 10) == "aaaaa ... zzzzz"
