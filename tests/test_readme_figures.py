"""The figures of the README and of the page on sizes are those of the recorded runs."""

import csv
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def list_rows(page: str) -> list[str]:
    return re.findall(r"(?m)^\| ?([^|\n-].*?|\| .*) \|$", (ROOT / page).read_text("utf-8"))


ROWS = {row.split(" | ")[0]: row for row in list_rows("docs/scale.md")}


def read(name: str, **where: str) -> dict[str, str]:
    """The one row of a table of results with these values."""
    lines = (ROOT / "benchmarks" / "results" / f"{name}.csv").read_text("utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    (row,) = (row for row in rows if all(row[column] == value for column, value in where.items()))
    return row


BUILD = read("build_index", index="passages")
SEARCHES = {threshold: read("search_index", threshold=threshold, measure="multisets") for threshold in ("0.5", "0.8")}
PAIRS, SOURCES = read("align_pairs", category="all"), read("align_collection_summaries", **{"at most": ""})
COPIES = read("reuse_copies")
STARTS = [read("startup", what=what) for what in ("import ibidem", "ibidem --help", "ibidem search, empty cache")]


def milliseconds(threshold: str) -> list[str]:
    return [SEARCHES[threshold][column] for column in ("median ms", "p99 ms")]


@pytest.mark.parametrize(
    ("label", "values"),
    [
        ("index, from", [BUILD["best s"], float(BUILD["peak MB"]) / 1000]),
        ("the whole index", [BUILD[column] for column in ("all B", "postings B")]),
        ("search for 100 words", milliseconds("0.5")),
        ("the same, threshold 0.8", milliseconds("0.8")),
        ("align two documents", [PAIRS["median ms"], PAIRS["pairs"], PAIRS["p99 ms"]]),
        ("quality of these", [PAIRS["plagdet"]]),
        ("find the sources", [SOURCES[name] for name in ("median ms", "documents", "p99 ms", "plagdet")]),
        ("find every passage", [float(COPIES["clock s"]) / 60, float(COPIES["MB"]) / 1000, COPIES["recall"]]),
        ("`import ibidem`", [row["median s"] for row in STARTS]),
    ],
)
def test_a_row_of_the_table_has_recorded_figures(label: str, values: list[str | float]) -> None:
    (row,) = (row for name, row in ROWS.items() if name.startswith(label))
    printed = [number.replace(",", "") for number in re.findall(r"\d[\d,]*(?:\.\d+)?", row.partition(" | ")[2])]
    for value in map(float, values):
        assert any(
            abs(float(number) - value) <= 0.5 * 10 ** -len(number.partition(".")[2]) + 1e-9 for number in printed
        ), (label, value, printed)


@pytest.mark.parametrize(
    ("program", "contestant"), [("**ibidem**", "ibidem"), ("text-dedup", "text_dedup"), ("datatrove", "datatrove")]
)
def test_the_table_of_peers_has_recorded_figures(program: str, contestant: str) -> None:
    recorded = read("deduplicate_documents", contestant=contestant, threads="1")
    row = next(row for row in list_rows("README.md") if program in row)
    printed = row.split(" | ")[-3:]
    for number, column in zip(printed, ("CPU seconds", "recall", "precision"), strict=True):
        digits = len(number.partition(".")[2])
        assert float(number) == pytest.approx(float(recorded[column]), abs=0.5 * 10**-digits + 1e-9), (row, column)
