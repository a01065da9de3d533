"""Parts of files: the rows that are wanted, byte for byte."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.filtering import CountedDocuments, write_filtered
from ibidem.errors import CorpusError

LINES = [b'{"text":  "a"}\n', b'{"id": "x", "text": "b"}\r\n', b'{"text": "c"}']


def filter_file(path: Path, wanted: list[bool]) -> bytes:
    target = path.with_name(f"kept-{path.name}")
    target.unlink(missing_ok=True)
    write_filtered(Source(str(path), path.name), np.array(wanted), target)
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


def test_a_file_that_has_changed_in_the_meantime_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(LINES))
    with pytest.raises(CorpusError, match="it had 2 documents when it was read first, and has 3 now"):
        filter_file(path, [True, True])


def test_documents_are_counted_file_by_file(tmp_path: Path) -> None:
    files = []
    for name, lines in (("a.jsonl", LINES), ("b.jsonl", LINES[:1])):
        (tmp_path / name).write_bytes(b"".join(lines[:1] if name == "b.jsonl" else [lines[0]] * 3))
        files.append(Source(str(tmp_path / name), name))
    documents = CountedDocuments(files, Columns("text", "id"))
    assert sum(len(batch.ids) for batch in documents) == 4
    assert documents.counts == [3, 1]
