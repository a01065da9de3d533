"""The tables that account for the documents of a deduplication."""

import csv
import json
from pathlib import Path
from typing import get_args

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ibidem
from ibidem.corpus.writing.tables import write_tables
from ibidem.documents.tables import make_document_schema, make_short_schema, tabulate_documents
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
            assert list(csv.DictReader(file)) == [{name: str(value) for name, value in row.items()} for row in expected]


def test_a_table_without_rows_has_its_columns(tmp_path: Path) -> None:
    write_tables(make_short_schema(), [], tmp_path / "short.parquet", "parquet")
    assert pq.read_schema(tmp_path / "short.parquet") == make_short_schema()


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4, unique=True))
def test_any_ids_make_a_table(ids: list[str]) -> None:
    ones = np.ones(len(ids))
    flags = ones > 0
    table = tabulate_documents(ids, ids, ids, kept=flags, similarity=ones, exact=flags, weakest=ones)
    assert table["id"].to_pylist() == table["cluster"].to_pylist() == ids
