"""Documents that were read, in one part or several, are the same rows."""

import json
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ibidem.corpus.failures import Failures
from ibidem.corpus.inputs import Inputs, read_left_out
from ibidem.corpus.rows import Columns
from ibidem.errors import CorpusError
from ibidem.resources import Resources
from ibidem.reuse.documents import DocumentPart, InputRows, ReadPart, open_part, read_documents
from ibidem.text import Texts, as_batches, make_tokenizer

ROWS: list[dict[str, Any]] = [
    {"id": "née", "text": "Ünd so weiter, und so fort", "year": 1900, "tags": ["a"]},
    {"id": "empty", "text": ""},
    {"id": "\U0001f600", "text": "so it goes", "year": None},
    {"id": "last", "text": "und so"},
]


def read(folder: Path, *groups: list[dict[str, Any]], side: int = 0) -> ReadPart:
    """Documents that were read, each group of them a batch."""
    folder.mkdir()
    batches = chain.from_iterable(as_batches(group) for group in groups)
    read_documents(make_tokenizer("words"), DocumentPart(side, batches), folder, Resources.of("64M", 2, None))
    return open_part(folder)


def require_rows(rows: InputRows, expected: list[dict[str, Any]]) -> None:
    """The rows hold these documents."""
    tokenizer = make_tokenizer("words")
    for number, record in enumerate(expected):
        part, row = rows.find(number)
        text = record["text"]
        assert part.ids[row] == record["id"]
        assert rows.slice("texts", number).decode() == text
        assert rows.metadata(number) == {name: value for name, value in record.items() if name not in ("id", "text")}
        encoded = tokenizer.encode(Texts.from_strings([text]), offsets=True)
        starts, ends = rows.places(number)
        assert (starts.tolist(), ends.tolist()) == (encoded.starts.tolist(), encoded.ends.tolist())  # type: ignore[union-attr]
        places = np.split(np.arange(len(part.vocabulary)), part.vocabulary_bounds[1:-1])
        assert part.vocabulary[part.tokens(row, places)].tolist() == encoded.ids.tolist()
    assert rows.lengths("texts").tolist() == [len(record["text"].encode()) for record in expected]


def test_a_part_holds_what_was_read_batch_by_batch(tmp_path: Path) -> None:
    part = read(tmp_path / "a", ROWS[:3], ROWS[3:])
    require_rows(InputRows.of([part]), ROWS)
    assert part.batches.tolist() == [0, 0, 0, 1]
    vocabularies = np.split(part.vocabulary, part.vocabulary_bounds[1:-1])
    assert (
        [len(np.unique(vocabulary)) for vocabulary in vocabularies]
        == [len(vocabulary) for vocabulary in vocabularies]
        == [7, 2]
    )
    assert part.counts.sum() == sum(len(record["text"].split()) for record in ROWS)


def test_a_part_of_files_knows_their_rows_and_what_was_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS[:3]))
    (tmp_path / "b.jsonl").write_text("{}\n" + json.dumps(ROWS[3]) + "\n")
    paths, failures = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"], Failures()
    [part] = Inputs(paths, Columns.of("text", "id"), failures=failures).cut()
    (tmp_path / "read").mkdir()
    resources = Resources.of("64M", 1, None)
    read_documents(make_tokenizer("words"), DocumentPart(1, part), tmp_path / "read", resources)
    opened = open_part(tmp_path / "read")
    require_rows(InputRows.of([opened]), ROWS)
    assert (opened.file_rows, opened.side.tolist()) == ([3, 1], [1, 1, 1, 1])
    assert [(each.path, each.row) for each in read_left_out(tmp_path / "read")] == [(str(paths[1]), 0)]


def test_several_parts_are_rows_in_the_order_that_is_asked_for(tmp_path: Path) -> None:
    parts = [read(tmp_path / str(number), group) for number, group in enumerate((ROWS[:1], [], ROWS[1:]))]
    rows = InputRows.of(parts)
    require_rows(rows, ROWS)
    require_rows(rows._replace(order=np.array([3, 0, 2, 1])), [ROWS[3], ROWS[0], ROWS[2], ROWS[1]])


def test_a_reading_of_nothing_leaves_a_part_without_a_document(tmp_path: Path) -> None:
    part = read(tmp_path / "a")
    assert (part.ids, len(part.side), len(part.vocabulary)) == ([], 0, 0)
    assert InputRows.of([part]).lengths("texts").tolist() == []


def test_two_documents_of_one_id_are_named_by_their_numbers(tmp_path: Path) -> None:
    parts = [read(tmp_path / "a", ROWS), read(tmp_path / "b", ROWS[2:3])]
    InputRows.of(parts[:1]).require_distinct_ids()
    with pytest.raises(CorpusError, match="document id '\U0001f600' occurs twice: documents 2 and 4"):
        InputRows.of(parts).require_distinct_ids()


def test_documents_that_are_taken_in_turns_are_given_back_after_a_few_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = InputRows.of([read(tmp_path / "a", ROWS)])
    given_back: list[int] = []
    monkeypatch.setattr("ibidem.reuse.documents.release_pages", lambda values: given_back.append(values.nbytes))
    documents = [number // 2 for number in range(300)]
    assert list(rows.take_turns(documents, "texts", "starts")) == documents
    columns = rows.parts[0].columns
    assert given_back == 3 * [columns["texts"].nbytes, columns["starts"].nbytes]
    assert list(rows.take_turns([])) == []
