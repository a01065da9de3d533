"""Each format of a table is read back by another reader as it was."""

import csv
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ibidem.corpus.writing.tables import FORMATS, write_table

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
