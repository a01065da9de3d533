"""Deduplicating the passages of files: what is written, and that it is whole or not there."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ibidem import CorpusError
from ibidem.resources import Resources
from ibidem.reuse.removal import files
from ibidem.reuse.removal.deduplicate import PassageChoices
from ibidem.reuse.removal.files import deduplicate_passages_of_files

from .test_deduplicate import LICENCE, text_of, words

ROWS = [{"id": f"d{n}", "text": text_of(words(300 + n, 40), LICENCE), "year": n} for n in range(4)]


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    (folder / "more").mkdir(parents=True)
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS[:2]))
    pq.write_table(pa.Table.from_pylist(ROWS[2:]), folder / "more/b.parquet")
    (folder / "c.txt").write_text(text_of(LICENCE) + "\n", "utf-8")
    return folder


def run(inputs: Path, action: str = "remove", **choices: Any) -> dict[str, Any]:
    resources = Resources.of("1G", 1, None)
    return deduplicate_passages_of_files(
        [inputs], inputs.parent / "out", PassageChoices(**choices).require_valid(), resources, action=action
    )


def listed(inputs: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (inputs.parent / "out/passages.jsonl").read_text().splitlines()]


def test_each_file_loses_what_stood_before_and_keeps_all_else(inputs: Path) -> None:
    summary = run(inputs)
    kept = inputs.parent / "out/kept"
    first, second = [json.loads(line) for line in (kept / "a.jsonl").read_text().splitlines()]
    assert first == ROWS[0]
    assert second == ROWS[1] | {"text": text_of(words(301, 40)) + " "}
    table = pq.read_table(kept / "more/b.parquet").to_pylist()
    assert table == [row | {"text": text_of(words(300 + n, 40)) + " "} for n, row in enumerate(ROWS) if n >= 2]
    assert (kept / "c.txt").read_bytes() == b""
    assert [(row["document"], row["duplicate_of"]) for row in listed(inputs)] == [
        (name, "d0") for name in ("d1", "c.txt", "d2", "d3")
    ]
    for row in listed(inputs):
        assert row["text"].strip() == text_of(LICENCE)
        assert ROWS[0]["text"][row["of_start"] : row["of_end"]] == text_of(LICENCE)
    assert summary == {
        "action": "remove",
        "documents": 5,
        "tokens": 460,
        "passages": 4,
        "passage_tokens": 240,
        "changed_documents": 4,
        "emptied_documents": 1,
    }
    assert json.loads((kept.parent / "summary.json").read_text()) == summary
    assert sorted(each.name for each in kept.parent.iterdir()) == ["kept", "passages.jsonl", "summary.json"]


def test_a_mask_keeps_all_places(inputs: Path) -> None:
    run(inputs, action="mask")
    text = (inputs.parent / "out/kept/c.txt").read_text("utf-8")
    assert len(text) == len(text_of(LICENCE)) + 1
    assert set(text) == {"*", " ", "\n"}


def test_to_annotate_adds_a_column_and_changes_no_text(inputs: Path) -> None:
    run(inputs, action="annotate")
    kept = inputs.parent / "out/kept"
    rows = [json.loads(line) for line in (kept / "a.jsonl").read_text().splitlines()]
    rows += pq.read_table(kept / "more/b.parquet").to_pylist()
    assert (kept / "c.txt").read_bytes() == (inputs / "c.txt").read_bytes()
    said = [{"document": row["id"], **each} for row in rows for each in row.pop("repeated")]
    assert rows == ROWS
    expected = [{name: value for name, value in row.items() if name != "text"} for row in listed(inputs)]
    assert said == [row for row in expected if row["document"] != "c.txt"]
    assert len(said) == 3


def test_an_output_that_exists_or_meets_an_input_is_refused(inputs: Path) -> None:
    resources = Resources.of("1G", 1, None)
    for output, message in ((inputs, "is an input"), (inputs / "out", "would stand in the input")):
        with pytest.raises(CorpusError, match=message):
            deduplicate_passages_of_files([inputs], output, PassageChoices(), resources)
    (inputs.parent / "out").mkdir()
    with pytest.raises(CorpusError, match="it exists already"):
        run(inputs)


def test_what_is_interrupted_leaves_nothing(inputs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(files, "write_edited", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run(inputs)
    assert [each.name for each in inputs.parent.iterdir()] == ["in"]


def test_an_action_is_one_of_three(inputs: Path) -> None:
    with pytest.raises(ValueError, match="action is one of remove, mask, annotate"):
        run(inputs, action="drop")
