"""Plans: long jobs, cut into tasks that need nothing but a file system, run by any number of ranks."""

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
