"""What a file of results holds is told from its first line, and a line that holds something else is named."""

from pathlib import Path
from typing import Any

import pytest

from ibidem.cli.judged import read_judged

from .samples import Run, write_lines


@pytest.mark.parametrize(
    ("rows", "cause"),
    [
        ([{"id": "x", "cluster": 1}], "found.jsonl holds clusters and truth.jsonl passages: they cannot be compared"),
        ([{"id": "x", "cluster": 1}, {"id": "x", "cluster": 2}], "found.jsonl, line 2: document 'x' is in a cluster"),
        ([{"id": "x", "cluster": None}], "found.jsonl, line 1: 'cluster' is None, neither a string nor an integer"),
        ([{"text": "x"}], "found.jsonl, line 1: the record names no two documents"),
        (
            [{"a": "x", "b": "y", "a_start": 0, "a_end": 1, "b_start": 0, "b_end": 1}, {"a": "x", "b": "y"}],
            "found.jsonl, line 2: no passages",
        ),
    ],
)
def test_files_that_cannot_be_scored_are_named(run: Run, folder: Path, rows: list[dict[str, Any]], cause: str) -> None:
    write_lines("found.jsonl", *rows)
    result = run("evaluate", "found.jsonl", "truth.jsonl")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"ibidem: error: {cause}")


def test_the_first_line_says_what_a_file_holds(folder: Path) -> None:
    for rows, kind in (
        ([], ""),
        ([{"id": "x", "cluster": 1}, {"id": 2, "cluster": "b"}], "clusters"),
        ([{"a": "x", "b": "y"}, {"suspicious": "x", "source": "y"}], "pairs"),
        ([{"a": "x", "b": "y", "a_start": 0, "a_end": 1, "b_start": 2, "b_end": 5}], "passages"),
    ):
        judged = read_judged(write_lines("some.jsonl", *rows))
        assert judged.kind == kind
        assert len(judged.pairs or judged.clusters) == len(rows)
    assert judged.pairs == [("x", "y")]
    assert len(judged.cases) == 1


def test_xml_is_told_from_lines_by_its_name(folder: Path) -> None:
    for path in ("detections", "corpus"):
        assert read_judged(path).kind == "passages"
    assert read_judged("detections").cases == read_judged("found.jsonl").cases
