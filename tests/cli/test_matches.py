"""Matches as lines of JSON: the fields, and the texts unless they are left out."""

import json
from pathlib import Path

from .samples import ALIGN_PAIRS, PASSAGE, Run, lines_of, write_lines

FIELDS = ["query", "query_start", "query_end", "document", "start", "end", "similarity", "text", "query_text"]


def test_a_match_is_a_line_of_json_with_these_fields(run: Run, folder: Path) -> None:
    result = run("search", "books.ibidem", "letter.txt")
    (match,) = lines_of(result)
    assert list(match) == FIELDS
    assert match["query"] == "letter.txt"
    assert match["document"] == "ferry.txt"
    assert match["text"] == Path("books/ferry.txt").read_text("utf-8")[match["start"] : match["end"]]
    assert match["query_text"] == Path("letter.txt").read_text("utf-8")[match["query_start"] : match["query_end"]]
    assert 0.6 <= match["similarity"] < 1
    assert not result.stderr


def test_texts_are_left_out_if_they_are_not_wanted(run: Run, folder: Path) -> None:
    (match,) = lines_of(run("search", "books.ibidem", "letter.txt", "--no-text"))
    assert list(match) == FIELDS[:-2]
    (match,) = lines_of(run("align", "--index", "books.ibidem", "letter.txt", "--no-text"))
    assert list(match) == [*FIELDS[:-2], "expected"]
    (pair,) = lines_of(run("align", "letter.txt", "books/ferry.txt", "--no-text"))
    assert list(pair) == ["a_start", "a_end", "b_start", "b_end", "similarity", "expected"]


def test_metadata_is_there_when_there_is_any(run: Run, folder: Path) -> None:
    run("index", "poems.jsonl", "--text", "verse", "--id", "title", "-o", "poems.ibidem")
    (match,) = lines_of(run("search", "poems.ibidem", "--query", PASSAGE))
    assert list(match) == [*FIELDS, "metadata"]
    assert match["metadata"] == {"year": 1903}


def test_the_columns_of_both_documents_of_a_pair_stand_in_its_lines(run: Run, folder: Path) -> None:
    write_lines("texts.jsonl", {"id": "1", "text": PASSAGE, "year": 1903}, {"id": "2", "text": PASSAGE})
    write_lines("some.jsonl", {"a": "1", "b": "2"}, {"a": "2", "b": "1"})
    one, other = lines_of(run(*ALIGN_PAIRS))
    assert (one["a_metadata"], "b_metadata" in one) == ({"year": 1903}, False)
    assert (other["b_metadata"], "a_metadata" in other) == ({"year": 1903}, False)


def test_all_gives_ranges_of_starts_and_ends(run: Run, folder: Path) -> None:
    matches = lines_of(run("search", "books.ibidem", "--query", PASSAGE, "--select", "all", "--threshold", "0.9"))
    assert matches
    for match in matches:
        assert list(match) == [*FIELDS, "starts", "ends"]
        assert match["starts"][0] <= match["start"] <= match["starts"][1]
        assert match["ends"][0] <= match["end"] <= match["ends"][1]


def test_a_lone_surrogate_is_written_as_an_escape(run: Run, folder: Path) -> None:
    record = json.dumps({"id": "broken", "text": f"{PASSAGE} \ud800 {PASSAGE}"})
    run("index", "-", "-o", "new.ibidem", input=record)
    result = run("search", "new.ibidem", "-", "--threshold", "0.9", input=f"{PASSAGE} {PASSAGE}")
    assert r"\ud800" in result.stdout
    assert "\ud800" in lines_of(result)[0]["text"]


def test_columns_with_a_lone_surrogate_are_read_and_written(run: Run, folder: Path) -> None:
    record = json.dumps({"id": "broken", "text": PASSAGE, "who": "\ud800"})
    (folder / "broken.jsonl").write_text(record + "\n", "utf-8")
    run("index", "broken.jsonl", "-o", "new.ibidem")
    [match] = lines_of(run("search", "new.ibidem", "broken.jsonl"))
    assert match["metadata"] == {"who": "\ud800"}
