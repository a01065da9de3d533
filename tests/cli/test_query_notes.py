"""Warnings of many queries are said once for each kind, and what finds nothing says what would find more."""

from pathlib import Path

import pytest

from .samples import Run, lines_of


def test_a_query_that_is_too_short_is_named_in_one_line(run: Run, folder: Path) -> None:
    result = run("search", "books.ibidem", "books/note.txt", "letter.txt", "--min-length", "16")
    assert len(lines_of(result)) == 1
    assert result.stderr.startswith("ibidem: warning: books/note.txt: ")
    assert len(result.stderr.splitlines()) == 1


def test_many_queries_give_one_warning_of_a_kind(run: Run, folder: Path) -> None:
    notes = ["books/note.txt"] * 2
    result = run("search", "books.ibidem", *notes, "letter.txt", "books/note.txt", "--min-length", "16")
    assert len(lines_of(result)) == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("ibidem: warning: books/note.txt: ")
    assert line.endswith(", and alike 2 more queries")


@pytest.mark.usefixtures("at_a_terminal")
def test_a_search_that_finds_nothing_says_what_would_find_more(run: Run, folder: Path) -> None:
    exact = ("--json", "--threshold", "1")
    assert run("search", "books.ibidem", "letter.txt", *exact, "--min-length", "9").stderr == (
        "letter.txt: nothing found. More is found with a --threshold below 1 or a --min-length below 9; what a part "
        "of a query shares, with --parts\n"
    )
    many = run("search", "books.ibidem", "notes.jsonl", "letter.txt", *exact)
    assert many.stderr.startswith(
        "2 of 3 queries, the first first: nothing found. More is found with a --threshold below 1; what a part"
    )
    tried = run("search", "books.ibidem", "letter.txt", *exact, "--parts")
    assert tried.stderr == "letter.txt: nothing found. More is found with a --threshold below 1\n"
    assert not run("search", "books.ibidem", "letter.txt").stderr


def test_a_program_is_told_nothing_of_a_search_that_finds_nothing(run: Run, folder: Path) -> None:
    result = run("search", "books.ibidem", "letter.txt", "--threshold", "1")
    assert (result.stdout, result.stderr) == ("", "")
