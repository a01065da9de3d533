import json
from pathlib import Path

import msgspec
import numpy as np
import pytest

from ibidem.errors import DamagedError
from ibidem.store import Store, check_index
from ibidem.store.format import HEADER_BYTES, LOCK
from ibidem.store.manifest import compute_checksum, encode, put_manifest, read_manifest, sign_manifest
from ibidem.store.segments.writer import SegmentWriter
from ibidem.text import Documents, Texts, Tokens

from . import samples


def files(path: Path) -> list[Path]:
    return sorted(file for file in path.rglob("*") if file.is_file() and file.name != LOCK)


def test_a_sound_index_has_no_problem_and_every_file_is_read(store: Store) -> None:
    calls = []
    report = store.check(lambda *call: calls.append(call))
    assert report.problems == []
    assert sorted(each.file for each in report.files) == [
        str(file.relative_to(store.path)) for file in files(store.path)
    ]
    assert calls == [("check", done, None) for done in range(1, len(report.files) + 1)]


def test_a_changed_bit_in_any_file_is_found_and_the_file_named(store: Store) -> None:
    for file in files(store.path):
        sound = file.read_bytes()
        for position in {0, HEADER_BYTES - 30, HEADER_BYTES, len(sound) - 1} & set(range(len(sound))):
            file.write_bytes(sound[:position] + bytes([sound[position] ^ 4]) + sound[position + 1 :])
            problems = check_index(store.path).problems
            assert len(problems) == 1, (file, position)
            assert str(file) in problems[0]
        file.write_bytes(sound)
    assert check_index(store.path).problems == []


@pytest.mark.parametrize("damage", ["missing", "cut", "empty"])
def test_a_file_that_is_missing_or_short_is_found_by_check_and_by_open(store: Store, damage: str) -> None:
    for file in files(store.path):
        if file.name == "manifest.json":
            continue
        sound = file.read_bytes()
        if damage == "missing":
            file.unlink()
        else:
            file.write_bytes(sound[:-1] if damage == "cut" else b"")
        assert len(problems := check_index(store.path).problems) == 1
        assert str(file) in problems[0]
        with pytest.raises(DamagedError) as caught:
            Store.open(store.path)
        assert str(file) in str(caught.value)
        file.write_bytes(sound)


def test_several_damaged_files_are_all_named(store: Store) -> None:
    damaged = ["segments/000001/text.npy", "segments/000002/packed_keys.npy", "frequencies/counts.npy"]
    for name in damaged:
        file = store.path / name
        file.write_bytes(file.read_bytes()[:-4] + b"????")
    assert [report.file for report in store.check().files if report.problem] == damaged


def test_a_check_during_a_commit_is_of_the_generation_that_stands(store: Store) -> None:
    calls = []

    def be_overtaken(*_: object) -> None:
        calls.append(1)
        if len(calls) == 3:
            with store.writer() as writer:
                writer.drop("000001")
                writer.commit()

    report = check_index(store.path, be_overtaken)
    assert report.problems == []
    assert not any("000001" in each.file for each in report.files)


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("ids_bounds", np.array([0, 2, 1, 3, 4, 25], np.int64)),
        ("tokens_bounds", np.array([0, 1, 2, 3, 4, 5], np.int64)),
        ("vocabulary", None),
        ("mark_positions", None),
        ("first_keys", np.array([1, 1], np.uint32)),
        ("first_lists", np.array([1, 1], np.uint32)),
        ("key_blocks", None),
        ("key_bytes", None),
        ("packed_keys", None),
        ("posting_blocks", None),
        ("posting_bytes", None),
        ("packed_postings", None),
    ],
)
def test_columns_that_contradict_each_other_are_found(
    path: Path, monkeypatch: pytest.MonkeyPatch, column: str, values: np.ndarray | None
) -> None:
    real = SegmentWriter.finish

    def finish(segment: SegmentWriter):
        # What a fault of the writer would do: other values, with a checksum to match.
        writer = segment._columns[column]
        wrong = np.zeros(writer.rows, writer.column.dtype) if values is None else values
        writer.path.unlink()
        segment._columns[column] = type(writer)(writer.path.parent, writer.column)
        segment._columns[column].append(wrong)
        return real(segment)

    monkeypatch.setattr(SegmentWriter, "finish", finish)
    store = Store.create(path, {})
    samples.add(store)
    problems = store.check().problems
    named = {f"{column}.npy", "packed_keys.npy", "function_keys.npy"}
    assert any(name in problem for problem in problems for name in named)


def test_a_window_that_ends_behind_its_document_is_found(tmp_path: Path) -> None:
    documents = Documents(["a", "b"], Texts.from_strings(["", ""]), [b"{}"] * 2)
    for name, last in (("sound", 2), ("altered", 3)):
        with Store.create(tmp_path / name, {}) as store, store.writer() as writer:
            segment = writer.new_segment()
            segment.append_documents(documents, Tokens(np.arange(8, dtype=np.uint32), np.array([0, 5, 8])))
            extents = np.array([[1, 1, last], [0, 0, 2]], np.uint16)
            segment.append_postings(np.array([7, 9], np.uint32), np.array([0, 5], np.uint32), extents)
            writer.commit()
    assert check_index(tmp_path / "sound").problems == []
    (problem,) = check_index(tmp_path / "altered").problems
    assert "packed_postings.npy: a window of function 0 ends behind its document" in problem


@pytest.mark.parametrize("column", ["mark_lengths", "mark_starts", "document_frequencies", "collection_frequencies"])
def test_numbers_that_a_reader_refuses_are_found_whatever_their_checksum(store: Store, column: str) -> None:
    """As somebody would write them who knows how to make checksums."""
    folder = store.path / "segments" / "000002"
    file = folder / f"{column}.npy"
    data = bytearray(file.read_bytes())
    data[HEADER_BYTES:] = b"\xff" * (len(data) - HEADER_BYTES)
    file.write_bytes(data)
    record = json.loads((folder / "segment.json").read_bytes())
    record["columns"][column]["checksum"] = compute_checksum(bytes(data[HEADER_BYTES:]))
    (folder / "segment.json").write_bytes(encoded := encode(record))
    manifest = read_manifest(store.path)
    segments = [
        msgspec.structs.replace(entry, checksum=compute_checksum(encoded)) if entry.name == folder.name else entry
        for entry in manifest.segments
    ]
    put_manifest(store.path, sign_manifest(msgspec.structs.replace(manifest, segments=segments)))
    assert len(problems := check_index(store.path).problems) == 1
    assert str(folder) in problems[0]
    with Store.open(store.path) as opened:
        (segment,) = (each for each in opened.segments if each.name == folder.name)
        with pytest.raises(DamagedError, match=str(folder)):
            (segment.vocabulary(), list(segment.batches()))
