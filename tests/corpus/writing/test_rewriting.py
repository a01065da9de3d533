"""Files with other texts: each format keeps all else as it stands."""

import csv
import gzip
import io
import json
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus import read
from ibidem.corpus.listing import list_sources
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.rewriting import Edit, write_edited
from ibidem.errors import CorpusError
from tests.corpus.readers import samples


def shout(text: str) -> str:
    return text.upper() + "!"


def rewrite(path: Path, edits: Mapping[int, Edit], rows: int, column: str = "text") -> bytes:
    target = path.with_name(f"new-{path.name}")
    target.unlink(missing_ok=True)
    write_edited(Source(str(path), path.name), column, edits, rows, target)
    return target.read_bytes()


def test_a_byte_order_mark_stays_before_the_text_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfa")
    assert rewrite(path, {0: shout}, 1) == b"\xef\xbb\xbfA!"


def test_byte_order_marks_inside_of_joined_json_lines_are_not_written_again(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"text":"a"}\n\xef\xbb\xbf{"text":"b"}\n' * 2)
    expected = b'\xef\xbb\xbf{"text":"a"}\n{"text":"B!"}\n{"text":"a"}\n{"text":"b"}\n'
    assert rewrite(path, {1: shout}, 4) == expected


def test_of_json_lines_only_the_bytes_of_the_text_change(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"id" : 1,  "text":"a"}\n\n{"text": "b", "z": {"text": 1e3}}\r\n{"text": "c"}')
    expected = b'\xef\xbb\xbf{"id" : 1,  "text":"A!"}\n{"text": "b", "z": {"text": 1e3}}\r\n{"text": "C!"}\n'
    assert rewrite(path, {0: shout, 2: shout}, 3) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"note": "same", "text": "same"}', {"note": "same", "text": "SAME!"}),
        ('{"text": "a", "n": NaN}', {"text": "A!", "n": None}),
        ('{"text": "\\ud800a", "n": 1}', {"text": "\ud800A!", "n": 1}),
        ('{"text": "\\u00e9"}', {"text": "É!"}),
    ],
)
def test_lines_of_json_that_are_unusual(tmp_path: Path, line: str, expected: object) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(line + "\n")
    written = rewrite(path, {0: shout}, 1).decode()
    assert json.loads(written, parse_constant=lambda _: None) == expected
    assert written.endswith("\n")


cells = st.text(st.sampled_from('a",;\n\r\t é'), max_size=6)


@given(rows=st.lists(st.tuples(cells, cells), min_size=1, max_size=4), suffix=st.sampled_from([".csv", ".tsv"]))
def test_rows_of_separated_values_read_back(
    rows: list[tuple[str, str]], suffix: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path, delimiter = tmp_path_factory.mktemp("rows") / f"a{suffix}", "\t" if suffix == ".tsv" else ","
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows([("text", "note"), *rows])
    written = rewrite(path, dict.fromkeys(range(0, len(rows), 2), shout), len(rows)).decode()
    read = list(csv.reader(io.StringIO(written, newline=""), delimiter=delimiter, strict=True))
    expected = [(shout(text) if at % 2 == 0 else text, note) for at, (text, note) in enumerate(rows)]
    assert read == [["text", "note"], *map(list, expected)]


def test_a_row_of_csv_that_stays_keeps_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(b'id,"text"\r\n1,"one\ntwo"\r\n"2",three\r\n'))
    assert gzip.decompress(rewrite(path, {1: shout}, 2)) == b'id,"text"\r\n1,"one\ntwo"\r\n2,THREE!\r\n'


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


def test_a_file_of_plain_text_is_one_row(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffé\r\n".encode())
    assert rewrite(path, {0: shout}, 1) == "\ufeffÉ\r\n!".encode()
    assert rewrite(path, {}, 1) == path.read_bytes()


def test_a_file_that_has_changed_in_the_meantime_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a"}\n')
    with pytest.raises(CorpusError, match="it had 2 documents when it was read first, and has 1 now"):
        rewrite(path, {}, 2)


@pytest.mark.parametrize(("name", "make"), [("a.html", samples.html), ("a.docx", samples.docx), ("a.pdf", samples.pdf)])
def test_the_changed_text_of_a_rich_file_is_written_beside(tmp_path, name, make):
    pytest.importorskip({"a.html": "selectolax", "a.docx": "docx", "a.pdf": "pypdf"}[name])
    (tmp_path / name).write_bytes(make())
    (source,) = list_sources(tmp_path / name)
    write_edited(source, "text", {0: lambda text: text.replace("The tide", "A tide")}, 1, tmp_path / "out.x")
    assert sorted(path.name for path in tmp_path.iterdir()) == [name, "out.x.txt"]
    ((text,),) = [list(batch.texts) for batch in read(tmp_path / name)]
    assert (tmp_path / "out.x.txt").read_text("utf-8") == text.replace("The tide", "A tide") != text
    write_edited(source, "text", {}, 1, tmp_path / "same.x")
    assert (tmp_path / "same.x").read_bytes() == (tmp_path / name).read_bytes()


def test_the_changed_text_of_another_encoding_is_written_beside_in_utf8(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("one two", encoding="utf-16")
    (source,) = list_sources(path)
    with pytest.warns(UserWarning, match="read as utf-16"):
        write_edited(source, "text", {0: lambda text: text.replace("one ", "")}, 1, tmp_path / "out.txt")
    assert (tmp_path / "out.txt.txt").read_text("utf-8") == "two"
