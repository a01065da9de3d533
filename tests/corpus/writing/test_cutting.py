"""A text without what is cut from it, or with asterisks in its place."""

from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus.writing.cutting import edit_text, find_words

ranges = st.tuples(st.integers(0, 25), st.integers(0, 25)).map(lambda ends: (min(ends), max(ends)))


@given(st.text("ab .,\n\r(", max_size=25), ranges)
def test_what_is_masked_keeps_its_length_and_its_white_space(text: str, span: tuple[int, int]) -> None:
    start, end = (min(place, len(text)) for place in span)
    masked = edit_text(text, [(start, end)], "mask")
    assert [c.isspace() for c in masked] == [c.isspace() for c in text]
    assert (masked[:start], masked[end:]) == (text[:start], text[end:])


def test_a_space_separates_words_that_a_cut_would_join() -> None:
    assert edit_text("one, two, three", [(3, 10)]) == "one three"
    assert find_words("one three") == [(0, 3), (4, 9)]


def test_nothing_is_cut_from_a_text_that_is_annotated() -> None:
    assert edit_text("one two", [(0, 4)], "annotate") == "one two"
