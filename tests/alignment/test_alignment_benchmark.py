"""The benchmark of alignment finds what was planted, and chooses its settings fairly."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "align_pairs.py"

pytestmark = pytest.mark.usefixtures("warm_python")


def table(*arguments: str) -> list[dict[str, str]]:
    command = [sys.executable, str(BENCHMARK), "--quick", *arguments]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[1:]
    names = lines[0].replace("median ms", "median_ms").replace("p99 ms", "p99_ms").split()
    return [dict(zip(names, line.split(), strict=False)) for line in lines[1:]]


def test_the_quick_benchmark_finds_every_planted_passage_and_nothing_else() -> None:
    rows = {row["category"]: row for row in table()}
    assert list(rows) == ["changed", "copied", "unrelated", "all"]
    assert float(rows["all"]["plagdet"]) > 0.95
    assert (rows["all"]["cases"], rows["all"]["reported"]) == ("8", "8")
    assert rows["unrelated"]["reported"] == "0"


def test_every_pair_is_scored_in_one_fold() -> None:
    *folds, mean = table("--folds", "2")
    assert [row["fold"] for row in folds] == ["0", "1"]
    assert [sum(int(row[name]) for row in folds) for name in ("pairs", "cases")] == [12, 8]
    assert mean["fold"] == "mean"
