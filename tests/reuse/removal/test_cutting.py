"""Where texts are cut for passages: between words or lines, with what belongs to the passage alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus.writing.cutting import edit_text, find_words
from ibidem.reuse.removal.cutting import find_cut


def cut(text: str, passage: str, boundary: str = "words") -> str:
    """The text without a passage."""
    start = text.index(passage)
    return edit_text(text, [find_cut(text, find_words(text), (start, start + len(passage)), boundary)])


@pytest.mark.parametrize(
    ("text", "passage", "remaining_text"),
    [
        ("One two. Three four! Six.", "Three four", "One two. Six."),
        ('He said "three four." Six', "three four", "He said Six"),
        ("(three four) five", "three four", "five"),
        ("five (three four)", "three four", "five "),
        ("P one.\n\nQ two.\n\nR", "Q two", "P one.\n\nR"),
        ("P one. Q two.\n\nR", "Q two", "P one. \n\nR"),
        ("P one.\n  Q two. R", "Q two", "P one.\n  R"),
        ("well-known", "known", "well-"),
        ("unknown", "known", "unknown"),
        ("知る人ぞ知る", "人ぞ", "知る知る"),
        ("cafe\u0301 cre\u0301me", "e\u0301me", "cafe\u0301 cre\u0301me"),
    ],
)
def test_a_cut_lies_between_words_and_leaves_the_rest_apart(text: str, passage: str, remaining_text: str) -> None:
    assert cut(text, passage) == remaining_text


@pytest.mark.parametrize(
    ("text", "passage", "remaining_text"),
    [
        ("a b\nc d\ne f", "b\nc d\ne", "a b\ne f"),
        ("a b\r\nc d.\r\ne f", "c d", "a b\r\ne f"),
        ("a b\rc d\re f", "c d", "a b\re f"),
        ("a b\n  (c d)\ne f", "c d", "a b\ne f"),
        ("a b\nc d", "c d", "a b\n"),
        ("a b c", "a b", "a b c"),
        ("a b c", "a b c", ""),
    ],
)
def test_lines_are_cut_whole(text: str, passage: str, remaining_text: str) -> None:
    assert cut(text, passage, "lines") == remaining_text


@given(st.text("ab .,\n\r(", max_size=25), st.tuples(st.integers(0, 25), st.integers(0, 25)), st.booleans())
def test_no_word_outside_of_a_passage_is_touched(text: str, ends: tuple[int, int], lines: bool) -> None:
    start, end = min(*ends, len(text)), min(max(ends), len(text))
    words = find_words(text)
    first, last = find_cut(text, words, (start, end), "lines" if lines else "words")
    assert 0 <= first <= last <= len(text)
    edited_text = edit_text(text, [(first, last)])
    outside = [text[s:e] for s, e in words if s < start or e > end]
    remaining = iter(edited_text.replace("(", " ").replace(",", " ").replace(".", " ").split())
    assert all(any(word in rest for rest in remaining) for word in outside)
    if not lines:
        assert len(find_words(edited_text)) <= len(outside)
