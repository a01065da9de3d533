"""Whatever reads damaged or hostile files says so; nothing else happens."""

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from ibidem.errors import DamagedError, StoreError
from ibidem.store import Store, check_index
from ibidem.store.files.columns import HEADER_BYTES, make_header
from ibidem.store.format import COLUMNS, LOCK, MANIFEST
from ibidem.store.manifest import Manifest, compute_checksum, compute_fingerprint, encode

from . import samples


def files(path: Path) -> list[Path]:
    return sorted(file for file in path.rglob("*") if file.is_file() and file.name != LOCK)


def sign(path: Path, **changes: Any) -> None:
    """Change a manifest, as its author could."""
    manifest = msgspec.structs.replace(msgspec.json.decode((path / MANIFEST).read_bytes(), type=Manifest), **changes)
    manifest = msgspec.structs.replace(manifest, checksum="")
    manifest = msgspec.structs.replace(manifest, checksum=compute_checksum(encode(manifest)))
    (path / MANIFEST).write_bytes(encode(manifest))


def rewrite(path: Path, segment: str, column: str, values: np.ndarray) -> None:
    """Change a column and all checksums above it, as the author of an index could."""
    folder = path / "segments" / segment
    (folder / f"{column}.npy").write_bytes(make_header(values.dtype.str, values.shape) + values.tobytes())
    record = msgspec.json.decode((folder / "segment.json").read_bytes())
    record["columns"][column] = {"shape": list(values.shape), "checksum": compute_checksum(values.tobytes())}
    (folder / "segment.json").write_bytes(data := encode(record))
    manifest = msgspec.json.decode((path / MANIFEST).read_bytes(), type=Manifest)
    entries = [
        msgspec.structs.replace(entry, checksum=compute_checksum(data)) if entry.name == segment else entry
        for entry in manifest.segments
    ]
    sign(path, segments=entries)


def merge(path: Path) -> None:
    store = Store.open(path, checksums="none")
    with store.writer() as writer:
        segment = writer.new_segment()
        for old in store.segments:
            old.require_sound()
            for batch in old.batches():
                segment.append_documents(*batch)
            writer.drop(old.name)
        writer.commit()


