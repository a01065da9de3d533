"""A folder of an object store: files are whole or not there, and are written on conditions."""

import sys

import pytest

from ibidem.errors import MissingExtraError, StoreError
from ibidem.remote.storage import ChangedError, Storage, StoredVersion, is_remote, open_filesystem


def test_a_url_is_told_from_a_path():
    assert is_remote("s3://bucket/a")
    assert not is_remote("a/b:c")


def test_what_is_written_is_read_and_listed_by_its_name(object_store, tmp_path):
    storage = Storage(object_store)
    (tmp_path / "file").write_bytes(b"three")
    storage.create("one", b"1")
    storage.upload(tmp_path / "file", "deep/three")
    storage.download("deep/three", tmp_path / "again")
    assert storage.read("one") == b"1"
    assert (tmp_path / "again").read_bytes() == b"three"
    assert {name: file.size for name, file in storage.list().items()} == {"one": 1, "deep/three": 5}
    assert all(file.modified is not None for file in storage.list().values())
    assert list(storage.list("deep")) == ["deep/three"]


def test_an_empty_folder_has_no_files_and_what_is_missing_is_told(object_store, tmp_path):
    storage = Storage(object_store)
    assert storage.list() == {}
    for ask in (storage.read, storage.read_version, lambda name: storage.download(name, tmp_path / "none")):
        with pytest.raises(FileNotFoundError):
            ask("none")
    storage.remove(["none"])


def test_a_file_is_created_once_and_again_only_with_the_same_bytes(object_store):
    storage = Storage(object_store)
    storage.create("one", b"1")
    storage.create("one", b"1")
    with pytest.raises(ChangedError):
        storage.create("one", b"2")
    assert storage.read("one") == b"1"


def test_a_file_is_replaced_only_while_it_is_what_was_read(object_store):
    storage = Storage(object_store)
    storage.create("one", b"1")
    read = storage.read_version("one")
    storage.replace("one", b"2", read)
    with pytest.raises(ChangedError):
        storage.replace("one", b"3", read)
    assert storage.read("one") == b"2"


def test_s3_itself_refuses_a_writer_that_comes_in_between(s3_folder, monkeypatch):
    storage, other = Storage(s3_folder), Storage(s3_folder)
    storage.create("one", b"1")
    expected = storage.read_version("one")
    other.replace("one", b"other", other.read_version("one"))
    looks = iter([b"1"])  # the look before the write sees what stood there
    seen = storage.read
    monkeypatch.setattr(storage, "read", lambda name: next(looks, None) or seen(name))
    with pytest.raises(ChangedError):
        storage.replace("one", b"2", expected)
    assert other.read("one") == b"other"


def test_a_write_whose_answer_was_lost_counts(s3_folder, monkeypatch):
    storage = Storage(s3_folder)
    storage.create("one", b"1")
    expected = storage.read_version("one")
    storage.replace("one", b"2", expected)
    storage.replace("one", b"2", expected)
    looks = iter([b"1"])
    seen = storage.read
    monkeypatch.setattr(storage, "read", lambda name: next(looks, None) or seen(name))
    storage.replace("one", b"2", StoredVersion(b"1", expected.tag))
    assert storage.read("one") == b"2"


def test_a_bucket_that_is_not_there_cannot_be_written_to(s3_folder, tmp_path):
    (tmp_path / "file").write_bytes(b"three")
    with pytest.raises(StoreError, match=r"s3://nobody-has-it/a/file: cannot be written: .*bucket"):
        Storage("s3://nobody-has-it/a").upload(tmp_path / "file", "file")


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
