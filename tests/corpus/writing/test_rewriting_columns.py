"""Parquet files keep their schema, metadata and codec."""

import io
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.corpus.writing.test_rewriting import FOUND, annotate, rewrite, shout


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())], ids=str)
def test_a_parquet_file_keeps_its_schema_and_codec(tmp_path: Path, kind: pa.DataType) -> None:
    path = tmp_path / "a.parquet"
    table = pa.table({"n": pa.array([1, 2], pa.int8()), "text": pa.array(["a", "b"], kind)})
    table = table.replace_schema_metadata({"made": "here"})
    pq.write_table(table, path, compression="zstd")
    rewrite(path, {1: shout}, 2)
    file = pq.ParquetFile(path.with_name("new-a.parquet"))
    assert file.read().to_pydict() == {"n": [1, 2], "text": ["a", "B!"]}
    assert file.schema_arrow.equals(pq.ParquetFile(path).schema_arrow, check_metadata=True)
    assert file.metadata.row_group(0).column(0).compression == "ZSTD"


def test_parquet_gets_a_list_of_structs_and_keeps_its_metadata_and_codec(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    table = pa.table({"text": ["a", "b", "c"], "n": [1, None, 3]}).replace_schema_metadata({"made": "by hand"})
    pq.write_table(table, path, compression="zstd")
    read = pq.read_table(io.BytesIO(annotate(path, 3, {1: FOUND})))
    assert read.drop_columns(["more"]).equals(table)
    assert read.column("more").to_pylist() == [[], FOUND, []]
    assert read.schema.metadata[b"made"] == b"by hand"
    assert pq.ParquetFile(tmp_path / "new-a.parquet").metadata.row_group(0).column(0).compression == "ZSTD"
