"""How do the partitions of multisets compare with AllAlign's, in windows and in time?

    python benchmarks/papers/figure7.py [--quick] [--their-program BUILD] [--csv FILE]

Figure 7 of the weighted paper, by the length n of a text and its maximum token frequency f. *Fewer* is the share of
AllAlign's windows that an algorithm does without, *times* how many times AllAlign's time is its own. What is measured
is said in partitions.py; *their* rows are the released program's, compared with its own AllAlign, of texts of 10,000
tokens at most: for one of 100,000, its AllAlign takes minutes.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from figure import FigureReport, Panel, Row
from partitions import Workload, measured, their_rows, workloads

from ibidem.sketch.families import MultisetFamily

LONGEST_FOR_THEIRS = 10_000
THEIRS = {"AllAlign": ["-B", "allalign"], "MonoActive": ["-B", "monotonic", "-a", "1"]}


def compared(rows: list[Row]) -> Iterator[Row]:
    """The rows with their ratios to the first of them, AllAlign's."""
    for row in rows:
        fewer = 1 - float(str(row["windows"])) / float(str(rows[0]["windows"]))
        times = float(str(rows[0]["seconds"])) / float(str(row["seconds"]))
        yield row | {"fewer": f"{fewer:.4f}", "times": f"{times:.2f}"}


def measure(workload: Workload, program: Path | None) -> Iterator[Row]:
    yield from compared([measured(workload, MultisetFamily(), name) for name in ("AllAlign", "MonoActive", "scanline")])
    if len(workload.texts[0]) <= LONGEST_FOR_THEIRS:
        yield from compared(list(their_rows(workload, program, THEIRS)))


def main() -> None:
    report = FigureReport(__doc__)
    report.parser.add_argument("--their-program", type=Path, metavar="BUILD", help="the released program 'build'")
    options = report.options()
    rows = [row for w in workloads(options.quick, 4) for row in measure(w, options.their_program)]
    report.finish_with(rows, panels(rows))


def panels(rows: Sequence[Row]) -> list[Panel]:
    return [
        Panel(f"{y} by {by}", by, y, "algorithm", lambda row, by=by: row["by"] == by, by == "n")
        for by in ("n", "f")
        for y in ("windows", "seconds")
    ]


if __name__ == "__main__":
    main()
