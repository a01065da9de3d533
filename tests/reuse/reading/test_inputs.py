"""Inputs of both kinds: files and indexes."""

from pathlib import Path

import pytest

from ibidem import CorpusError, DocumentIndex, PassageIndex
from ibidem.corpus import ReadingProgress
from ibidem.reuse.reading.inputs import read_inputs


def listed(*paths: Path) -> list[tuple[str, str, bytes]]:
    batches = read_inputs([str(path) for path in paths], text="text", id="id")
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


def test_a_path_that_is_not_there_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="No such file"):
        read_inputs([str(tmp_path / "none")], text="text", id="id")


def test_the_bytes_of_files_are_counted_and_an_index_leaves_the_whole_unknown(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text("in the same place")
    PassageIndex.build(tmp_path / "index", ["one two three"], min_length=2).close()
    paths = [str(tmp_path / f"{name}.txt") for name in ("a", "b")]
    progress = ReadingProgress()
    documents = read_inputs(paths, text="text", id="id", progress=progress)
    assert progress.total == 2 * len("in the same place")
    assert [len(batch.ids) for batch in documents] == [1, 1]
    assert progress.done() == progress.total
    read_inputs([*paths, str(tmp_path / "index")], text="text", id="id", progress=(mixed := ReadingProgress()))
    assert mixed.total is None
