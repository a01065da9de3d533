"""``ibidem reuse``: what it says, and what it leaves behind."""

import csv
import json
from pathlib import Path

import pytest

from .samples import CHANGED, OTHER, PASSAGE, Run


@pytest.fixture
def letters(folder: Path) -> Path:
    rows = [
        {"id": "a", "text": f"{OTHER} {PASSAGE}", "year": 1900},
        {"id": "b", "text": f"Dear L., {CHANGED} Yours", "year": 1903},
        {"id": "c", "text": "Far too short.", "year": 1901},
    ]
    (folder / "letters.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_it_counts_what_it_found_and_writes_a_folder(run: Run, letters: Path) -> None:
    done = run("reuse", "letters.jsonl", "-o", "found", "--format", "csv", "--date", "year", "--texts")
    assert done.exit_code == 0
    assert done.stdout == ""
    assert done.stderr == "found: 3 documents read, 1 pair of passages, 1 cluster of 2 passages\n"
    with (letters / "found/passages.csv").open(newline="", encoding="utf-8") as file:
        first, second = csv.DictReader(file)
    assert (first["document"], first["source"], second["document"], second["source"]) == ("a", "", "b", "a")
    assert "captain stood at the rail" in second["text"]
    assert json.loads((letters / "found/summary.json").read_text())["pairs"] == 1


@pytest.mark.parametrize("other", ["books", "books.ibidem"])
def test_against_another_collection_or_an_index_of_it(run: Run, letters: Path, other: str) -> None:
    done = run("reuse", "letters.jsonl", "--against", other, "-o", "found", "--format", "jsonl")
    assert done.exit_code == 0
    pairs = [json.loads(line) for line in (letters / "found/pairs.jsonl").read_text().splitlines()]
    assert {(pair["a"], pair["b"]) for pair in pairs} == {
        ("a", "bees.txt"),
        ("a", "ferry.txt"),
        ("b", "ferry.txt"),
        ("c", "note.txt"),
    }


def test_phrases_are_read_from_a_file_and_what_is_left_out_is_told(run: Run, letters: Path) -> None:
    (letters / "phrases.txt").write_text(f"\ufeff{PASSAGE[:150]}\n\n{PASSAGE[150:]}\n", "utf-8")
    done = run("reuse", "letters.jsonl", "-o", "found", "--phrases", "phrases.txt")
    assert done.stderr.splitlines()[1] == "1 pair left out, listed in left_out: 1 phrase"


def test_what_is_similar_to_a_file_of_any_format_is_ignored_and_told(run: Run, letters: Path) -> None:
    (letters / "sheet.html").write_text(f"<html><body><p>{PASSAGE}</p></body></html>")
    done = run("reuse", "letters.jsonl", "-o", "found", "--ignore", "sheet.html", "--format", "jsonl")
    assert done.stderr.splitlines() == [
        "found: 3 documents read, 0 pairs of passages, 0 clusters of 0 passages",
        "2 pairs left out, listed in left_out: 2 ignored",
    ]
    rows = [json.loads(line) for line in (letters / "found/left_out.jsonl").read_text().splitlines()]
    assert [(row["reason"], row["a"], row["b"]) for row in rows] == [
        ("ignored", "a", "sheet.html"),
        ("ignored", "b", "sheet.html"),
    ]
    explained = run("reuse", "letters.jsonl", "--ignore", "sheet.html", "--explain", "a", "b")
    assert json.loads(explained.stdout)["verdict"] == "left out: ignored"


def test_a_run_that_ignored_nothing_is_not_updated_with_a_text_to_ignore(run: Run, letters: Path) -> None:
    (letters / "sheet.txt").write_text(PASSAGE)
    assert run("reuse", "letters.jsonl", "-o", "found").exit_code == 0
    ignoring = run("reuse", "letters.jsonl", "-o", "next", "--update", "found", "--ignore", "sheet.txt")
    assert "made with ignore []" in ignoring.stderr
    assert run("reuse", "letters.jsonl", "-o", "first", "--ignore", "sheet.txt").exit_code == 0
    updated = run("reuse", "letters.jsonl", "-o", "second", "--update", "first")
    assert (updated.exit_code, updated.stderr.splitlines()[1]) == (0, "2 pairs left out, listed in left_out: 2 ignored")


def test_it_explains_a_pair(run: Run, letters: Path) -> None:
    done = run("reuse", "letters.jsonl", "--explain", "a", "b")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["verdict"] == "found"


@pytest.mark.parametrize(
    ("other", "sentences"),
    [
        (
            "b",
            "a and b: found. Their most similar windows of 32 tokens begin at character 492 of a and 162 of b. The "
            "similarity is 1.000, the threshold 0.225. A search meets windows as similar as these with probability "
            "1.000. 1 pair of passages reported, 0 pairs of passages left out.",
        ),
        ("a", "a and a: a document is compared with itself only if asked (--within)."),
    ],
)
def test_at_a_terminal_it_explains_in_sentences(
    run: Run, letters: Path, monkeypatch: pytest.MonkeyPatch, other: str, sentences: str
) -> None:
    monkeypatch.setattr("ibidem.cli.reuse.is_terminal", lambda _: True)
    done = run("reuse", "letters.jsonl", "--explain", "a", other)
    assert done.exit_code == 0
    assert " ".join(done.stdout.split()) == sentences


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["letters.jsonl"], "give the folder to be made"),
        (["letters.jsonl", "-o", "books"], "books: it exists already"),
        (["letters.jsonl", "-o", "no/out"], "there is no folder no"),
        (["letters.jsonl", "-o", "out", "--date", "printed"], "no document has a value in the column 'printed'"),
        (["letters.jsonl", "-o", "out", "--text", "words"], "letters.jsonl, line 1, column 'words'"),
        (["letters.jsonl", "-o", "out", "--phrases", "none.txt"], "none.txt: No such file"),
        (["letters.jsonl", "letters.jsonl", "-o", "out"], "document id 'a' occurs twice"),
        (["letters.jsonl", "--explain", "a", "z"], "no document has the id 'z'"),
    ],
)
def test_what_is_wrong_is_told_in_one_line_and_nothing_is_left(
    run: Run, letters: Path, arguments: list[str], message: str
) -> None:
    before = sorted(letters.rglob("*"))
    done = run("reuse", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert sorted(letters.rglob("*")) == before


def test_other_formats_stand_beside_the_tables(run: Run, letters: Path) -> None:
    done = run(
        "reuse", "letters.jsonl", "-o", "found", *(f"--also={name}" for name in ("graphml", "web-annotation", "pan"))
    )
    assert done.exit_code == 0
    names = {each.name for each in (letters / "found").iterdir()}
    assert names >= {"pairs.parquet", "documents.graphml", "annotations.jsonl", "pan"}


def test_the_same_command_goes_on_after_an_interrupt(run: Run, letters: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ibidem.corpus.writing import tables

    def interrupt(*given: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(tables, "_WRITERS", {"parquet": interrupt})
        done = run("reuse", "letters.jsonl", "-o", "found")
    assert done.exit_code == 130
    assert "the same command resumes it, and the output does not exist until it is whole" in done.stderr
    assert not (letters / "found").exists()
    done = run("reuse", "letters.jsonl", "-o", "found")
    assert (done.exit_code, done.stderr.splitlines()[0]) == (0, "found: resumed an interrupted run")
    assert not (letters / "found.partial").exists()


def test_an_update_takes_the_options_of_the_run_and_adds_new_documents(run: Run, letters: Path) -> None:
    run("reuse", "letters.jsonl", "-o", "first", "--threshold", "0.4", "--series", "paper")
    more = "".join(
        json.dumps({"id": name, "text": text, "year": 1910}) + "\n"
        for name, text in (("d", f"Sir, {PASSAGE}"), ("e", f"{OTHER} {OTHER[::-1]} {PASSAGE[::-1]}"))
    )
    with (letters / "letters.jsonl").open("a") as file:
        file.write(more)
    done = run("reuse", "letters.jsonl", "-o", "second", "--update", "first", "--format", "jsonl")
    assert done.exit_code == 0
    assert done.stderr.splitlines()[1].startswith("the collection has more than doubled")
    pairs = [json.loads(line) for line in (letters / "second/pairs.jsonl").read_text().splitlines()]
    assert [(pair["a"], pair["b"]) for pair in pairs] == [("a", "b"), ("a", "d"), ("a", "e"), ("b", "d")]
    done = run("reuse", "letters.jsonl", "-o", "third", "--update", "second", "--threshold", "0.5")
    assert done.exit_code == 2
    assert "made with threshold 0.4, not 0.5" in done.stderr
    done = run("reuse", "letters.jsonl", "-o", "third", "--update", "books")
    assert "books: no folder of a run that can be updated" in done.stderr
    done = run("reuse", "letters.jsonl", "-o", "third", "--update", "second", "--against", "books")
    assert "--update goes neither with --explain nor with --against" in done.stderr


def test_a_terminal_is_told_what_documents_share(run: Run, letters: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ibidem.cli.reuse.is_terminal", lambda _: True)
    done = run("reuse", "letters.jsonl", "-o", "found", "--format", "jsonl")
    [row] = [json.loads(line) for line in (letters / "found/document_pairs.jsonl").read_text().splitlines()]
    said = done.stderr.splitlines()[1]
    same = row["a_identical"] + row["a_moved"]
    assert said.startswith(f"a: {same} of {row['a_words']} words (")
    assert f"; b: {row['b_identical']} of {row['b_words']} words (" in said
