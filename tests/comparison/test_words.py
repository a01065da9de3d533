"""Every word with the word that stands for it."""

from hypothesis import given
from hypothesis import strategies as st

from ibidem.comparison import align_words
from ibidem.spans import Alignment


def test_every_word_has_its_partner() -> None:
    assert [(pair.kind, pair.a, pair.b) for pair in align_words("one two three", "one three, four")] == [
        ("equal", (0, 3), (0, 3)),
        ("dropped", (4, 7), None),
        ("equal", (8, 13), (4, 9)),
        ("inserted", None, (11, 15)),
    ]


def test_shingles_are_compared_word_by_word() -> None:
    assert align_words("one two", "one six", tokenizer="words:2") == align_words("one two", "one six")


def test_words_of_a_pair_of_passages_keep_their_places_in_the_texts() -> None:
    a, b = "zero one two three", "one four three five"
    pair = Alignment(a_start=5, a_end=18, b_start=0, b_end=14, similarity=0.5)
    found = align_words(a, b, pair)
    assert [(word.kind, a[slice(*word.a)], b[slice(*word.b)]) for word in found if word.a and word.b] == [
        ("equal", "one", "one"),
        ("changed", "two", "four"),
        ("equal", "three", "three"),
    ]


@given(a=st.text("abc .", max_size=30), b=st.text("abc .", max_size=30))
def test_each_word_of_both_texts_has_one_row(a: str, b: str) -> None:
    rows = align_words(a, b)
    for text, places in ((a, [row.a for row in rows]), (b, [row.b for row in rows])):
        words = sorted(place for place in places if place is not None)
        assert [text[start:end] for start, end in words] == text.replace(".", " ").split()
    for row in rows:
        assert (row.a is None, row.b is None) in {
            "equal": {(False, False)},
            "moved": {(False, False)},
            "changed": {(False, False), (True, False), (False, True)},
            "dropped": {(False, True)},
            "inserted": {(True, False)},
        }[row.kind]
