"""Ranks that one process starts as copies of itself finish a plan, and what becomes of them is told."""

import signal
import subprocess
import sys

from ibidem.plans.status import read_status

from ..samples import digest

PROGRAM = """
import os, sys
from ibidem.plans.engines import forks

whole, fault = forks.run_rank, sys.argv[2]

def run_rank(folder, rank, of, **options):
    if rank == 1 and fault == "killed":
        os.kill(os.getpid(), 9)
    if rank == 1 and fault == "broken":
        raise RuntimeError("a defect")
    if rank == 1 and fault == "full":
        raise OSError(28, "No space left on device")
    if fault == "endless":
        os.write(1, b".")
        while True:
            os.read(0, 1)
    return whole(folder, rank, of, **options)

forks.run_rank = run_rank
try:
    print(forks.run_forks(sys.argv[1], 2, 2, 60.0).tasks)
except forks.PlanError as error:
    print(error)
"""


def run(folder, fault):
    program = [sys.executable, "-c", PROGRAM, str(folder), fault]
    return subprocess.run(program, capture_output=True, check=True, text=True).stdout


def test_copies_of_a_process_finish_a_plan_together(job, planned, tmp_path):
    assert run(tmp_path / "plan", "none").split() == [str(job.tasks)]
    assert digest(tmp_path / "made") == planned
    assert run(tmp_path / "plan", "none").split() == ["0"]


def test_a_rank_that_is_killed_is_told_and_the_others_go_on(planned, tmp_path):
    assert "a rank ended by signal 9; run the plan again" in run(tmp_path / "plan", "killed")
    assert read_status(tmp_path / "plan").is_done
    assert digest(tmp_path / "made") == planned


def test_a_defect_in_a_rank_is_told_with_its_place(planned, tmp_path):
    program = [sys.executable, "-c", PROGRAM, str(tmp_path / "plan"), "broken"]
    ended = subprocess.run(program, capture_output=True, check=True, text=True)
    assert "in run_rank" in ended.stderr
    assert ended.stderr.endswith("RuntimeError: a defect\n")
    assert ended.stdout == "a rank ended with RuntimeError: a defect; the lines above say where\n"


def test_a_full_disk_is_told_in_one_line(planned, tmp_path):
    assert run(tmp_path / "plan", "full") == f"{tmp_path}/plan: No space left on device\n"


def test_ranks_end_with_the_process_that_started_them(planned, tmp_path):
    program = [sys.executable, "-c", PROGRAM, str(tmp_path / "plan"), "endless"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as started:
        try:
            assert started.stdout.read(2) == b".."
        finally:
            started.send_signal(signal.SIGTERM)
        assert started.stdout.read() == b""  # nobody holds it any more
    assert started.returncode == 128 + signal.SIGTERM
