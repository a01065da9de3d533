"""What is said of documents that were added, and of the work of a search."""

import re
from pathlib import Path

import pytest

from ibidem import PassageIndex
from ibidem.cli.reports import name_some, report_addition, tell_work
from ibidem.passages.query.statistics import SearchStatistics


def test_of_many_short_documents_the_first_are_named() -> None:
    assert name_some(list("abcde")) == "a, b, c, d, e"
    assert name_some(list("abcdef")) == "a, b, c, d, e ..."


def test_an_addition_says_what_was_written_and_what_no_search_will_find(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with PassageIndex.open("books.ibidem") as index:
        report_addition(index, "books.ibidem")
        assert capsys.readouterr().err == ""  # nothing was written
        index.add([("x", "a b c")])
        report_addition(index, "books.ibidem")
    assert re.fullmatch(r"books\.ibidem: 1 document with 3 tokens indexed in \d\.\d s\n", capsys.readouterr().err)


def test_the_work_of_a_search_is_told_by_its_filters(capsys: pytest.CaptureFixture[str]) -> None:
    work = SearchStatistics(lists=1, lists_read=1, postings=2000, postings_read=1, starts_likely=1, matches=2)
    work.seconds["query"] = 0.0015
    tell_work("letter", work)
    assert capsys.readouterr().err.splitlines() == [
        "letter: 1 list: 1 read, 0 skipped",
        "letter: 1 of 2,000 postings looked at",
        "letter: 1 start left by tokens, 0 areas, 2 matches",
        "letter: ms for query 1.50",
    ]
