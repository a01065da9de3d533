"""What every benchmark says in the same way: its options, its table, and its csv."""

import argparse
import csv
import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

Row = dict[str, object]


class Times(NamedTuple):
    """Seconds of several runs of the same work."""

    best: float
    median: float


class Report:
    """One run of a benchmark: what was asked for, and how busy the machine was meanwhile.

    ``options`` always has ``quick`` and ``csv``; a benchmark may add its own to ``parser`` before it reads them.
    """

    def __init__(self, description: str | None) -> None:
        self.parser = argparse.ArgumentParser(
            description=description, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        self.parser.add_argument("--quick", action="store_true", help="little generated text: to see that it runs")
        self.parser.add_argument("--csv", type=Path, help="write the table to this file too")
        self._load = os.getloadavg()[0]

    def options(self) -> argparse.Namespace:
        self._options = self.parser.parse_args()
        return self._options

    def finish(self, rows: Sequence[Row]) -> None:
        """Print ``rows``, which have one set of columns, and write them where ``--csv`` says."""
        conditions = f"{_machine()}, load {self._load:.2f} before and {os.getloadavg()[0]:.2f} after"
        print(conditions)
        print_table(rows)
        if self._options.csv:
            with self._options.csv.open("w", newline="", encoding="utf-8") as file:
                file.write(f"# python {' '.join(sys.argv)}; {conditions}\n")
                writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)


def print_table(rows: Sequence[Row]) -> None:
    lines = [list(rows[0]), *([str(value) for value in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def timed(run: Callable[[], object], repeats: int, clock: Callable[[], float] = time.perf_counter) -> Times:
    """Seconds that ``run`` takes; ``time.thread_time`` as ``clock`` leaves out what other processes take."""
    times = []
    for _ in range(repeats):
        start = clock()
        run()
        times.append(clock() - start)
    return Times(min(times), sorted(times)[len(times) // 2])


def _machine() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        name = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        name = platform.processor() or platform.machine()
    return f"{os.cpu_count()} cores of {name}, Python {platform.python_version()}, numba {version('numba')}"
