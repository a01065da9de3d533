"""A lock is held by one alone or shared by many, and ends with the file."""

import threading
import time
from pathlib import Path

import pytest

from ibidem.system.locks import lock, unlock


def test_a_lock_keeps_others_out_until_the_file_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with path.open("a+") as first, path.open("a+") as second:
        lock(first)
        for shared in (False, True):
            with pytest.raises(BlockingIOError):
                lock(second, shared=shared, wait=False)
        first.close()
        lock(second, wait=False)


def test_a_shared_lock_lets_others_share_it_and_nobody_have_it_alone(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with path.open("a+") as first, path.open("a+") as second, path.open("a+") as third:
        lock(first, shared=True)
        lock(second.fileno(), shared=True, wait=False)
        first.close()
        with pytest.raises(BlockingIOError):
            lock(third, wait=False)
        second.close()
        lock(third, wait=False)


def test_whoever_waits_has_the_lock_after_it(tmp_path: Path) -> None:
    path, order = tmp_path / "lock", []

    def wait() -> None:
        with path.open("a+") as file:
            lock(file)
            order.append("second")

    with path.open("a+") as file:
        lock(file)
        thread = threading.Thread(target=wait)
        thread.start()
        time.sleep(0.05)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_what_is_in_a_locked_file_can_be_read_and_its_position_stays(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.write_text("process 7")
    with path.open("r+") as file:
        file.read(3)
        lock(file)
        assert path.read_text() == "process 7"
        assert file.read() == "cess 7"
        unlock(file.fileno())
