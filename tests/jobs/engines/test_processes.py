"""Ranks that one process starts as copies of itself finish a plan, and what becomes of them is told."""

import signal
import subprocess
import sys

import pytest

from ibidem.errors import PlanError
from ibidem.jobs.engines import processes as rehearsal
from ibidem.jobs.engines.processes import rehearse, run_processes
from ibidem.jobs.run import run_rank
from ibidem.jobs.status import read_status
from ibidem.jobs.workspace import Workspace
from ibidem.plans import plan_index, plan_reuse
from ibidem.weights import DocumentFrequencies

from ..samples import JOBS, OPTIONS, WEIGHTED, digest

pytestmark = pytest.mark.usefixtures("warm_python")

PROGRAM = """
import os, sys
from ibidem.jobs.engines import processes as forks

whole, fault = forks.run_rank, sys.argv[2]

def run_rank(folder, rank=0, of=1, **options):
    if of == 1:
        return whole(folder, **options)  # the rehearsal
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


def test_processes_finish_a_plan_together(job, planned, tmp_path):
    assert run_processes(tmp_path / "plan", 2).tasks == job.tasks
    assert digest(tmp_path / "made") == planned


def test_a_failure_in_one_process_is_told(inputs, planned, tmp_path):
    (inputs / "3.jsonl").unlink()
    with pytest.raises(PlanError, match=r"3\.jsonl"):
        run_processes(tmp_path / "plan", 2)


@pytest.fixture
def rehearsed(monkeypatch, tmp_path):
    """What each rehearsal did."""
    reports = []
    monkeypatch.setattr(rehearsal, "run_rank", lambda *given, **named: reports.append(run_rank(*given, **named)))
    monkeypatch.setattr(rehearsal.tempfile, "tempdir", str(tmp_path / "aside"))
    (tmp_path / "aside").mkdir()
    return reports


def test_every_stage_of_a_plan_is_rehearsed_and_nothing_is_left(job, planned, tmp_path, rehearsed):
    rehearse(Workspace(tmp_path / "plan"))
    [report] = rehearsed
    assert report.tasks > 4
    assert not list((tmp_path / "aside").iterdir())
    assert not (tmp_path / "made").exists()
    assert not (tmp_path / "plan" / "work").exists()


def test_two_collections_are_rehearsed_as_two(inputs, tmp_path, rehearsed):
    plan_reuse([str(inputs / "1.jsonl")], tmp_path / "made", tmp_path / "plan", against=[str(inputs / "2.jsonl")])
    rehearse(Workspace(tmp_path / "plan"))
    assert len(rehearsed) == 1


def test_frequencies_that_were_given_are_there_in_a_rehearsal(inputs, tmp_path, rehearsed):
    frequencies = DocumentFrequencies([3, 7], [1, 2], 5)
    plan_index([str(inputs)], tmp_path / "made", tmp_path / "plan", frequencies=frequencies, **OPTIONS, **WEIGHTED)
    rehearse(Workspace(tmp_path / "plan"))
    assert len(rehearsed) == 1


def test_of_a_plan_that_cannot_be_rehearsed_nothing_is_said_and_nothing_left(inputs, tmp_path, rehearsed):
    JOBS["dedup"].plan(inputs, tmp_path / "made", tmp_path / "plan", 3)
    (inputs / "0.jsonl").unlink()
    rehearse(Workspace(tmp_path / "plan"))
    assert rehearsed == []
    assert not list((tmp_path / "aside").iterdir())
