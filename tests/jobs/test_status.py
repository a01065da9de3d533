"""A status says what is done, who is at what, what failed, and what is not known yet."""

import os
import socket

import msgspec
import pytest

from ibidem.errors import PlanError
from ibidem.jobs.claims import Claim, claim_task
from ibidem.jobs.run import run_rank
from ibidem.jobs.status import read_status
from ibidem.jobs.workspace import Task, Workspace


@pytest.fixture
def workspace(planned, tmp_path):
    opened = Workspace(tmp_path / "plan")
    opened.prepare()
    return opened


def test_of_a_plan_that_nobody_has_begun_only_the_first_tasks_are_known(planned, job, tmp_path):
    status = read_status(tmp_path / "plan")
    assert not status.is_done
    assert (status.plan, status.output) == (str(tmp_path / "plan"), str(tmp_path / "made"))
    first, *others = status.stages
    assert (first.stage, first.tasks, first.done, first.running, first.failed) == ("read", 3, 0, [], {})
    assert [stage.tasks for stage in others] == [None] * len(others)


def test_a_plan_that_is_done_says_what_it_took(planned, job, tmp_path):
    run_rank(tmp_path / "plan")
    status = read_status(tmp_path / "plan")
    assert status.is_done
    assert sum(stage.done for stage in status.stages) == job.tasks
    for stage in status.stages:
        assert stage.tasks == stage.done
        assert stage.seconds > 0
        assert stage.processor > 0
        assert stage.peak_memory > 1 << 20


def test_a_task_that_a_rank_is_at_is_running_with_its_process(workspace, tmp_path):
    with claim_task(workspace.claims, "read-00001"):
        [running] = read_status(tmp_path / "plan").stages[0].running
    assert (running.task, running.host, running.process) == ("read-00001", socket.gethostname(), os.getpid())
    assert running.seconds >= 0
    assert not running.lost
    assert read_status(tmp_path / "plan").stages[0].running == []


def test_a_task_of_another_machine_is_lost_after_its_lease(workspace, tmp_path):
    claim = workspace.claims / "read-00000"
    claim.write_bytes(msgspec.json.encode(Claim("elsewhere", "another boot", 1, "0", 0.0, "token")))
    os.utime(claim, (0, 0))
    [running] = read_status(tmp_path / "plan", lease=60).stages[0].running
    assert (running.host, running.lost) == ("elsewhere", True)


def test_a_failure_is_shown_until_its_task_is_done(workspace, tmp_path):
    workspace.put_failure(Task("read", 2), "it broke", "at some line")
    assert read_status(tmp_path / "plan").stages[0].failed == {"read-00002": "it broke"}
    run_rank(tmp_path / "plan")
    assert read_status(tmp_path / "plan").stages[0].failed == {}


def test_a_folder_without_a_plan_has_no_status(tmp_path):
    with pytest.raises(PlanError, match="not a plan"):
        read_status(tmp_path)
