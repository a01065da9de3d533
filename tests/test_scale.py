"""The figures of plans on the page about large collections are those of the recorded runs."""

import csv
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "scale.md").read_text("utf-8")
KINDS = {"index": "index", "deduplication": "dedup", "search for reuse": "reuse"}


def read(kind: str) -> dict[str, dict[str, str]]:
    path = ROOT / "benchmarks" / "results" / "plans" / f"{kind}_143M.csv"
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    return {row["how"]: row for row in csv.DictReader(lines)}


def printed(label: str) -> list[list[str]]:
    """The numbers of each row of a table that has this label."""
    return [re.findall(r"\d[\d,.]*\d|\d", row) for row in re.findall(rf"(?m)^\| {label} \|(.*)$", PAGE)]


def same(numbers: list[str], values: list[str]) -> bool:
    return len(numbers) == len(values) and all(
        abs(float(number.replace(",", "")) - float(value)) <= 0.5 * 10 ** -len(number.partition(".")[2]) + 1e-9
        for number, value in zip(numbers, values, strict=True)
    )


@pytest.mark.parametrize("name", KINDS)
def test_plans_take_what_was_recorded(name: str) -> None:
    rows = read(KINDS[name])
    times, costs = printed(name)
    ways = ["plain", "1 ranks", "2 ranks", "7 ranks", "2 processes", "Ray, 2 workers"]
    recorded = [[rows[way]["seconds"], rows[way]["tasks cpu s" if "Ray" in way else "cpu s"]] for way in ways]
    assert same(times, [value for both in recorded for value in both])
    columns = ["cpu s", "predicted cpu s", "peak MB", "predicted MB", "disk MB", "predicted disk MB"]
    assert same(costs, [rows["1 ranks"][column] for column in columns])


def test_another_figure_is_noticed() -> None:
    assert same(["1,826", "0.5"], ["1826", "0.49"])
    assert not same(["1,826"], ["1827"])
    assert not same(["1"], ["1", "2"])
