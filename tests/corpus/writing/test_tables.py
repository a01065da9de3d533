"""Each format of a table is read back by another reader as it was."""

import csv
import json
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus.sources import Source
from ibidem.corpus.writing.tables import (
    FORMATS,
    choose_format,
    format_safe_row,
    holds_result,
    make_table,
    read_safe_cell,
    read_summary,
    read_table,
    write_result,
    write_table,
)
from ibidem.errors import CorpusError

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


class Place(NamedTuple):
    start: int
    end: int


KINDS: dict[str, Any] = {
    "whole": int,
    "share": float | None,
    "sure": bool,
    "kind": Literal["similar", "summary"],
    "more": dict[str, int] | None,
    "place": tuple[int, int] | None,
    "names": list[str],
    "places": list[Place],
}
ROWS: list[dict[str, Any]] = [
    {
        "whole": 3,
        "share": None,
        "sure": True,
        "kind": "summary",
        "more": None,
        "place": None,
        "names": [],
        "places": [],
    },
    {"whole": 4, "share": 0.5, "sure": False, "kind": "a\ud800b", "more": {"é": 1}, "place": (2, 9), "names": ["x"]}
    | {"places": [{"start": 1, "end": 2}]},
]


def make(rows: list[dict[str, Any]]) -> pa.Table:
    return make_table(KINDS, {name: [row[name] for row in rows] for name in KINDS})


def test_columns_have_the_types_that_are_named_and_say_which_may_be_empty() -> None:
    table = make(ROWS)
    assert {field.name: (str(field.type), field.nullable) for field in table.schema} == {
        "whole": ("int64", False),
        "share": ("double", True),
        "sure": ("bool", False),
        "kind": ("string", False),
        "more": ("string", True),
        "place": ("fixed_size_list<item: int64>[2]", True),
        "names": ("list<item: string>", False),
        "places": ("list<item: struct<start: int64, end: int64>>", False),
    }
    changed = {"kind": "a\N{REPLACEMENT CHARACTER}b", "more": '{"é":1}', "place": [2, 9]}
    assert table.to_pylist() == [ROWS[0], ROWS[1] | changed]
    assert make([]).schema == table.schema


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("rows", [ROWS, []])
def test_a_result_is_read_as_it_was_written(format: str, rows: list[dict[str, Any]], tmp_path: Path) -> None:
    table = make(rows)
    assert not holds_result(tmp_path, "table")
    write_result({"table": table}, {"rows": 2}, tmp_path, format)
    assert holds_result(tmp_path, "table")
    assert read_table(tmp_path, "table", KINDS).to_pylist() == table.to_pylist()
    assert read_summary(tmp_path, ["rows"], "ibidem reuse") == {"rows": 2}


def test_what_is_no_result_is_told(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"cannot be read: .* a folder that ibidem reuse wrote"):
        read_summary(tmp_path, [], "ibidem reuse")
    (tmp_path / "summary.json").write_text(json.dumps({"kept": 1}))
    with pytest.raises(CorpusError, match="it is no summary of ibidem reuse"):
        read_summary(tmp_path, ["pairs"], "ibidem reuse")
    with pytest.raises(CorpusError, match=r"it has no pairs\.parquet or pairs\.jsonl or pairs\.csv"):
        read_table(tmp_path, "pairs", KINDS)
    for format, content in (("jsonl", "{broken\n"), ("csv", "whole,share\n1\n"), ("parquet", "x")):
        (tmp_path / f"{format}.{format}").write_text(content)
        with pytest.raises(CorpusError, match=rf"{format}\.{format}: cannot be read"):
            read_table(tmp_path, format, KINDS)
    with pytest.raises(ValueError, match="a format is one of parquet, jsonl, csv, not 'xml'"):
        write_result({}, {}, tmp_path, "xml")
