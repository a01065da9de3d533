"""The files of two whole texts: every word of both is in them, and a file that cannot be written leaves nothing."""

import csv
from pathlib import Path

import pytest

from ibidem.comparison.edition import Edition
from ibidem.errors import CorpusError
from ibidem.text import Document

A = Document("early", "The owl was old.\nShe slept all day.\nNobody knew her name.\n")
B = Document("late", "The owl was very old.\nNobody knew her name.\n")


def test_the_table_has_each_line_of_both_texts_once_and_those_that_correspond_side_by_side(tmp_path: Path) -> None:
    Edition.of(A, B, "words", "line").write_table(tmp_path / "table.csv")
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header[2:] == ["similarity", "early", "late"]
    assert [row[3].strip() for row in rows if row[3]] == A.text.splitlines()
    assert [row[4].strip() for row in rows if row[4]] == B.text.splitlines()
    assert [bool(row[4]) for row in rows] == [True, False, True]


def test_the_apparatus_has_the_words_of_both_texts(tmp_path: Path) -> None:
    Edition.of(A, B, "words", "line").write_apparatus(tmp_path / "both.xml")
    text = (tmp_path / "both.xml").read_text(encoding="utf-8")
    assert all(word in text for word in ("owl", "very", "slept", "milestone"))


def test_a_file_that_cannot_be_written_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="cannot be written"):
        Edition.of(A, B, "words", "line").write_table(tmp_path / "missing" / "table.csv")
    assert list(tmp_path.iterdir()) == []
