"""Two passages written below each other: of one length, with nothing lost."""

from hypothesis import given
from hypothesis import strategies as st

from ibidem.reuse.outputs.aligned_text import GAP, HYPHEN, align_characters

texts = st.text("ab-\u2010 \n\U0001f600", max_size=20)


@given(texts, texts)
def test_both_have_one_length_and_without_gaps_are_the_texts(a: str, b: str) -> None:
    aligned_text = align_characters(a, b)
    assert len(aligned_text.a) == len(aligned_text.b)
    assert aligned_text.a.replace(GAP, "") == a.replace("-", HYPHEN)
    assert aligned_text.b.replace(GAP, "") == b.replace("-", HYPHEN)
    assert aligned_text.matches == sum(x == y for x, y in zip(aligned_text.a, aligned_text.b, strict=True))
    assert (GAP, GAP) not in zip(aligned_text.a, aligned_text.b, strict=True)


@given(texts)
def test_equal_texts_have_no_gap(text: str) -> None:
    assert align_characters(text, text).matches == len(text)
