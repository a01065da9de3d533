"""An index of documents on the command line: made, searched, and refused where it does not fit."""

import json
from pathlib import Path

import pytest

from ibidem import DocumentIndex

from .samples import CHANGED, OTHER, PASSAGE, Run, lines_of, write_lines

MAKE = ("index", "books", "more", "-o", "known.ibidem", "--documents", "--threshold", "0.2", "--shingle", "words:2")


@pytest.fixture
def known(run: Run, folder: Path) -> Path:
    done = run(*MAKE, "-k", "256", "--recall", "0.999", "--seed", "7")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "known.ibidem: 4 documents with" in done.stderr
    return folder


def test_the_options_of_a_build_are_those_of_the_library(known: Path) -> None:
    with DocumentIndex.open("known.ibidem") as index:
        choices = index.configuration
    assert (choices.threshold, choices.num_hashes, choices.recall, choices.seed) == (0.2, 256, 0.999, 7)
    assert choices.shingles["shingle"] == 2


@pytest.mark.parametrize("options", [[], ["--threshold", "0.6"], ["--limit", "1"], ["--threads", "1"]])
def test_a_search_writes_what_the_index_finds(run: Run, known: Path, options: list[str]) -> None:
    rows = lines_of(run("search", "known.ibidem", "letter.txt", "books/bees.txt", *options))
    choices = {"threshold": 0.6 if "0.6" in options else None, "limit": 1 if "--limit" in options else None}
    with DocumentIndex.open("known.ibidem") as index:
        expected = [
            {"query": file} | {name: value for name, value in match.items() if value != {}}
            for file in ("letter.txt", "books/bees.txt")
            for match in index.search(Path(file).read_text("utf-8"), **choices).to_dicts()
        ]
    assert rows == expected
    assert [rows[0][name] for name in ("query", "document")] == ["letter.txt", "again.txt"]


def test_a_query_in_a_longer_file_is_contained_in_it(run: Run, known: Path) -> None:
    [row] = lines_of(
        run("search", "known.ibidem", "--query", f"{OTHER} {PASSAGE}", "--limit", "1", "--threshold", "0.4")
    )
    assert (row["document"], row["containment"] > 0.99) == ("ferry.txt", False)
    [row] = lines_of(run("search", "known.ibidem", "--query", f"Header. {OTHER} {OTHER}", "--limit", "1"))
    assert (row["document"], row["containment"]) == ("bees.txt", 1.0)
    assert row["similarity"] < 1


def test_queries_of_records_and_documents_have_their_columns(run: Run, folder: Path) -> None:
    done = run("index", "poems.jsonl", "--text", "verse", "--id", "title", "-o", "poems.known", "--documents")
    assert done.exit_code == 0
    write_lines("asked.jsonl", {"id": "a", "text": PASSAGE, "shelf": 3}, {"id": "b", "text": "?!"})
    [row] = lines_of(run("search", "poems.known", "asked.jsonl"))
    assert row == {
        "query": "a",
        "document": "harbour",
        "similarity": 1.0,
        "containment": 1.0,
        "metadata": {"year": 1903},
        "query_metadata": {"shelf": 3},
    }
    nothing = run("search", "poems.known", "--query", "?!")
    assert (nothing.exit_code, nothing.stdout) == (0, "")


def test_a_file_without_a_word_resembles_nothing(run: Run, known: Path) -> None:
    for name, content in (("empty.txt", ""), ("blank.txt", " \n")):
        Path(name).write_text(content)
    done = run("search", "known.ibidem", "empty.txt", "books/bees.txt", "blank.txt", "--limit", "1")
    assert [(row["query"], row["document"]) for row in lines_of(done)] == [("books/bees.txt", "bees.txt")]
    assert run("search", "known.ibidem", "--query", "").exit_code == 0


