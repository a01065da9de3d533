"""Ray runs the plan that ranks run: in a network namespace of its own, on two processors."""

import shutil
import subprocess
import sys
from importlib.util import find_spec

import pytest

from ibidem.errors import MissingExtraError
from ibidem.plans.index.planning import plan_index
from ibidem.plans.status import read_status

from ..samples import JOBS, OPTIONS, digest

SCRIPT = """
import fcntl, os, socket, struct, sys

with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:  # the loopback of a new namespace is down
    fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh", b"lo", 0x41))
import ray
from ibidem.plans.engines.ray import run_on_ray

ray.init(address="local", num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1", log_to_driver=False)
try:
    for plan in sys.argv[1:]:
        print(run_on_ray(plan).tasks)
finally:
    ray.shutdown()
"""

NAMESPACE = ["unshare", "--map-root-user", "--net"]


def can_have_namespace():
    if shutil.which("unshare") is None:
        return False
    return subprocess.run([*NAMESPACE, "true"], capture_output=True, check=False).returncode == 0


@pytest.fixture
def ray_script(monkeypatch):
    if find_spec("ray") is None:
        pytest.skip("Ray is not installed: pip install 'ibidem[ray]'")
    if not can_have_namespace():
        pytest.skip("no network namespace can be made here for Ray")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")

    def run(*plans):
        program = [*NAMESPACE, sys.executable, "-c", SCRIPT, *map(str, plans)]
        return subprocess.run(program, capture_output=True, text=True, check=False, timeout=300)

    return run


def test_ray_makes_the_bytes_of_the_plain_calls_and_tells_a_failure(inputs, tmp_path, ray_script):
    expected = {name: job.run(inputs, tmp_path / f"plain-{name}") for name, job in JOBS.items()}
    for name, job in JOBS.items():
        job.plan(inputs, tmp_path / name, tmp_path / f"{name}.plan", 3)
    shutil.copy(inputs / "2.jsonl", tmp_path / "gone.jsonl")
    plan_index([str(tmp_path / "gone.jsonl")], tmp_path / "other", tmp_path / "failing", **OPTIONS)
    (tmp_path / "gone.jsonl").unlink()
    done = ray_script(*(tmp_path / f"{name}.plan" for name in JOBS), tmp_path / "failing")
    assert done.stdout.split() == [str(job.tasks) for job in JOBS.values()], done.stderr
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
