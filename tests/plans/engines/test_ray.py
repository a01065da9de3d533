"""Ray runs the plan that ranks run: in a network namespace of its own, on two processors."""

import re
import shutil
import sys

import pytest

from ibidem.errors import MissingExtraError
from ibidem.plans.index.planning import plan_index
from ibidem.plans.status import read_status

from ...ray_clusters import run_on_cluster
from ..samples import JOBS, OPTIONS, digest

SCRIPT = """
def main():
    from ibidem.plans.engines.ray import run_on_ray

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


def test_without_ray_it_is_said_how_to_install_it(inputs, tmp_path, monkeypatch):
    from ibidem.plans.engines.ray import run_on_ray

    plan_index([str(inputs)], tmp_path / "made", tmp_path / "plan", **OPTIONS)
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'ibidem\[ray\]'"):
        run_on_ray(tmp_path / "plan")
