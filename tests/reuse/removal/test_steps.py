"""Deduplicating the passages of files: what is written, and that it is whole or not there."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ibidem import CorpusError
from ibidem.engine import WrittenResult
from ibidem.remote.storage import Storage
from ibidem.reuse.removal import writing
from ibidem.reuse.removal.deduplicate import deduplicate_passages_of_files

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


def run(inputs: Path, **settings: Any) -> dict[str, Any]:
    return write(inputs, **settings).summary


def write(inputs: Path, **settings: Any) -> WrittenResult:
    return deduplicate_passages_of_files([inputs], inputs.parent / "out", threads=1, **settings)


def files_below(folder: Path) -> dict[str, bytes]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def listed(inputs: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (inputs.parent / "out/passages.jsonl").read_text().splitlines()]


def test_each_file_loses_what_stood_before_and_keeps_all_else(inputs: Path) -> None:
    summary = run(inputs)
    kept_folder = inputs.parent / "out/kept"
    first, second = [json.loads(line) for line in (kept_folder / "a.jsonl").read_text().splitlines()]
    assert first == ROWS[0]
    assert second == ROWS[1] | {"text": text_of(words(301, 40)) + " "}
    table = pq.read_table(kept_folder / "more/b.parquet").to_pylist()
    assert table == [row | {"text": text_of(words(300 + n, 40)) + " "} for n, row in enumerate(ROWS) if n >= 2]
    assert (kept_folder / "c.txt").read_bytes() == b""
    assert [(row["document"], row["duplicate_of"]) for row in listed(inputs)] == [
        (name, "d0") for name in ("d1", "c.txt", "d2", "d3")
    ]
    for row in listed(inputs):
        assert row["text"].strip() == text_of(LICENCE)
        assert ROWS[0]["text"][row["of_start"] : row["of_end"]] == text_of(LICENCE)
    assert json.loads((kept_folder.parent / "summary.json").read_text()) == summary
    assert summary.pop("settings")["min_length"] == 50
    assert summary == {
        "action": "remove",
        "documents": 5,
        "tokens": 460,
        "longest_document": 100,
        "passages": 4,
        "passage_tokens": 240,
        "ignored_passages": 0,
        "changed_documents": 4,
        "emptied_documents": 1,
        "rows_left_out": 0,
        "files_left_out": 0,
        "null_rows_kept": 0,
        "files_passed_over": {},
    }
    assert sorted(each.name for each in kept_folder.parent.iterdir()) == [
        "kept",
        "passages.jsonl",
        "rows_left_out.jsonl",
        "summary.json",
    ]


def test_a_mask_keeps_all_places(inputs: Path) -> None:
    run(inputs, action="mask")
    text = (inputs.parent / "out/kept/c.txt").read_text("utf-8")
    assert len(text) == len(text_of(LICENCE)) + 1
    assert set(text) == {"*", " ", "\n"}


def test_to_annotate_adds_a_column_and_changes_no_text(inputs: Path) -> None:
    run(inputs, action="annotate")
    kept_folder = inputs.parent / "out/kept"
    rows = [json.loads(line) for line in (kept_folder / "a.jsonl").read_text().splitlines()]
    rows += pq.read_table(kept_folder / "more/b.parquet").to_pylist()
    assert (kept_folder / "c.txt").read_bytes() == (inputs / "c.txt").read_bytes()
    said = [{"document": row["id"], **each} for row in rows for each in row.pop("repeated")]
    assert rows == ROWS
    expected = [{name: value for name, value in row.items() if name != "text"} for row in listed(inputs)]
    assert said == [row for row in expected if row["document"] != "c.txt"]
    assert len(said) == 3


def test_an_output_that_exists_or_meets_an_input_is_refused(inputs: Path) -> None:
    for output, message in ((inputs, "is an input"), (inputs / "out", "would be inside of the input")):
        with pytest.raises(CorpusError, match=message):
            deduplicate_passages_of_files([inputs], output)
    (inputs.parent / "out").mkdir()
    with pytest.raises(CorpusError, match="it exists already"):
        run(inputs)


@pytest.mark.parametrize(("phase", "resumed"), [("reading", True), ("aligning", True), ("writing", True)])
def test_where_a_run_was_interrupted_the_same_call_goes_on(
    inputs: Path, phase: str, resumed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt_at(name: str, done: int, total: int | None) -> None:
        if name == phase:
            raise KeyboardInterrupt

    monkeypatch.setattr("ibidem.corpus.inputs.PART_BYTES", 1)
    output, before = inputs.parent / "out", files_below(inputs)
    with pytest.raises(KeyboardInterrupt):
        write(inputs, progress=interrupt_at)
    assert not output.exists()
    assert write(inputs).resumed is resumed
    assert files_below(inputs) == before
    assert sorted(each.name for each in inputs.parent.iterdir()) == ["in", "out"]
    output.rename(inputs.parent / "resumed")
    monkeypatch.undo()
    assert not write(inputs).resumed
    assert files_below(inputs.parent / "resumed") == files_below(output)


def test_a_giant_file_is_cut_into_parts(inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a byte order mark, blank lines, no ids, and no end of the last line."""
    path = tmp_path / "giant" / "all.jsonl"
    path.parent.mkdir()
    lines = [json.dumps({"text": row["text"], "year": row["year"]}) for row in ROWS]
    path.write_bytes(b"\xef\xbb\xbf" + "\n\n".join(lines).encode())
    run(path.parent)
    (tmp_path / "out").rename(tmp_path / "whole")
    monkeypatch.setattr("ibidem.corpus.inputs.PART_BYTES", 600)
    run(path.parent)
    assert files_below(tmp_path / "out") == files_below(tmp_path / "whole")


def test_input_and_output_may_lie_in_an_object_store(inputs: Path, object_store: str) -> None:
    run(inputs)
    for path in inputs.rglob("*"):
        if path.is_file():
            Storage(f"{object_store}/in").upload(path, path.relative_to(inputs).as_posix())
    deduplicate_passages_of_files([f"{object_store}/in"], f"{object_store}/out", threads=1)
    storage, expected = Storage(f"{object_store}/out"), files_below(inputs.parent / "out")
    parquet = "kept/more/b.parquet"
    assert {name: storage.read(name) for name in storage.list()}.keys() == expected.keys()
    assert all(storage.read(name) == data for name, data in expected.items() if name != parquet and "kept" in name)


def interrupt(inputs: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException] = KeyboardInterrupt) -> None:
    def fail(*_: object) -> None:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(writing, "rewrite_file", fail)
        with pytest.raises(error):
            write(inputs)


def test_what_was_found_in_other_files_or_for_other_settings_is_not_taken(
    inputs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt(inputs, monkeypatch)
    assert not write(inputs, min_length=60).resumed
    (inputs.parent / "out").rename(inputs.parent / "before")
    interrupt(inputs, monkeypatch)
    with (inputs / "a.jsonl").open("a") as file:
        file.write(json.dumps({"id": "new", "text": text_of(LICENCE)}) + "\n")
    written = write(inputs)
    assert not written.resumed
    assert "new" in {row["document"] for row in listed(inputs)}


def test_what_fails_leaves_nothing(inputs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt(inputs, monkeypatch, CorpusError)
    assert [each.name for each in inputs.parent.iterdir()] == ["in"]


def test_an_action_is_one_of_three(inputs: Path) -> None:
    with pytest.raises(ValueError, match="action is one of remove, mask, annotate"):
        run(inputs, action="drop")
