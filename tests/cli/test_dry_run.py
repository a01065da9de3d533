"""``--dry-run``: what a command would read and write, which then does neither."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import Result

Run = Callable[..., Result]

TEXT = "in the evening when the tide is out the whole village walks down to the flats with lamps and baskets"

COMMANDS = [
    ["dedup", "in"],
    ["dedup", "in", "--format", "csv", "--removed", "ids"],
    ["dedup", "in", "--passages", "--min-length", "8"],
    ["dedup", "in", "--passages", "--min-length", "8", "--ignore", "in/a.jsonl"],
    ["dedup", "in", "--passages", "--min-documents", "2", "--boundary", "lines"],
    ["reuse", "in", "--format", "jsonl"],
    ["decontaminate", "in", "--evals", "in/a.jsonl", "--question", "text", "--action", "cut", "--format", "csv"],
]


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    Path("in/a.jsonl").write_text(f'{{"id": "a", "text": "{TEXT}"}}\n{{"id": "b", "text": "{TEXT} again"}}\n')
    pq.write_table(pa.table({"id": ["c"], "text": [TEXT]}), "in/b.parquet")
    Path("in/picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_what_it_names_is_what_the_command_writes(run: Run, inputs: Path, command: list[str]) -> None:
    done = run(*command, "-o", "out", "--dry-run")
    assert done.exit_code == 0, done.output
    assert sorted(path.name for path in inputs.iterdir()) == ["in"]
    lines = done.stdout.splitlines()
    assert any("2 files, 0.0 MB (1 .jsonl, 1 .parquet)" in line for line in lines)
    assert any(line.startswith("passes over: 1 file") for line in lines)
    [writes] = [line.removeprefix("writes out: ") for line in lines if line.startswith("writes out: ")]
    assert run(*command, "-o", "out").exit_code == 0
    named = {name.partition(" ")[0] for name in writes.split(", ")}
    written = {path.name for path in Path("out").iterdir()}
    assert written <= named
    assert {name for name in named if "." in name} <= written


def test_an_input_that_is_not_there_and_an_output_that_is_are_errors(run: Run, inputs: Path) -> None:
    done = run("dedup", "in", "nowhere", "-o", "out", "--dry-run")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "nowhere: cannot be read" in done.stderr
    Path("out").mkdir()
    done = run("dedup", "in", "-o", "out", "--dry-run")
    assert done.exit_code == 2
    assert "out: it exists already" in done.stderr


def test_it_says_that_earlier_work_is_resumed(run: Run, inputs: Path) -> None:
    Path("out.partial").mkdir()
    assert "resumes the work in out.partial" in run("dedup", "in", "-o", "out", "--dry-run").stdout


def test_an_index_is_not_built(run: Run, inputs: Path) -> None:
    assert "writes out: an index" in run("index", "in", "-o", "out", "--dry-run").stdout
    assert not Path("out").exists()
