"""A result gets its name once, whoever else tries."""

import pytest

from ibidem.errors import CorpusError
from ibidem.plans.result_folder import commit_folder, link_tree


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
    with pytest.raises(CorpusError, match="something else stands there"):
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
