"""Plans: long jobs, cut into tasks that need nothing but a file system, run by any number of ranks.

Names are loaded when they are used: a rank loads what its own plan needs, since each rank is a process that starts.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ibidem.contamination.job.planning import plan_contamination
    from ibidem.documents.job.planning import plan_dedup
    from ibidem.jobs.engines.processes import run_processes
    from ibidem.jobs.engines.ray import run_on_ray
    from ibidem.jobs.plan import Plan, Prediction, Shard, read_plan
    from ibidem.jobs.run import RankReport, run_rank
    from ibidem.jobs.status import PlanStatus, read_status
    from ibidem.passages.job.planning import plan_index
    from ibidem.reuse.job.planning import plan_reuse
    from ibidem.reuse.removal.planning import plan_passage_dedup

_HOMES = {
    "Plan": "ibidem.jobs.plan",
    "PlanStatus": "ibidem.jobs.status",
    "Prediction": "ibidem.jobs.plan",
    "RankReport": "ibidem.jobs.run",
    "Shard": "ibidem.jobs.plan",
    "plan_contamination": "ibidem.contamination.job.planning",
    "plan_dedup": "ibidem.documents.job.planning",
    "plan_index": "ibidem.passages.job.planning",
    "plan_passage_dedup": "ibidem.reuse.removal.planning",
    "plan_reuse": "ibidem.reuse.job.planning",
    "read_plan": "ibidem.jobs.plan",
    "read_status": "ibidem.jobs.status",
    "run_on_ray": "ibidem.jobs.engines.ray",
    "run_processes": "ibidem.jobs.engines.processes",
    "run_rank": "ibidem.jobs.run",
}

__all__ = [
    "Plan",
    "PlanStatus",
    "Prediction",
    "RankReport",
    "Shard",
    "plan_contamination",
    "plan_dedup",
    "plan_index",
    "plan_passage_dedup",
    "plan_reuse",
    "read_plan",
    "read_status",
    "run_on_ray",
    "run_processes",
    "run_rank",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ibidem.plans' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
