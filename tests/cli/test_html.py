"""The option --html: a report beside the output of other commands."""

from pathlib import Path

import pytest

from .samples import CHANGED, OTHER, PASSAGE, Run, documents_in_report, write_lines


@pytest.mark.usefixtures("folder")
def test_align_search_and_dedup_write_reports_beside_their_output(run: Run) -> None:
    Path("pairs.jsonl").write_text('{"a": "first", "b": "letter.txt"}', "utf-8")
    for arguments in (
        ("align", "letter.txt", "books/ferry.txt"),
        ("align", "--index", "books.ibidem", "letter.txt"),
        ("align", "--documents", "notes.jsonl", "--documents", "letter.txt", "--pairs", "pairs.jsonl"),
        ("search", "books.ibidem", "notes.jsonl"),
    ):
        plain = run(*arguments)
        result = run(*arguments, "--html", "report.html")
        assert result.stdout == plain.stdout, arguments
        assert result.stdout
        assert "report.html: " in result.stderr
        assert len(documents_in_report("report.html")) >= 2
    result = run("dedup", "notes.jsonl", "more", "-o", "unique", "--html", "removed.html", "--threshold", "0.5")
    assert result.exit_code == 0
    assert documents_in_report("removed.html") == {"first", "again.txt"}


@pytest.mark.usefixtures("folder")
def test_a_query_with_the_id_of_another_document_is_shown_with_its_own_text(run: Run) -> None:
    write_lines("numbers.jsonl", {"id": "1", "text": PASSAGE}, {"id": "2", "text": OTHER})
    write_lines("queries.jsonl", {"id": "1", "text": PASSAGE[:150]}, {"id": "2", "text": CHANGED})
    assert run("index", "numbers.jsonl", "-o", "numbers.ibidem").exit_code == 0
    found = run("search", "numbers.ibidem", "queries.jsonl", "--html", "search.html")
    Path("found.jsonl").write_text(found.stdout, "utf-8")
    sources = ("--index", "numbers.ibidem", "--documents", "queries.jsonl")
    assert run("report", "found.jsonl", *sources, "-o", "report.html").exit_code == 0
    assert documents_in_report("search.html") == {"1", "1 (query)", "2"}
    assert documents_in_report("report.html") == {"1", "1 (query)", "2 (query)"}
    assert (
        run("search", "numbers.ibidem", "numbers.jsonl", "--threshold", "0.1", "--html", "itself.html").exit_code == 0
    )
    assert "(query)" not in Path("itself.html").read_text("utf-8")
