"""Every row of an input is kept, removed or listed as left out, whatever command writes rows."""

import csv
import gzip
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ibidem.contamination.find import decontaminate_files
from ibidem.corpus import inputs
from ibidem.corpus.failures import Failures
from ibidem.corpus.records import read_records
from ibidem.corpus.writing.removed import find_removed
from ibidem.documents.deduplicate import deduplicate_files
from ibidem.errors import CorpusError
from ibidem.reuse.removal.deduplicate import deduplicate_passages_of_files

QUESTION = "which of the seven ferries to the outer islands still carries its old bell from the lightship"
COMMANDS: dict[str, Callable[..., Any]] = {
    "dedup": deduplicate_files,
    "passages": lambda *args, **options: deduplicate_passages_of_files(*args, min_length=8, **options),
    "passages-annotate": lambda *args, **options: deduplicate_passages_of_files(
        *args, min_length=8, action="annotate", **options
    ),
    **{
        f"decontaminate-{action}": lambda train, out, action=action, **options: decontaminate_files(
            train, [train[0].parent / "items.jsonl"], out, action=action, **options
        )
        for action in ("remove", "cut", "mask", "annotate")
    },
}
"""The commands that write rows: each takes the files and the output."""


def make_rows(number: int, seed: int) -> list[dict[str, Any]]:
    """Rows of some texts that repeat, some that ask the question, and some that are null."""
    chance = random.Random(seed)
    rows = []
    for row in range(number):
        words = [
            chance.choice(["bell", "ferry", "tide", "lamp", "rope", "oar"]) + str(chance.randrange(40))
            for _ in range(20)
        ]
        text = (
            " ".join(words) if rows and chance.random() > 0.2 else "the harbour is closed on sunday and so is all else"
        )
        if chance.random() < 0.2:
            text = f"{text}. {QUESTION}"
        rows.append({"id": str(row), "nested": {"row": [row]}, "text": None if chance.random() < 0.25 else text})
    return rows


def write_jsonl(path: Path, rows: list[dict[str, Any]]) -> None:
    lines = [json.dumps(row) for row in rows]
    lines[3] = lines[3][:9]  # cut short
    data = "\n\n".join(lines).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


def write_parquet(path: Path, rows: list[dict[str, Any]]) -> None:
    rows[3]["id"] = None
    pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=7)


WRITERS: dict[str, Callable[[Path, list[dict[str, Any]]], None]] = {
    "a.jsonl": write_jsonl,
    "b.jsonl.gz": write_jsonl,
    "c.parquet": write_parquet,
}


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a file that are whole, as the file has them."""
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return list(parse_lines(data))


def parse_lines(data: bytes) -> Iterator[dict[str, Any]]:
    for line in filter(None, data.split(b"\n")):
        try:
            yield json.loads(line)
        except ValueError:
            yield {"broken": line.decode()}


@pytest.mark.parametrize("null", ["keep", "drop"])
@pytest.mark.parametrize("command", COMMANDS)
def test_kept_removed_and_left_out_rows_are_the_input(
    tmp_path: Path, command: str, null: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inputs, "PART_BYTES", 2000)
    (tmp_path / "items.jsonl").write_text(json.dumps({"question": QUESTION, "answer": "the Morning Star"}))
    paths = [tmp_path / name for name in WRITERS]
    for number, path in enumerate(paths):
        rows = make_rows(40, number)
        for row in rows:
            row["id"] = f"{path.name}:{row['id']}"
        WRITERS[path.name](path, rows)
    failures = Failures()
    COMMANDS[command](paths, tmp_path / "out", null=null, failures=failures, threads=1)

    summary = json.loads((tmp_path / "out/summary.json").read_text())
    listed = [json.loads(line) for line in (tmp_path / "out/rows_left_out.jsonl").read_text().splitlines()]
    assert summary["rows_left_out"] == len(listed) == failures.rows
    for path in paths:
        before = read_rows(path)
        kept = read_rows(tmp_path / "out/kept" / path.name)
        left_out = [each for each in listed if each["file"] == str(path)]
        nulls = [row for row in before if "broken" not in row and row["text"] is None and row["id"] is not None]
        # What is listed is the row of that number and id.
        for each in left_out:
            row = before[each["row"]]
            assert row.get("id") == each["id"]
            is_null = "broken" not in row and row["text"] is None
            assert each["reason"] == ("null text" if is_null else "unreadable")
        assert len(left_out) == 1 + (len(nulls) if null == "drop" else 0)
        # Rows that stay keep their other columns and their order, and null texts all of their columns.
        numbers = [row["nested"]["row"][0] for row in kept]
        assert numbers == sorted(numbers)
        rows_left_out = {each["row"] for each in left_out}
        assert not rows_left_out & set(numbers)
        if null == "keep":
            assert [row["id"] for row in kept if row["text"] is None] == [row["id"] for row in nulls]
        gone = set(range(len(before))) - rows_left_out - set(numbers)
        if command == "dedup":
            removed = [record.values for record in read_records(str(find_removed(tmp_path / "out")))]
            assert gone == {row["nested"]["row"][0] for row in removed if row["id"].startswith(path.name)}
            assert gone
        elif command == "decontaminate-remove":
            assert gone == {number for number in gone if QUESTION in before[number]["text"]}
            assert gone
        else:
            assert not gone
    if command == "dedup":
        rows = summary["documents"] + summary["rows_left_out"] + summary["null_rows_kept"]
        assert rows == sum(len(read_rows(path)) for path in paths)


def test_rows_of_repeated_ids_are_listed_with_their_ids(tmp_path: Path) -> None:
    lines = ['{"id": "a", "text": "one"}', '{"id": "a", "text": "two"}', '{"id": "b", "text": "three"}']
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    with pytest.warns(UserWarning, match="line 2: a second document of the id 'a' is left out"):
        deduplicate_files(tmp_path / "a.jsonl", tmp_path / "out", duplicate_ids="first", threads=1)
    [row] = map(json.loads, (tmp_path / "out/rows_left_out.jsonl").read_text().splitlines())
    path = str(tmp_path / "a.jsonl")
    assert (row["file"], row["row"], row["id"], row["reason"]) == (path, 1, "a", "repeated id")
    assert row["cause"].endswith(f"the first is {path}, row 0")


def test_the_rest_of_a_damaged_file_is_listed_from_its_first_row(tmp_path: Path) -> None:
    with (tmp_path / "a.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["id", "text"], ["a", "one"], ["b", "two"]])
        file.write('c,"never closed\n')
    deduplicate_files(tmp_path / "a.csv", tmp_path / "out", failures=Failures(), threads=1)
    [row] = map(json.loads, (tmp_path / "out/rows_left_out.jsonl").read_text().splitlines())
    assert (row["row"], row["id"], row["reason"]) == (2, None, "unreadable from here on")


def test_a_null_text_is_an_error_unless_something_else_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "a", "text": null}')
    with pytest.raises(CorpusError, match="line 1, column 'text': the text is null"):
        deduplicate_files(tmp_path / "a.jsonl", tmp_path / "out", threads=1)
    with pytest.raises(ValueError, match="null is one of error, keep, drop, not 'skip'"):
        deduplicate_files(tmp_path / "a.jsonl", tmp_path / "out", threads=1, null="skip")  # type: ignore[arg-type]
