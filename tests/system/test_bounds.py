"""A process ends at its bounds."""

import resource
import subprocess
import sys

from ibidem.system import bounds

LATE = """
import time
from ibidem.system.bounds import bound_time
bound_time(0)
bound_time(60)
bound_time(1)
time.sleep(60)
"""
IN_TIME = "from ibidem.system.bounds import bound_time; import time; bound_time(1); bound_time(0); time.sleep(1.5)"
MEMORY = "from ibidem.system.bounds import bound_memory; bound_memory(1 << 30); {}"


def run(program: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


def test_a_process_ends_when_its_time_is_over() -> None:
    assert bounds.ran_out_of_time(run(LATE).returncode)
    in_time = run(IN_TIME).returncode
    assert in_time == 0
    assert not bounds.ran_out_of_time(in_time)


def test_a_process_has_no_more_memory_than_its_bound() -> None:
    assert "MemoryError" in run(MEMORY.format("b = bytearray(2 << 30)")).stderr


def test_the_bound_of_open_files_is_raised() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = min(hard, 4096) if hard > 0 else 4096
    program = (
        f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (64, {most})); "
        "from ibidem.system.bounds import *; print(raise_file_limit(), resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    assert run(program).stdout == "True 512\n"


def test_a_lower_bound_of_memory_stays() -> None:
    lower = "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))"
    shown = "from ibidem.system.bounds import memory_limit; print(memory_limit())"
    done = run(f"{lower}; {MEMORY.format(shown)}")
    assert (done.stdout, done.stderr) == (f"{1 << 29}\n", "")
