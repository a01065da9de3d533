"""The comparison of two passages: runs in code points, places, reasons; and the JSON of it."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ibidem
from ibidem.comparison import Comparer, Comparison, Locators, Side, Witness, compare

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


@pytest.mark.parametrize("texts", [("", ""), ("", "x"), ("!!!", "x")])
def test_a_text_without_words_is_compared_too(texts: tuple[str, str]) -> None:
    found = compare(*texts)
    assert [run.kind for run in found.runs] == (["inserted"] if texts[1] else [])
