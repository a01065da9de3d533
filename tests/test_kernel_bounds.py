"""No kernel of a search reads or writes outside of an array on an index that was tampered with.

Kernels index without looking. Numba can make them look (``NUMBA_BOUNDSCHECK=1``), which changes their machine code, so
that is done in a process with a cache of its own.
"""

import os
import subprocess
import sys
from pathlib import Path

CAMPAIGN = Path(__file__).resolve().parent.parent / "benchmarks" / "reliability" / "campaign.py"


def test_no_kernel_leaves_its_arrays_on_a_tampered_index() -> None:
    cache = f"{os.environ['NUMBA_CACHE_DIR']}-bounds"
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": cache}
    command = [sys.executable, str(CAMPAIGN), "--quick", "--only", "hostile"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "hostile: exact" in done.stdout
