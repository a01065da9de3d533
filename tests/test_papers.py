"""What the reproductions of the papers' experiments say must hold, on generated texts."""

import csv
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from .scripts import run_quick

FOLDER = Path(__file__).resolve().parent.parent / "benchmarks" / "papers"


def rows_of(name: str, folder: Path, *options: str) -> list[dict[str, str]]:
    """The table of a quick run."""
    table = folder / f"{name}.csv"
    run_quick(FOLDER / f"{name}.py", table, *options)
    assert (folder / f"{name}.svg").exists() == (importlib.util.find_spec("matplotlib") is not None)
    return read(table)


def read(table: Path) -> list[dict[str, str]]:
    lines = [line for line in table.read_text("utf-8").splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


def table_of(name: str, folder: Path) -> list[dict[str, str]]:
    """The table of a quick run of a script that draws nothing."""
    table = folder / f"{name}.csv"
    run_quick(FOLDER / f"{name}.py", table)
    return read(table)


def test_the_search_finds_what_brute_force_finds(tmp_path: Path) -> None:
    rows = [row for row in rows_of("accuracy", tmp_path) if row["report"] == "all" and row["passages"]]
    measured = ("weighting", "threshold", "precision", "recall", "passages")
    found, expected = (
        {tuple(row[column] for column in measured) for row in rows if row["method"] == method}
        for method in ("search", "brute force")
    )
    assert found
    assert found == expected


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, str]]]:
    """The tables of the figures, with a program beside ours that says what the papers' own says."""
    folder = tmp_path_factory.mktemp("figures")
    program = folder / "build"
    program.write_text('#!/bin/sh\necho "Index Size: 84"\n', "utf-8")
    program.chmod(0o755)
    names = ("figure5", "figure6", "figure7")
    return {name: rows_of(name, folder, "--their-program", str(program)) for name in names}


def test_every_algorithm_makes_as_many_windows_and_allalign_no_fewer(figures: dict[str, list[dict[str, str]]]) -> None:
    ours = [row for row in figures["figure5"] if not row["algorithm"].startswith("their ")]
    for by in ("n", "f"):
        assert {row["algorithm"] for row in ours if row["by"] == by} == {"scanline", "MonoActive", "MonoAll"}
        assert len({row["windows"] for row in ours if row["by"] == by}) == 1
    fewer = [row["fewer"] for row in figures["figure7"] if not row["algorithm"].startswith("their ")]
    assert fewer
    assert all(float(each) >= 0 for each in fewer)


def test_the_program_of_the_papers_runs_beside_ours(figures: dict[str, list[dict[str, str]]]) -> None:
    for rows in figures.values():
        theirs = [row for row in rows if row["algorithm"].startswith("their ")]
        assert theirs
        assert {row["windows"] for row in theirs} == {"42"}
        assert len(theirs) < len(rows)


@pytest.mark.usefixtures("warm_python")
def test_a_program_that_says_nothing_is_named() -> None:
    command = [sys.executable, str(FOLDER / "figure7.py"), "--quick", "--their-program", "true"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("true -f ")


def test_all_ways_to_scan_find_the_same_and_by_position_fewer_alignments_stand_for_it(tmp_path: Path) -> None:
    rows = rows_of("interval_scan", tmp_path)
    for scheme in ("k-mins", "one permutation"):
        results = {row["way"]: float(row["results"]) for row in rows if row["scheme"] == scheme and row["by"] == "k"}
        assert results[f"{scheme}, 1st"] == results[f"{scheme}, seg"] == results[f"{scheme}, ours"]
        assert results[f"{scheme}, arb"] >= results[f"{scheme}, pos"] > results[f"{scheme}, 1st"]


def test_what_verifies_is_precise_and_what_is_not_heuristic_finds_all(tmp_path: Path) -> None:
    rows = {row["method"]: row for row in rows_of("oph_accuracy", tmp_path)}
    assert all(rows[name]["F1"] == "1.0000" for name in ("brute force", "ibidem", "Faerie"))
    assert rows["SeedExtension"]["precision"] == "1.0000"


def test_an_index_by_k_mins_grows_with_k_and_one_by_one_permutation_hardly_does(tmp_path: Path) -> None:
    rows = [row for row in rows_of("oph_latency", tmp_path) if row["by"] == "k" and row["threshold"] == "0.4"]
    windows = {(row["scheme"], int(row["k"])): float(row["postings a token"]) for row in rows}
    assert windows["k-mins", 64] == pytest.approx(16 * windows["k-mins", 4], rel=0.01)
    assert windows["one permutation", 64] < 1.5 * windows["one permutation", 4]
    assert all(int(row["matches"]) > 0 for row in rows)


def test_clusters_of_sketches_are_those_of_exact_resemblances_of_little_text(tmp_path: Path) -> None:
    rows = [row for row in table_of("broder_clusters", tmp_path) if row["modulus"] == "1"]
    assert rows
    assert all(float(row["kept"]) == 1 for row in rows)
    # Among sixty texts, sketches of 100 values take some that are less similar than one half for more.
    assert all(float(row["merged"]) == 1 for row in rows if int(row["sketch"]) > 100)
    assert all(float(row["merged"]) > 0.7 for row in rows)


def test_both_hash_families_make_about_as_many_windows(tmp_path: Path) -> None:
    ours, theirs = table_of("hash_families", tmp_path)
    assert float(theirs["windows, n = 300"]) == pytest.approx(float(ours["windows, n = 300"]), rel=0.2)
