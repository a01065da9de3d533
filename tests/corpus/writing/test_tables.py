"""Each format of a table is read back by another reader as it was."""

import csv
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus.sources import Source
from ibidem.corpus.writing.tables import FORMATS, choose_format, format_safe_row, read_safe_cell, write_table

TABLE = pa.table({"name": ['a "name", taken', "née\n"], "tags": [["ode"], None], "share": [0.5, None]})


@pytest.mark.parametrize("format", FORMATS)
def test_a_table_is_read_back_as_it_was(format: str, tmp_path: Path) -> None:
    path = tmp_path / f"table.{format}"
    write_table(TABLE, path, format)
    if format == "parquet":
        assert pq.read_table(path).equals(TABLE)
    elif format == "jsonl":
        assert [json.loads(line) for line in path.read_text("utf-8").splitlines()] == TABLE.to_pylist()
    else:
        with path.open(newline="", encoding="utf-8") as file:
            assert list(csv.reader(file)) == [
                ["name", "tags", "share"],
                ['a "name", taken', '["ode"]', "0.5"],
                ["née\n", "", ""],
            ]


def test_truth_in_csv_is_what_other_programs_read_as_truth(tmp_path: Path) -> None:
    write_table(pa.table({"kept": [True, False, None]}), tmp_path / "table.csv", "csv")
    assert (tmp_path / "table.csv").read_text("utf-8").split() == ["kept", "true", "false", '""']


@pytest.mark.parametrize(
    ("names", "format"),
    [
        (["a.txt", "b.html", "c.epub"], "csv"),
        (["a.csv", "b.tsv.gz", "c.txt.gz"], "csv"),
        (["a.txt", "b.jsonl"], "parquet"),
        (["a.json.gz"], "parquet"),
        (["a.pq"], "parquet"),
        (["a.arrow", "b.txt"], "parquet"),
    ],
)
def test_tables_about_texts_and_spreadsheets_are_for_spreadsheets(names: list[str], format: str) -> None:
    assert choose_format(Source(name, name) for name in names) == format


@given(
    st.lists(st.text(st.sampled_from("'=+-@\t\r\n\",a1."), max_size=6) | st.integers() | st.floats(-9, 9), min_size=2)
)
def test_no_text_is_a_formula_in_a_spreadsheet_and_each_is_read_back(values: list[str | float]) -> None:
    [row] = csv.reader([format_safe_row(values)], strict=True)
    for value, cell in zip(values, row, strict=True):
        assert read_safe_cell(cell) == str(value)
        assert cell[:1] not in set("=+@\t\r")
        assert cell[:1] != "-" or float(cell) < 1


def test_a_table_for_spreadsheets_has_no_formulas(tmp_path: Path) -> None:
    write_table(pa.table({"=id": ["=1+1", "@a", "+b", "-c", "-5", "d=1"]}), tmp_path / "table.csv", "csv")
    assert (tmp_path / "table.csv").read_text("utf-8").split() == ["'=id", "'=1+1", "'@a", "'+b", "'-c", "-5", "d=1"]
