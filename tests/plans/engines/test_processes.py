"""Processes of one machine finish a plan together, and tell what failed in one of them."""

import pytest

from ibidem.errors import PlanError
from ibidem.plans.engines.processes import run_processes

from ..samples import digest


def test_processes_finish_a_plan_together(job, planned, tmp_path):
    assert run_processes(tmp_path / "plan", 2).tasks == job.tasks
    assert digest(tmp_path / "made") == planned


def test_a_failure_in_one_process_is_told(inputs, planned, tmp_path):
    (inputs / "3.jsonl").unlink()
    with pytest.raises(PlanError, match=r"3\.jsonl"):
        run_processes(tmp_path / "plan", 2)
