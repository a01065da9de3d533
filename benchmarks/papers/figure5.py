"""What do active hash values save? MonoAll against MonoActive, and scanline beside both.

    python benchmarks/papers/figure5.py [--quick] [--tokens gpt2] [--their-program BUILD] [--csv FILE]

Figure 5 of the weighted paper, on multisets, by the length n of a text, its maximum token frequency f, and the number k
of hash functions, 64 where k does not vary. The papers' MonoAll grows with n·f, MonoActive with n·log f; all three make
the same windows. MonoAll is left out of texts of 100,000 tokens, where it has some hundred million keys for each
function. What is measured is said in partitions.py; *their* rows are the released program's, ``-B monotonic`` with
``-a 0`` and ``-a 1``.
"""

from collections.abc import Sequence
from pathlib import Path

from figure import FigureReport, Panel, Row
from partitions import measured, their_rows, workloads

from ibidem.sketches.families import MultisetFamily

LONGEST_FOR_ALL = 10_000
THEIRS = {"MonoAll": ["-B", "monotonic", "-a", "0"], "MonoActive": ["-B", "monotonic", "-a", "1"]}


def main() -> None:
    report = FigureReport(__doc__)
    report.parser.add_argument("--their-program", type=Path, metavar="BUILD", help="the released program 'build'")
    report.parser.add_argument("--tokens", choices=["words", "gpt2"], default="words", help="what a token is (words)")
    options = report.options()
    rows: list[Row] = []
    for workload in workloads(options.quick, 64, sketches=(16, 32, 64, 128), tokens=options.tokens):
        with_all = len(workload.texts[0]) <= LONGEST_FOR_ALL
        for name in ("scanline", "MonoActive", "MonoAll") if with_all else ("scanline", "MonoActive"):
            rows.append(measured(workload, MultisetFamily(), name))
        theirs = THEIRS if with_all else {"MonoActive": THEIRS["MonoActive"]}
        rows += their_rows(workload, options.their_program, theirs)
    report.finish_with(rows, panels(rows))


def panels(rows: Sequence[Row]) -> list[Panel]:
    return [
        Panel("by length", "n", "seconds", "algorithm", lambda row: row["by"] == "n"),
        Panel("by maximum frequency", "f", "seconds", "algorithm", lambda row: row["by"] == "f", logarithmic=False),
        Panel("by functions", "k", "seconds", "algorithm", lambda row: row["by"] == "k", logarithmic=False),
    ]


if __name__ == "__main__":
    main()
