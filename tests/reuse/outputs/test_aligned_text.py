"""Two passages written below each other: of one length, with nothing lost."""

from hypothesis import given
from hypothesis import strategies as st

from ibidem.reuse.outputs.aligned_text import GAP, HYPHEN, align_characters

texts = st.text("ab-\u2010 \n\U0001f600", max_size=20)


@given(texts, texts)
def test_both_have_one_length_and_without_gaps_are_the_texts(a: str, b: str) -> None:
    made = align_characters(a, b)
    assert len(made.a) == len(made.b)
    assert made.a.replace(GAP, "") == a.replace("-", HYPHEN)
    assert made.b.replace(GAP, "") == b.replace("-", HYPHEN)
    assert made.matches == sum(x == y for x, y in zip(made.a, made.b, strict=True))
    assert (GAP, GAP) not in zip(made.a, made.b, strict=True)


@given(texts)
def test_equal_texts_have_no_gap(text: str) -> None:
    assert align_characters(text, text).matches == len(text)
