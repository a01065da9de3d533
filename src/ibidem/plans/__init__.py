"""Plans: long jobs cut into tasks that need nothing but a file system, run by any number of ranks."""

from ibidem.plans.dedup.planning import plan_dedup
from ibidem.plans.engines.processes import run_processes
from ibidem.plans.engines.ray import run_on_ray
from ibidem.plans.index.planning import plan_index
from ibidem.plans.plan import Plan, Prediction, Shard, read_plan
from ibidem.plans.rank import RankReport, run_rank
from ibidem.plans.reuse.planning import plan_reuse
from ibidem.plans.status import PlanStatus, read_status

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
