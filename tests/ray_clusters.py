"""Ray for tests: a cluster of two processors in a network namespace of its own, ended with the program that uses it."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

PRELUDE = """
import fcntl, os, socket, struct, sys

with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:  # the loopback of a new namespace is down
    fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh", b"lo", 0x41))
import ray

ray.init(address="local", num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1", log_to_driver=False)
try:
    main()
finally:
    ray.shutdown()
"""

NAMESPACE = ["unshare", "--map-root-user", "--net"]

PROCESSES = ["--pid", "--fork", "--mount-proc", "--kill-child=KILL"]
"""A namespace of processes besides: whatever was started in it ends with it."""

RAISE_LOOPBACK = PRELUDE[: PRELUDE.index("import ray")]

START = "ray start --head --node-ip-address 127.0.0.1 --num-cpus 2 --include-dashboard=false --disable-usage-stats"


def require_ray(*options: str) -> None:
    """Skip a test where Ray, or a namespace for it, cannot be had."""
    if find_spec("ray") is None:
        pytest.skip("Ray is not installed: pip install 'ibidem[ray]'")
    program = [*NAMESPACE, *options, "true"]
    if shutil.which("unshare") is None or subprocess.run(program, capture_output=True, check=False).returncode:
        pytest.skip("no network namespace can be made here for Ray")


def run_beside_cluster(commands: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run commands in a folder, one after the other, on a machine whose cluster was started by Ray's own command."""
    require_ray(*PROCESSES)
    scripts = Path(sys.executable).parent
    lines = [
        f"{sys.executable} -c '{RAISE_LOOPBACK}'",
        f"{START} >ray.log 2>&1 || {{ cat ray.log; exit 1; }}",
        *commands,
    ]
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(scripts), os.environ.get("PATH", os.defpath)]),
        "RAY_ADDRESS": "127.0.0.1:6379",
        "RAY_AUTH_MODE": "disabled",  # nobody else is in this network
        "RAY_USAGE_STATS_ENABLED": "0",
    }
    program = [*NAMESPACE, *PROCESSES, "sh", "-ec", "\n".join(lines)]
    return subprocess.run(
        program, cwd=folder, capture_output=True, text=True, check=False, timeout=300, env=environment
    )


def run_on_cluster(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a program that defines ``main``, in which Ray is initialized; skips where that cannot be."""
    require_ray()
    program = [*NAMESPACE, sys.executable, "-c", script + PRELUDE, *map(str, arguments)]
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
    return subprocess.run(program, capture_output=True, text=True, check=False, timeout=300, env=environment)
