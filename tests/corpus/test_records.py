"""JSON lines that are no documents."""

from pathlib import Path

import pytest

from ibidem.corpus.records import read_records
from ibidem.errors import CorpusError


def test_records_come_with_the_file_and_the_line_that_hold_them(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}\n\n  \n{"a": 2}')
    found = list(read_records(path))
    assert [(each.line, each.values) for each in found] == [(1, {"a": 1}), (4, {"a": 2})]
    assert str(found[1].fault("no good")) == f"{path}, line 4: no good"


def test_a_line_that_is_no_object_is_named(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"a": 1}\n[2]\n')
    with pytest.raises(CorpusError, match="line 2: an array where an object should be"):
        list(read_records(path))
