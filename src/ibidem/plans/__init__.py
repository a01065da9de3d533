"""Cut a long job into tasks that need nothing but a file system, run by any number of ranks.

Names are loaded when they are used: a rank loads what its own plan needs, since each rank is a process that starts.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ibidem.plans.dedup.planning import plan_dedup
    from ibidem.plans.engines.processes import run_processes
    from ibidem.plans.engines.ray import run_on_ray
    from ibidem.plans.index.planning import plan_index
    from ibidem.plans.plan import Plan, Prediction, Shard, read_plan
    from ibidem.plans.rank import RankReport, run_rank
    from ibidem.plans.reuse.planning import plan_reuse
    from ibidem.plans.status import PlanStatus, read_status

_HOMES = {
    "Plan": "plan",
    "PlanStatus": "status",
    "Prediction": "plan",
    "RankReport": "rank",
    "Shard": "plan",
    "plan_dedup": "dedup.planning",
    "plan_index": "index.planning",
    "plan_reuse": "reuse.planning",
    "read_plan": "plan",
    "read_status": "status",
    "run_on_ray": "engines.ray",
    "run_processes": "engines.processes",
    "run_rank": "rank",
}

__all__ = [
    "Plan",
    "PlanStatus",
    "Prediction",
    "RankReport",
    "Shard",
    "plan_dedup",
    "plan_index",
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
    value = getattr(import_module(f"ibidem.plans.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
