"""Ctrl-C while a kernel runs ends a search at once, and leaves an index that goes on."""

import subprocess
import sys
from pathlib import Path

import pytest

from ibidem import PassageIndex

SEARCH = """
import itertools, os, signal, sys
from ibidem.cli import main
import ibidem.{module} as module

run, numbers = module.{kernel}, itertools.count()

def interrupt(*arguments):
    if next(numbers) == 0:  # a second signal would end the process at once
        os.kill(os.getpid(), signal.SIGINT)
    return run(*arguments)

module.{kernel} = interrupt
sys.argv[1:] = ["search", {index!r}, "--query", "again " * 3000, "--unbounded", *{options!r}]
main()
"""


@pytest.mark.parametrize(
    ("module", "kernel", "build", "options"),
    [
        ("passages.search.verification", "_walk", {"max_length": 5000}, []),
        ("passages.search.non_overlapping", "_choose", {"max_length": 5000}, []),
    ],
)
def test_ctrl_c_in_a_kernel_ends_the_command(tmp_path: Path, module: str, kernel: str, build, options) -> None:
    with PassageIndex.build(tmp_path / "index", [("poison", "again " * 40_000)], **build):
        pass
    code = SEARCH.format(module=module, kernel=kernel, index=str(tmp_path / "index"), options=options)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == "ibidem: interrupted"
    assert "Traceback" not in done.stderr
    assert done.returncode == 130
    with PassageIndex.open(tmp_path / "index") as index:
        assert index.search("again " * 60, threshold=0.9)
