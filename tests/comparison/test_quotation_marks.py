"""Quotation marks of several languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.comparison.quotation_marks import find_quotations


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("she said “yes, I do” and went", ["yes, I do"]),
        ('he said "no" and "never"', ["no", "never"]),
        ("er sagte „ja doch“ und »nein«", ["ja doch", "nein"]),
        ("il dit « oui » puis ‹ non ›", [" oui ", " non "]),
        ("han sade ”ja” och »nej»", ["ja", "nej"]),
        ("彼は「はい」と言った。『本』", ["はい", "本"]),
        ("she said ‘don’t go’ twice", ["don’t go"]),
        ("it’s John’s", []),
        ("“one “two” three” four", ["one “two” three"]),
        ("“never closed", []),
        ('a board of 6" only\n\nand “this” is one', ["this"]),
        ("“begun\n \nin another paragraph”", []),
        ("„“", [""]),
        ("", []),
    ],
)
def test_quotations_are_what_stands_between_marks(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in find_quotations(text)] == expected


@given(st.text(alphabet='ab “”„«»‘’"\n「」'))
def test_quotations_ascend_and_stand_between_marks(text: str) -> None:
    before = 0
    for start, end in find_quotations(text):
        assert before <= start - 1 < end < len(text)
        before = end + 1
