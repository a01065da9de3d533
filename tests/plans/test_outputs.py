"""The output of a plan is an absolute path or a URL, and nothing stands there."""

import pytest

from ibidem.errors import CorpusError
from ibidem.plans.outputs import is_gone, name_output, require_empty
from ibidem.remote.storage import Storage


def test_a_path_is_made_absolute_and_a_url_is_left(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert name_output("a/b") == str(tmp_path / "a" / "b")
    assert name_output("s3://bucket/a/") == "s3://bucket/a"


def test_a_folder_with_a_file_is_refused(object_store):
    require_empty(object_store)
    Storage(object_store).create("a", b"")
    with pytest.raises(CorpusError, match="something stands there"):
        require_empty(object_store)


def test_what_stands_on_this_machine_is_seen_and_a_store_is_not_asked(tmp_path):
    assert is_gone(str(tmp_path / "a"))
    assert not is_gone(str(tmp_path))
    assert not is_gone("s3://bucket/a")
