"""Every benchmark runs on little text and prints a table. What it measures is nobody's business here."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "benchmarks"
BENCHMARKS = sorted(path for path in FOLDER.rglob("*.py") if "__main__" in path.read_text(encoding="utf-8"))


def run(script: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """Run it without real texts, so that it does the same everywhere."""
    environment = {name: value for name, value in os.environ.items() if name != "IBIDEM_DATA"}
    command = [sys.executable, str(script), *options]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


@pytest.mark.parametrize("script", BENCHMARKS, ids=lambda path: path.stem)
def test_a_quick_run_prints_the_table_that_it_writes(script: Path, tmp_path: Path) -> None:
    done = run(script, "--quick", "--csv", str(tmp_path / "table.csv"))
    assert done.returncode == 0, done.stdout + done.stderr
    written = (tmp_path / "table.csv").read_text(encoding="utf-8").splitlines()
    header = next(line for line in written if not line.startswith("#"))
    printed = done.stdout.splitlines()
    assert any(all(column.strip('"') in line for column in header.split(",")) for line in printed), done.stdout
    assert len(written) > 1


@pytest.mark.parametrize("name", ["build_index", "partition", "recall", "search_index"])
def test_a_real_run_without_real_texts_says_what_is_missing(name: str) -> None:
    done = run(FOLDER / f"{name}.py")
    assert done.returncode == 1
    assert done.stderr.startswith("IBIDEM_DATA names no folder")
