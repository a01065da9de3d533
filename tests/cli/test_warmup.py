"""Compiled code in a folder of one's own, and many processes that begin on an empty one."""

import os
import subprocess
import sys

TOKENIZE = "from ibidem.text import Texts, make_tokenizer; make_tokenizer().encode(Texts.from_strings(['a b']))"


def start(folder, *program):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    return subprocess.Popen([sys.executable, *program], env=environment, stderr=subprocess.PIPE, text=True)


def test_many_cold_processes_share_one_empty_cache(tmp_path):
    processes = [start(tmp_path, "-c", TOKENIZE) for _ in range(8)]
    said = [process.communicate()[1] for process in processes]
    assert [process.returncode for process in processes] == [0] * 8
    assert all(word == "" or (word.startswith("compiling kernels") and word.count("\n") == 1) for word in said)
    assert list(tmp_path.rglob("*.nbc"))


def test_a_process_that_has_compiled_kernels_cannot_move_its_cache(tmp_path, run):
    import numba  # noqa: F401  # as any command before this one would have

    result = run("warmup", "--cache", tmp_path / "kernels")
    assert result.exit_code == 2
    assert "--cache is for a process that has compiled nothing yet" in result.stderr
    assert not (tmp_path / "kernels").exists()
