"""The benchmark of alignment runs."""

import os
import subprocess
import sys
from pathlib import Path

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "align_pairs.py"


def output(*arguments: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "IBIDEM_DATA"}
    command = [sys.executable, str(BENCHMARK), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def test_the_quick_benchmark_finds_every_planted_passage(tmp_path: Path) -> None:
    _, *table = output("--quick", "--csv", str(tmp_path / "table.csv")).splitlines()
    assert [line.split()[0] for line in table] == ["category", "changed", "copied", "unrelated", "all"]
    assert float(table[-1].split()[5]) > 0.95
    assert table[-1].split()[9:] == ["8", "8", "8"]
    command, *written = (tmp_path / "table.csv").read_text(encoding="utf-8").splitlines()
    assert command.startswith("# python ")
    assert len(written) == 5


def test_settings_are_chosen_without_the_fold_that_they_are_scored_on() -> None:
    _, *table = output("--quick", "--folds", "2").splitlines()
    assert [line.split()[0] for line in table] == ["fold", "0", "1", "mean"]
    assert table[-1].split()[-3:-1] == ["8", "8"]


def test_the_benchmark_is_skipped_without_data() -> None:
    assert output().startswith("skipped: IBIDEM_DATA names no folder")
