"""A process ends at its bounds, on systems with bounds and on those without."""

import os
import subprocess
import sys

import pytest

from ibidem.system import bounds

from .conftest import WITHOUT_POSIX

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


def run(program: str, without_posix: bool) -> "subprocess.CompletedProcess[str]":
    path = os.pathsep.join([str(WITHOUT_POSIX)] * without_posix + [each for each in sys.path if each])
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("without_posix", [False, True])
def test_a_process_ends_when_its_time_is_over(without_posix: bool) -> None:
    late = (
        f"from ibidem.system.bounds import ran_out_of_time as late; print(late({run(LATE, without_posix).returncode}))"
    )
    assert run(late, without_posix).stdout == "True\n"
    in_time = run(IN_TIME, without_posix).returncode
    assert in_time == 0
    assert not bounds.ran_out_of_time(in_time)


def test_a_process_has_no_more_memory_than_its_bound_where_the_system_bounds_it() -> None:
    greedy = "b = bytearray(2 << 30)"
    assert "MemoryError" in run(MEMORY.format(greedy), False).stderr
    assert run(MEMORY.format(greedy), True).returncode == 0


def test_open_files_are_counted_and_their_bound_is_raised_where_there_is_one() -> None:
    resource = pytest.importorskip("resource")
    used, most = bounds.count_files()
    with open(os.devnull):
        assert bounds.count_files()[0] == used + 1
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert most == (None if soft == resource.RLIM_INFINITY else soft)
    program = "from ibidem.system.bounds import *; print(raise_file_limit(), count_files()[1])"
    assert run(program, True).stdout == "False None\n"
    small = (
        f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (64, {min(hard, 4096) if hard > 0 else 4096})); "
    )
    assert run(small + program, False).stdout == "True 512\n"


def test_a_lower_bound_of_memory_stays() -> None:
    pytest.importorskip("resource")
    lower = "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))"
    shown = "from ibidem.system.bounds import memory_limit; print(memory_limit())"
    done = run(f"{lower}; {MEMORY.format(shown)}", without_posix=False)
    assert (done.stdout, done.stderr) == (f"{1 << 29}\n", "")
