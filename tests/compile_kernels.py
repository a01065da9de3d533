"""Compile kernels before the tests do: ``python tests/compile_kernels.py HALF``, with a half of ``ibidem warmup``.

Workers that begin with an empty cache each compile most kernels at the same time, and so all of them twice. Two
processes that compile a half each take half the time.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

__all__ = ["compile_halves"]

HALVES = ("sketches", "passages")


def compile_halves(cache: Path) -> None:
    """Fill an empty cache. What a broken kernel or command makes of it is for the tests to say."""
    if next(cache.rglob("*.nbc"), None) is not None:
        return
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    programs = [
        subprocess.Popen([sys.executable, "-P", __file__, half], env=environment, stderr=subprocess.DEVNULL)
        for half in HALVES
    ]
    for program in programs:
        program.wait()


def main(half: str) -> None:
    """Do what ``ibidem warmup`` does: build indexes of sketches, or of passages, and run the commands."""
    from ibidem.cli import warmup

    if half == "sketches":
        for choice in warmup.SKETCHES:
            warmup.compile_sketches(choice)
    else:
        for choice in warmup.PASSAGES:
            warmup.compile_passages(choice)
        with tempfile.TemporaryDirectory(prefix="ibidem-") as folder, warmup._silence():
            warmup._write_texts(Path(folder))
            for line in warmup.COMMANDS:
                warmup._run(line.format(folder=folder).split("|"))


if __name__ == "__main__":
    main(sys.argv[1])
