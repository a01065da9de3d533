"""advise: the command that suits the files for a task, as a person reads it and as JSON."""

import json
import shlex
from pathlib import Path

import pytest

from .samples import Run, lines_of

PROSE = "The old mill by the river had not turned for years, and nobody in the town could say why. " * 20
NOISY = "Ein tü‹htig«r Mann, br^v und ge»echt, stand vor dem Tho»e der St^dt und wa»tete. "


def test_advice_is_a_command_with_its_reasons(run: Run, folder: Path) -> None:
    Path("old.txt").write_text(PROSE + "He came vnto them. " * 20)
    Path("new.txt").write_text(PROSE + "He came unto them. " * 30)
    [advice] = lines_of(run("advise", "align", "old.txt", "new.txt"))
    assert advice["command"] == "ibidem align old.txt new.txt --normalize latin"
    assert "vnto beside unto" in advice["reasons"][0]
    result = run("align", *advice["command"].split()[2:])
    assert result.exit_code == 0


@pytest.mark.parametrize("task", ["dedup", "reuse", "align", "index", "decontaminate"])
def test_the_command_runs_as_it_stands(run: Run, folder: Path, task: str) -> None:
    Path("more texts").mkdir()
    rows = [{"name": str(number), "body": f"{PROSE[:200]} {number} {NOISY}"} for number in range(3)]
    Path("more texts/rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    Path("rows.jsonl").write_text("".join(json.dumps({**row, "name": "x" + row["name"]}) + "\n" for row in rows))
    Path("quiz.jsonl").write_text(json.dumps({"question": "Which old mill by the river had not turned?"}) + "\n")
    evals = ("--evals", "quiz.jsonl") if task == "decontaminate" else ()
    for _ in range(2):  # the second time, the first output is there
        [advice] = lines_of(run("advise", task, "more texts", "rows.jsonl", "--text", "body", "--id", "name", *evals))
        assert "--normalize noisy" in advice["command"]
        result = run(*shlex.split(advice["command"])[1:])
        assert result.exit_code == 0, result.stderr


def test_a_collection_is_not_aligned_but_compared(run: Run, folder: Path) -> None:
    [advice] = lines_of(run("advise", "align", "books", "letter.txt"))
    assert advice["command"] == "ibidem reuse books --against letter.txt -o found"
    assert "align compares two texts" in advice["reasons"][-1]


def test_dedup_of_misread_texts_is_advised_shingles_of_characters_and_warns_of_words(run: Run, folder: Path) -> None:
    Path("scans.jsonl").write_text("".join(json.dumps({"text": f"{n} {NOISY}"}) + "\n" for n in range(5)))
    [advice] = lines_of(run("advise", "dedup", "scans.jsonl"))
    assert advice["command"] == (
        "ibidem dedup scans.jsonl -o unique --normalize noisy --shingle characters:5 --threshold 0.5"
    )
    assert "--shingle characters:5 --threshold 0.5" in run("dedup", "scans.jsonl", "-o", "default").stderr
    assert "warning" not in run(*shlex.split(advice["command"])[1:]).stderr
    assert "warning" not in run("dedup", "books", "-o", "clean").stderr


def test_evals_are_for_decontaminate_alone(run: Run, folder: Path) -> None:
    for arguments in (("decontaminate", "books"), ("reuse", "books", "--evals", "books")):
        result = run("advise", *arguments)
        assert result.exit_code == 2
        assert "--evals" in result.stderr


def test_a_file_that_is_not_there_is_named(run: Run, folder: Path) -> None:
    result = run("advise", "reuse", "nowhere.txt")
    assert result.exit_code == 2
    assert "nowhere.txt" in result.stderr
