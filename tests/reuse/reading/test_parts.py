"""Documents that were read, in one part or several, on the disk or not, are the same rows."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ibidem.errors import CorpusError
from ibidem.resources import Resources
from ibidem.reuse.reading.parts import InputRows, PartReader, read_part
from ibidem.text import Texts, as_batches, make_tokenizer

ROWS: list[dict[str, Any]] = [
    {"id": "née", "text": "Ünd so weiter, und so fort", "year": 1900, "tags": ["a"]},
    {"id": "empty", "text": ""},
    {"id": "\U0001f600", "text": "so it goes", "year": None},
    {"id": "last", "text": "und so"},
]


def make_reader(folder: Path, *groups: list[dict[str, Any]], side: int = 0) -> PartReader:
    """A reader that has read some documents, each group of them by itself."""
    folder.mkdir()
    reader = PartReader(folder, make_tokenizer("words"))
    for group in groups:
        reader.read(as_batches(group), side, Resources.of("64M", 2, None))
    return reader


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
    part = make_reader(tmp_path / "a", ROWS[:3], ROWS[3:]).part()
    require_rows(InputRows.of([part]), ROWS)
    assert part.batches.tolist() == [0, 0, 0, 1]
    vocabularies = np.split(part.vocabulary, part.vocabulary_bounds[1:-1])
    assert (
        [len(np.unique(vocabulary)) for vocabulary in vocabularies]
        == [len(vocabulary) for vocabulary in vocabularies]
        == [7, 2]
    )
    assert part.counts.sum() == sum(len(record["text"].split()) for record in ROWS)


def test_a_part_is_the_same_when_it_is_opened_again(tmp_path: Path) -> None:
    reader = make_reader(tmp_path / "a", ROWS, side=1)
    expected = reader.part()
    reader.finish()
    again = read_part(tmp_path / "a")
    require_rows(InputRows.of([again]), ROWS)
    for name in ("side", "batches", "vocabulary", "vocabulary_bounds", "counts"):
        assert getattr(again, name).dtype == getattr(expected, name).dtype
        assert np.array_equal(getattr(again, name), getattr(expected, name)), name
    for name, values in expected.columns.items():
        assert np.array_equal(again.columns[name], values), name


def test_several_parts_are_rows_in_the_order_that_is_asked_for(tmp_path: Path) -> None:
    parts = [make_reader(tmp_path / str(number), group).part() for number, group in enumerate((ROWS[:1], [], ROWS[1:]))]
    rows = InputRows.of(parts)
    require_rows(rows, ROWS)
    require_rows(rows._replace(order=np.array([3, 0, 2, 1])), [ROWS[3], ROWS[0], ROWS[2], ROWS[1]])


def test_a_reader_that_read_nothing_leaves_a_part_without_a_document(tmp_path: Path) -> None:
    make_reader(tmp_path / "a").finish()
    part = read_part(tmp_path / "a")
    assert (part.ids, len(part.side), len(part.vocabulary)) == ([], 0, 0)
    assert InputRows.of([part]).lengths("texts").tolist() == []


def test_two_documents_of_one_id_are_named_by_their_numbers(tmp_path: Path) -> None:
    parts = [make_reader(tmp_path / "a", ROWS).part(), make_reader(tmp_path / "b", ROWS[2:3]).part()]
    InputRows.of(parts[:1]).require_distinct_ids()
    with pytest.raises(CorpusError, match="document id '\U0001f600' occurs twice: documents 3 and 5"):
        InputRows.of(parts).require_distinct_ids()


def test_documents_that_are_taken_in_turns_are_given_back_after_a_few_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = InputRows.of([make_reader(tmp_path / "a", ROWS).part()])
    given_back: list[int] = []
    monkeypatch.setattr("ibidem.reuse.reading.parts.release_pages", lambda values: given_back.append(values.nbytes))
    documents = [number // 2 for number in range(300)]
    assert list(rows.take_turns(documents, "texts", "starts")) == documents
    columns = rows.parts[0].columns
    assert given_back == 3 * [columns["texts"].nbytes, columns["starts"].nbytes]
    assert list(rows.take_turns([])) == []
