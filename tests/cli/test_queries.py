"""The texts that a user names: files of records, standard input, and one file as one text."""

from pathlib import Path

import pytest

from ibidem.cli.queries import make_query, read_queries, read_whole_document
from ibidem.errors import CorpusError

from .samples import CHANGED, Run, lines_of


def test_each_record_of_a_file_is_a_query(run: Run, folder: Path) -> None:
    matches = lines_of(run("search", "books.ibidem", "notes.jsonl"))
    assert [(match["query"], match["document"]) for match in matches] == [
        ("first", "ferry.txt"),
        ("second", "bees.txt"),
    ]


def test_columns_of_queries_are_named_with_options(run: Run, folder: Path) -> None:
    matches = lines_of(run("search", "books.ibidem", "poems.jsonl", "--text", "verse", "--id", "title"))
    assert [match["query"] for match in matches] == ["harbour", "hives"]


def test_standard_input_is_one_query_of_plain_text(run: Run, folder: Path) -> None:
    (match,) = lines_of(run("search", "books.ibidem", "-", input=CHANGED))
    assert match["query"] == "stdin"


@pytest.mark.parametrize("path", ["books", "nothing.txt", "books/*.txt"])
def test_a_side_of_an_alignment_is_one_file(run: Run, folder: Path, path: str) -> None:
    result = run("align", path, "letter.txt")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"ibidem: error: {path}: ")


def test_a_whole_text_is_read_as_its_name_says(folder: Path) -> None:
    Path("a.txt").write_bytes(b"one\r\ntwo\n")
    Path("a.csv").write_text("key,content\n1,one\n", "utf-8")
    assert read_whole_document("a.txt").text == "one\r\ntwo\n"
    assert read_whole_document("a.csv", text="content", id="key").text == "one"


def test_a_table_of_several_documents_is_no_text_and_the_error_says_what_takes_it(folder: Path) -> None:
    with pytest.raises(CorpusError, match=r"notes\.jsonl: it holds more than one doc.*'ibidem reuse A --against"):
        read_whole_document("notes.jsonl")


def test_a_missing_file_is_told_before_any_query_is_searched(folder: Path) -> None:
    with pytest.raises(CorpusError, match=r"missing\.txt"):
        read_queries(["letter.txt", "missing.txt"], text="text", id="id")


def test_how_many_queries_there_are_is_known_once_the_last_was_read(folder: Path) -> None:
    asked = read_queries(["letter.txt", "notes.jsonl"], text="text", id="id")
    names, totals = [], []
    for query in asked:
        names.append(query.id)
        totals.append(asked.total)
    assert names == ["letter.txt", "first", "second"]
    assert totals == [None, 3, 3]
    assert [query.text for query in make_query("in the same place")] == ["in the same place"]
    assert list(read_queries([], text="text", id="id")) == []
