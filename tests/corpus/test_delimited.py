import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus import delimited, read
from ibidem.errors import CorpusError

FIELDS = st.text(alphabet=st.characters(codec="utf-8"), max_size=30)


def csv_of(rows, **options):
    written = io.StringIO(newline="")
    csv.writer(written, **options).writerows(rows)
    return written.getvalue().encode()


@given(
    kind=st.sampled_from([("csv", ","), ("tsv", "\t")]),
    rows=st.lists(st.tuples(FIELDS, FIELDS.filter(bool), FIELDS), max_size=5),
    end=st.sampled_from(["\n", "\r\n"]),
    mark=st.booleans(),
)
def test_what_csv_writes_is_read_back(records, tmp_path_factory, *, kind, rows, end, mark):
    suffix, delimiter = kind
    path = tmp_path_factory.mktemp("csv") / f"a.{suffix}"
    header = ("text", "id", "größe, cm")
    content = csv_of([header, *rows], delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL)
    path.write_bytes(b"\xef\xbb\xbf" * mark + content)
    assert records(path) == [(id, text, {header[2]: other}) for text, id, other in rows]


def test_values_are_strings_as_the_file_has_them(records, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,text,n,empty\n007,1.50,NaN,\n")
    assert records(path) == [("007", "1.50", {"n": "NaN", "empty": ""})]


def test_quoted_fields_hold_line_ends(records, tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b'id,text\r\n1,"a\r\nb\n\nc\rd"\r\n2,e\r\n')
    assert records(path) == [("1", "a\r\nb\n\nc\rd", {}), ("2", "e", {})]


def test_rows_without_ids_are_named_by_file_and_row(records, tmp_path, monkeypatch):
    (tmp_path / "a.tsv").write_text('text\n"x\ny"\n\n"z"\n')
    monkeypatch.chdir(tmp_path)
    assert records("a.tsv") == [("a.tsv:0", "x\ny", {}), ("a.tsv:1", "z", {})]


def test_a_long_field_is_read(records, tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(csv_of([("id", "text"), ("1", "word " * 100_000)]))
    assert records(path) == [("1", "word " * 100_000, {})]


@pytest.mark.parametrize("content", [b"", b"\n\n", b"id,text\n", b"\xef\xbb\xbfid,text"])
def test_a_file_without_rows_has_no_documents(records, tmp_path, content):
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    assert records(path) == []


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (b"id,body\n", {}, r"line 1, column 'text': there is no such column \(columns: 'id', 'body'\); name"),
        (b"id,text\n", {"id": "key"}, r"line 1, column 'key': there is no such column \(columns: 'id', 'text'\)"),
        (b"\nid,text,id\n", {}, "line 2, column 'id': two columns have this name"),
        (b'id,text\n1,"a\nb"\n2\n', {}, "line 4: 1 fields where the header has 2"),
        (b"id,text\n1,a,b\n", {}, "line 2: 3 fields where the header has 2"),
        (b'id,text\n1,a\n2,"b\nc\nd\n', {}, "line 3: invalid row: a quote opened here is never closed"),
        (b'id,text\n1,"a"b\n', {}, "line 2: invalid row: .*; write a quote inside quotes as"),
        (b"id,text\n1,a\rb\n", {}, "line 2: invalid row: a carriage return that ends no line"),
        (b'id,text\n1,"a\n\xff"\n', {}, "line 3: invalid UTF-8 at byte 1 of the line"),
        (b"id,text\n,a\n", {}, "line 2, column 'id': the id is empty"),
    ],
)
def test_an_error_names_file_line_column_and_cause(records, tmp_path, content, options, message):
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=f"^{re.escape(str(path))}, {message}") as caught:
        records(path, **options)
    assert "\n" not in str(caught.value)


def test_a_quote_that_swallows_the_file_is_stopped(records, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('id,text\n1,"' + "a\n" * 100)
    with pytest.raises(CorpusError, match="line 2: invalid row: a quote opened here is never closed"):
        records(path)
    with pytest.raises(CorpusError, match="line 2: invalid row: a quote opened here is never closed"):
        list(read(path, max_line=40))


@given(st.lists(st.text(st.sampled_from('ab,;"\r\n\t\0 ')), min_size=1, max_size=4), st.sampled_from(",;\t"))
def test_a_row_is_read_back_field_by_field(fields: list[str], delimiter: str) -> None:
    row = delimited.format_row(fields, delimiter) + "\n"
    assert list(csv.reader(io.StringIO(row, newline=""), delimiter=delimiter, strict=True)) == [fields]
