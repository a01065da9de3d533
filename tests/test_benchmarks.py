"""Every benchmark runs on little text and prints a table. What it measures is nobody's business here."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .scripts import check_table, run_quick

FOLDER = Path(__file__).resolve().parent.parent / "benchmarks"
DRAWS_TABLES = FOLDER / "papers" / "figure.py"  # it measures nothing
ELSEWHERE = {
    "accuracy",
    "broder_clusters",
    "figure5",
    "figure6",
    "figure7",
    "hash_families",
    "interval_scan",
    "oph_accuracy",
    "oph_latency",
}
"""Benchmarks that ``test_papers`` runs, which reads their tables, too."""

BENCHMARKS = sorted(
    path
    for path in FOLDER.rglob("*.py")
    if "__main__" in path.read_text(encoding="utf-8") and path != DRAWS_TABLES and path.stem not in ELSEWHERE
)


def run(script: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """Run it without real texts, so that it does the same everywhere."""
    environment = {name: value for name, value in os.environ.items() if name != "IBIDEM_DATA"}
    command = [sys.executable, str(script), *options]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


IN_PROCESSES = {"ablations", "campaign", "growth"}
"""Benchmarks that fork, or that change their environment or their limits. The others run in this process, which has
loaded its libraries and kernels already."""

COLD = {"startup"}
"""Benchmarks of what it takes to start a process. The processes of the others are copies of one, and start at once."""


@pytest.mark.parametrize("script", BENCHMARKS, ids=lambda path: path.stem)
def test_a_quick_run_prints_the_table_that_it_writes(
    script: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if script.stem not in COLD:
        request.getfixturevalue("warm_python")
    table = tmp_path / "table.csv"
    if script.stem not in IN_PROCESSES:
        run_quick(script, table)
        return
    done = run(script, "--quick", "--csv", str(table))
    assert done.returncode == 0, done.stdout + done.stderr
    check_table(table, done.stdout)


def test_a_benchmark_that_is_not_run_here_is_run_where_its_table_is_read() -> None:
    reading = (FOLDER.parent / "tests" / "test_papers.py").read_text("utf-8")
    assert [name for name in sorted(ELSEWHERE) if f'"{name}"' not in reading] == []


@pytest.mark.parametrize("name", ["build_index", "partition", "recall", "search_index"])
def test_a_real_run_without_real_texts_says_what_is_missing(name: str) -> None:
    done = run(FOLDER / f"{name}.py")
    assert done.returncode == 1
    assert done.stderr.startswith("IBIDEM_DATA names no folder")


def test_a_result_may_gain_a_field_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(FOLDER)
    compare = importlib.import_module("compare_results").compare
    before, gained, changed, short = (tmp_path / name for name in ("before", "gained", "changed", "short"))
    for folder, lines in {
        before: ['{"a": 1}', '{"a": 2}'],
        gained: ['{"a": 1, "b": 0}', '{"a": 2, "b": 0}'],
        changed: ['{"a": 1}', '{"a": 3}'],
        short: ['{"a": 1}'],
    }.items():
        folder.mkdir()
        (folder / "found.jsonl").write_text("\n".join(lines), encoding="utf-8")
        (folder / "column.npy").write_bytes(folder.name.encode() if folder == changed else b"the same")
    assert compare(before, gained) == (3, 3, ["b"], "")
    assert compare(before, changed) == (1, 3, [], "column.npy")
    assert compare(before, short) == (2, 3, [], "found.jsonl: 2 records before, 1 after")


def test_a_job_that_takes_a_tenth_more_than_before_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(FOLDER)
    history = importlib.import_module("history")
    row = {"job": "index", "CPU s": "1.0", "of tokenizing": "5.000"}
    for _ in range(2):
        history.append([row], "mine", tmp_path / "history.csv")
    earlier = history.read_history(tmp_path / "history.csv")
    assert len(earlier) == 2
    assert history.compare([dict(row)], earlier, "mine") == []
    assert history.compare([row | {"of tokenizing": "5.400"}], earlier, "mine") == []
    assert history.compare([row | {"of tokenizing": "5.600"}], earlier, "mine") == [
        "index: 5.600 times tokenizing, 5.000 before"
    ]
    assert history.compare([row | {"of tokenizing": "9.000"}], earlier, "another") == []
