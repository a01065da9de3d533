"""The folder of a result: each format read back by another reader."""

import csv
import json
from functools import partial
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ibidem import find_reuse
from ibidem.corpus.writing.tables import FORMATS
from ibidem.reuse.outputs.folder import write_reuse
from ibidem.reuse.outputs.result import TABLES, Reuse

PASSAGE = "the curfew tolls the knell of parting day the lowing herd wind slowly over the lea"


@pytest.fixture(scope="module")
def reuse() -> Reuse:
    given = [
        {"id": "gray", "text": PASSAGE, "year": 1751, "tags": ["ode"], "document": 'a "name", taken'},
        {"id": "née", "text": f"He\nwrote: {PASSAGE}!", "year": 1800},
        {"id": "none", "text": "Nothing of the kind."},
    ]
    return find_reuse(given, date="year", texts=True)


def test_parquet_is_read_back_as_it_was(reuse: Reuse, tmp_path: Path) -> None:
    write_reuse(reuse, tmp_path)
    for name in TABLES:
        assert pq.read_table(tmp_path / f"{name}.parquet").equals(getattr(reuse, name))
    assert json.loads((tmp_path / "summary.json").read_text()) == json.loads(json.dumps(reuse.summary))


def test_json_lines_are_read_back_as_they_were(reuse: Reuse, tmp_path: Path) -> None:
    write_reuse(reuse, tmp_path, "jsonl")
    for name in TABLES:
        lines = (tmp_path / f"{name}.jsonl").read_text("utf-8").splitlines()
        assert [json.loads(line) for line in lines] == getattr(reuse, name).to_pylist()


def test_csv_is_read_back_cell_by_cell(reuse: Reuse, tmp_path: Path) -> None:
    write_reuse(reuse, tmp_path, "csv")
    with (tmp_path / "documents.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["document"] for row in rows] == ["gray", "none", "née"]
    assert rows[0]["input_document"] == 'a "name", taken'
    assert (rows[0]["year"], rows[1]["year"], rows[0]["tags"]) == ("1751", "", '["ode"]')


READERS = {
    "parquet": pd.read_parquet,
    "jsonl": partial(pd.read_json, lines=True, precise_float=True),
    "csv": pd.read_csv,
}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", ["pairs", "passages", "clusters", "document_pairs"])
def test_pandas_reads_the_values_of_a_table(name: str, format: str, reuse: Reuse, tmp_path: Path) -> None:
    write_reuse(reuse, tmp_path, format)
    frame, table = READERS[format](tmp_path / f"{name}.{format}"), getattr(reuse, name)
    assert list(frame.columns) == table.column_names
    assert len(frame) == table.num_rows > 0
    for column in table.drop_columns(["chain"] if "chain" in table.column_names else []).column_names:
        values = [None if pd.isna(value) else value for value in frame[column].tolist()]
        expected = table.column(column).to_pylist()
        if pa.types.is_floating(table.column(column).type):
            expected = [None if each is None else pytest.approx(each, rel=1e-12) for each in expected]
        assert values == expected, column


@pytest.mark.parametrize("format", FORMATS)
def test_a_result_without_a_row_is_written_too(format: str, tmp_path: Path) -> None:
    write_reuse(find_reuse([]), tmp_path, format)
    assert len(list(tmp_path.iterdir())) == len(TABLES) + 2  # and the summary and the state


def test_an_unknown_format_is_refused(reuse: Reuse, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="a format is one of parquet, jsonl, csv, not 'xml'"):
        write_reuse(reuse, tmp_path, "xml")
