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


def test_a_common_word_among_changed_ones_is_not_changed_into_itself() -> None:
    a, b = (" ".join([f"{side}{n}" for n in range(20)] + ["the"] + [f"{side}{n}" for n in range(20)]) for side in "ab")
    common = "the " * 300
    rows = [row for row in align_words(common + a, common + b) if row.a and row.b]
    kinds = {(row.kind, (common + a)[slice(*row.a)] == (common + b)[slice(*row.b)]) for row in rows}
    assert kinds == {("equal", True), ("changed", False)}


@given(words=st.lists(st.sampled_from(["own", "own", "own", "the", "of"]), max_size=60), before=st.integers(0, 300))
def test_no_word_is_changed_into_itself(words: list[str], before: int) -> None:
    a, b = (
        "the of " * before + " ".join(f"{side}{n}" if word == "own" else word for n, word in enumerate(words))
        for side in "ab"
    )
    pair = Alignment(a_start=7 * before, a_end=len(a), b_start=7 * before, b_end=len(b), similarity=1.0)
    rows = [row for row in align_words(a, b, pair) if row.a and row.b]
    assert all((a[slice(*row.a)] == b[slice(*row.b)]) == (row.kind in ("equal", "moved")) for row in rows)
