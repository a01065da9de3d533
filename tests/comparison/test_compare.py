"""The comparison of two passages: runs in code points, places, reasons; and the JSON of it."""

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ibidem
from ibidem.comparison import Comparer, Comparison, Locators, Side, Witness, align_words, compare
from ibidem.comparison.tokenized import count_tokens

A = "The captain stood at the rail. When the ferry came in at last, all ran down with lanterns."
B = "When the FERRY came in, all ran down with torches. The captain stood at the rail!"


def shown(found: Comparison, a: str, b: str) -> list[tuple[str, str, str]]:
    return [(run.kind, a[run.a_start : run.a_end], b[run.b_start : run.b_end]) for run in found.runs]


def test_words_are_equal_dropped_changed_and_moved() -> None:
    assert shown(compare(A, B), A, B) == [
        ("moved", "The captain stood at the rail", "The captain stood at the rail"),
        ("equal", "When the ferry came in", "When the FERRY came in"),
        ("dropped", "at last", ""),
        ("equal", "all ran down with", "all ran down with"),
        ("changed", "lanterns", "torches"),
    ]


def test_case_and_punctuation_are_no_change() -> None:
    assert [run.kind for run in compare("mother in law", "Mother-in-law,").runs] == ["equal"]


def test_a_chinese_line_is_marked_by_characters() -> None:
    a, b = "子曰學而時習之不亦說乎有朋自遠方來", "子曰學習之不亦樂乎有朋自遠方來"
    assert [kind for kind, _, _ in shown(compare(a, b), a, b)] == ["equal", "dropped", "equal", "changed", "equal"]


def test_positions_are_those_of_the_documents() -> None:
    pair = ibidem.Alignment(a_start=31, a_end=89, b_start=0, b_end=49, similarity=0.7)
    found = compare(A, B, pair, context=5)
    assert (found.a.text, found.a.before, found.a.after) == (A[31:89], "ail. ", ".")
    assert shown(found, A, B)[0] == ("equal", "When the ferry came in", "When the FERRY came in")
    assert found.similarity == 0.7


@given(st.text("ab .", max_size=30), st.text("ab .", max_size=30))
def test_runs_cover_all_words_and_nothing_twice(a: str, b: str) -> None:
    found = compare(a, b)
    for side, text in (("a", a), ("b", b)):
        ranges = [(getattr(run, f"{side}_start"), getattr(run, f"{side}_end")) for run in found.runs]
        covered = [at for start, end in ranges for at in range(start, end)]
        assert len(covered) == len(set(covered))
        assert {at for at, sign in enumerate(text) if sign in "ab"} <= set(covered)
    assert msgspec.json.decode(msgspec.json.encode(found), type=Comparison) == found


def test_a_passage_alone_can_be_compared() -> None:
    found = Comparer().compare(Witness("x", 100, 107, passage="one two"), Witness("y", 0, 3, "two"))
    assert found.a == Side(document="x", start=100, end=107, text="one two")
    assert [(run.a_start, run.a_end) for run in found.runs if run.kind == "equal"] == [(104, 107)]


def test_lines_and_locators_say_where_a_passage_stands() -> None:
    text = "first line\nsecond line\nthird line"
    verses = Locators([(0, 10, "1:1"), (11, 22, "1:2"), (23, 33, "1:3")])
    found = Comparer().compare(Witness("x", 11, 28, text, locators=verses), Witness("y", 0, 4, "line"))
    assert found.a.lines == (2, 3)
    assert [each.label for each in found.a.locators] == ["1:2", "1:3"]


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


def test_every_word_has_its_partner() -> None:
    assert [(pair.kind, pair.a, pair.b) for pair in align_words("one two three", "one three, four")] == [
        ("equal", (0, 3), (0, 3)),
        ("dropped", (4, 7), None),
        ("equal", (8, 13), (4, 9)),
        ("inserted", None, (11, 15)),
    ]


def test_shingles_are_compared_word_by_word() -> None:
    assert align_words("one two", "one six", tokenizer="words:2") == align_words("one two", "one six")


@pytest.mark.parametrize("texts", [("", ""), ("", "x"), ("!!!", "x")])
def test_a_text_without_words_is_compared_too(texts: tuple[str, str]) -> None:
    found = compare(*texts)
    assert [run.kind for run in found.runs] == (["inserted"] if texts[1] else [])
