"""A result in an object store is complete once its summary is there; cut anywhere, it is gone on with."""

import pytest

from ibidem.errors import CorpusError
from ibidem.plans import remote_folder
from ibidem.plans.remote_folder import upload_result
from ibidem.remote.storage import Storage

FILES = {"kept/a.jsonl": b"a", "kept/deep/b.jsonl": b"bb", "removed.jsonl": b"", "summary.json": b"{}"}


@pytest.fixture
def made(tmp_path):
    for name, data in FILES.items():
        place = tmp_path / "made" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return tmp_path / "made"


def read_all(url):
    storage = Storage(url)
    return {name: storage.read(name) for name in storage.list()}


def test_all_files_are_there_and_a_rank_that_comes_later_changes_nothing(object_store, made):
    for _ in range(2):
        upload_result(object_store, "checksum", made)
        assert read_all(object_store) == FILES


@pytest.mark.parametrize("cut_at", ["kept/a.jsonl", "kept/deep/b.jsonl", "summary.json", "removal of the mark"])
def test_an_upload_that_is_cut_has_no_summary_before_all_is_there(object_store, made, monkeypatch, cut_at):
    def cut(method):
        def do(storage, *given):
            if cut_at in map(str, given) or (method == "remove" and cut_at == "removal of the mark"):
                raise KeyboardInterrupt
            return whole[method](storage, *given)

        return do

    whole = {method: getattr(Storage, method) for method in ("upload", "create", "remove")}
    monkeypatch.setattr(remote_folder, "_TRANSFERS", 1)
    with monkeypatch.context() as patch:
        for method in whole:
            patch.setattr(Storage, method, cut(method))
        with pytest.raises(KeyboardInterrupt):
            upload_result(object_store, "checksum", made)
    assert ("summary.json" in read_all(object_store)) == (cut_at == "removal of the mark")
    upload_result(object_store, "checksum", made)
    assert read_all(object_store) == FILES


def test_another_plan_at_work_and_another_result_are_errors(object_store, made):
    Storage(object_store).create("unfinished", b"another\n")
    with pytest.raises(CorpusError, match="another plan writes there"):
        upload_result(object_store, "checksum", made)
    Storage(object_store).remove(["unfinished"])
    upload_result(object_store, "checksum", made)
    for name, data in {"summary.json": b'{"other": 1}', "kept/a.jsonl": b"other"}.items():
        kept = (made / name).read_bytes()
        (made / name).write_bytes(data)
        with pytest.raises(CorpusError, match="something else stands there"):
            upload_result(object_store, "other", made)
        (made / name).write_bytes(kept)
