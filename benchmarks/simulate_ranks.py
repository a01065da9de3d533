"""How well ranks finish a large plan together when machines die: a simulation of the order in which they take tasks.

No task is run. Tasks have lognormal lengths, at most ten times their mean (a task that is longer than its rank lives is
never done); a rank dies at random instants and starts again after a while; its task is free again after a lease. The
order is that of ``ibidem.jobs.run.order_tasks``: a rank's own tasks, then those of the next rank, and so on.
``efficiency`` is the least possible time, all work divided by all ranks, over the time taken.

    python benchmarks/simulate_ranks.py [--quick] [--csv FILE]
"""

import heapq
import random
from collections import deque
from dataclasses import dataclass, field

from report import Report, Row

LEASE = 60.0


@dataclass
class Setting:
    """What is simulated: seconds everywhere; ``lifetime`` is the mean time between two deaths of a rank."""

    tasks: int
    ranks: int
    mean: float
    spread: float
    lifetime: float
    restart: float


@dataclass
class Outcome:
    """What came of it."""

    seconds: float = 0.0
    work: float = 0.0
    lost: float = 0.0
    deaths: int = 0
    done: set[int] = field(default_factory=set)


def simulate(setting: Setting, seed: int) -> Outcome:
    """Play the plan through; every task is done once, whatever dies."""
    source = random.Random(seed)
    mu = -(setting.spread**2) / 2
    lengths = [setting.mean * min(10.0, source.lognormvariate(mu, setting.spread)) for _ in range(setting.tasks)]
    free = [deque(range(first, setting.tasks, setting.ranks)) for first in range(setting.ranks)]
    offset = [0] * setting.ranks
    outcome = Outcome(work=sum(lengths))
    events = [(0.0, rank, "ready", -1) for rank in range(setting.ranks)]
    heapq.heapify(events)
    waiting: list[int] = []
    while len(outcome.done) < setting.tasks:
        now, who, what, task = heapq.heappop(events)
        if what == "free":
            free[task % setting.ranks].append(task)
            for rank in waiting:
                heapq.heappush(events, (now, rank, "ready", -1))
            waiting.clear()
            continue
        if what == "done":
            outcome.done.add(task)
            outcome.seconds = now
        taken = take(free, offset, who, setting.ranks)
        if taken is None:
            waiting.append(who)
            offset[who] = 0  # a task that comes free again may be anywhere
            continue
        life = source.expovariate(1 / setting.lifetime)
        if life < lengths[taken]:
            outcome.deaths += 1
            outcome.lost += life
            heapq.heappush(events, (now + life + LEASE, who, "free", taken))
            heapq.heappush(events, (now + life + setting.restart, who, "ready", -1))
        else:
            heapq.heappush(events, (now + lengths[taken], who, "done", taken))
    return outcome


def take(free: list[deque[int]], offset: list[int], rank: int, ranks: int) -> int | None:
    """The first task of a rank's order that is free."""
    for step in range(offset[rank], ranks):
        tasks = free[(rank + step) % ranks]
        if tasks:
            offset[rank] = step
            return tasks.popleft()
    return None


def measure(tasks: int, ranks: int, spread: float, lifetime: float) -> Row:
    setting = Setting(tasks, ranks, 300.0, spread, lifetime, 120.0)
    outcome = simulate(setting, 1)
    assert len(outcome.done) == tasks
    return {
        "tasks": tasks,
        "ranks": ranks,
        "task s": setting.mean,
        "spread": spread,
        "lifetime s": f"{lifetime:g}",
        "deaths": outcome.deaths,
        "work lost": f"{outcome.lost / outcome.work:.4f}",
        "efficiency": f"{outcome.work / ranks / outcome.seconds:.3f}",
        "hours": f"{outcome.seconds / 3600:.2f}",
    }


def main() -> None:
    report = Report(__doc__)
    tasks, ranks = (1_000, 20) if report.options().quick else (100_000, 100)
    report.finish(
        [measure(tasks, ranks, spread, lifetime) for spread in (0.5, 1.5) for lifetime in (1e9, 86_400.0, 3_600.0)]
    )


if __name__ == "__main__":
    main()
