"""Several ranks on one machine, each a process of its own."""

import os
import subprocess
import sys
import time

from ibidem.arguments import count_threads
from ibidem.errors import PlanError
from ibidem.plans.claims import LEASE
from ibidem.plans.rank import RankReport
from ibidem.plans.stages import stages_of, tasks_of
from ibidem.plans.workspace import Workspace

__all__ = ["run_processes"]


def run_processes(
    folder: str | os.PathLike[str], processes: int, *, threads: int | None = None, lease: float = LEASE
) -> RankReport:
    """Run the plan in ``folder`` by so many ranks of this machine; the threads are shared out among them.

    Raises:
        PlanError: the plan cannot be run, or a rank failed; its own message stands on standard error.
    """
    started = time.perf_counter()
    workspace = Workspace(folder)
    workspace.prepare()
    done = _count_done(workspace)
    each = max(1, count_threads(threads) // processes)
    program = [sys.executable, "-m", "ibidem.cli", "run", str(workspace.folder), "--threads", str(each)]
    program += ["--of", str(processes), "--lease", str(lease)]
    ranks = [subprocess.Popen([*program, "--rank", str(rank)], stderr=subprocess.PIPE) for rank in range(processes)]
    try:
        outputs = [rank.communicate()[1] for rank in ranks]
    except BaseException:
        for rank in ranks:
            rank.terminate()
        for rank in ranks:
            rank.wait()
        raise
    failed = [output for rank, output in zip(ranks, outputs, strict=True) if rank.returncode]
    if failed:
        raise PlanError(failed[0].decode(errors="replace").strip().removeprefix("ibidem: error: "))
    return RankReport(_count_done(workspace) - done, time.perf_counter() - started)


def _count_done(workspace: Workspace) -> int:
    """How many tasks are done, as far as it is known which there are."""
    total = 0
    for stage in stages_of(workspace):
        tasks = tasks_of(workspace, stage)
        done = sum(workspace.is_done(task) for task in tasks)
        total += done
        if done < len(tasks):
            break
    return total