def test_an_index_at_a_url_is_made_and_searched(run: Run, known: Path) -> None:
    assert run("index", "books", "-o", "memory://known/index", "--documents").exit_code == 0
    [row] = lines_of(run("search", "memory://known/index", "--query", OTHER))
    assert row["document"] == "bees.txt"


@pytest.mark.parametrize(
    ("option", "named", "kinds"),
    [
        (["--select", "all"], "--select", "passages or sketches"),
        (["--verify"], "--verify", "sketches"),
        (["--parts"], "--parts", "passages"),
        (["--explain"], "--explain", "passages"),
        (["--html", "a.html"], "--html", "passages"),
        (["--ignore", "letter.txt"], "--ignore", "passages"),
        (["--min-length", "9"], "--min-length", "passages"),
        (["--timeout", "9"], "--timeout", "passages"),
    ],
)
def test_an_option_of_another_kind_is_refused(run: Run, known: Path, option: list[str], named: str, kinds: str) -> None:
    result = run("search", "known.ibidem", "--query", PASSAGE, *option)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{named} is for an index of {kinds}, not for one of documents" in result.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--documents", "--sketch", "oph"], "--sketch and --documents make indexes of two kinds"),
        (
            ["--documents", "--family", "set"],
            "--family is for an index of passages or sketches, not for one of documents",
        ),
        (["--documents", "--tokenizer", "words"], "--tokenizer is for an index of passages or sketches"),
        (["--documents", "--tokenizer-file", "a"], "--tokenizer-file is for an index of passages or sketches"),
        (["--documents", "--ray", "local"], "--ray is for an index of passages, not for one of documents"),
        (["--sketch", "oph", "--recall", "0.5"], "--recall is for an index of documents, not for one of sketches"),
        (["--threshold", "0.5"], "--threshold is for an index of documents, not for one of passages"),
        (["--seed", "5"], "--seed is for an index of sketches or documents, not for one of passages"),
        (["--documents", "--shingle", "letters"], "letters"),
        (["--documents", "--threshold", "2"], "threshold"),
    ],
)
def test_options_that_do_not_fit_make_no_index(run: Run, folder: Path, options: list[str], message: str) -> None:
    result = run("index", "books", "-o", "new", *options)
    assert (result.exit_code, result.stdout, Path("new").exists()) == (2, "", False)
    assert message in result.stderr


def test_a_threshold_below_that_of_the_index_is_refused(run: Run, known: Path) -> None:
    result = run("search", "known.ibidem", "letter.txt", "--threshold", "0.1")
    assert result.exit_code == 2
    assert "this index finds documents from a resemblance of 0.2 on, not from 0.1" in result.stderr


def test_documents_are_added_removed_and_merged_and_the_index_is_checked(run: Run, known: Path) -> None:
    write_lines("short.jsonl", {"id": "word", "text": "one"}, {"id": "dots", "text": "..."})
    added = run("add", "known.ibidem", "short.jsonl")
    assert added.exit_code == 0
    assert "1 document shorter than a shingle, so all of it is one shingle: word" in added.stderr
    assert "1 document without a token, so only the same text is a duplicate: dots" in added.stderr
    assert run("remove", "known.ibidem", "again.txt").exit_code == 0
    assert run("merge", "known.ibidem").exit_code == 0
    assert run("check", "known.ibidem").exit_code == 0
    info = json.loads(run("info", "known.ibidem", "--json").stdout)
    assert (info["configuration"]["kind"], info["documents"], info["segments"]) == ("documents", 5, 1)
    [row] = lines_of(run("search", "known.ibidem", "--query", CHANGED))
    assert row["document"] == "ferry.txt"


def test_documents_in_an_index_of_dedup_are_searched(run: Run, folder: Path) -> None:
    assert (
        run(
            "dedup", "poems.jsonl", "--text", "verse", "--id", "title", "-o", "out", "--against", "seen", "--add"
        ).exit_code
        == 0
    )
    [row] = lines_of(run("search", "seen", "--query", PASSAGE))
    assert (row["document"], row["similarity"]) == ("harbour", 1.0)
