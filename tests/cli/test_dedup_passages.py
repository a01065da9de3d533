"""``ibidem dedup --passages``: what it says, and what it leaves behind."""

import json
from pathlib import Path

import pytest

from .samples import CHANGED, OTHER, PASSAGE, Run


@pytest.fixture
def letters(folder: Path) -> Path:
    rows = [
        {"id": "a", "text": f"{OTHER} {PASSAGE}", "year": 1900},
        {"id": "b", "text": f"Dear L., {CHANGED} Yours", "year": 1903},
        {"id": "c", "text": PASSAGE, "year": 1901},
    ]
    (folder / "letters.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_it_counts_what_it_removed(run: Run, letters: Path) -> None:
    done = run("dedup", "letters.jsonl", "-o", "clean", "--passages", "--threshold", "0.7")
    assert (done.exit_code, done.stdout) == (0, "")
    first, second = done.stderr.splitlines()
    assert first.startswith("clean: 3 documents read, 2 repeated passages removed in 2: ")
    assert second == "1 document held nothing else, and stays with an empty text"
    rows = [json.loads(line) for line in (letters / "clean/kept/letters.jsonl").read_text().splitlines()]
    assert [rows[0]["text"], rows[2]["text"]] == [f"{OTHER} {PASSAGE}", ""]
    assert rows[1]["text"].startswith("Dear L., When")  # the first words differ too much
    assert rows[1]["text"].endswith(" Yours")
    assert len(rows[1]["text"]) < 60


def test_nothing_goes_of_what_is_similar_to_a_text_to_ignore(run: Run, letters: Path) -> None:
    (letters / "licence.txt").write_text(PASSAGE)
    done = run("dedup", "letters.jsonl", "-o", "clean", "--passages", "--threshold", "0.7", "--ignore", "licence.txt")
    assert done.exit_code == 0
    assert done.stderr.splitlines()[1:] == ["3 passages similar to --ignore left as they are, listed in left_out.jsonl"]
    assert (letters / "clean/kept/letters.jsonl").read_text() == (letters / "letters.jsonl").read_text()
    rows = [json.loads(line) for line in (letters / "clean/left_out.jsonl").read_text().splitlines()]
    assert [(row["reason"], row["document"], row["text"]) for row in rows] == [
        ("ignored", name, "licence.txt") for name in "abc"
    ]
    assert run("dedup", "letters.jsonl", "-o", "other", "--ignore", "licence.txt").exit_code == 2


def test_passages_have_their_places_in_the_originals(run: Run, folder: Path) -> None:
    for name, label in (("a", "3"), ("b", "17")):
        row = {"id": name, "text": PASSAGE, "locators": [[0, len(PASSAGE), label, "page"], [0, 40, "1", "line"]]}
        with (folder / "pages.jsonl").open("a") as file:
            file.write(json.dumps(row) + "\n")
    assert run("dedup", "pages.jsonl", "-o", "clean", "--passages").exit_code == 0
    [line] = (folder / "clean/passages.jsonl").read_text().splitlines()
    found = json.loads(line)
    assert (found["document"], found["locator"], found["of_locator"]) == ("b", "page 17, line 1", "page 3, line 1")


def test_as_json_it_gives_one_object(run: Run, letters: Path) -> None:
    done = run(
        "dedup", "letters.jsonl", "-o", "clean", "--passages", "--action", "annotate", "--keep", "max(year)", "--json"
    )
    report = json.loads(done.stdout)
    assert (report["output"], report["action"], report["passages"]) == ("clean", "annotate", 2)
    found = [json.loads(line) for line in (letters / "clean/passages.jsonl").read_text().splitlines()]
    assert [(each["document"], each["duplicate_of"]) for each in found] == [("a", "b"), ("c", "b")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--passages", "--shingle", "words:3"], "--shingle is for documents, not for --passages"),
        (["--passages", "--against", "seen"], "--against is for documents"),
        (["--min-length", "9"], "--min-length needs --passages"),
        (["--passages", "--keep", "max(size)"], "no document has the column 'size'"),
        (["--passages", "--text", "words"], "letters.jsonl, line 1, column 'words'"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_left(run: Run, letters: Path, arguments: list[str], message: str) -> None:
    before = sorted(letters.rglob("*"))
    done = run("dedup", "letters.jsonl", "-o", "clean", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert sorted(letters.rglob("*")) == before
