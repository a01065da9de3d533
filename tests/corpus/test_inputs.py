"""An input is cut into parts that give its documents, whatever the size of a part."""

import json
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus.failures import Failures
from ibidem.corpus.inputs import InputPart, Inputs, note_left_out, read_left_out
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import ReadingProgress
from ibidem.errors import CorpusError
from ibidem.resources import Resources

COLUMNS = Columns.of("text", "id")
RESOURCES = Resources.of("64M", 1, None)


def list_documents(parts: list[InputPart]) -> list[tuple[str, str]]:
    batches = (batch for part in parts for batch in part.open(RESOURCES))
    return [(name, batch.texts[number]) for batch in batches for number, name in enumerate(batch.ids)]


@given(
    texts=st.lists(st.text(st.characters(codec="utf-8"), max_size=30), min_size=1, max_size=12),
    part_bytes=st.integers(1, 400),
)
def test_parts_of_any_size_give_the_documents_in_order(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], part_bytes: int
) -> None:
    folder = tmp_path_factory.mktemp("inputs")
    lines = [
        json.dumps({"text": text}, ensure_ascii=False) + "\n" * (1 + number % 2) for number, text in enumerate(texts)
    ]
    (folder / "a.jsonl").write_text("\ufeff" + "".join(lines).rstrip("\n"), encoding="utf-8", newline="")
    (folder / "b.txt").write_text("one two", encoding="utf-8")
    (folder / "c.ndjson").write_text("".join(lines), encoding="utf-8", newline="")
    inputs = Inputs([folder], COLUMNS)
    whole, cut = inputs.cut(), inputs.cut(part_bytes)
    assert len(whole) == 1
    assert list_documents(cut) == list_documents(whole)
    assert [part.first for part in cut] == [
        sum(len(part.sources) for part in cut[:number]) for number in range(len(cut))
    ]


def test_a_file_is_not_looked_at_twice_for_its_progress(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "one two"}\n' * 50)
    progress = ReadingProgress()
    inputs = Inputs([tmp_path], COLUMNS, progress=progress)
    parts = inputs.cut(100)
    assert len(parts) > 5
    list_documents(parts)
    assert progress.done() == progress.total == (tmp_path / "a.jsonl").stat().st_size


def test_a_part_can_be_sent_to_another_process(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "one two"}\n')
    parts = Inputs([tmp_path], COLUMNS, progress=ReadingProgress(), failures=Failures()).cut()
    assert list_documents(pickle.loads(pickle.dumps(parts))) == [("a.jsonl:0", "one two")]


def test_what_a_task_left_out_is_read_again_and_gathered(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "one two"}\n{"text": 3}\n{"text": "four"}\n')
    failures = Failures()
    inputs = Inputs([tmp_path / "a.jsonl"], COLUMNS, failures=failures)
    [part] = inputs.cut()
    left_out = Failures()
    assert sum(len(batch.ids) for batch in part.open(RESOURCES, left_out)) == 2
    (tmp_path / "out").mkdir()
    note_left_out(tmp_path / "out", left_out)
    assert list(read_left_out(tmp_path / "out")) == list(left_out)
    inputs.gather_failures([tmp_path / "out"])
    assert (failures.rows, inputs.count_left_out()["rows_left_out"]) == (1, 1)


def test_a_file_that_changes_meanwhile_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one")
    inputs = Inputs([tmp_path], COLUMNS)
    before = inputs.describe()
    inputs.require_unchanged()
    (tmp_path / "a.txt").write_text("one two")
    with pytest.raises(CorpusError, match=r"a\.txt: .*it was changed while it was read"):
        inputs.require_unchanged()
    assert Inputs([tmp_path], COLUMNS).describe() != before
