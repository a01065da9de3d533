"""A row that is removed can go back as it was."""

import csv
import gzip
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ibidem.corpus.sources import Source
from ibidem.corpus.writing.changes import Changes
from ibidem.corpus.writing.removed import separate_rows
from ibidem.corpus.writing.rewriting import rewrite_file
from ibidem.corpus.writing.rows_as_json import read_note
from ibidem.errors import CorpusError

NOTE = {"id": "x", "duplicate_of": "y", "similarity": 0.9, "exact": False}


def write(path: Path, rows: int, text: str = "content", removed: set[int] | None = None) -> list[str]:
    """The lines for the rows that are removed, all if not said otherwise."""
    wanted = set(range(rows)) if removed is None else removed
    target, kept = path.with_name(f"{path.name}.removed"), path.with_name(f"kept-{path.name}")
    for each in (target, kept):
        each.unlink(missing_ok=True)
    keep = np.array([row not in wanted for row in range(rows)])
    separate_rows(Source(str(path), path.name), keep, text, lambda row: NOTE, kept, target)
    return target.read_text("utf-8").splitlines()


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_lines_of_json_are_the_same_bytes(tmp_path: Path, name: str) -> None:
    lines = [
        '{"key":7,  "content": "x\\u00e9", "n": 1.50, "similarity": NaN}',
        "{}",
        '{"content": "né } ", "a": {"b": []}} ',
    ]
    data = "\ufeff" + "\r\n".join(lines)
    (tmp_path / name).write_bytes(gzip.compress(data.encode()) if name.endswith("gz") else data.encode())
    note = json.dumps(NOTE, separators=(",", ":"))
    assert write(tmp_path / name, 3) == [
        f'{lines[0][:-1]},"ibidem":{note}}}',
        f'{{"ibidem":{note}}}',
        f'{lines[2].rstrip()[:-1]},"ibidem":{note}}}',
    ]
    assert len(write(tmp_path / name, 3, removed={1})) == 1


def test_elements_of_an_array_become_lines(tmp_path: Path) -> None:
    rows = [{"key": 1, "content": "a\nb"}, {"key": 2, "content": "c", "tags": ["x", {"y": None}]}]
    (tmp_path / "a.json").write_text(json.dumps(rows, indent=2), "utf-8")
    found = [json.loads(line) for line in write(tmp_path / "a.json", 2)]
    assert [row.pop("ibidem") for row in found] == [NOTE, NOTE]
    assert found == rows


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_rows_of_csv_are_objects_of_strings(tmp_path: Path, suffix: str) -> None:
    rows = [
        {"key": "1", "similarity": "x, y\t", "content": 'said "no"\nand went'},
        {"key": "", "similarity": "", "content": ""},
    ]
    with (tmp_path / f"a{suffix}").open("w", encoding="utf-8-sig", newline="") as file:
        out = csv.DictWriter(file, list(rows[0]), delimiter="\t" if suffix == ".tsv" else ",")
        out.writeheader()
        out.writerows(rows)
    found = [json.loads(line) for line in write(tmp_path / f"a{suffix}", 2)]
    assert [row.pop("ibidem") for row in found] == [NOTE, NOTE]
    assert found == rows
    assert list(found[0]) == list(rows[0])


def test_rows_of_parquet_are_objects_of_their_columns(tmp_path: Path) -> None:
    rows = [{"key": number, "content": f"text {number}", "parts": [number]} for number in range(5)]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet", row_group_size=2)
    found = [json.loads(line) for line in write(tmp_path / "a.parquet", 5, removed={1, 4})]
    assert [row.pop("ibidem") for row in found] == [NOTE, NOTE]
    assert found == [rows[1], rows[4]]


@pytest.mark.parametrize("text", ["", 'né "quoted" 漢\n 😀 ' * 20])
def test_a_file_of_text_is_one_row(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.txt").write_text(text, "utf-8", newline="")
    [line] = write(tmp_path / "a.txt", 1)
    assert json.loads(line) == {"content": text, "ibidem": NOTE}
    assert not (tmp_path / "kept-a.txt").exists()
    assert write(tmp_path / "a.txt", 1, removed=set()) == []
    assert (tmp_path / "kept-a.txt").read_text("utf-8") == text


def test_a_row_that_has_our_column_keeps_it(tmp_path: Path) -> None:
    rows = [{"ibidem": 1, "content": "a"}, {"content": "b", "ibidem": NOTE, "ibidem_": 2}, {"content": '"ibidem": 1'}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    found = [json.loads(line) for line in write(tmp_path / "a.jsonl", 3)]
    assert found == [rows[0] | {"ibidem_": NOTE}, rows[1] | {"ibidem__": NOTE}, rows[2] | {"ibidem": NOTE}]
    assert [read_note(row) for row in found] == [NOTE] * 3
    (tmp_path / "a.csv").write_text("ibidem,content\n1,a\n", "utf-8")
    assert json.loads(write(tmp_path / "a.csv", 1)[0]) == {"ibidem": "1", "content": "a", "ibidem_": NOTE}


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.json", "a.csv"])
def test_a_file_is_separated_into_its_two_parts(tmp_path: Path, name: str) -> None:
    rows = [{"key": str(number), "content": f"né {number}"} for number in range(9)]
    lines = [json.dumps(row) for row in rows]
    if name == "a.csv":
        lines = ["key,content", *(",".join(row.values()) for row in rows)]
    data = (f"[{','.join(lines)}]" if name == "a.json" else "\n".join(lines)).encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    source, keep = Source(str(tmp_path / name), name), np.arange(9) % 3 > 0
    separate_rows(source, keep, "content", lambda row: NOTE, tmp_path / f"kept-{name}", tmp_path / "removed.jsonl")
    rewrite_file(source, Changes(keep), tmp_path / f"alone-{name}")
    assert (tmp_path / f"kept-{name}").read_bytes() == (tmp_path / f"alone-{name}").read_bytes()
    removed = [json.loads(line) for line in (tmp_path / "removed.jsonl").read_text().splitlines()]
    assert removed == [row | {"ibidem": NOTE} for row in rows[::3]]


def test_a_file_that_has_other_rows_by_now_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("{}\n{}\n", "utf-8")
    with pytest.raises(CorpusError, match="it had 3 documents when it was read first, and has 2 now"):
        write(tmp_path / "a.jsonl", 3)
