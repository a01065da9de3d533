"""The same plan on Ray: a task is a remote function of a path and two numbers; no array goes through Ray's store."""

import os
import time
from functools import lru_cache
from typing import Any

from ibidem.errors import PlanError
from ibidem.jobs.claims import LEASE, claim_task
from ibidem.jobs.reading import join_failures
from ibidem.jobs.run import RankReport, clean_up, run_task
from ibidem.jobs.stage import stages_of, tasks_of
from ibidem.jobs.workspace import Task, Workspace
from ibidem.remote.ray_cluster import RayCluster
from ibidem.resources import Progress, Resources, give_back_memory

_RETRIES = 3
"""Times that Ray starts a task again whose worker or node died."""


def run_on_ray(
    folder: str | os.PathLike[str], address: str = "auto", *, cpus: int = 1, progress: Progress | None = None
) -> RankReport:
    """Run the plan in ``folder`` on a Ray cluster whose nodes all see that folder, the input and the output.

    Args:
        address: of the cluster, as ``ray.init`` takes it; ``"local"`` starts one on this machine.
        cpus: of each task, which runs as many threads.

    Raises:
        MissingExtraError: Ray is not installed.
        PlanError: the plan cannot be run, no cluster answers, or a task failed.
    """
    started, tasks_done = time.perf_counter(), 0
    workspace = Workspace(folder)
    workspace.prepare()
    tell = Resources.of(workspace.plan.memory, cpus, progress).tell
    cluster = RayCluster(address, "running a plan on Ray", PlanError)
    ray = cluster.ray
    try:
        remote = ray.remote(num_cpus=cpus, max_retries=_RETRIES)(_run_remotely)
        for stage in stages_of(workspace):
            remaining_tasks = [task for task in tasks_of(workspace, stage) if not workspace.is_done(task)]
            known = str(workspace.folder), workspace.plan.checksum
            waiting = [remote.remote(known, *task, cpus) for task in remaining_tasks]
            for finished, result in enumerate(_results(ray, waiting), start=1):
                tasks_done += result
                tell(stage.name, finished, len(remaining_tasks))
        clean_up(workspace)
    finally:
        cluster.leave()
    return RankReport(tasks_done, time.perf_counter() - started, join_failures(workspace))


def _results(ray: Any, waiting: list[Any]) -> Any:
    """The outputs of the tasks, as they end; the first that fails ends the others."""
    while waiting:
        [ready], waiting = ray.wait(waiting, num_returns=1)
        try:
            yield ray.get(ready)
        except ray.exceptions.RayError as error:
            for task in waiting:
                ray.cancel(task)
            cause = getattr(error, "cause", None) or error
            raise PlanError(f"a task failed on Ray: {cause}; run the plan again to resume it") from error


@lru_cache(maxsize=1)
def _open_workspace(folder: str, checksum: str) -> Workspace:
    """The folder of a plan with this checksum, opened once for the tasks of a worker."""
    return Workspace(folder)


def _run_remotely(plan: tuple[str, str], stage: str, number: int, cpus: int) -> int:
    """Do one task in a worker; how many were done, since a rank outside of Ray may have been faster.

    ``plan`` are the folder of the plan and its checksum.
    """
    workspace = _open_workspace(*plan)
    task = Task(stage, number)
    [chosen] = [each for each in stages_of(workspace) if each.name == stage]
    pause = 0.1
    while not workspace.is_done(task):
        with claim_task(workspace.claims, str(task), LEASE) as has_claim:
            if has_claim:
                run_task(workspace, chosen, task, Resources.of(workspace.plan.memory, cpus, None))
                give_back_memory()  # the C library keeps what each of the threads of a worker freed
                return 1
        time.sleep(pause)
        pause = min(2 * pause, 2.0)
    return 0
