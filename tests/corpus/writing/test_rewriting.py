"""Files without some rows, with other texts or with one more column: each format keeps all else as it stands."""

import csv
import gzip
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus import read
from ibidem.corpus.listing import list_sources
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.changes import Changes, Edit, NewColumn, keep_all
from ibidem.corpus.writing.rewriting import rewrite_file
from ibidem.errors import CorpusError
from tests.corpus.readers import samples


def shout(text: str) -> str:
    return text.upper() + "!"


def rewrite(path: Path, edits: Mapping[int, Edit], rows: int, column: str = "text") -> bytes:
    target = path.with_name(f"new-{path.name}")
    target.unlink(missing_ok=True)
    rewrite_file(Source(str(path), path.name), Changes(keep_all(rows), column, edits), target)
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
    changes = Changes(keep_all(1), edits={0: lambda text: text.replace("The tide", "A tide")})
    rewrite_file(source, changes, tmp_path / "out.x")
    assert sorted(path.name for path in tmp_path.iterdir()) == [name, "out.x.txt"]
    ((text,),) = [list(batch.texts) for batch in read(tmp_path / name)]
    assert (tmp_path / "out.x.txt").read_text("utf-8") == text.replace("The tide", "A tide") != text
    rewrite_file(source, Changes(keep_all(1)), tmp_path / "same.x")
    assert (tmp_path / "same.x").read_bytes() == (tmp_path / name).read_bytes()


def test_the_changed_text_of_another_encoding_is_written_beside_in_utf8(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("one two", encoding="utf-16")
    (source,) = list_sources(path)
    changes = Changes(keep_all(1), edits={0: lambda text: text.replace("one ", "")})
    with pytest.warns(UserWarning, match="read as utf-16"):
        rewrite_file(source, changes, tmp_path / "out.txt")
    assert (tmp_path / "out.txt.txt").read_text("utf-8") == "two"


LINES = [b'{"text":  "a"}\n', b'{"id": "x", "text": "b"}\r\n', b'{"text": "c"}']


def filter_file(path: Path, wanted: list[bool]) -> bytes:
    target = path.with_name(f"kept-{path.name}")
    target.unlink(missing_ok=True)
    rewrite_file(Source(str(path), path.name), Changes(np.array(wanted)), target)
    return target.read_bytes()


@given(wanted=st.lists(st.booleans(), min_size=3, max_size=3))
def test_json_lines_are_copied_as_they_stand(wanted: list[bool], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("lines") / "a.jsonl"
    path.write_bytes(b"\n".join([b"".join(LINES[:2]), LINES[2]]))  # with a blank line, which is no row
    expected = [
        line if line.endswith(b"\n") else line + b"\n" for line, kept in zip(LINES, wanted, strict=True) if kept
    ]
    assert filter_file(path, wanted) == b"".join(expected)


def test_a_csv_keeps_its_header_and_rows_of_several_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b'id,text\n1,"one\ntwo"\n2,three\n')
    assert filter_file(path, [True, False]) == b'id,text\n1,"one\ntwo"\n'


def test_a_compressed_file_stays_compressed(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b"".join(LINES)))
    assert gzip.decompress(filter_file(path, [False, False, True])) == LINES[2] + b"\n"


KINDS = {"start": "int64", "of": "string"}

FOUND = [{"start": 3, "of": 'a "b", é\n'}, {"start": 9, "of": "c"}]


def annotate(path: Path, rows: int, found: dict[int, Any] | None = None, name: str = "more") -> bytes:
    target = path.with_name(f"new-{path.name}")
    column = NewColumn(name, KINDS, {0: FOUND} if found is None else found)
    rewrite_file(Source(str(path), path.name), Changes(keep_all(rows), column=column), target)
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


def test_rows_are_dropped_changed_and_annotated_at_once(tmp_path: Path) -> None:
    keep, column = np.array([True, False, True]), NewColumn("more", KINDS, {2: FOUND})
    table = pd.DataFrame({"id": list("xyz"), "text": list("abc")})
    table.to_json(tmp_path / "a.jsonl", orient="records", lines=True)
    table.to_csv(tmp_path / "a.csv", index=False)
    table.to_parquet(tmp_path / "a.parquet")
    for name in ("a.jsonl", "a.csv", "a.parquet"):
        target = tmp_path / f"new-{name}"
        rewrite_file(Source(str(tmp_path / name), name), Changes(keep, "text", {2: shout}, column), target)
        if name == "a.csv":
            rows = pd.read_csv(target).to_dict("records")
            rows = [row | {"more": json.loads(row["more"])} for row in rows]
        else:
            rows = (
                pq.read_table(target).to_pylist()
                if name == "a.parquet"
                else list(map(json.loads, target.read_text("utf-8").splitlines()))
            )
        assert rows == [{"id": "x", "text": "a", "more": []}, {"id": "z", "text": "C!", "more": FOUND}]
