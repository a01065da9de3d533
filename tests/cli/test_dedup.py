"""``ibidem dedup``: what it says, and what it leaves behind."""

import json
from pathlib import Path

import pytest

from ..ray_clusters import run_beside_cluster
from .samples import OTHER, PASSAGE, Run


@pytest.fixture
def letters(folder: Path) -> Path:
    rows = [
        {"id": "a", "text": PASSAGE},
        {"id": "b", "text": PASSAGE},
        {"id": "c", "text": f"Dear L., {PASSAGE}"},
        {"id": "d", "text": "Far too short."},
        {"id": "e", "text": "..."},
    ]
    (folder / "letters.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_what_is_kept_of_an_array_is_an_array(run: Run, folder: Path) -> None:
    texts = {"a": OTHER, "b": OTHER, "c": PASSAGE, "d": PASSAGE}
    records = [{"id": name, "text": text} for name, text in texts.items()]
    Path("array.json").write_text(json.dumps(records, indent=1), "utf-8")
    assert run("dedup", "array.json", "-o", "unique").exit_code == 0
    assert json.loads(Path("unique/kept/array.json").read_text("utf-8")) == [records[0], records[2]]
    assert run("dedup", "unique/kept/array.json", "-o", "again", "--json").exit_code == 0


def test_it_says_what_was_removed_and_names_the_short_and_the_empty(run: Run, letters: Path) -> None:
    done = run("dedup", "letters.jsonl", "-o", "unique")
    assert done.exit_code == 0
    assert done.stdout == ""
    first, *rest = done.stderr.splitlines()
    assert first.startswith("unique: 5 documents read, 3 kept, 2 removed (1 exact duplicate, 1 near-duplicate) in ")
    assert rest == [
        "1 document shorter than a shingle of words:5, so all of it is one shingle, in the table short of unique",
        "1 document without a token, so only the same text is a duplicate, in the table short of unique",
    ]
    assert len((letters / "unique/kept/letters.jsonl").read_text().splitlines()) == 3


def test_as_json_it_gives_one_object_and_no_words(run: Run, letters: Path) -> None:
    done = run("dedup", "letters.jsonl", "-o", "unique", "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert report.pop("seconds") > 0
    summary = json.loads((letters / "unique/summary.json").read_text("utf-8"))
    assert report == {"output": "unique", **summary, "resumed": False}
    assert (summary["documents"], summary["kept"], summary["short"]) == (5, 3, 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["letters.jsonl", "-o", "books"], "books: it exists already"),
        (["letters.jsonl", "-o", "letters.jsonl"], "the output is an input"),
        (["letters.jsonl", "-o", "out", "--keep", "best"], "a keep policy is first"),
        (["letters.jsonl", "-o", "out", "--keep", "max(year)"], "no document has the column 'year'"),
        (["letters.jsonl", "-o", "out", "--text", "words"], "letters.jsonl, line 1, column 'words'"),
        (["letters.jsonl", "-o", "out", "--threshold", "2"], "--threshold"),
        (["letters.jsonl", "-o", "out", "--shingle", "verses:2"], "no tokenizer is called 'verses'"),
    ],
)
def test_what_is_wrong_is_told_in_one_line_and_nothing_is_left(
    run: Run, letters: Path, arguments: list[str], message: str
) -> None:
    before = sorted(letters.rglob("*"))
    done = run("dedup", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert sorted(letters.rglob("*")) == before


def test_an_interrupt_says_how_to_go_on(run: Run, letters: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("ibidem.documents.writing.write_files", interrupt)
        done = run("dedup", "letters.jsonl", "-o", "unique")
    assert done.exit_code == 130
    assert "the same command resumes it" in done.stderr
    again = run("dedup", "letters.jsonl", "-o", "unique")
    assert again.stderr.startswith("unique: resumed an interrupted run")


def test_an_index_of_documents_is_told_of_changed_and_checked_as_one_of_passages_is(run: Run, letters: Path) -> None:
    run("dedup", "letters.jsonl", "-o", "first", "--against", "seen", "--add")
    facts = json.loads(run("info", "seen").stdout)
    assert (facts["documents"], facts["configuration"]["threshold"]) == (3, 0.8)
    assert run("check", "seen").exit_code == 0
    assert "1 document removed: a" in run("remove", "seen", "a").stderr
    assert "without 1 removed document" in run("merge", "seen").stderr
    assert "no document has the id 'a'" in run("remove", "seen", "a").stderr
    done = run("dedup", "letters.jsonl", "-o", "second", "--against", "seen", "--keep", "longest")
    assert "5 documents read, 1 kept, 4 removed (2 in the index, 0 exact duplicates, 2 near-duplicates)" in done.stderr


def test_to_add_needs_an_index(run: Run, letters: Path) -> None:
    done = run("dedup", "letters.jsonl", "-o", "out", "--add")
    assert done.exit_code == 2
    assert "--add needs --against INDEX" in done.stderr


def test_a_cluster_that_was_started_beside_gives_the_files_of_the_command_without_it(run: Run, letters: Path) -> None:
    Path("work").mkdir()  # where the cluster is started, which is another folder than that of the command
    commands = ["cd ..", "ibidem dedup letters.jsonl -o far --ray auto --memory 64M --work far.work"]
    done = run_beside_cluster(commands, Path("work"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert run("dedup", "letters.jsonl", "-o", "near", "--memory", "64M").exit_code == 0
    near, far = (
        {path.relative_to(folder): path.read_bytes() for path in Path(folder).rglob("*.*") if path.is_file()}
        for folder in ("near", "far")
    )
    assert near == far
    assert not Path("far.work").exists()
