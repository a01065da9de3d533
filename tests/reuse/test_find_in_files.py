"""``find_reuse_in_files``: the same bytes however the input is cut, wherever it lies, and whatever was interrupted."""

import json
from pathlib import Path
from typing import Any

import pytest

from ibidem import CorpusError, find_reuse
from ibidem.corpus.failures import Failures
from ibidem.engine import WrittenResult
from ibidem.remote.storage import Storage
from ibidem.reuse import steps
from ibidem.reuse.find import find_reuse_in_files
from ibidem.reuse.outputs.result import TABLES, read_reuse_table


@pytest.fixture
def inputs(quoted: list[dict[str, Any]], tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(3):
        lines = [json.dumps(row) + "\n" for row in quoted[2 * number : 2 * number + 2]]
        (folder / f"{number}.jsonl").write_text("".join(lines))
    return folder


def write(inputs: Path, **settings: Any) -> WrittenResult:
    asked = {"format": "jsonl", "also": ["graphml", "tei"], "date": "year", "threads": 1} | settings
    return find_reuse_in_files([inputs], inputs.parent / "out", **asked)


def files_below(folder: Path) -> dict[str, bytes]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_the_tables_are_those_of_the_call(inputs: Path, quoted: list[dict[str, Any]]) -> None:
    reuse = find_reuse(quoted, date="year")
    result = write(inputs, format="parquet")
    assert (result.summary, result.resumed) == (json.loads(json.dumps(reuse.summary)), False)
    for name in TABLES:
        assert read_reuse_table(inputs.parent / "out", name).equals(getattr(reuse, name)), name
    assert sorted(each.name for each in inputs.parent.iterdir()) == ["in", "out"]


def cut_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task for every file, for every range of keys, and for every pair of documents."""
    monkeypatch.setattr("ibidem.corpus.inputs.PART_BYTES", 1500)
    monkeypatch.setattr(steps, "_RECORDS_OF_TASK", 200)
    monkeypatch.setattr(steps, "_PAIRS_OF_TASK", 1)


@pytest.mark.parametrize("settings", [{}, {"recall": 1.0}, {"series": "year"}], ids=["bands", "exact", "series"])
def test_many_tasks_write_the_bytes_of_few(
    inputs: Path, settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(inputs, **settings)
    (inputs.parent / "out").rename(inputs.parent / "few")
    cut_everything(monkeypatch)
    write(inputs, **settings)
    assert files_below(inputs.parent / "out") == files_below(inputs.parent / "few")


def test_a_giant_file_is_cut_between_lines(
    quoted: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has a byte order mark, blank lines, no ids, and no end of the last line."""
    path = tmp_path / "giant" / "all.jsonl"
    path.parent.mkdir()
    lines = [json.dumps({"text": row["text"], "year": row["year"]}) for row in quoted]
    path.write_bytes(b"\xef\xbb\xbf" + "\n\n".join(lines).encode())
    write(path.parent)
    (tmp_path / "out").rename(tmp_path / "whole")
    cut_everything(monkeypatch)
    write(path.parent)
    assert files_below(tmp_path / "out") == files_below(tmp_path / "whole")


@pytest.mark.parametrize(
    ("phase", "resumed"), [("reading", True), ("joining", True), ("aligning", True), ("writing", True)]
)
def test_where_a_run_was_interrupted_the_same_call_goes_on(
    inputs: Path, phase: str, resumed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt_at(name: str, done: int, total: int | None) -> None:
        if name == phase:
            raise KeyboardInterrupt

    cut_everything(monkeypatch)
    output = inputs.parent / "out"
    with pytest.raises(KeyboardInterrupt):
        write(inputs, progress=interrupt_at)
    assert not output.exists()
    assert write(inputs).resumed is resumed
    assert sorted(each.name for each in inputs.parent.iterdir()) == ["in", "out"]
    output.rename(inputs.parent / "resumed")
    assert not write(inputs).resumed
    assert files_below(inputs.parent / "resumed") == files_below(output)


@pytest.mark.parametrize("change", ["setting", "file"])
def test_what_was_found_for_another_question_or_input_is_not_taken(inputs: Path, change: str) -> None:
    def interrupt(name: str, done: int, total: int | None) -> None:
        if name == "writing":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(inputs, progress=interrupt)
    if change == "file":
        with (inputs / "0.jsonl").open("a") as file:
            file.write(json.dumps({"id": "new", "text": "something else"}) + "\n")
    result = write(inputs, threshold=0.4 if change == "setting" else 0.3)
    assert not result.resumed
    assert result.summary["documents"] == 6 + (change == "file")


def test_input_and_output_may_lie_in_an_object_store(inputs: Path, object_store: str) -> None:
    for path in inputs.iterdir():
        Storage(f"{object_store}/in").upload(path, path.name)
    expected = write(inputs).summary
    settings = {"format": "jsonl", "also": ["graphml", "tei"], "date": "year"}
    assert find_reuse_in_files(f"{object_store}/in", f"{object_store}/out", **settings).summary == expected
    storage = Storage(f"{object_store}/out")
    assert {name: storage.read(name) for name in storage.list()} == files_below(inputs.parent / "out")
    with pytest.raises(CorpusError, match="is not empty"):
        find_reuse_in_files(f"{object_store}/in", f"{object_store}/out")


def test_what_cannot_be_read_is_left_out_and_counted(inputs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (inputs / "1.jsonl").write_text("{}\n" + (inputs / "1.jsonl").read_text())
    with pytest.raises(CorpusError, match=r"1\.jsonl, line 1"):
        write(inputs)
    assert sorted(each.name for each in inputs.parent.iterdir()) == ["in"]
    cut_everything(monkeypatch)
    summary = write(inputs, failures=(failures := Failures())).summary
    assert (summary["documents"], summary["rows_left_out"], summary["files_left_out"]) == (6, 1, 0)
    assert [(each.row, Path(each.path).name) for each in failures] == [(0, "1.jsonl")]


def test_a_run_of_files_is_updated_by_its_folder(inputs: Path, quoted: list[dict[str, Any]]) -> None:
    write(inputs)
    (inputs.parent / "out").rename(inputs.parent / "first")
    (inputs / "3.jsonl").write_text(json.dumps(quoted[0] | {"id": "again"}))
    update = inputs.parent / "first"
    summary = write(inputs, update=update).summary
    assert summary["documents"] == 7
    with pytest.raises(ValueError, match="leave out against"):
        find_reuse_in_files(inputs, inputs.parent / "other", against=inputs, date="year", update=update)
