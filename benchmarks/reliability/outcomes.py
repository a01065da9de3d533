"""What was tried, and what survived."""

import sys
from collections import Counter
from typing import NamedTuple

Row = dict[str, object]


class Share(NamedTuple):
    """The trials that a piece of a part has: every ``of``-th, from ``number`` on."""

    number: int = 0
    of: int = 1

    def take(self, count: int) -> range:
        """Those of ``count`` trials, numbered from 0."""
        return range(self.number, count, self.of)


class Outcomes:
    """Counts trials by kind, and says at once what went wrong with the first few of each.

    Attributes:
        tried: how many trials there were of each kind.
        problems: of each kind, what went wrong, and where.
    """

    def __init__(self) -> None:
        self.tried: Counter[str] = Counter()
        self.problems: dict[str, list[str]] = {}

    def note(self, kind: str, problem: str | None, where: str, trials: int = 1) -> None:
        """Count some trials; ``problem`` is what went wrong, if anything."""
        self.tried[kind] += trials
        if problem:
            noted = self.problems.setdefault(kind, [])
            noted.append(f"{where}: {problem}")
            if len(noted) <= 3:
                print(f"{kind}, {where}: {problem}", file=sys.stderr)

    def add(self, tried: dict[str, int], problems: dict[str, list[str]]) -> None:
        """Count the trials of another run."""
        self.tried.update(tried)
        for kind, noted in problems.items():
            self.problems.setdefault(kind, []).extend(noted)

    @property
    def failed(self) -> int:
        return sum(map(len, self.problems.values()))

    def rows(self) -> list[Row]:
        """A row for each kind, and one for all."""
        failed = {kind: len(self.problems.get(kind, ())) for kind in self.tried}
        rows = [(kind, tried, failed[kind]) for kind, tried in self.tried.items()]
        rows.append(("all", self.tried.total(), self.failed))
        return [{"what": kind, "tried": tried, "survived": tried - bad, "failed": bad} for kind, tried, bad in rows]