@pytest.mark.parametrize("checksums", ["lazy", "full"])
def test_a_changed_bit_of_any_column_is_damage_to_whoever_reads_it(store: Store, checksums: str) -> None:
    for file in files(store.path):
        sound = file.read_bytes()
        for position in {len(sound) - 1, (HEADER_BYTES + len(sound)) // 2} & set(range(len(sound))):
            file.write_bytes(sound[:position] + bytes([sound[position] ^ 1]) + sound[position + 1 :])
            with pytest.raises(DamagedError):
                samples.contents(Store.open(store.path, checksums=checksums))
        file.write_bytes(sound)


def test_damage_is_not_merged_under_new_checksums(store: Store) -> None:
    """Whatever was asked for when the index was opened."""
    for file in files(store.path / "segments"):
        sound = file.read_bytes()
        if len(sound) > HEADER_BYTES or file.suffix == ".json":
            file.write_bytes(sound[:-1] + bytes([sound[-1] ^ 1]))
            with pytest.raises(DamagedError):
                merge(store.path)
            file.write_bytes(sound)
    assert store.check().problems == []
    merge(store.path)
    assert store.check().problems == []


def test_what_was_not_asked_to_be_verified_is_not(store: Store) -> None:
    file = store.path / "segments" / "000001" / "text.npy"
    sound = file.read_bytes()
    file.write_bytes(sound[:-1] + b"!")
    assert Store.open(store.path, checksums="none").segments[0].text(4).endswith("!")
    with pytest.raises(DamagedError, match=r"text\.npy: the checksum does not match"):
        Store.open(store.path).segments[0].text(4)


@pytest.mark.parametrize(
    ("column", "change"),
    [
        ("tokens_bounds", lambda values: values + (np.arange(len(values)) > 1) * 2**40),
        ("tokens_bounds", lambda values: values[::-1].copy()),
        ("text_bounds", lambda values: values - 1),
        ("ids_bounds", lambda values: values * 1000),
        ("function_postings", lambda values: values + np.uint64(2**63)),
        ("function_keys", lambda values: values[::-1].copy()),
        ("key_blocks", lambda values: values - 2**62),
        ("posting_bytes", lambda values: values * 3),
        ("posting_blocks", lambda values: values[::-1].copy()),
        ("mark_positions", lambda values: values + np.uint32(2**31)),
        ("first_lists", lambda values: values + np.uint32(2**31)),
        ("packed_postings", lambda values: np.where(np.arange(len(values)) == 6, 255, values).astype(np.uint8)),
        ("tokens", lambda values: values[:0]),
        ("ids", lambda values: values | 0x80),
        ("metadata", lambda values: values * 0 + ord("[")),
    ],
)
def test_numbers_that_point_nowhere_are_damage_although_the_checksums_are_right(
    store: Store, column: str, change: Callable[[np.ndarray], np.ndarray]
) -> None:
    dtype = next(each.dtype for each in COLUMNS if each.name == column)
    path = store.path / "segments" / "000001" / f"{column}.npy"
    values = np.frombuffer(path.read_bytes()[HEADER_BYTES:], dtype)
    rewrite(store.path, "000001", column, change(values))
    for checksums in ("lazy", "full", "none"):
        with pytest.raises(DamagedError):
            samples.contents(Store.open(store.path, checksums=checksums))
    assert check_index(store.path).problems


@pytest.mark.parametrize(
    "target", ["column", "record", "manifest", "folder", "segments", "frequencies", "tombstones", "attachments"]
)
def test_links_are_refused_and_what_they_point_to_is_not_touched(store: Store, tmp_path: Path, target: str) -> None:
    place = {
        "column": "segments/000001/ids.npy",
        "record": "segments/000001/segment.json",
        "manifest": MANIFEST,
        "folder": "segments/000001",
    }.get(target, target)
    elsewhere = tmp_path / "elsewhere"
    shutil.move(store.path / place, elsewhere)
    (store.path / place).symlink_to(elsewhere)
    if elsewhere.is_dir():
        (elsewhere / "000009").mkdir()  # the name of a leftover, which a writer would remove
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(DamagedError, match="it is no"):
        Store.open(store.path)
    with suppress(StoreError), store.writer() as writer:
        writer.commit()
    assert check_index(store.path).problems
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("file", [MANIFEST, "segments/000001/segment.json", "segments/000001/ids.npy"])
def test_a_pipe_in_the_place_of_a_file_does_not_keep_anyone_waiting(store: Store, file: str) -> None:
    (store.path / file).unlink()
    os.mkfifo(store.path / file)
    with pytest.raises(DamagedError, match="it is no regular file"):
        Store.open(store.path)
    assert check_index(store.path).problems


@pytest.mark.parametrize(
    "changes",
    [
        {"next_segment": 1},
        {"generation": 1},
        {"config": {"other": 1}},
        {"fingerprint": compute_fingerprint({})},
    ],
)
def test_a_manifest_that_contradicts_itself_is_damaged(store: Store, changes: dict[str, Any]) -> None:
    sign(store.path, **changes)
    with pytest.raises(DamagedError):
        Store.open(store.path)
    assert check_index(store.path).problems


def test_a_file_that_is_cut_while_it_is_open_is_noticed_before_it_is_read(path: Path) -> None:
    store = Store.create(path, {})
    samples.add(store, count=5000)
    store = Store.open(path)
    store.require_whole()
    file = path / "segments" / "000001" / "text.npy"
    other = path / "segments" / "000001" / "tokens.npy"
    other.unlink()  # another file of that name is none of this reader's business
    other.write_bytes(b"")
    store.require_whole()
    os.truncate(file, file.stat().st_size - 1)
    with pytest.raises(DamagedError, match=r"text\.npy: it was cut to \d+ of \d+ bytes while it was open"):
        store.require_whole()
