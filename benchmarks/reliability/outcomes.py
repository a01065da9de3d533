"""What was tried, and what survived."""

import sys
from collections import Counter

Row = dict[str, object]


class Outcomes:
    """Counts trials by kind, and says at once what went wrong with the first few of each."""

    def __init__(self) -> None:
        self._tried: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()

    def note(self, kind: str, problem: str | None, where: str) -> None:
        """Count a trial; ``problem`` is what went wrong, if anything."""
        self._tried[kind] += 1
        if problem:
            self._failed[kind] += 1
            if self._failed[kind] <= 3:
                print(f"{kind}, {where}: {problem}", file=sys.stderr)

    @property
    def failed(self) -> int:
        return self._failed.total()

    def rows(self) -> list[Row]:
        """A row for each kind, and one for all."""
        kinds = [*self._tried, "all"]
        tried = self._tried | Counter({"all": self._tried.total()})
        failed = self._failed | Counter({"all": self._failed.total()})
        return [
            {"what": kind, "tried": tried[kind], "survived": tried[kind] - failed[kind], "failed": failed[kind]}
            for kind in kinds
        ]
