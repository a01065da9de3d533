"""A place of a document is searched or aligned alone, and what is found there is named by its place."""

import json
from pathlib import Path

import pytest

from tests.corpus.readers import samples

from .samples import PASSAGE, Run, lines_of

PAGES = [f"Page one speaks of the weather alone. {samples.FIRST}", f"The second page quotes at length: {PASSAGE}"]


@pytest.fixture
def scan(folder: Path) -> str:
    """A file of which two pages are known, one with the passage of the books."""
    first, second = PAGES
    rows = [[0, len(first), "3", "page"], [len(first) + 1, len(first) + 1 + len(second), "4", "page"]]
    document = {"id": "scan", "text": f"{first}\n{second}", "locators": rows}
    (folder / "scan.jsonl").write_text(json.dumps(document) + "\n", "utf-8")
    return "scan.jsonl"


def test_one_place_is_searched_and_offsets_stay_those_of_the_document(run: Run, scan: str) -> None:
    whole = lines_of(run("search", "books.ibidem", scan, "--threshold", "0.5"))
    assert whole
    assert lines_of(run("search", "books.ibidem", scan, "--threshold", "0.5", "--within", "page 3")) == []
    there = lines_of(run("search", "books.ibidem", scan, "--threshold", "0.5", "--within", "page 4"))
    best = max(there, key=lambda row: row["similarity"])
    text = "\n".join(PAGES)
    assert text[best["query_start"] : best["query_end"]] == best["query_text"]
    assert best["query_start"] > len(PAGES[0])


def test_one_place_is_aligned_and_lines_say_it(run: Run, scan: str) -> None:
    Path("source.txt").write_text(f"Something else before. {PASSAGE}", "utf-8")
    (row,) = lines_of(run("align", scan, "source.txt", "--json"))
    assert row["a_locator"] == "page 4"
    assert "b_locator" not in row
    assert lines_of(run("align", scan, "source.txt", "--json", "--within", "page 3")) == []
    (again,) = lines_of(run("align", scan, "source.txt", "--json", "--within", "page 4"))
    assert (again["a_start"], again["b_end"]) == (row["a_start"], row["b_end"])


@pytest.mark.parametrize(
    ("place", "cause"),
    [("page 9", "no 'page 9' in it; it knows pages"), ("verse 1", "no 'verse 1'"), ("3", "no '3' in it")],
)
def test_a_place_that_is_not_there_is_an_error(run: Run, scan: str, place: str, cause: str) -> None:
    result = run("search", "books.ibidem", scan, "--within", place)
    assert result.exit_code == 2
    assert cause in result.stderr


@pytest.mark.usefixtures("folder")
def test_a_text_without_places_has_its_lines(run: Run) -> None:
    Path("lines.txt").write_text(f"Something else before.\nAnd more of it.\n{PASSAGE}\n", "utf-8")
    Path("source.txt").write_text(PASSAGE, "utf-8")
    (row,) = lines_of(run("align", "lines.txt", "source.txt", "--json", "--within", "line 3"))
    assert row["a_start"] == 39
    assert lines_of(run("align", "lines.txt", "source.txt", "--json", "--within", "lines 1 to 2")) == []
    assert "no 'page 1' in it; it knows lines" in run("align", "lines.txt", "source.txt", "--within", "page 1").stderr


@pytest.mark.usefixtures("folder")
def test_texts_that_are_no_documents_and_pairs_take_no_place(run: Run) -> None:
    for line in (
        ("search", "books.ibidem", "--query", "x y z", "--within", "page 1"),
        ("align", "--documents", "notes.jsonl", "--pairs", "notes.jsonl", "--within", "page 1"),
    ):
        assert run(*line).exit_code == 2
