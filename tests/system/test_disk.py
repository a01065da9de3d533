"""What the store asks of the file system: whole writes, regular files alone, and nothing removed through a link."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ibidem.errors import DamagedError
from ibidem.system import disk


def test_a_short_write_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:7]))
    disk.write_file(tmp_path / "numbers", bytes(range(200)))
    assert (tmp_path / "numbers").read_bytes() == bytes(range(200))


def test_a_write_over_some_bytes_that_takes_only_a_part_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"0123456789")
    descriptor = disk.reopen(tmp_path / "file")
    disk.write_at(descriptor, b"ab", 3)
    assert (tmp_path / "file").read_bytes() == b"012ab56789"
    monkeypatch.setattr(os, "pwrite", lambda descriptor, data, position: len(data) - 1)
    with pytest.raises(OSError, match="only a part of 2 bytes"):
        disk.write_at(descriptor, b"cd", 3)
    os.close(descriptor)


def test_a_file_is_written_over_what_stood_there_and_not_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(b"theirs")
    (tmp_path / "link").symlink_to(tmp_path / "other")
    disk.write_file(tmp_path / "link", b"ours")
    assert (tmp_path / "other").read_bytes() == b"theirs"
    assert (tmp_path / "link").read_bytes() == b"ours"
    assert not (tmp_path / "link").is_symlink()


def test_a_file_has_at_most_as_many_bytes_as_its_kind(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"123")
    assert disk.read_file(tmp_path / "file", 3) == b"123"
    with pytest.raises(DamagedError, match="more than 2 bytes"):
        disk.read_file(tmp_path / "file", 2)
    with pytest.raises(FileNotFoundError):
        disk.read_file(tmp_path / "missing", 2)


@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.symlink_to(path.parent / "file"),
        lambda path: path.mkdir(),
        os.mkfifo,
    ],
    ids=["link", "folder", "pipe"],
)
def test_what_is_no_regular_file_is_not_read(tmp_path: Path, make: Callable[[Path], None]) -> None:
    (tmp_path / "file").write_bytes(b"123")
    make(tmp_path / "strange")
    with pytest.raises(DamagedError, match="no regular file"):
        disk.read_file(tmp_path / "strange", 9)


def test_a_folder_is_a_folder_and_no_link_to_one(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    (tmp_path / "file").touch()
    disk.require_folder(tmp_path / "folder")
    disk.require_folder(tmp_path / "missing")
    for wrong in ("link", "file"):
        with pytest.raises(DamagedError, match="no folder"):
            disk.require_folder(tmp_path / wrong)


def test_a_tree_is_removed_and_what_its_links_point_to_stays(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").touch()
    (tmp_path / "tree" / "inner").mkdir(parents=True)
    (tmp_path / "tree" / "inner" / "file").touch()
    (tmp_path / "tree" / "link").symlink_to(tmp_path / "kept")
    disk.remove_tree(tmp_path / "tree")
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert (tmp_path / "kept" / "file").exists()
    disk.remove_tree(tmp_path / "tree")  # gone already


def test_a_tree_is_synced_file_by_file_and_each_folder_after_what_it_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").mkdir()
    for name in ("a/1", "a/2", "b"):
        (tmp_path / name).touch()
    synced = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.readlink(f"/proc/self/fd/{descriptor}")))
    disk.sync_tree(tmp_path)
    assert synced == [str(tmp_path / name) for name in ("a/1", "a/2", "a", "b", "")]


def test_a_folder_is_made_empty_whether_it_exists_or_not(tmp_path):
    (disk.make_empty(tmp_path / "a") / "file").write_text("old")
    assert list(disk.make_empty(tmp_path / "a").iterdir()) == []
