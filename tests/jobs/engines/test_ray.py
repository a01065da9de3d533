"""Ray runs the plan that ranks run: in a network namespace of its own, on two processors."""

import re
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from ibidem.errors import MissingExtraError, PlanError
from ibidem.jobs.status import read_status
from ibidem.passages.job.planning import plan_index

from ...ray_clusters import run_beside_cluster, run_on_cluster
from ..samples import JOBS, OPTIONS, digest

SCRIPT = """
def main():
    from ibidem.jobs.engines.ray import run_on_ray

    for plan in sys.argv[1:]:
        print("tasks done:", run_on_ray(plan).tasks)
"""


def test_ray_makes_the_bytes_of_the_plain_calls_and_tells_a_failure(inputs, tmp_path):
    expected = {name: job.run(inputs, tmp_path / f"plain-{name}") for name, job in JOBS.items()}
    for name, job in JOBS.items():
        job.plan(inputs, tmp_path / name, tmp_path / f"{name}.plan", 3)
    shutil.copy(inputs / "2.jsonl", tmp_path / "gone.jsonl")
    plan_index([str(tmp_path / "gone.jsonl")], tmp_path / "other", tmp_path / "failing", **OPTIONS)
    (tmp_path / "gone.jsonl").unlink()
    done = run_on_cluster(SCRIPT, *(tmp_path / f"{name}.plan" for name in JOBS), tmp_path / "failing")
    # Ray writes to standard output, too.
    assert re.findall(r"tasks done: (\d+)", done.stdout) == [str(job.tasks) for job in JOBS.values()], done.stderr
    for name in JOBS:
        assert digest(tmp_path / name) == expected[name]
        assert read_status(tmp_path / f"{name}.plan").is_done
    assert "a task failed on Ray" in done.stderr
    assert "gone.jsonl: cannot be read" in done.stderr


def test_the_commands_of_the_guide_run_a_plan(inputs, tmp_path):
    """Each runs the plan of the page: on a cluster that stands there, and on one of its own."""
    page = (Path(__file__).parents[3] / "docs" / "guide" / "running-plans.md").read_text("utf-8")
    commands = re.findall(r"^ibidem run crawl\.plan --ray (\w+)", page, re.MULTILINE)
    assert commands == ["auto", "local"]
    expected = JOBS["index"].run(inputs, tmp_path / "plain")
    for address in commands:
        JOBS["index"].plan(inputs, tmp_path / f"{address}.ibidem", tmp_path / f"{address}.plan", 3)
    lines = [f"ibidem run {address}.plan --ray {address}" for address in commands]
    done = run_beside_cluster(lines, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    for address in commands:
        assert f"{address}.plan: done; {JOBS['index'].tasks} tasks" in done.stderr
        assert digest(tmp_path / f"{address}.ibidem") == expected


def test_a_cluster_that_does_not_answer_is_an_error_that_says_what_to_do(inputs, tmp_path, monkeypatch):
    from ibidem.jobs.engines.ray import run_on_ray

    def refuse(**options):
        raise ConnectionError("could not find any running instance")

    plan_index([str(inputs)], tmp_path / "made", tmp_path / "plan", **OPTIONS)
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(is_initialized=lambda: False, init=refuse))
    with pytest.raises(PlanError, match=r"no Ray cluster answers at 'auto': could not find .*'ray start --head'"):
        run_on_ray(tmp_path / "plan")


def test_without_ray_it_is_said_how_to_install_it(inputs, tmp_path, monkeypatch):
    from ibidem.jobs.engines.ray import run_on_ray

    plan_index([str(inputs)], tmp_path / "made", tmp_path / "plan", **OPTIONS)
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'ibidem\[ray\]'"):
        run_on_ray(tmp_path / "plan")
