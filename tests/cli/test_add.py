"""add: documents are added to an index, under the columns that are named."""

from pathlib import Path

from .samples import Run, documents_with_passage, lines_of


def test_added_documents_are_found_and_removed_ones_are_not(run: Run, folder: Path) -> None:
    assert documents_with_passage("books.ibidem") == {"ferry.txt"}
    assert run("add", "books.ibidem", "more", "--memory", "64M", "--threads", "1").exit_code == 0
    assert documents_with_passage("books.ibidem") == {"ferry.txt", "again.txt"}
    removed = run("remove", "books.ibidem", "ferry.txt", "bees.txt")
    assert removed.stderr == "books.ibidem: 2 documents removed: ferry.txt, bees.txt\n"
    assert documents_with_passage("books.ibidem") == {"again.txt"}


def test_columns_are_named_with_options(run: Run, folder: Path) -> None:
    assert run("add", "books.ibidem", "poems.jsonl", "--text", "verse", "--id", "title").exit_code == 0
    assert documents_with_passage("books.ibidem") == {"ferry.txt", "harbour"}


def test_an_id_that_exists_is_not_added(run: Run, folder: Path) -> None:
    result = run("add", "books.ibidem", "books")
    assert result.exit_code == 2
    assert "bees.txt" in result.stderr
    assert lines_of(run("info", "books.ibidem"))[0]["documents"] == 3
