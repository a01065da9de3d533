"""Ray for tests: one cluster of two processors for all tests of a process, in namespaces that end with it."""

import atexit
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

__all__ = ["run_beside_cluster", "run_on_cluster"]

PRELUDE = """
import sys
import ray

ray.init(log_to_driver=False)
try:
    main()
finally:
    ray.shutdown()
"""

NAMESPACES = ["unshare", "--map-root-user", "--net", "--pid", "--fork", "--mount-proc", "--kill-child=KILL"]
"""Of the network, and of processes: whatever is started in it ends with its first process."""

RAISE_LOOPBACK = """
import fcntl, socket, struct

with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:  # the loopback of a new namespace is down
    fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh", b"lo", 0x41))
"""

START = "ray start --head --node-ip-address 127.0.0.1 --num-cpus 2 --include-dashboard=false --disable-usage-stats"


class Cluster:
    """A shell beside a cluster that was started by Ray's own command."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="ibidem-ray-"))
        (self._folder / "loopback.py").write_text(RAISE_LOOPBACK, "utf-8")
        self._shell = subprocess.Popen([*NAMESPACES, "sh"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        atexit.register(self._end)
        environment = make_environment() | {"IBIDEM_CACHE": str(self._folder / "cache")}
        commands = [
            f"{sys.executable} {self._folder}/loopback.py",
            f"{START} >ray.log 2>&1 || {{ cat ray.log; exit 1; }}",
        ]
        started = self.run(commands, self._folder, environment)
        assert started.returncode == 0, started.stdout + started.stderr

    def run(
        self, commands: list[str], folder: Path, environment: Mapping[str, str]
    ) -> subprocess.CompletedProcess[str]:
        """Run commands, one after the other; a command that fails ends them."""
        assert self._shell.stdin is not None
        assert self._shell.stdout is not None
        variables = [f"{name}={value}" for name, value in environment.items()]
        program = shlex.join(
            ["env", "-i", *variables, "sh", "-ec", "\n".join(["cd " + shlex.quote(str(folder.resolve())), *commands])]
        )
        output, errors = self._folder / "output", self._folder / "errors"
        self._shell.stdin.write(f"{program} </dev/null >{output} 2>{errors}; echo $?\n")
        self._shell.stdin.flush()
        status = int(self._shell.stdout.readline())
        return subprocess.CompletedProcess(
            program, status, *(path.read_text("utf-8", "replace") for path in (output, errors))
        )

    def _end(self) -> None:
        self._shell.kill()
        self._shell.communicate()
        shutil.rmtree(self._folder, ignore_errors=True)


def make_environment() -> dict[str, str]:
    """The environment of what runs beside the cluster."""
    scripts = str(Path(sys.executable).parent)
    return {
        **os.environ,
        "PATH": os.pathsep.join([scripts, os.environ.get("PATH", os.defpath)]),
        "RAY_ADDRESS": "127.0.0.1:6379",
        "RAY_AUTH_MODE": "disabled",  # nobody else is in this network
        "RAY_USAGE_STATS_ENABLED": "0",
    }


@cache
def _start_cluster() -> Cluster:
    """The cluster of this process; skips where Ray, or namespaces for it, cannot be had."""
    if find_spec("ray") is None:
        pytest.skip("Ray is not installed: pip install 'ibidem[ray]'")
    if (
        shutil.which("unshare") is None
        or subprocess.run([*NAMESPACES, "true"], capture_output=True, check=False).returncode
    ):
        pytest.skip("no namespaces can be made here for Ray")
    return Cluster()


def run_beside_cluster(commands: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run commands in a folder, on a machine with a cluster."""
    return _start_cluster().run(commands, folder, make_environment())


def run_on_cluster(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a program that defines ``main``, in which Ray is initialized."""
    program = shlex.join([sys.executable, "-c", script + PRELUDE, *map(str, arguments)])
    return run_beside_cluster([program], Path.cwd())
