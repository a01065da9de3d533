"""A result gets its name once, whoever else tries."""

import pytest

from ibidem.errors import CorpusError
from ibidem.jobs import result
from ibidem.jobs.result import commit_folder, is_gone, link_tree, name_output, require_empty, upload_result
from ibidem.remote.storage import Storage


def fill(folder):
    (folder / "deep").mkdir()
    (folder / "deep" / "file").write_text("result")


def test_a_result_that_stands_already_is_left_and_what_was_put_aside_is_gone(tmp_path):
    (tmp_path / ".out.checksum-of-.0123.partial").mkdir()
    for _ in range(2):
        commit_folder(tmp_path / "out", "checksum-of-the-plan", fill)
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]
    assert (tmp_path / "out" / "deep" / "file").read_text() == "result"


@pytest.mark.parametrize("name", ["file", "deep/more"])
def test_another_result_is_an_error(tmp_path, name):
    commit_folder(tmp_path / "out", "checksum", fill)
    (tmp_path / "out" / name).write_text("of another")
    with pytest.raises(CorpusError, match="this output exists already"):
        commit_folder(tmp_path / "out", "checksum", fill)


def test_files_are_copied_where_no_link_can_be_made(tmp_path, monkeypatch):
    (tmp_path / "from" / "empty").mkdir(parents=True)
    fill(tmp_path / "from")

    def refuse(*_):
        raise OSError("no links here")

    monkeypatch.setattr("os.link", refuse)
    link_tree(tmp_path / "from", tmp_path / "to")
    assert (tmp_path / "to" / "deep" / "file").read_text() == "result"
    assert (tmp_path / "to" / "empty").is_dir()


def test_a_path_is_made_absolute_and_a_url_is_left(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert name_output("a/b") == str(tmp_path / "a" / "b")
    assert name_output("s3://bucket/a/") == "s3://bucket/a"


def test_a_folder_with_a_file_is_refused(object_store):
    require_empty(object_store)
    Storage(object_store).create("a", b"")
    with pytest.raises(CorpusError, match="this folder is not empty"):
        require_empty(object_store)


def test_what_stands_on_this_machine_is_seen_and_a_store_is_not_asked(tmp_path):
    assert is_gone(str(tmp_path / "a"))
    assert not is_gone(str(tmp_path))
    assert not is_gone("s3://bucket/a")


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
    monkeypatch.setattr(result, "_TRANSFERS", 1)
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
        with pytest.raises(CorpusError, match="this output exists already"):
            upload_result(object_store, "other", made)
        (made / name).write_bytes(kept)
