"""Numbers about the service, in the text format that Prometheus reads."""

import threading
from bisect import bisect_left
from collections import Counter

_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Seconds at which the classes of answers end."""


class Metrics:
    """Counts answers by operation and status, and how long they took."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: Counter[tuple[str, int]] = Counter()
        self._classes: dict[str, list[int]] = {}
        self._seconds: Counter[str] = Counter()

    def count(self, operation: str, status: int, seconds: float) -> None:
        """Count one answer."""
        with self._lock:
            self._answers[operation, status] += 1
            self._classes.setdefault(operation, [0] * (len(_BOUNDS) + 1))[bisect_left(_BOUNDS, seconds)] += 1
            self._seconds[operation] += seconds  # type: ignore[assignment]

    def text(self) -> str:
        """All numbers."""
        with self._lock:
            lines = _describe("answers_total", "counter", "Answers by operation and status.")
            lines += [
                f'ibidem_answers_total{{operation="{operation}",status="{status}"}} {count}'
                for (operation, status), count in sorted(self._answers.items())
            ]
            lines += _describe("answer_seconds", "histogram", "Seconds until an answer was ready.")
            for operation in sorted(self._classes):
                lines += self._histogram(operation)
        return "\n".join(lines) + "\n"

    def _histogram(self, operation: str) -> list[str]:
        total, lines = 0, []
        for bound, count in zip([*map(str, _BOUNDS), "+Inf"], self._classes[operation], strict=True):
            total += count
            lines.append(f'ibidem_answer_seconds_bucket{{operation="{operation}",le="{bound}"}} {total}')
        lines.append(f'ibidem_answer_seconds_sum{{operation="{operation}"}} {self._seconds[operation]:.6f}')
        lines.append(f'ibidem_answer_seconds_count{{operation="{operation}"}} {total}')
        return lines


def _describe(name: str, kind: str, meaning: str) -> list[str]:
    return [f"# HELP ibidem_{name} {meaning}", f"# TYPE ibidem_{name} {kind}"]
