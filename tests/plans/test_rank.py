"""Ranks finish a plan together, whoever dies on the way."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.errors import PlanError
from ibidem.passages.index_builder import cut_by_tokens
from ibidem.plans.engines.processes import run_processes
from ibidem.plans.plan import Shard
from ibidem.plans.rank import run_rank
from ibidem.plans.shards import cut_into_parts
from ibidem.plans.status import read_status
from ibidem.plans.workspace import Task, Workspace

from .samples import JOBS, digest

DYING = """
import os, signal, sys
from ibidem.plans.rank import run_rank
from ibidem.store.files import disk

folder, instant = sys.argv[1], int(sys.argv[2])
left = [instant]

def dying(function):
    def work(*arguments):
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1
        return function(*arguments)
    return work

for name in ("create", "rename", "sync_folder", "remove_tree", "write_file"):
    setattr(disk, name, dying(getattr(disk, name)))
run_rank(folder)
print("survived")
"""


def die_at(folder, instant):
    """Run a rank that is killed at a file operation; whether it had so many."""
    done = subprocess.run(
        [sys.executable, "-c", DYING, str(folder), str(instant)], capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode != 0


@pytest.fixture(params=JOBS)
def job(request):
    return JOBS[request.param]


@pytest.fixture
def planned(job, inputs, tmp_path):
    expected = job.run(inputs, tmp_path / "plain")
    job.plan(inputs, tmp_path / "made", tmp_path / "plan", 3)
    return expected


def test_a_plan_whose_rank_is_killed_again_and_again_ends_with_the_same_bytes(planned, tmp_path):
    kills = [0, 9, 40, 70, 110, 130]
    killed = sum(die_at(tmp_path / "plan", instant) for instant in kills)
    assert killed > 2
    run_rank(tmp_path / "plan")
    assert digest(tmp_path / "made") == planned
    assert not list((tmp_path / "plan").rglob("*.partial"))


def test_what_is_done_before_a_kill_is_not_done_again(job, planned, tmp_path):
    instants = iter(range(20, 400, 10))
    while not (done := sum(stage.done for stage in read_status(tmp_path / "plan").stages)):
        assert die_at(tmp_path / "plan", next(instants))
    assert run_rank(tmp_path / "plan").tasks == job.tasks - done
    assert digest(tmp_path / "made") == planned


@pytest.mark.parametrize("ranks", [2, 7])
def test_ranks_in_threads_finish_a_plan_together(job, planned, tmp_path, ranks):
    with ThreadPoolExecutor(ranks) as pool:
        reports = list(pool.map(lambda rank: run_rank(tmp_path / "plan", rank, ranks), reversed(range(ranks))))
    assert sum(report.tasks for report in reports) == job.tasks
    assert digest(tmp_path / "made") == planned


def test_the_same_rank_twice_at_once_gives_the_same_bytes(planned, tmp_path):
    program = [sys.executable, "-m", "ibidem.cli", "run", str(tmp_path / "plan"), "--rank", "0", "--of", "2"]
    both = [subprocess.Popen(program, stderr=subprocess.PIPE) for _ in range(2)]
    assert [process.communicate()[1] and process.returncode for process in both] == [0, 0]
    assert digest(tmp_path / "made") == planned


def test_processes_finish_a_plan_together(job, planned, tmp_path):
    assert run_processes(tmp_path / "plan", 2).tasks == job.tasks
    assert digest(tmp_path / "made") == planned


def test_a_failure_in_one_process_is_told(inputs, planned, tmp_path):
    (inputs / "3.jsonl").unlink()
    with pytest.raises(PlanError, match=r"3\.jsonl"):
        run_processes(tmp_path / "plan", 2)


def test_a_rank_that_waits_stops_when_another_fails(planned, tmp_path):
    workspace = Workspace(tmp_path / "plan")
    workspace.prepare()
    workspace.put_failure(Task("read", 1), "an old fault", "")

    def fail_later(phase, done, total):
        if phase == "read" and done == 1:
            workspace.put_failure(Task("read", 1), "a new fault", "")

    with pytest.raises(PlanError, match=r"task read-00001 failed in process .*: a new fault"):
        run_rank(tmp_path / "plan", progress=fail_later)
    assert read_status(tmp_path / "plan").stages[0].failed == {"read-00001": "a new fault"}
    run_rank(tmp_path / "plan")
    assert read_status(tmp_path / "plan").stages[0].failed == {}


@pytest.mark.parametrize(("rank", "of"), [(2, 2), (-1, 3), (0, 0)])
def test_a_rank_that_does_not_exist_is_refused(planned, tmp_path, rank, of):
    with pytest.raises(PlanError, match="ranks are numbered from 0"):
        run_rank(tmp_path / "plan", rank, of)


def test_a_full_disk_in_one_rank_leaves_a_plan_that_goes_on(planned, tmp_path, monkeypatch):
    from ibidem.store.files import disk

    def full(*_):
        raise OSError(28, os.strerror(28))

    with monkeypatch.context() as patch:
        patch.setattr(disk, "sync", full)
        with pytest.raises(OSError, match="No space left"):
            run_rank(tmp_path / "plan")
    assert not list((tmp_path / "plan" / "work").rglob("*.partial"))
    run_rank(tmp_path / "plan")
    assert digest(tmp_path / "made") == planned


lengths = st.lists(st.integers(0, 30), max_size=30)


@given(lengths, st.integers(1, 40), st.data())
def test_documents_are_dealt_out_by_their_lengths_and_not_by_their_batches(sizes, most, data):
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sizes)), max_size=5)))
    batches = [sizes[low:high] for low, high in zip([0, *cuts], [*cuts, len(sizes)], strict=True)]
    assert deal(batches, most) == deal([sizes], most) == deal_plainly(sizes, most)


def deal(batches, most):
    segments = []
    for batch in batches:
        held = sum(segments[-1]) if segments else None
        for first, end, begins in cut_by_tokens(batch, held, most):
            if begins:
                segments.append([])
            segments[-1] += batch[first:end]
    return segments


def deal_plainly(sizes, most):
    segments = []
    for size in sizes:
        if not segments or sum(segments[-1]) + size > most:
            segments.append([])
        segments[-1].append(size)
    return segments


@given(st.lists(st.integers(0, 100), min_size=1, max_size=30), st.integers(1, 12))
def test_parts_are_runs_of_shards_that_hold_each_once(sizes, parts):
    shards = [Shard(str(number), str(number), size, "") for number, size in enumerate(sizes)]
    cut = cut_into_parts(shards, parts)
    assert 1 <= len(cut) <= parts
    assert [number for low, high in cut for number in range(low, high)] == list(range(len(shards)))
    assert all(low < high for low, high in cut)
