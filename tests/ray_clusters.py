"""Ray for tests: a cluster of two processors in a network namespace of its own, ended with the program that uses it."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec

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


def can_have_namespace() -> bool:
    if shutil.which("unshare") is None:
        return False
    return subprocess.run([*NAMESPACE, "true"], capture_output=True, check=False).returncode == 0


def run_on_cluster(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a program that defines ``main``, in which Ray is initialized; skips where that cannot be."""
    if find_spec("ray") is None:
        pytest.skip("Ray is not installed: pip install 'ibidem[ray]'")
    if not can_have_namespace():
        pytest.skip("no network namespace can be made here for Ray")
    program = [*NAMESPACE, sys.executable, "-c", script + PRELUDE, *map(str, arguments)]
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
    return subprocess.run(program, capture_output=True, text=True, check=False, timeout=300, env=environment)
