"""What do active hash values save? MonoAll against MonoActive, and scanline beside both.

    python benchmarks/papers/figure5.py [--quick] [--tokens gpt2] [--their-program BUILD] [--one K]
        [--csv FILE]

Figure 5 of the weighted paper, on multisets, by the length n of a text, its maximum token frequency f, and the number k
of hash functions, 64 where k does not vary. The papers' MonoAll grows with n·f, MonoActive with n·log f; all three make
the same windows. MonoAll is left out of texts of 100,000 tokens, where it has some hundred million keys for each
function. With --one, one text of 100,000 tokens is partitioned by all three under K functions, and nothing else. With
GPT-2's tokens, texts have 100,000 at most. What is measured is said in partitions.py; *their* rows are the released
program's, ``-B monotonic`` with ``-a 0`` and ``-a 1``.
"""

from collections.abc import Sequence
from pathlib import Path

from figure import FigureReport, Panel, Row
from partitions import Workload, measured, their_rows, token_texts, workloads

from ibidem.sketches.families import MultisetFamily

LONGEST_FOR_ALL, LONG = 10_000, 100_000
SKETCHES = (16, 32, 64, 128)
THEIRS = {"MonoAll": ["-B", "monotonic", "-a", "0"], "MonoActive": ["-B", "monotonic", "-a", "1"]}


def main() -> None:
    report = FigureReport(__doc__)
    report.parser.add_argument("--their-program", type=Path, metavar="BUILD", help="the released program 'build'")
    report.parser.add_argument("--tokens", choices=["words", "gpt2"], default="words", help="what a token is (words)")
    report.parser.add_argument("--one", type=int, metavar="K", help="only a text of 100,000 tokens, K functions")
    options = report.options()
    rows: list[Row] = []
    if options.one:
        text = max(token_texts(options.quick, options.tokens), key=len)[:LONG]
        names = ("scanline", "MonoActive", "MonoAll")
        report.finish([measured(Workload("n", [text], options.one), MultisetFamily(), name) for name in names])
        return
    longest = LONG if options.tokens == "gpt2" else 1_000_000
    for workload in workloads(options.quick, 64, sketches=SKETCHES, tokens=options.tokens, longest=longest):
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
