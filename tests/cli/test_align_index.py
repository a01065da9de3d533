"""align --index: whole documents, each with its sources in an index."""

from pathlib import Path

import pytest

from .samples import PASSAGE, Run, lines_of

ALIGN = ("align", "--index", "books.ibidem")

pytestmark = pytest.mark.usefixtures("folder")


def test_a_line_says_which_passage_of_a_document_stands_where_in_which_source(run: Run, folder: Path) -> None:
    (line,) = lines_of(run(*ALIGN, "letter.txt"))
    letter, source = ((folder / name).read_text("utf-8") for name in ("letter.txt", "books/ferry.txt"))
    places = ["query", "query_start", "query_end", "document", "start", "end"]
    assert list(line) == [*places, "similarity", "text", "query_text", "expected"]
    assert line["query_text"] == letter[line["query_start"] : line["query_end"]]
    assert (line["query"], line["document"]) == ("letter.txt", "ferry.txt")
    assert letter[line["query_start"] : line["query_end"]].startswith("When the ferry came in")
    assert source[line["start"] : line["end"]] == line["text"]
    assert PASSAGE.startswith(line["text"][:40])


@pytest.mark.parametrize("threads", ["1", "3"])
def test_documents_come_from_records_and_files_and_standard_input_in_their_order(run: Run, threads: str) -> None:
    options = "--threads", threads, "--min-pair-length", "10"
    result = run(*ALIGN, "notes.jsonl", "letter.txt", "-", *options, input=PASSAGE)
    found = [(line["query"], line["document"]) for line in lines_of(result)]
    assert found == [
        ("first", "ferry.txt"),
        ("second", "ferry.txt"),  # which begins as the bees do
        ("second", "bees.txt"),
        ("letter.txt", "ferry.txt"),
        ("stdin", "ferry.txt"),
    ]


def test_options_hold_for_every_document(run: Run) -> None:
    assert not run(*ALIGN, "letter.txt", "--min-pair-length", "500").stdout
    assert all(line["similarity"] == 1 for line in lines_of(run(*ALIGN, "letter.txt", "--threshold", "1")))


def test_a_reader_sees_both_passages(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("alone.txt").write_text("Nobody has ever written this here before.", "utf-8")
    monkeypatch.setattr("ibidem.cli.align.is_terminal", lambda _: True)
    shown = run(*ALIGN, "letter.txt", "alone.txt").stdout
    assert "letter.txt, characters" in shown
    assert "ferry.txt, characters" in shown
    assert "letter.txt: 1 pair of passages" in shown
    assert "alone.txt: no passage in common" in shown


def test_an_index_of_sketches_is_an_error_that_says_what_to_do(run: Run) -> None:
    run("index", "books", "--output", "sketched.ibidem", "--sketch", "minhash", "-k", "8")
    result = run("align", "--index", "sketched.ibidem", "letter.txt")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("ibidem: error: sketched.ibidem: an index of sketches, not of passages")


def test_a_document_that_cannot_be_read_is_named(run: Run) -> None:
    Path("broken.jsonl").write_text('{"id": "a", "text": "so"}\n{"id": "b"\n', "utf-8")
    result = run(*ALIGN, "broken.jsonl")
    assert result.exit_code == 2
    assert "broken.jsonl, line 2" in result.stderr
