"""A row that is removed can go back as it was."""

import csv
import gzip
import io
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus import opening
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.filtering import write_filtered
from ibidem.corpus.writing.removed import read_note, separate_rows, write_removed
from ibidem.errors import CorpusError
from ibidem.text.long_texts import strings

NOTE = {"id": "x", "duplicate_of": "y", "similarity": 0.9, "exact": False}


def write(path: Path, rows: int, text: str = "content", removed: set[int] | None = None) -> list[str]:
    """The lines for the rows that are removed, all if not said otherwise."""
    wanted = set(range(rows)) if removed is None else removed
    target = path.with_name(f"{path.name}.removed")
    target.unlink(missing_ok=True)
    source = Source(str(path), path.name)
    write_removed(source, Columns(text, "key"), lambda row: NOTE if row in wanted else None, rows, target)
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
def test_a_file_of_text_is_one_row(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strings, "_PIECE", 16)
    (tmp_path / "a.txt").write_text(text, "utf-8", newline="")
    [line] = write(tmp_path / "a.txt", 1)
    assert json.loads(line) == {"content": text, "ibidem": NOTE}
    assert (tmp_path / "b.txt").write_text(text, "utf-8") >= 0
    target = tmp_path / "none"
    write_removed(Source(str(tmp_path / "b.txt"), "b"), Columns("text", "id"), lambda row: None, 1, target)
    assert not target.exists()


def test_a_long_line_is_not_taken_for_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LONG_BYTES", 16)
    row = {"key": "1", "content": "long " * 30, "more": {"ibidem": 3}}
    (tmp_path / "a.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    [line] = write(tmp_path / "a.jsonl", 1)
    assert json.loads(line) == row | {"ibidem": NOTE}


def test_a_row_that_has_our_column_keeps_it(tmp_path: Path) -> None:
    rows = [{"ibidem": 1, "content": "a"}, {"content": "b", "ibidem": NOTE, "ibidem_": 2}, {"content": '"ibidem": 1'}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    found = [json.loads(line) for line in write(tmp_path / "a.jsonl", 3)]
    assert found == [rows[0] | {"ibidem_": NOTE}, rows[1] | {"ibidem__": NOTE}, rows[2] | {"ibidem": NOTE}]
    assert [read_note(row) for row in found] == [NOTE] * 3
    (tmp_path / "a.csv").write_text("ibidem,content\n1,a\n", "utf-8")
    assert json.loads(write(tmp_path / "a.csv", 1)[0]) == {"ibidem": "1", "content": "a", "ibidem_": NOTE}


def test_a_row_without_a_note_is_its_own() -> None:
    for row in ({}, {"a": 1}, {"ibidem": 3}, {"ibidem": {"title": "x"}}, {"ibidem": NOTE, "last": 1}):
        assert read_note(row) == row


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.json", "a.csv"])
def test_a_file_is_separated_into_the_bytes_of_its_two_parts(tmp_path: Path, name: str) -> None:
    rows = [{"key": str(number), "content": f"né {number}"} for number in range(9)]
    lines = [json.dumps(row) for row in rows]
    if name == "a.csv":
        lines = ["key,content", *(",".join(row.values()) for row in rows)]
    data = (f"[{','.join(lines)}]" if name == "a.json" else "\n".join(lines)).encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    source, columns = Source(str(tmp_path / name), name), Columns("content", "key")
    wanted = np.arange(9) % 3 > 0

    def note(row: int) -> dict[str, object] | None:
        return None if wanted[row] else NOTE

    for folder in ("both", "each"):
        (tmp_path / folder).mkdir()
    separate_rows(source, wanted, columns, note, tmp_path / "both" / name, tmp_path / "both" / "removed.jsonl")
    write_filtered(source, wanted, tmp_path / "each" / name)
    write_removed(source, columns, note, 9, tmp_path / "each" / "removed.jsonl")
    for file in (name, "removed.jsonl"):
        assert (tmp_path / "both" / file).read_bytes() == (tmp_path / "each" / file).read_bytes()
    assert len((tmp_path / "both" / "removed.jsonl").read_text().splitlines()) == 3


def test_a_file_that_has_other_rows_by_now_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("{}\n{}\n", "utf-8")
    with pytest.raises(CorpusError, match="it had 3 documents when it was read first, and has 2 now"):
        write(tmp_path / "a.jsonl", 3)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.text(st.sampled_from('ibidem_"\\:{} '), max_size=8) | st.sampled_from(["ibidem", "ibidem_", "content"])


@given(st.lists(st.dictionaries(NAMES, VALUES, max_size=4), min_size=1, max_size=4))
def test_any_row_goes_back_as_it_was(rows: list[dict[str, object]]) -> None:
    from ibidem.corpus.writing import removed

    for row in rows:
        line = json.dumps(row).encode() + b"\n"
        written = b"".join(map(bytes, removed._extend_line(line, NOTE)))
        found = json.loads(io.BytesIO(written).read())
        assert read_note(found) == NOTE
        name = list(found)[-1]
        assert {key: value for key, value in found.items() if key != name} == row
