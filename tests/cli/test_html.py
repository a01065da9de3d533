"""The option --html: a report beside the output of other commands."""

from pathlib import Path

import pytest

from .samples import Run, documents_in_report


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
