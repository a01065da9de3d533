"""Files of lines as their bytes."""

import io
from pathlib import Path

import pytest

from ibidem.corpus.sources import Source
from ibidem.corpus.writing.raw_rows import split_delimited, split_lines


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b""])
def test_rows_of_lines_keep_their_ends_and_the_last_gets_one(tmp_path: Path, ending: bytes) -> None:
    data = b'\xef\xbb\xbf{"text": 1}\r\n\n \n{}' + ending
    rows = list(split_lines(Source(str(tmp_path / "a.jsonl"), "a"), io.BytesIO(data)))
    assert [row.data for row in rows] == [b"\xef\xbb\xbf", b'{"text": 1}\r\n', b"{}" + (ending or b"\n")]
    assert [row.is_row for row in rows] == [False, True, True]


def test_rows_of_values_may_have_several_lines_and_a_line_before_the_header(tmp_path: Path) -> None:
    data = b'sep=;\nid;text\n1;"one\ntwo"\n2;b'
    rows = list(split_delimited(Source(str(tmp_path / "a.csv"), "a"), io.BytesIO(data), ";"))
    assert b"".join(row.data for row in rows) == data + b"\n"
    assert [(row.is_row, row.is_header) for row in rows] == [
        (False, False),
        (False, True),
        (True, False),
        (True, False),
    ]
