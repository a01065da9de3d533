"""Files with one more column, read back by readers that are not ours."""

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus.sources import Source
from ibidem.corpus.writing.annotating import NewColumn, write_annotated
from ibidem.errors import CorpusError

KINDS = {"start": "int64", "of": "string"}

FOUND = [{"start": 3, "of": 'a "b", é\n'}, {"start": 9, "of": "c"}]


def annotate(path: Path, rows: int, found: dict[int, Any] | None = None, name: str = "more") -> bytes:
    target = path.with_name(f"new-{path.name}")
    column = NewColumn(name, KINDS, {0: FOUND} if found is None else found)
    write_annotated(Source(str(path), path.name), column, rows, target)
    return target.read_bytes()


def test_json_lines_keep_their_bytes_and_get_a_list(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"text" : "}", "n": 1e3 }\r\n\n{"text": "b", "z": {}}')
    written = annotate(path, 2)
    first, second = written.removeprefix(b"\xef\xbb\xbf").splitlines(keepends=True)
    assert first.startswith(b'{"text" : "}", "n": 1e3, "more": [')
    assert first.endswith(b"]}\r\n")
    assert json.loads(first)["more"] == FOUND
    assert second == b'{"text": "b", "z": {}, "more": []}\n'


def test_an_array_of_json_stays_an_array(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"text": "a"}, {"text": "b"}]')
    assert json.loads(annotate(path, 2, {1: FOUND})) == [{"text": "a", "more": []}, {"text": "b", "more": FOUND}]


cells = st.text(st.sampled_from('a",;\n\t é'), max_size=6)


@given(rows=st.lists(st.tuples(cells, cells), min_size=1, max_size=4), suffix=st.sampled_from([".csv", ".tsv"]))
def test_pandas_reads_tables_with_the_column_and_all_others(
    rows: list[tuple[str, str]], suffix: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path, separator = tmp_path_factory.mktemp("rows") / f"a{suffix}", "\t" if suffix == ".tsv" else ","
    given_table = pd.DataFrame(rows, columns=["text", "note"])
    given_table.to_csv(path, sep=separator, index=False, quoting=1, lineterminator="\r\n")
    written = io.BytesIO(annotate(path, len(rows)))
    read = pd.read_csv(written, sep=separator, keep_default_na=False, dtype=str)
    assert read[["text", "note"]].to_numpy().tolist() == given_table.to_numpy().tolist()
    assert [json.loads(value) for value in read["more"]] == [FOUND, *[[]] * (len(rows) - 1)]


def test_a_compressed_table_stays_compressed(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(b"id,text\n1,one\n2,two\n"))
    assert gzip.decompress(annotate(path, 2, {})) == b"id,text,more\n1,one,[]\n2,two,[]\n"


def test_parquet_gets_a_list_of_structs_and_keeps_its_metadata_and_codec(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    table = pa.table({"text": ["a", "b", "c"], "n": [1, None, 3]}).replace_schema_metadata({"made": "by hand"})
    pq.write_table(table, path, compression="zstd")
    read = pq.read_table(io.BytesIO(annotate(path, 3, {1: FOUND})))
    assert read.drop_columns(["more"]).equals(table)
    assert read.column("more").to_pylist() == [[], FOUND, []]
    assert read.schema.metadata[b"made"] == b"by hand"
    assert pq.ParquetFile(tmp_path / "new-a.parquet").metadata.row_group(0).column(0).compression == "ZSTD"


def test_plain_text_is_copied(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("é\r\n".encode())
    assert annotate(path, 1) == path.read_bytes()


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_a_file_with_such_a_column_is_refused(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    table = pd.DataFrame({"text": ["a"], "more": [1]})
    if suffix == "jsonl":
        table.to_json(path, orient="records", lines=True)
    else:
        table.to_csv(path, index=False) if suffix == "csv" else table.to_parquet(path)
    with pytest.raises(CorpusError, match=r"a\.\w+.*it has a column 'more' already.*rename it"):
        annotate(path, 1)


def test_a_file_that_was_changed_meanwhile_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a"}\n')
    with pytest.raises(CorpusError, match="it had 2 documents when it was read first, and has 1 now"):
        annotate(path, 2)
