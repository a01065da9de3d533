"""What it costs ranks to find their tasks, when a plan has very many of them.

    python benchmarks/many_tasks.py [--quick] [--tasks N ...] [--ranks N ...] [--csv FILE]

The tasks do nothing, so all that is measured is the looking, the claims and the records of a plan. ``listings`` is how
often all ranks together listed the folder of the stage, ``names`` how many names they read by that, and ``looks`` how
often they asked whether one task is done. ``cpu ms`` is processor time a task, all ranks together. Nothing is synced.
"""

import multiprocessing
import os
import resource
import tempfile
import time
from collections import Counter
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any, ClassVar

from report import Report, Row

from ibidem.jobs import run
from ibidem.jobs.stage import Stage
from ibidem.jobs.workspace import Task, Workspace
from ibidem.plans import plan_index, run_rank
from ibidem.system import disk

STAGE = "read"


class CountingWorkspace(Workspace):
    """A workspace that counts how it looks at what is done."""

    counts: ClassVar[Counter[str]] = Counter()

    def done(self, stage: str) -> set[int]:
        found = super().done(stage)
        self.counts["listings"] += 1
        self.counts["names"] += len(found)
        return found

    def is_done(self, task: Task) -> bool:
        self.counts["looks"] += 1
        return super().is_done(task)


def be_rank(folder: str, number: int, of: int, tasks: int, told: "Queue[Any]") -> None:
    """Do the tasks that are not done, which leave nothing but their records, and tell what was counted."""
    stage = Stage(STAGE, lambda workspace: tasks, lambda workspace, task, target, resources: None, bulky=True)
    run.stages_of = lambda workspace: [stage]  # type: ignore[assignment]
    run.Workspace = CountingWorkspace  # type: ignore[misc]
    disk.sync_folder = lambda path: None  # what a disk takes to be sure is another question
    disk.sync = lambda descriptor: None
    report = run_rank(folder, number, of, threads=1)
    told.put((report.tasks, CountingWorkspace.counts))


def measure(folder: Path, tasks: int, ranks: int) -> Row:
    (folder / "input.jsonl").write_text('{"id": "1", "text": "no task reads this"}\n', "utf-8")
    plan_index([str(folder / "input.jsonl")], folder / "made", folder / "plan")
    told: Queue[Any] = multiprocessing.get_context("fork").Queue()
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    processes = [
        multiprocessing.get_context("fork").Process(
            target=be_rank, args=(str(folder / "plan"), number, ranks, tasks, told)
        )
        for number in range(ranks)
    ]
    for process in processes:
        process.start()
    results = [told.get() for _ in processes]
    for process in processes:
        process.join()
    seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    assert sum(done for done, _ in results) >= tasks
    assert len(os.listdir(folder / "plan" / "work" / STAGE)) == tasks
    counts = sum((found for _, found in results), Counter())
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "tasks": tasks,
        "ranks": ranks,
        "seconds": f"{seconds:.1f}",
        "cpu ms": f"{1000 * processor / tasks:.2f}",
        "listings": counts["listings"],
        "names": counts["names"],
        "looks": counts["looks"],
    }


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--tasks", type=int, nargs="*", default=[10_000, 100_000], help="of the plan")
    report.parser.add_argument("--ranks", type=int, nargs="*", default=[1, 8], help="side by side")
    options = report.options()
    rows = []
    for tasks in [200] if options.quick else options.tasks:
        for ranks in [2] if options.quick else options.ranks:
            with tempfile.TemporaryDirectory(prefix="ibidem-") as folder:
                rows.append(measure(Path(folder), tasks, ranks))
    report.finish(rows)


if __name__ == "__main__":
    main()
