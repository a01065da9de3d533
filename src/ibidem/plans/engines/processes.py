"""Several ranks on one machine, each a process of its own, for a program that may have threads.

They are started by the command, which is a process of one thread; see ``forks``.
"""

import os
import subprocess
import sys
import time

from ibidem.arguments import count_threads
from ibidem.errors import PlanError
from ibidem.plans.claims import LEASE
from ibidem.plans.engines.forks import count_done
from ibidem.plans.rank import RankReport
from ibidem.plans.workspace import Workspace

__all__ = ["run_processes"]


def run_processes(
    folder: str | os.PathLike[str], processes: int, *, threads: int | None = None, lease: float = LEASE
) -> RankReport:
    """Run the plan in ``folder`` by so many ranks of this machine; the threads are shared out among them.

    Raises:
        PlanError: the plan cannot be run, or a rank failed.
    """
    started = time.perf_counter()
    workspace = Workspace(folder)
    workspace.prepare()
    done, _ = count_done(workspace)
    program = [sys.executable, "-m", "ibidem.cli", "run", str(workspace.folder), "--processes", str(processes)]
    program += ["--threads", str(count_threads(threads)), "--lease", str(lease)]
    command = subprocess.Popen(program, stderr=subprocess.PIPE)
    try:
        _, told = command.communicate()
    except BaseException:
        command.terminate()
        command.wait()
        raise
    if command.returncode:
        raise PlanError(told.decode(errors="replace").strip().removeprefix("ibidem: error: "))
    return RankReport(count_done(workspace)[0] - done, time.perf_counter() - started)
