"""Ranks finish a plan together, whoever dies on the way."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from ibidem.errors import PlanError
from ibidem.jobs.claims import claim_task
from ibidem.jobs.run import run_rank
from ibidem.jobs.stage import Stage
from ibidem.jobs.status import read_status
from ibidem.jobs.workspace import Task, Workspace

from .samples import JOBS, digest

pytestmark = pytest.mark.usefixtures("warm_python")

DYING = """
import os, signal, sys
from ibidem.jobs.run import run_rank
from ibidem.system import disk

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


def test_a_plan_whose_rank_is_killed_again_and_again_ends_with_the_same_bytes(planned, tmp_path):
    kills = [0, 9, 20, 40, 70, 110, 130]
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
    from ibidem.system import disk

    def full(*_):
        raise OSError(28, os.strerror(28))

    with monkeypatch.context() as patch:
        patch.setattr(disk, "sync", full)
        with pytest.raises(
            PlanError, match=r"task read-00000 failed: .*/plan: No space left.*run the plan again to resume it"
        ):
            run_rank(tmp_path / "plan")
    assert not list((tmp_path / "plan" / "work").rglob("*.partial"))
    run_rank(tmp_path / "plan")
    assert digest(tmp_path / "made") == planned


@pytest.fixture
def made_up(inputs, tmp_path, monkeypatch):
    """The folder of a plan with 300 tasks that only note that they were done."""
    JOBS["index"].plan(inputs, tmp_path / "made", tmp_path / "plan", 3)
    done = []

    def work(workspace, number, target, resources):
        done.append(number)

    stage = Stage("read", lambda workspace: 300, work, bulky=True)
    monkeypatch.setattr("ibidem.jobs.run.stages_of", lambda workspace: [stage])
    return tmp_path / "plan", done


def test_a_rank_lists_the_folder_of_a_stage_once_for_each_share_and_not_for_each_task(made_up, monkeypatch):
    folder, done = made_up
    listed = []
    list_done = Workspace.done
    monkeypatch.setattr(Workspace, "done", lambda self, stage: listed.append(stage) or list_done(self, stage))
    assert run_rank(folder, 1, 3).tasks == 300
    assert done == [*range(1, 300, 3), *range(2, 300, 3), *range(0, 300, 3)]
    assert len(listed) == 3
    run_rank(folder, 2, 3)
    assert len(done) == 300


def test_a_rank_makes_no_claim_to_what_was_done_since_it_looked(made_up, monkeypatch):
    folder, done = made_up
    claimed = []

    def claim_and_note(claims, name, lease):
        claimed.append(name)
        if name == "read-00000":  # another rank does all but the last task meanwhile
            workspace = Workspace(folder)
            for number in range(1, 299):
                workspace.output("read", number).mkdir(parents=True)
                (workspace.output("read", number) / "task.json").touch()
        return claim_task(claims, name, lease)

    monkeypatch.setattr("ibidem.jobs.run.claim_task", claim_and_note)
    run_rank(folder)
    assert done == [0, 299]
    assert claimed == ["read-00000", "read-00299", "clearing"]


def test_what_only_the_work_needed_is_freed_once(made_up, monkeypatch):
    folder, _ = made_up
    run_rank(folder)

    def refuse(self, tasks, kept=()):
        pytest.fail("it is freed already")

    monkeypatch.setattr(Workspace, "discard_outputs", refuse)
    run_rank(folder)


def test_a_rank_that_was_interrupted_while_it_freed_the_disk_is_followed_by_the_next(planned, tmp_path, monkeypatch):
    def interrupt(self):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Workspace, "mark_cleared", interrupt)
        with pytest.raises(KeyboardInterrupt):
            run_rank(tmp_path / "plan")
    assert not Workspace(tmp_path / "plan").is_cleared
    run_rank(tmp_path / "plan")
    assert Workspace(tmp_path / "plan").is_cleared
    assert digest(tmp_path / "made") == planned
