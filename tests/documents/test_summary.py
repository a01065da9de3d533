"""The tables that account for the documents of a deduplication."""

import csv
import json
from pathlib import Path
from typing import get_args

import pyarrow.parquet as pq
import pytest

import ibidem
from ibidem.corpus.writing.tables import write_tables
from ibidem.documents.tables import make_document_schema, make_short_schema
from ibidem.options import TableFormat

TEXT = "in the evening when the tide is out the whole village walks down to the flats with lamps"


@pytest.mark.parametrize("format", get_args(TableFormat))
def test_the_clusters_in_files_are_the_rows_of_the_table_of_a_call(tmp_path: Path, format: TableFormat) -> None:
    documents = [("a", TEXT), ("b", f"{TEXT} and baskets"), ("c", "of another kind"), ("d", TEXT)]
    rows = (f'{{"id": "{name}", "text": "{text}"}}\n' for name, text in documents)
    (tmp_path / "a.jsonl").write_text("".join(rows))
    ibidem.deduplicate_files(tmp_path / "a.jsonl", tmp_path / "out", format=format)
    table = ibidem.deduplicate(documents).to_arrow()
    assert table.schema == make_document_schema()
    path = tmp_path / f"out/clusters.{format}"
    expected = [row for row in table.to_pylist() if row["id"] != "c"]
    if format == "parquet":
        assert pq.read_table(path).to_pylist() == expected
    elif format == "jsonl":
        assert [json.loads(line) for line in path.read_text().splitlines()] == expected
    else:
        with path.open(newline="") as file:
            assert list(csv.DictReader(file)) == [
                {name: str(value).replace("True", "true").replace("False", "false") for name, value in row.items()}
                for row in expected
            ]


def test_a_table_without_rows_has_its_columns(tmp_path: Path) -> None:
    write_tables(make_short_schema(), [], tmp_path / "short.parquet", "parquet")
    assert pq.read_schema(tmp_path / "short.parquet") == make_short_schema()
