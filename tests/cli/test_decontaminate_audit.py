"""``decontaminate --audit``: what decontamination would miss, as lines, as a table, as a folder and as a page."""

import json
from pathlib import Path

import pytest

from .samples import OTHER, PASSAGE, Run, lines_of, write_lines

AUDIT = ("decontaminate", "notes.jsonl", "--evals", "items.jsonl", "--audit", "--plants", "1")

pytestmark = pytest.mark.usefixtures("folder")


def test_each_form_is_a_line_with_its_intervals(run: Run) -> None:
    result = run(*AUDIT)
    whole = [line for line in lines_of(result) if line["words"] == "all"]
    assert whole[0]["kind"] == "verbatim"
    assert 1 <= whole[0]["planted"] == whole[0]["found"] <= 2
    assert whole[0]["precision"] == 1.0
    assert 0 < whole[0]["recall_low"] < 1
    said = result.stderr.splitlines()
    assert said[0].startswith("items.jsonl: ")
    assert said[-1].endswith("in 2 documents of 2; 0 of these held an item already")


def test_a_folder_holds_the_tables(run: Run) -> None:
    result = run(*AUDIT, "-o", "audited")
    assert result.stdout == ""
    kinds = [json.loads(line) for line in Path("audited/kinds.jsonl").read_text("utf-8").splitlines()]
    assert kinds == lines_of(run(*AUDIT))
    summary = json.loads(Path("audited/summary.json").read_text("utf-8"))
    assert (summary["documents_read"], summary["items"], summary["seed"]) == (2, 2, 0)
    assert sorted(path.name for path in Path("audited").iterdir()) == [
        "curve.jsonl",
        "kinds.jsonl",
        "missed.jsonl",
        "summary.json",
    ]


def test_a_reader_sees_a_table(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ibidem.cli.decontaminate_audit.is_terminal", lambda _: True)
    shown = run(*AUDIT).stdout
    assert "verbatim" in shown
    assert "recall" in shown
    assert '"kind"' not in shown


def test_columns_of_both_sides_have_options(run: Run) -> None:
    write_lines(
        "asked.jsonl", {"prompt": "Which glacier feeds the turquoise lake above the old monastery?", "key": "none"}
    )
    write_lines("body.jsonl", {"name": "a", "body": PASSAGE}, {"name": "b", "body": OTHER})
    options = ("--question", "prompt", "--answer", "key", "--text", "body", "--id", "name", "--plants", "1")
    assert lines_of(run("decontaminate", "body.jsonl", "--evals", "asked.jsonl", "--audit", *options))[0]["found"] == 1


def test_bad_input_is_one_line_and_leaves_nothing(run: Run) -> None:
    write_lines("empty.jsonl", {"question": " ", "answer": "a"})
    result = run("decontaminate", "notes.jsonl", "--evals", "empty.jsonl", "--audit", "-o", "audited")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "empty.jsonl, line 1, column 'question': the question is empty" in result.stderr
    assert not list(Path().glob("audited*"))
    Path("audited").mkdir()
    assert "audited: it exists already" in run(*AUDIT, "-o", "audited").stderr


def test_options_that_do_not_apply_are_refused(run: Run) -> None:
    for options, message in (
        (("--audit", "--action", "cut"), "--action goes not with --audit"),
        (("--audit", "--ray", "auto"), "--ray goes not with --audit"),
        (("-o", "out", "--plants", "3"), "--plants needs --audit"),
        (("--action", "cut"), "give the folder to be made: -o OUT"),
    ):
        result = run("decontaminate", "notes.jsonl", "--evals", "items.jsonl", *options)
        assert (result.exit_code, result.stdout) == (2, "")
        assert message in result.stderr
