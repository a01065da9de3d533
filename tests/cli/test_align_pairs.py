"""align of many pairs: each line of output names its documents, and a pair that cannot be aligned is an error."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import ibidem

from .samples import CHANGED, OTHER, PASSAGE, Run, lines_of

TEXTS = {"changed": CHANGED, "passage": PASSAGE, "other": OTHER, "7": f"{OTHER} {PASSAGE}"}
BATCH = ("align", "--documents", "texts.jsonl", "--pairs", "some.jsonl")


@pytest.fixture
def some(folder: Path) -> None:
    """Documents and pairs of them, in files of the working folder."""
    documents = [{"id": int(id) if id.isdigit() else id, "text": text} for id, text in TEXTS.items()]
    write("texts.jsonl", *documents)
    write(
        "some.jsonl",
        {"suspicious": "changed", "source": "7", "category": "none"},
        {"a": "other", "b": "passage"},
        {"source": "other", "suspicious": 7},
        {"a": "passage", "b": "changed"},
    )


def write(name: str, *rows: dict[str, Any]) -> None:
    Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


@pytest.mark.usefixtures("some")
@pytest.mark.parametrize("threads", ["1", "3"])
def test_each_line_names_both_documents_and_stands_in_the_order_of_the_pairs(run: Run, threads: str) -> None:
    lines = lines_of(run(*BATCH, "--threads", threads))
    expected = []
    for names, (first, second) in (
        (("suspicious", "source"), ("changed", "7")),
        (("a", "b"), ("other", "passage")),
        (("suspicious", "source"), ("7", "other")),
        (("a", "b"), ("passage", "changed")),
    ):
        for found in ibidem.align(TEXTS[first], TEXTS[second]):
            ranges = {name: getattr(found, name) for name in ("a_start", "a_end", "b_start", "b_end", "similarity")}
            passages = {
                "a_text": TEXTS[first][found.a_start : found.a_end],
                "b_text": TEXTS[second][found.b_start : found.b_end],
            }
            expected.append({names[0]: first, names[1]: second, **ranges, **passages})
    assert lines == expected
    assert len(lines) == 3


@pytest.mark.usefixtures("some")
def test_options_hold_for_every_pair(run: Run) -> None:
    assert not run(*BATCH, "--min-length", "500").stdout
    assert all(line["similarity"] >= 0.95 for line in lines_of(run(*BATCH, "--threshold", "0.95")))


@pytest.mark.usefixtures("some")
def test_documents_and_pairs_may_be_compressed_piped_and_in_other_columns(run: Run) -> None:
    before = run(*BATCH).stdout
    Path("some.jsonl.gz").write_bytes(gzip.compress(Path("some.jsonl").read_bytes()))
    write("named.jsonl", *({"name": id, "words": text} for id, text in TEXTS.items()))
    named = ("align", "--documents", "named.jsonl", "--id", "name", "--text", "words", "--pairs", "some.jsonl.gz")
    assert run(*named).stdout == before
    piped = ("align", "--documents", "texts.jsonl", "--pairs", "-")
    assert run(*piped, input=Path("some.jsonl").read_bytes()).stdout == before


@pytest.mark.usefixtures("some")
def test_documents_may_stand_in_several_collections(run: Run) -> None:
    write("one.jsonl", {"id": "x", "text": PASSAGE})
    write("two.jsonl", {"id": "y", "text": CHANGED})
    write("some.jsonl", {"a": "x", "b": "y"})
    assert len(lines_of(run("align", "--documents", "one.jsonl", "--documents", "two.jsonl", "--pairs", "some.jsonl")))


@pytest.mark.usefixtures("some")
def test_a_reader_sees_each_pair(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ibidem.cli.align.is_terminal", lambda _: True)
    shown = run(*BATCH).stdout
    assert shown.count("1 pair of passages") == 3
    assert shown.count("no passage in common") == 1
    assert "changed, characters" in shown
    assert lines_of(run(*BATCH, "--json"))


@pytest.mark.usefixtures("some")
@pytest.mark.parametrize(
    ("pair", "cause"),
    [
        ({"a": "passage", "b": "nobody"}, "no document 'nobody' is in texts.jsonl"),
        ({"a": "passage"}, "names no two documents: there should be 'suspicious' and 'source', 'a' and 'b'"),
        ({"a": "passage", "b": None}, "'b' is None, which is no id"),
    ],
)
def test_a_pair_that_cannot_be_aligned_is_named_before_anything_is_written(
    run: Run, pair: dict[str, Any], cause: str
) -> None:
    write("some.jsonl", {"a": "passage", "b": "changed"}, pair)
    result = run(*BATCH)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("ibidem: error: some.jsonl, line 2: ")
    assert cause in result.stderr


@pytest.mark.usefixtures("some")
def test_a_line_that_is_no_object_is_named(run: Run) -> None:
    Path("some.jsonl").write_text('{"a": "passage", "b": "changed"}\n\n[1]\n', "utf-8")
    result = run(*BATCH)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("ibidem: error: some.jsonl, line 3: an array where an object should be")


@pytest.mark.usefixtures("some")
def test_an_id_that_two_documents_have_is_an_error_if_a_pair_names_it(run: Run) -> None:
    with Path("texts.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"id": "passage", "text": OTHER}) + "\n")
    result = run(*BATCH)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "texts.jsonl: two documents have the id 'passage'" in result.stderr
    write("some.jsonl", {"a": "changed", "b": "7"})
    assert len(lines_of(run(*BATCH))) == 1


@pytest.mark.usefixtures("some")
@pytest.mark.parametrize(
    "arguments",
    [
        ("letter.txt",),
        ("--documents", "texts.jsonl"),
        ("--pairs", "some.jsonl"),
        ("letter.txt", "letter.txt", "--pairs", "some.jsonl"),
        ("letter.txt", "--documents", "texts.jsonl", "--pairs", "some.jsonl"),
        ("--index", "books.ibidem"),
        ("letter.txt", "--index", "books.ibidem", "--pairs", "some.jsonl"),
        ("letter.txt", "--index", "books.ibidem", "--documents", "texts.jsonl"),
    ],
)
def test_half_of_a_way_of_asking_is_wrong_usage(run: Run, arguments: tuple[str, ...]) -> None:
    result = run("align", *arguments)
    assert result.exit_code == 2
    assert "give two files, A and B, or one DOCUMENT or more and --index" in result.stderr


def test_standard_input_is_one_thing(run: Run) -> None:
    result = run("align", "--documents", "-", "--pairs", "-")
    assert result.exit_code == 2
    assert "standard input is either the documents or the pairs" in result.stderr
