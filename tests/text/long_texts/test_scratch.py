"""Arrays that lie in files without a name while they are needed."""

import errno
import os

import numpy as np
import pytest

from ibidem.errors import StoreError
from ibidem.text.long_texts import scratch
from ibidem.text.long_texts.scratch import Scratch


def test_what_was_appended_is_read_back_in_order():
    with Scratch(np.uint32) as aside:
        aside.append(np.arange(3, dtype=np.uint32))
        aside.append(np.zeros(0, np.uint32))
        aside.append(np.array([9], np.uint32))
        assert aside.finish().tolist() == [0, 1, 2, 9]


def test_what_nothing_was_appended_to_is_empty():
    with Scratch(np.uint32) as aside:
        assert aside.finish().shape == (0,)


def test_values_are_read_only_and_outlive_the_block():
    with Scratch(np.uint8) as aside:
        aside.append(b"abc")
        values = aside.finish()
    assert not values.flags.writeable
    assert values.tobytes() == b"abc"


def test_no_file_stays_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(scratch.tempfile, "tempdir", str(tmp_path))
    with Scratch(np.uint8) as aside:
        aside.append(b"abc")
        values = aside.finish()
    assert list(tmp_path.iterdir()) == []
    assert len(values) == 3


def test_a_disk_without_room_is_told_with_the_folder(tmp_path, monkeypatch):
    class Full:
        def write(self, data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        def close(self):
            pass

    monkeypatch.setattr(scratch.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(scratch.tempfile, "TemporaryFile", lambda **options: Full())
    with (
        pytest.raises(StoreError, match=rf"{tmp_path}: .*No space left on device; make room, or .*TMPDIR"),
        Scratch(np.uint8) as aside,
    ):
        aside.append(b"abc")


def test_a_folder_in_which_nothing_can_be_written_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(scratch.tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(StoreError, match="cannot be written: No such file or directory"):
        Scratch(np.uint8)
