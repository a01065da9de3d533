"""search: which queries are searched, with which options, and what is said of the work."""

import json
import re
from pathlib import Path

import pytest

from ibidem import PassageIndex

from .samples import CHANGED, PASSAGE, Run, lines_of


def test_explain_says_what_a_search_read_and_left_on_standard_error(run: Run, folder: Path) -> None:
    result = run("search", "books.ibidem", "--query", PASSAGE, "--explain")
    assert lines_of(result)
    asked, looked_at, left, times = result.stderr.splitlines()
    assert re.fullmatch(r"query: \d+ lists: [1-9]\d* read, \d+ skipped", asked)
    assert re.fullmatch(r"query: [1-9][\d,]* of [\d,]+ postings looked at", looked_at)
    assert re.fullmatch(r"query: [1-9]\d* starts? left by tokens, [1-9]\d* areas?, [1-9]\d* match(es)?", left)
    assert times.startswith("query: ms for query ")


def test_the_maximal_passages_are_those_of_the_index(run: Run, folder: Path) -> None:
    found = lines_of(run("search", "books.ibidem", "--query", PASSAGE, "--select", "maximal", "--threshold", "0.9"))
    with PassageIndex.open("books.ibidem") as index:
        expected = index.search(PASSAGE, select="maximal", threshold=0.9)
    assert len(expected) > 1
    assert [(row["start"], row["end"]) for row in found] == [(match.start, match.end) for match in expected]


def test_a_query_on_the_command_line_is_called_query(run: Run, folder: Path) -> None:
    (match,) = lines_of(run("search", "books.ibidem", "--query", PASSAGE, "--threshold", "1"))
    assert match["query"] == "query"
    assert match["text"] == PASSAGE.rstrip(".")


