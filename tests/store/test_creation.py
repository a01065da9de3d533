"""Where an index may be made, and what is cleared away when it could not be finished."""

from pathlib import Path

import pytest

from ibidem.errors import IndexExistsError, NotAnIndexError
from ibidem.store import Store
from ibidem.store.creation import may_begin, remove_unfinished
from ibidem.store.format import LOCK, MANIFEST, PARTIAL, SEGMENTS

from . import samples


def test_create_makes_the_folders_above(tmp_path: Path) -> None:
    Store.create(tmp_path / "a" / "b" / "index", {})
    assert Store.open(tmp_path / "a" / "b" / "index").generation == 0


def test_create_refuses_to_stand_where_something_stands(store: Store, tmp_path: Path) -> None:
    before = samples.tree(store.path)
    with pytest.raises(IndexExistsError, match="an index exists there already"):
        Store.create(store.path, {})
    assert samples.tree(store.path) == before
    (tmp_path / "file").write_text("text")
    with pytest.raises(IndexExistsError, match="this is a file"):
        Store.create(tmp_path / "file", {})
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "novel.txt").write_text("text")
    with pytest.raises(IndexExistsError, match="the folder is not empty"):
        Store.create(tmp_path / "folder", {})
    assert [entry.name for entry in (tmp_path / "folder").iterdir()] == ["novel.txt"]


def test_create_takes_an_empty_folder_and_one_that_a_dead_maker_left(path: Path) -> None:
    path.mkdir()
    (path / (MANIFEST + PARTIAL)).write_bytes(b"{")
    (path / LOCK).touch()
    Store.create(path, {})
    assert sorted(entry.name for entry in path.iterdir()) == [MANIFEST, LOCK]


def test_only_where_nothing_stands_or_a_maker_died_an_index_may_begin(store: Store, tmp_path: Path) -> None:
    assert may_begin(tmp_path / "nothing")
    assert not may_begin(store.path)
    (tmp_path / "begun").mkdir()
    assert may_begin(tmp_path / "begun")
    (tmp_path / "begun" / "novel.txt").touch()
    assert not may_begin(tmp_path / "begun")
    Store.create(tmp_path / "empty", {})
    assert may_begin(tmp_path / "empty")  # it never had a commit


def test_an_index_without_a_commit_is_removed_and_no_other(store: Store, tmp_path: Path) -> None:
    before = samples.tree(store.path)
    remove_unfinished(store.path)
    assert samples.tree(store.path) == before
    Store.create(tmp_path / "empty", {})
    remove_unfinished(tmp_path / "empty")
    assert not (tmp_path / "empty").exists()
    remove_unfinished(tmp_path / "empty")  # nothing stands there


def test_a_maker_that_fails_leaves_nothing_and_lets_go_of_the_lock(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(folder: Path) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("ibidem.system.disk.sync_folder", fail)
        with pytest.raises(OSError, match="No space"):
            Store.create(path, {})
    assert not path.exists()
    Store.create(path, {})


def test_an_index_whose_first_build_was_killed_is_none_until_it_is_built_again(path: Path) -> None:
    Store.create(path, {})
    aside = path / SEGMENTS / ("000001" + PARTIAL)
    aside.mkdir(parents=True)
    with pytest.raises(NotAnIndexError, match="the first build of this index has not ended: wait for it, or run it"):
        Store.open(path)
    with Store.begin(path, {}) as (begun, cleared):
        assert cleared == [str(aside.relative_to(path))]
        begun.close()
    assert not aside.exists()
