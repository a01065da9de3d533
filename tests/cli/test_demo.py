"""The tour: it finds what stands again in other files, and says how."""

import os
import tempfile
from pathlib import Path

import pytest

from ibidem.cli import demo
from ibidem.spans import Match

from .samples import CHANGED, OTHER, PASSAGE, Run

COPYRIGHT = "\n".join(f"# {line}" for line in (PASSAGE[:100], PASSAGE[100:200], PASSAGE[200:])) + "\n"


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library of four modules, three of which have a comment in common."""
    modules = tmp_path / "lib"
    (modules / "json").mkdir(parents=True)
    (modules / "os.py").write_text(f"{COPYRIGHT}\nimport sys\n", "utf-8")
    (modules / "other.py").write_text(f'"""{OTHER}"""\n', "utf-8")
    (modules / "quote.py").write_text(f'"""{CHANGED}"""\n', "utf-8")
    (modules / "json" / "copy.py").write_text(f"import os\n\n{COPYRIGHT}", "utf-8")
    monkeypatch.setattr(os, "__file__", str(modules / "os.py"))
    return modules


def test_the_tour_shows_a_passage_of_two_files_and_the_commands(
    run: Run, library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    result = run("demo")
    assert result.exit_code == 0
    assert "$ ibidem index *.py" in result.stdout
    assert f"$ cd {library}" in result.stdout
    assert '--query "$(sed -n 1,1p quote.py)"' in result.stdout
    assert "quote.py, from line 1" in result.stdout
    assert "other.py" not in result.stdout
    [report] = (tmp_path / "temporary").iterdir()
    assert result.stdout.splitlines()[-1] == f"All of it, in a browser: {report.as_uri()}"
    assert "quote.py" in report.read_text("utf-8")


def test_the_tour_stands_side_by_side_at_a_terminal(run: Run, library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "is_terminal", lambda _: True)
    assert "┏" in run("demo").stdout


def test_a_python_without_sources_is_told(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "__file__", str(tmp_path / "os.pyc"))
    result = run("demo")
    assert result.exit_code == 2
    assert "without the sources" in result.stderr


def test_comments_and_docstrings_are_found_with_their_lines() -> None:
    first, second = demo._prose("a.py", f"import os\n{COPYRIGHT}\ndef f():\n    '''no'''\n\n    \"\"\"{OTHER}\"\"\"\n")
    assert (first.first_line, first.last_line, first.text) == (2, 4, COPYRIGHT)
    assert (second.first_line, second.last_line) == (9, 9)


def find(similarity: float, text: str) -> demo.Find:
    match = Match(
        query_name="",
        query_start=0,
        query_end=1,
        document="b",
        start=0,
        end=1,
        similarity=similarity,
        text=text,
    )
    return demo.Find(demo.Prose("a", 1, 1, text), match)


def test_what_was_changed_is_shown_before_copies_and_nothing_twice() -> None:
    copy, changed, again = find(1.0, OTHER), find(0.8, PASSAGE), find(0.7, CHANGED)
    assert demo._select_finds([copy, again, changed]) == [changed, copy]


def test_the_lesson_is_written_to_a_new_folder_alone(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("demo", "--lesson", "lesson")
    assert (done.exit_code, done.stdout.splitlines()) == (
        0,
        ["lesson/edition/psalms.xml", "lesson/scans/sermon-117.xml", "lesson/scans/sermon-118.xml"],
    )
    assert (tmp_path / "lesson/scans/sermon-118.xml").read_text("utf-8").startswith("<?xml")
    again = run("demo", "--lesson", "lesson")
    assert again.exit_code == 2
    assert "lesson: this folder exists already" in again.stderr
