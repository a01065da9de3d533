"""What cannot be read is left out and named, and nothing else is, whatever the format."""

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ibidem.corpus import read
from ibidem.corpus.failures import Failures
from ibidem.corpus.records import read_records
from ibidem.corpus.writing.removed import find_removed
from ibidem.documents.deduplicate import deduplicate_files
from ibidem.errors import CorpusError

LINES = [
    b'{"id": "a", "text": "fine"}',
    b'{"id": "b", "text": null}',
    b'{"id": "c", "text": "cut',
    b"",
    b'{"id": "d", "text": "\xff"}',
    b'{"id": "e", "text": "fine again"}',
    b'{"text": "no id"}',
    b'{"id": "f", "text": "fine"}',
]
TABLE = b'id,text\na,fine\nb,\xff\nc,one,more\n,empty id\nd,"fine\nagain"\n'


def write_input(folder: Path, name: str) -> Path:
    path = folder / name
    if name.endswith(".parquet"):
        rows = [{"id": number, "text": None if number in (0, 3, 4, 9) else f"text {number}"} for number in range(10)]
        pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=4)
    elif name.endswith(".json"):
        path.write_text(json.dumps([{"id": "a", "text": "fine"}, 7, {"id": "b", "text": 1}, {"id": "c", "text": "x"}]))
    else:
        data = {
            "jsonl": b"\n".join(LINES),
            "csv": TABLE,
            "tsv": TABLE.replace(b",", b"\t"),
            "txt": b"\x89PNG\r\n\x1a\n" + bytes(100),
        }
        content = data[name.split(".")[1]]
        path.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    return path


KEPT = {
    "a.jsonl": ["a", "e", "f"],
    "a.jsonl.gz": ["a", "e", "f"],
    "a.json": ["a", "c"],
    "a.csv": ["a", "d"],
    "a.tsv": ["a", "d"],
    "a.parquet": ["1", "2", "5", "6", "7", "8"],
    "a.txt": [],
}
ROWS = {"a.jsonl": [1, 2, 3, 5], "a.jsonl.gz": [1, 2, 3, 5], "a.json": [1, 2], "a.csv": [1, 2, 3], "a.tsv": [1, 2, 3]}
ROWS |= {"a.parquet": [0, 3, 4, 9], "a.txt": [None]}


def ids_of(paths: object, **options: object) -> list[str]:
    return [name for batch in read(paths, **options) for name in batch.ids]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", KEPT)
@pytest.mark.parametrize("batch_bytes", [1, 1 << 20])
def test_rows_that_cannot_be_read_are_left_out_and_named(tmp_path: Path, name: str, batch_bytes: int) -> None:
    path = str(write_input(tmp_path, name))
    with pytest.raises(CorpusError):
        ids_of(path)
    failures = Failures()
    for _ in range(2):  # what is read twice counts once
        assert ids_of(path, failures=failures, batch_bytes=batch_bytes) == KEPT[name]
        assert [failure.row for failure in failures] == ROWS[name]
        assert all(failure.message.startswith(path) for failure in failures)


def test_without_failures_one_warning_names_what_was_left_out(tmp_path: Path) -> None:
    path = str(write_input(tmp_path, "a.jsonl"))
    with pytest.warns(UserWarning, match="left out of the input: .*line 2, column 'text': the text is null.*line 3"):
        assert ids_of(path, on_error="skip") == KEPT["a.jsonl"]
    with pytest.raises(ValueError, match="on_error is one of stop, skip, not 'ignore'"):
        ids_of(path, on_error="ignore")


