"""No kernel reads or writes outside of an array, neither on good input nor on an index that was tampered with.

Kernels index without looking. Numba can make them look (``NUMBA_BOUNDSCHECK=1``), which changes their machine code, so
that is done in processes with a cache of their own, and without optimising, which takes a third of the time.
"""

import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
CAMPAIGN = FOLDER.parent / "benchmarks" / "reliability" / "campaign.py"

EXERCISE = """
import runpy, sys
from pathlib import Path
runpy.run_path(sys.argv[1])["exercise"](Path(sys.argv[2]))
"""

OUTSIDE = """
import numpy as np
from ibidem.kernels import kernel

@kernel
def read(values, place):
    return values[place]

read(np.zeros(3), 3)
"""


def run_checked(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run Python with kernels that check their bounds."""
    cache = f"{os.environ['NUMBA_CACHE_DIR']}-bounds"
    benchmarks = str(FOLDER.parent / "benchmarks")  # whose ``baselines`` the kernels are compared with
    numba = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "0", "NUMBA_CACHE_DIR": cache}
    environment = {**os.environ, **numba, "PYTHONPATH": benchmarks}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=environment, check=False)


def test_a_place_outside_of_an_array_is_noticed() -> None:
    assert "IndexError" in run_checked("-c", OUTSIDE).stderr


def test_no_kernel_leaves_its_arrays_on_good_input(tmp_path: Path) -> None:
    done = run_checked("-W", "ignore", "-c", EXERCISE, str(FOLDER / "test_kernels.py"), str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_kernel_leaves_its_arrays_on_a_tampered_index() -> None:
    done = run_checked(str(CAMPAIGN), "--quick", "--only", "hostile")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "hostile: passages" in done.stdout
