"""Compiled code in a folder of one's own, and many processes that begin on an empty one."""

import os
import subprocess
import sys
from pathlib import Path

from ibidem.cli.group import COMMANDS

from .kernels_of_commands import NO_KERNELS, list_calls

NUMBER = "import numpy as np; from ibidem.text.token_stream import number_tokens as n; n(np.arange(3, dtype=np.uint32))"


def start(folder, *program):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    return subprocess.Popen([sys.executable, *program], env=environment, stderr=subprocess.PIPE, text=True)


def test_many_cold_processes_share_one_empty_cache(tmp_path):
    processes = [start(tmp_path, "-c", NUMBER) for _ in range(4)]
    said = [process.communicate()[1] for process in processes]
    assert [process.returncode for process in processes] == [0] * 4
    assert all(word == "" or (word.startswith("compiling kernels") and word.count("\n") == 1) for word in said)
    assert list(tmp_path.rglob("*.nbc"))


def test_a_process_that_has_compiled_kernels_cannot_move_its_cache(tmp_path, run):
    import numba  # noqa: F401  # as any command before this one would have

    result = run("warmup", "--cache", tmp_path / "kernels")
    assert result.exit_code == 2
    assert "--cache is for a process that has compiled nothing yet" in result.stderr
    assert not (tmp_path / "kernels").exists()


def test_no_command_compiles_anything_after_a_warmup(tmp_path):
    """An image with a read-only cache would compile it again in every process."""
    program = Path(__file__).with_name("kernels_of_commands.py")
    done = subprocess.run([sys.executable, program, tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""


def test_every_command_is_among_those_that_are_compared():
    assert {call[0] for call in list_calls()} | NO_KERNELS == set(COMMANDS)
