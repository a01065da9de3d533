"""A folder of an object store: files are written, read, listed and removed whole."""

import sys

import pytest

from ibidem.errors import MissingExtraError, StoreError
from ibidem.remote.storage import Storage, is_remote, open_filesystem


def test_a_url_is_told_from_a_path():
    assert is_remote("s3://bucket/a")
    assert not is_remote("a/b:c")


def test_what_is_written_is_read_and_listed_by_its_name(object_store, tmp_path):
    storage = Storage(object_store)
    (tmp_path / "file").write_bytes(b"three")
    storage.write("one", b"0")
    storage.write("one", b"1")
    storage.upload(tmp_path / "file", "deep/three")
    storage.upload_all({f"many/{number}": tmp_path / "file" for number in range(20)})
    storage.download("deep/three", tmp_path / "again")
    storage.download_all({f"many/{number}": tmp_path / str(number) for number in range(20)})
    assert storage.read("one") == b"1"
    assert {(tmp_path / name).read_bytes() for name in ("again", *map(str, range(20)))} == {b"three"}
    assert storage.list("deep") == {"deep/three": 5}
    storage.remove(f"many/{number}" for number in range(20))
    assert storage.list() == {"one": 1, "deep/three": 5}


def test_an_empty_folder_has_no_files_and_what_is_missing_is_told(object_store, tmp_path):
    storage = Storage(object_store)
    assert storage.list() == {}
    for ask in (storage.read, lambda name: storage.download(name, tmp_path / "none")):
        with pytest.raises(FileNotFoundError):
            ask("none")
    with pytest.raises(FileNotFoundError):
        storage.download_all({"none": tmp_path / "none"})
    storage.remove(["none"])


def test_a_bucket_that_is_not_there_cannot_be_written_to(s3_folder, tmp_path):
    (tmp_path / "file").write_bytes(b"three")
    nowhere = Storage("s3://nobody-has-it/a")
    for write in (lambda: nowhere.upload(tmp_path / "file", "file"), lambda: nowhere.write("file", b"three")):
        with pytest.raises(StoreError, match=r"s3://nobody-has-it/a/file: cannot be written: .*bucket"):
            write()


def test_what_a_store_says_is_an_error_that_names_the_file(object_store, monkeypatch):
    storage = Storage(object_store)

    def refuse(*_, **__):
        raise RuntimeError("no credentials")

    monkeypatch.setattr(storage._files, "cat_file", refuse)
    with pytest.raises(StoreError, match=r"/one: no credentials; check the address"):
        storage.read("one")


def test_what_is_not_installed_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "gcsfs", None)
    with pytest.raises(MissingExtraError, match=r"gcsfs.*pip install 'ibidem\[remote\]' gcsfs"):
        open_filesystem("gs://bucket", "reading")
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'ibidem\[remote\]'$"):
        open_filesystem("s3://bucket", "reading")


def test_an_unknown_kind_of_url_is_an_error():
    pytest.importorskip("fsspec")
    with pytest.raises(StoreError, match=r"^nonsense://a: cannot be opened"):
        Storage("nonsense://a")
