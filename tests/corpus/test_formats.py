"""Which format a file is in, by its name; an index is an input beside files."""

from pathlib import Path

import pytest

from ibidem import CorpusError, DocumentIndex, PassageIndex
from ibidem.corpus import ReadingProgress
from ibidem.corpus.formats import FORMATS, format_of
from ibidem.corpus.inputs import Inputs
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.resources import Resources


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.jsonl", "jsonl"),
        ("A.JSON.GZ", "jsonl"),
        ("a.pq", "parquet"),
        ("a.csv.zst", "csv"),
        ("a.tab", "tsv"),
        ("a.md", "text"),
        ("csv", "text"),
    ],
)
def test_the_suffix_tells_the_format_whatever_the_case_and_the_compression(path: str, name: str) -> None:
    assert format_of(Source(path, path)) is FORMATS[name]


def test_a_pipe_holds_json_lines() -> None:
    assert format_of(Source("a.csv", "a.csv", is_pipe=True)) is FORMATS["jsonl"]


COLUMNS = Columns.of("text", "id")


def listed(*paths: Path) -> list[tuple[str, str, bytes]]:
    resources = Resources.of("64M", 1, None)
    batches = (batch for part in Inputs(paths, COLUMNS, indexes=True).cut() for batch in part.open(resources))
    return [document for batch in batches for document in zip(batch.ids, batch.texts, batch.metadata, strict=True)]


def test_an_index_gives_the_documents_that_it_was_made_of(tmp_path: Path) -> None:
    given = [{"id": "a", "text": "one two three", "year": 1900}, {"id": "b", "text": "é"}, {"id": "c", "text": ""}]
    (tmp_path / "more.jsonl").write_text('{"id": "d", "text": "four"}\n')
    with PassageIndex.build(tmp_path / "passages", given, min_length=2) as index:
        index.add([("late", "five")])
        index.remove(["b"])
    expected = [("a", "one two three", b'{"year":1900}'), ("c", "", b"{}"), ("late", "five", b"{}")]
    assert listed(tmp_path / "passages") == expected
    assert listed(tmp_path / "more.jsonl", tmp_path / "passages") == [("d", "four", b"{}"), *expected]
    DocumentIndex.build(tmp_path / "documents", given).close()
    assert [document[0] for document in listed(tmp_path / "documents")] == ["a", "b", "c"]


def test_an_index_that_changes_is_another_input(tmp_path: Path) -> None:
    with PassageIndex.build(tmp_path / "index", ["one two three"], min_length=2) as index:
        inputs = Inputs([tmp_path / "index"], COLUMNS, indexes=True)
        inputs.require_unchanged()
        index.add([("late", "five")])
    with pytest.raises(CorpusError, match="it was changed while it was read"):
        inputs.require_unchanged()


def test_an_index_leaves_the_bytes_to_read_unknown(tmp_path: Path) -> None:
    PassageIndex.build(tmp_path / "index", ["one two three"], min_length=2).close()
    Inputs([tmp_path / "index"], COLUMNS, indexes=True, progress=(progress := ReadingProgress()))
    assert progress.total is None
