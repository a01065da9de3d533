"""Files of a folder that hold no text are counted in what a command leaves behind."""

import json
from pathlib import Path

import pytest

from .samples import Run

pytestmark = pytest.mark.filterwarnings("ignore:.* are no documents and are passed over")

PASSED_OVER = {"a lock file": 1, "a picture": 2, "binary data": 1}

COMMANDS = {
    "dedup": "dedup mixed",
    "passages": "dedup mixed --passages --min-length 4",
    "reuse": "reuse mixed --min-pair-length 4",
    "decontaminate": "decontaminate mixed --evals notes.jsonl --question text",
}


@pytest.fixture(params=COMMANDS)
def line(request: pytest.FixtureRequest) -> list[str]:
    return COMMANDS[request.param].split()


@pytest.fixture
def mixed(folder: Path) -> Path:
    """The books, and four files that hold no text."""
    (folder / "books").rename(folder / "mixed")
    (folder / "mixed/plates").mkdir()
    (folder / "mixed/plates/a.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (folder / "mixed/plates/b.jpg").write_bytes(b"\xff\xd8\xff\xe0")
    (folder / "mixed/data.bin").write_bytes(bytes(range(32)) * 4)
    (folder / "mixed/uv.lock").write_text("version = 1\n")
    return folder


def test_the_summary_counts_them_by_what_they_are(mixed: Path, run: Run, line: list[str]) -> None:
    done = run(*line, "-o", "plain")
    assert done.exit_code == 0, done.output
    assert json.loads((mixed / "plain/summary.json").read_text())["files_passed_over"] == PASSED_OVER


def test_both_sides_count(mixed: Path, run: Run) -> None:
    (mixed / "other").mkdir()
    (mixed / "other/letter.txt").write_text("words of another text")
    (mixed / "other/c.gif").write_bytes(b"GIF89a")
    done = run("reuse", "mixed", "--against", "other", "-o", "plain")
    assert done.exit_code == 0, done.output
    summary = json.loads((mixed / "plain/summary.json").read_text())
    assert summary["files_passed_over"] == {**PASSED_OVER, "a picture": 3}


@pytest.mark.parametrize("name", ["dedup", "decontaminate", "passages"])
def test_what_is_written_as_json_counts_them(mixed: Path, run: Run, name: str) -> None:
    done = run(*COMMANDS[name].split(), "-o", "plain", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["files_passed_over"] == PASSED_OVER


def test_nothing_is_counted_where_a_file_is_named(mixed: Path, run: Run) -> None:
    done = run("dedup", "notes.jsonl", "-o", "plain", "--json")
    assert json.loads(done.stdout)["files_passed_over"] == {}
