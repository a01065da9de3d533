"""What a task took is its own."""

import subprocess
import sys


def test_the_memory_of_a_process_is_not_that_of_the_one_that_started_it():
    held = bytearray(300 << 20)
    held[::4096] = b"x" * len(held[::4096])
    program = "from ibidem.system.bounds import peak_memory; print(peak_memory())"
    peak = int(subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout)
    assert 10 << 20 < peak < len(held)