def write_essay(words: int) -> None:
    """A text of other words, of which a part stands in the index: ``essay.txt``."""
    half = [f"word{number}" for number in range(words // 2)]
    Path("essay.txt").write_text(f"{' '.join(half)} {PASSAGE} {' '.join(half[::-1])}", "utf-8")


def test_a_document_to_which_nothing_is_similar_is_aligned_with_the_index(run: Run, folder: Path) -> None:
    write_essay(1500)
    result = run("search", "books.ibidem", "essay.txt", "letter.txt")
    essay, letter = lines_of(result)
    assert (essay["query"], essay["document"]) == ("essay.txt", "ferry.txt")
    assert essay["query_text"] == essay["text"] == PASSAGE.rstrip(".")
    assert letter["query"] == "letter.txt"
    (line,) = result.stderr.splitlines()
    assert line.startswith("ibidem: warning: essay.txt: nothing is similar to the whole of it: ")


def test_parts_of_a_document_are_left_alone_if_wished_or_if_time_is_short(run: Run, folder: Path) -> None:
    write_essay(1500)
    for more in (("--no-parts",), ("--timeout", "60")):
        result = run("search", "books.ibidem", "essay.txt", *more)
        assert not result.stdout
        assert result.stderr.endswith("PassageIndex.align, or ibidem search --parts\n")


def test_a_part_of_a_query_is_looked_for_if_asked_for_and_nothing_is_similar_to_all_of_it(
    run: Run, folder: Path
) -> None:
    write_essay(300)
    nothing = run("search", "books.ibidem", "essay.txt")
    assert not nothing.stdout
    assert "found by aligning it with the index: ibidem align --index" in nothing.stderr
    (part,) = lines_of(run("search", "books.ibidem", "essay.txt", "--parts", "--limit", "1"))
    assert part["text"] == PASSAGE.rstrip(".")
    whole, parts = run("search", "books.ibidem", "letter.txt"), run("search", "books.ibidem", "letter.txt", "--parts")
    assert whole.stdout == parts.stdout


def test_limit_keeps_the_most_similar_of_each_query(run: Run, folder: Path) -> None:
    run("add", "books.ibidem", "more")
    assert len(lines_of(run("search", "books.ibidem", "notes.jsonl"))) == 3
    matches = lines_of(run("search", "books.ibidem", "notes.jsonl", "--limit", "1"))
    assert [(match["query"], match["document"]) for match in matches] == [
        ("first", "again.txt"),
        ("second", "bees.txt"),
    ]


@pytest.mark.usefixtures("at_a_terminal")
def test_a_reader_is_told_how_many_matches_a_limit_leaves_out(run: Run, folder: Path) -> None:
    run("add", "books.ibidem", "more")
    result = run("search", "books.ibidem", "notes.jsonl", "--limit", "1", "--json")
    assert len(lines_of(result)) == 2
    assert result.stderr == "first: 1 of 2 matches\n"


def test_a_tiny_threshold_is_a_threshold(run: Run, folder: Path) -> None:
    assert lines_of(run("search", "books.ibidem", "--query", PASSAGE, "--threshold", "1e-320"))


def test_one_query_without_words_among_others_does_not_end_the_search(run: Run, folder: Path) -> None:
    Path("empty.txt").write_text("", "utf-8")
    result = run("search", "books.ibidem", "empty.txt", "letter.txt")
    assert result.exit_code == 0
    assert [match["query"] for match in lines_of(result)] == ["letter.txt"]
    assert result.stderr.startswith("ibidem: warning: empty.txt: ")


def test_a_line_has_the_columns_of_the_query(run: Run, folder: Path) -> None:
    Path("dated.jsonl").write_text(json.dumps({"id": "l", "text": CHANGED, "year": 1903}) + "\n", "utf-8")
    for command in (["search", "books.ibidem"], ["align", "--index", "books.ibidem"]):
        (found, *_) = lines_of(run(*command, "dated.jsonl", "--no-text"))
        assert found["query_metadata"] == {"year": 1903}
        assert "query_text" not in found
        assert "query_metadata" not in lines_of(run(*command, "letter.txt"))[0]


@pytest.mark.parametrize("threads", ["1", "4"])
def test_matches_are_in_the_order_of_the_queries_whatever_the_threads(run: Run, folder: Path, threads: str) -> None:
    many = ["letter.txt", "books/bees.txt"] * 6
    matches = lines_of(run("search", "books.ibidem", *many, "--threads", threads))
    assert [match["query"] for match in matches] == many


def test_a_wrong_option_ends_a_search_of_files(run: Run, folder: Path) -> None:
    result = run("search", "books.ibidem", "letter.txt", "--family", "set", "--idf", "smooth")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert "tf and idf are weights of the family 'weighted', not of 'set'" in result.stderr


def test_a_query_without_words_is_an_error_by_itself(run: Run, folder: Path) -> None:
    result = run("search", "books.ibidem", "--query", "?!")
    assert result.exit_code == 2
    assert result.stderr.startswith("ibidem: error: ")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["letter.txt", "--query", "both"],
        ["letter.txt", "--threshold", "0"],
        ["letter.txt", "--select", "worst"],
        ["letter.txt", "--limit", "0"],
        ["letter.txt", "missing.txt"],
    ],
)
def test_a_wrong_search_is_one_line_and_finds_nothing(run: Run, folder: Path, arguments: list[str]) -> None:
    result = run("search", "books.ibidem", *arguments)
    assert result.exit_code == 2
    assert not result.stdout
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("text", ["ripe plums in the icebox", "who ate the plums?"])
def test_a_text_in_the_place_of_a_file_is_told_apart(run: Run, folder: Path, text: str) -> None:
    result = run("search", "books.ibidem", text)
    assert result.exit_code == 2
    assert f"no file is called {text!r}" in " ".join(result.stderr.split())
    assert "put --query before it" in " ".join(result.stderr.split())


def test_what_a_query_has_of_a_text_to_ignore_is_not_searched_for(run: Run, folder: Path) -> None:
    for query in (["letter.txt"], ["--query", (folder / "letter.txt").read_text("utf-8")], ["letter.txt", "--parts"]):
        options = ["--threshold", "0.4"]
        assert run("search", "books.ibidem", *query, *options).stdout
        done = run("search", "books.ibidem", *query, *options, "--ignore", "books/ferry.txt")
        assert (done.exit_code, done.stdout) == (0, "")
        first = done.stderr.splitlines()[0]
        assert first.startswith("letter.txt: characters " if "letter.txt" in query else "query: characters ")
        assert " ignored: similar to books/ferry.txt, " in first
