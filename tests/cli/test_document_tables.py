"""Documents that resemble a query, as a person reads them."""

from pathlib import Path

import pytest

from .samples import PASSAGE, Run, write_lines


@pytest.mark.usefixtures("at_a_terminal")
def test_a_person_reads_a_table_that_fits(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"id": f"{number:02}{'-version' * 12}", "text": f"{PASSAGE} {number}"} for number in range(30)]
    assert run("index", write_lines("many.jsonl", *rows), "-o", "many", "--documents").exit_code == 0
    monkeypatch.setenv("COLUMNS", "80")
    shown = run("search", "many", "--query", PASSAGE).stdout
    lines = shown.splitlines()
    assert lines[0] == "query  30 documents"
    assert lines[1].split() == ["similarity", "contained", "document"]
    assert lines[2].split()[:2] == ["0.984", "0.984"]
    assert max(map(len, lines)) <= 80
    assert "... and 10 less similar ones" in shown
    none = run("search", "many", "--query", "nothing like it")
    assert none.stdout == "query  no document\n"
