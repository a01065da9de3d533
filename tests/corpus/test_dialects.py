"""Separated values as spreadsheets write them: with other delimiters, in other encodings."""

import bz2
import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus import read
from ibidem.corpus.dialects import find_dialect, parse_delimiter
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.changes import Changes, NewColumn, keep_all
from ibidem.corpus.writing.removed import separate_rows
from ibidem.corpus.writing.rewriting import rewrite_file
from ibidem.errors import CorpusError

GERMAN = "Die Häuser stehen am Ende des Weges, und am Abend, wenn die Flut zurückgeht, gehen alle hinaus"
RUSSIAN = "Дома стоят в конце дороги, и вечером, когда отступает прилив, все выходят к берегу моря"

ROWS = [("id", "text", "größe"), ("1", GERMAN, "2;5"), ("2", f'He said:\n"{GERMAN}"', "a|b")]


def write_rows(delimiter: str, encoding: str, *, before: str = "") -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter).writerows(ROWS)
    return (before + out.getvalue()).encode(encoding)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.csv.bz2"])
@pytest.mark.filterwarnings("ignore:.*read as cp1252")
def test_what_a_spreadsheet_writes_is_read(records, tmp_path, delimiter, encoding, name) -> None:
    content = write_rows(delimiter, encoding)
    (tmp_path / name).write_bytes(bz2.compress(content) if name.endswith("bz2") else content)
    assert records(tmp_path / name) == [(id, text, {"größe": other}) for id, text, other in ROWS[1:]]


@pytest.mark.parametrize("delimiter", [";", "\t", ",", "^"])
@pytest.mark.parametrize("line", ["sep={}\r\n", '"sep={}"\n', "SEP={}\n"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_first_line_names_the_delimiter(records, tmp_path, delimiter, line, encoding) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(write_rows(delimiter, encoding, before=line.format(delimiter)))
    assert [id for id, _, _ in records(path)] == ["1", "2"]


@pytest.mark.parametrize(("text", "encoding"), [(GERMAN, "cp1252"), (RUSSIAN, "cp1251")])
def test_the_code_page_is_found_out_and_said(records, tmp_path, text, encoding) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(f'id,text\n1,"{text}"\n2,"{text}"\n'.encode(encoding))
    with pytest.warns(UserWarning, match=rf"a\.csv: read as {encoding}; if that is wrong, name the encoding"):
        assert [found for _, found, _ in records(path)] == [text, text]


def test_a_damaged_byte_in_utf8_is_no_other_encoding(records, tmp_path) -> None:
    path = tmp_path / "a.csv"
    for damaged in (f"1,{GERMAN[:10]}".encode() + b"\xff\xfe", b"1,a\xff"):
        path.write_bytes(b"id,text\n" + damaged + b"\n")
        with pytest.raises(CorpusError, match=r"line 2: invalid UTF-8 .*or name its encoding \(encoding, --encoding\)"):
            records(path)


@pytest.mark.parametrize(
    "content",
    [
        "text\na; b; c\nd; e; f\n",  # one column
        "id,text\n1,a;b;c\n2,d;e;f\n",
        "id,text (de;en;fr)\n1,a\n",
        "id,text\n1,a,b;c\n2,d\n",  # rows that do not fit
        "id,text|de\n",
    ],
)
def test_other_signs_in_a_file_with_commas_are_no_delimiters(tmp_path, content) -> None:
    (tmp_path / "a.csv").write_text(content)
    assert find_dialect(Source(str(tmp_path / "a.csv"), "a.csv"), "csv").delimiter == ","


@given(
    rows=st.lists(st.lists(st.text(st.sampled_from('ab ,;|\t"\n')), min_size=3, max_size=3), min_size=2, max_size=5),
    delimiter=st.sampled_from(",;\t|"),
)
def test_what_is_quoted_hides_no_delimiter(tmp_path_factory, rows, delimiter) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows([["a", "b", "c"], *rows])
    path = tmp_path_factory.mktemp("quoted") / "a.csv"
    path.write_text(out.getvalue(), newline="")
    assert find_dialect(Source(str(path), "a.csv"), "csv").delimiter == delimiter


def test_a_delimiter_that_is_named_is_used(tmp_path) -> None:
    (tmp_path / "a.csv").write_text("id~text\n1~a,b;c\n")
    for name in ("~", "~"):
        assert [batch.texts[0] for batch in read(tmp_path / "a.csv", delimiter=name)] == ["a,b;c"]
    assert [parse_delimiter(name) for name in ("tab", "TAB", r"\t", "\t", ";", None)] == ["\t"] * 4 + [";", None]
    for name in ("", ";;", "a", "é", '"', "\n"):
        with pytest.raises(ValueError, match="a delimiter is a sign"):
            read(tmp_path / "a.csv", delimiter=name)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
@pytest.mark.parametrize("before", ["", "sep=;\r\n"])
@pytest.mark.filterwarnings("ignore:.*read as cp1252")
def test_what_is_written_again_keeps_the_delimiter(records, tmp_path: Path, encoding: str, before: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(write_rows(";", encoding, before=before))
    source, rows = Source(str(path), "a.csv"), [(id, text, {"größe": other}) for id, text, other in ROWS[1:]]
    changes, keep = Changes(keep_all(2)), np.array([False, True])
    rewrite_file(source, Changes(keep), tmp_path / "kept.csv")
    assert (tmp_path / "kept.csv").read_text().startswith(before.strip() or "id;text")
    assert records(tmp_path / "kept.csv") == rows[1:]
    rewrite_file(source, changes._replace(edits={0: str.upper}), tmp_path / "edited.csv")
    assert records(tmp_path / "edited.csv") == [("1", GERMAN.upper(), rows[0][2]), rows[1]]
    column = NewColumn("new", {"n": "int64"}, {1: [{"n": 7}]})
    rewrite_file(source, changes._replace(column=column), tmp_path / "more.csv")
    assert [json.loads(other["new"]) for _, _, other in records(tmp_path / "more.csv")] == [[], [{"n": 7}]]
    separate_rows(source, ~keep, "text", lambda row: {"id": "x"}, tmp_path / "first.csv", tmp_path / "gone")
    assert json.loads((tmp_path / "gone").read_text())["größe"] == "a|b"
