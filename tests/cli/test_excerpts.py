"""Matches for a reader: each passage in its context."""

from pathlib import Path

import pytest

from .samples import OTHER, PASSAGE, Run, lines_of


@pytest.mark.usefixtures("at_a_terminal")
def test_a_reader_sees_the_passage_in_its_context(run: Run, folder: Path) -> None:
    shown = " ".join(run("search", "books.ibidem", "letter.txt").stdout.split())
    (match,) = lines_of(run("search", "books.ibidem", "letter.txt", "--json"))
    assert shown.startswith("letter.txt 1 match ferry.txt similarity 0.")
    assert f"characters {match['start']} to {match['end']}" in shown
    assert " ".join(OTHER[:80].split()[-5:]) in shown
    assert "And so it was." in shown


@pytest.mark.usefixtures("at_a_terminal")
def test_a_reader_sees_that_there_is_no_match(run: Run, folder: Path) -> None:
    assert run("search", "books.ibidem", "letter.txt", "--threshold", "1").stdout.split() == [
        "letter.txt",
        "no",
        "match",
    ]


@pytest.mark.usefixtures("at_a_terminal")
def test_a_reader_sees_ranges_for_all(run: Run, folder: Path) -> None:
    assert "(starts " in run("search", "books.ibidem", "--query", PASSAGE, "--select", "all").stdout


@pytest.mark.usefixtures("at_a_terminal")
def test_a_document_cannot_steer_the_terminal(run: Run, folder: Path) -> None:
    Path("evil").mkdir()
    Path("evil/e.txt").write_text(f"\x1b]0;title\x07 {PASSAGE} \x1b[2J [bold]", "utf-8")
    run("index", "evil", "-o", "new.ibidem")
    shown = run("search", "new.ibidem", "--query", PASSAGE).stdout
    assert "\x1b" not in shown
    assert "[bold]" in shown