def cut_in_half(rows: int) -> bytes:
    """Half of a compressed file of rows of 12 kB each."""
    lines = (json.dumps({"id": str(n), "text": " ".join(str(n * k) for k in range(2000))}) for n in range(rows))
    whole = gzip.compress("\n".join(lines).encode(), 1)
    return whole[: len(whole) // 2]


@pytest.mark.parametrize("end", [b"\n", b""])
def test_a_line_of_json_that_is_too_long_is_left_out_by_itself(tmp_path: Path, end: bytes) -> None:
    rows = [json.dumps({"id": str(number), "text": "x" * size}).encode() for number, size in enumerate([900, 5, 900])]
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n".join([*rows, b"", rows[1].replace(b"1", b"3"), rows[0]]) + end)
    failures = Failures()
    assert ids_of(path, max_line=100, failures=failures) == ["1", "3"]
    assert [failure.row for failure in failures] == [0, 2, 4]
    assert all("a line of more than 100 bytes" in failure.message for failure in failures)
    (tmp_path / "long.jsonl").write_bytes(b'{"id": "a", "text": "' + b"x" * (20 << 20) + b'"}\n' + rows[1])
    assert ids_of(tmp_path / "long.jsonl", max_line="9M", failures=failures) == ["1"]


@pytest.mark.parametrize("batch_bytes", [1, 1 << 20])
def test_a_file_is_left_out_from_where_it_cannot_be_read(tmp_path: Path, batch_bytes: int) -> None:
    (tmp_path / "cut.jsonl.gz").write_bytes(cut_in_half(300))
    (tmp_path / "open.csv").write_text('id,text\na,fine\nb,"never closed\nc,x\n')
    (tmp_path / "other.csv").write_text("name,words\na,fine\n")
    (tmp_path / "no.parquet").write_bytes(b"PAR1")
    (tmp_path / "type.parquet").touch()
    pq.write_table(pa.table({"id": ["a"], "text": [1]}), tmp_path / "type.parquet")
    (tmp_path / "whole.jsonl").write_text('{"id": "last", "text": "fine"}\n')
    failures = Failures()
    found = ids_of(tmp_path, failures=failures, batch_bytes=batch_bytes)
    assert found[-2:] == ["a", "last"]
    assert found[:-2] == [str(number) for number in range(len(found) - 2)]
    assert 2 < len(found) < 300
    assert (failures.rows, failures.files) == (0, 5)
    partly = {Path(each.path).name for each in failures if "(all of the file from here on is left out)" in each.message}
    assert partly == {"cut.jsonl.gz", "open.csv"}


@pytest.mark.parametrize("name", KEPT)
def test_rows_that_are_left_out_shift_no_others_in_what_is_written(tmp_path: Path, name: str) -> None:
    path = write_input(tmp_path, name)
    failures = Failures()
    written = deduplicate_files([path], tmp_path / "out", threshold=0.9, threads=1, failures=failures)
    twins = {"a.jsonl": ["f"], "a.jsonl.gz": ["f"]}.get(name, [])
    kept = [each for each in KEPT[name] if each not in twins]
    assert ids_of(tmp_path / "out/kept") == kept if kept else not (tmp_path / "out/kept" / name).exists()
    removed = [record.values["ibidem"]["id"] for record in read_records(str(find_removed(tmp_path / "out")))]
    assert removed == twins
    summary = json.loads((tmp_path / "out/summary.json").read_text())
    assert (summary["rows_left_out"], summary["files_left_out"]) == (failures.rows, failures.files)
    assert summary["documents"] == len(KEPT[name]) == written.summary["documents"]


def test_a_damaged_file_is_written_up_to_where_it_was_read(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(cut_in_half(300))
    (tmp_path / "a.csv").write_text('id,text\nx,fine\ny,fine\nz,"never closed\n')
    failures = Failures()
    inputs = [tmp_path / "a.csv", tmp_path / "a.jsonl.gz"]
    deduplicate_files(inputs, tmp_path / "out", threads=1, failures=failures)
    assert failures.files == 2
    left = ids_of([tmp_path / "out/kept/a.csv", tmp_path / "out/kept/a.jsonl.gz"])
    assert left[0] == "x"
    assert left[1:] == [str(number) for number in range(len(left) - 1)]
    assert 0 < len(left) - 1 < 300
