"""One rank at a task, and no task that waits for a dead one."""

import errno
import io
import os
import signal
import subprocess
import sys

import pytest

from ibidem.jobs.claims import Claim, claim_task, is_dead, read_claim

HOLDING = """
import sys
from pathlib import Path
from ibidem.jobs.claims import claim_task
with claim_task(Path(sys.argv[1]), "task") as held:
    print(held, flush=True)
    sys.stdin.read()
"""


def test_a_claim_is_held_by_one_and_let_go(tmp_path):
    with claim_task(tmp_path, "task") as first:
        assert first
        with claim_task(tmp_path, "task") as second:
            assert not second
        assert read_claim(tmp_path, "task").process == os.getpid()
    assert read_claim(tmp_path, "task") is None
    with claim_task(tmp_path, "task") as again:
        assert again


def test_the_claim_of_a_process_that_is_killed_is_dead_at_once(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout.readline() == b"True\n"
        assert not is_dead(tmp_path, "task")
        holder.kill()
        holder.stdin.close()
        holder.wait()
    assert is_dead(tmp_path, "task")
    with claim_task(tmp_path, "task") as taken:
        assert taken


def test_the_claim_of_a_process_of_this_machine_that_is_stopped_is_dead_after_its_lease(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout.readline() == b"True\n"
        holder.send_signal(signal.SIGSTOP)
        assert not is_dead(tmp_path, "task", lease=60)
        os.utime(tmp_path / "task", (0, 0))
        assert is_dead(tmp_path, "task", lease=60)
        with claim_task(tmp_path, "task", lease=60) as taken:
            assert taken
        holder.kill()


def test_the_claim_of_another_machine_is_dead_after_its_lease(tmp_path):
    import msgspec

    path = tmp_path / "task"
    path.write_bytes(msgspec.json.encode(Claim("elsewhere", "another boot", 1, "0", 0.0, "token")))
    assert not is_dead(tmp_path, "task", lease=60)
    os.utime(path, (0, 0))
    assert is_dead(tmp_path, "task", lease=60)


def test_an_empty_claim_is_of_a_rank_that_died_in_making_it(tmp_path):
    path = tmp_path / "task"
    path.touch()
    assert not is_dead(tmp_path, "task")
    os.utime(path, (0, 0))
    with claim_task(tmp_path, "task") as taken:
        assert taken


def test_a_claim_that_was_taken_over_is_not_let_go_by_its_first_holder(tmp_path):
    with claim_task(tmp_path, "task"):
        other = Claim("elsewhere", "another boot", 1, "0", 0.0, "token")
        import msgspec

        (tmp_path / "task").write_bytes(msgspec.json.encode(other))
    assert read_claim(tmp_path, "task") == other


def test_a_claim_that_a_full_disk_does_not_take_is_not_left(tmp_path, monkeypatch):
    def full(self, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    class Full(io.BytesIO):
        write = full

    def open_full(descriptor, mode):
        os.close(descriptor)
        return Full()

    with monkeypatch.context() as patch:
        patch.setattr(os, "fdopen", open_full)
        with pytest.raises(OSError, match=f"No space left on device: '{tmp_path}/task'"), claim_task(tmp_path, "task"):
            pass
    with claim_task(tmp_path, "task") as held:
        assert held
