"""The choice of an engine: this process, or the Ray cluster that is asked for."""

from collections.abc import Iterator
from contextlib import contextmanager

from ibidem.engine.engine import Engine, Here
from ibidem.engine.on_ray import OnRay
from ibidem.engine.ray_cluster import RayCluster
from ibidem.errors import ClusterError
from ibidem.resources import Progress, Resources


@contextmanager
def open_engine(
    ray: str | None = None,
    *,
    memory: str | int = "1G",
    threads: int | None = None,
    progress: Progress | None = None,
    is_durable: bool = False,
) -> Iterator[Engine]:
    """An engine for the time of a block.

    Args:
        ray: the address of a cluster as ``ray.init`` takes it (``"auto"``, ``"local"``, ``"ray://host:10001"``); this
            process does the work if not given.
        memory: of one task, about.
        threads: of one task; here as many as the machine has cores if not given, on Ray one.
        is_durable: whether outputs are to outlast a loss of power.

    Raises:
        ValueError: an argument is out of its range.
        ClusterError: no cluster answers.
        MissingExtraError: Ray is not installed.
    """
    if ray is None:
        yield Here(Resources.of(memory, threads, progress), is_durable=is_durable)
        return
    resources = Resources.of(memory, threads or 1, progress)
    cluster = RayCluster(ray, "working on a Ray cluster", ClusterError)
    try:
        yield OnRay(cluster.ray, resources, is_durable=is_durable)
    finally:
        cluster.leave()
