"""How do the partitions of multisets compare with AllAlign's, in windows and in time?

    python benchmarks/papers/figure7.py [--quick] [--tokens gpt2] [--their-program BUILD] [--million K]
        [--queries] [--csv FILE]

Figure 7 of the weighted paper, by the length n of a text and its maximum token frequency f, 64 functions. *Fewer* is
the share of AllAlign's windows that an algorithm does without, *times* how many times AllAlign's time is its own. What
is measured is said in partitions.py. *query ms* is a query of 100 tokens from other novels, at a threshold of 0.3, in a
text of 10,000 tokens at most: the plane sweep over the windows of the text that have its min-hashes, for all
near-duplicates (the paper's parts e, f, k, l). *their* rows are the released program's, compared with its own AllAlign,
of texts of 10,000 tokens at most: for one of 100,000, its AllAlign takes minutes. With --queries, only queries are
timed, by both ways of collisions.py to find what collides. With --million, one text of a million
tokens is partitioned under K functions, and nothing else: AllAlign takes most of a minute for each.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from collisions import scan, sweep, time_queries
from figure import FigureReport, Panel, Row
from partitions import Workload, measured, their_rows, token_texts, workloads

from ibidem.sketches.families import MultisetFamily

LONGEST_FOR_THEIRS = 10_000
LONGEST = 100_000
"""AllAlign takes a minute of one text of that length, and many of a longer one."""

MILLION = 1_000_000

QUERIES, QUERY_LENGTH, THETA = 10, 100, 0.3
Ids = npt.NDArray[np.uint32]
THEIRS = {"AllAlign": ["-B", "allalign"], "MonoActive": ["-B", "monotonic", "-a", "1"]}


def compared(rows: list[Row]) -> Iterator[Row]:
    """The rows with their ratios to the first of them, AllAlign's."""
    for row in rows:
        fewer = 1 - float(str(row["windows"])) / float(str(rows[0]["windows"]))
        times = float(str(rows[0]["seconds"])) / float(str(row["seconds"]))
        asked = float(str(rows[0]["query ms"] or 0)) / float(str(row["query ms"] or 1))
        yield row | {"fewer": f"{fewer:.4f}", "times": f"{times:.2f}", "query times": f"{asked:.2f}" if asked else ""}


def measure(workload: Workload, queries: list[Ids], program: Path | None) -> Iterator[Row]:
    names = ("AllAlign", "MonoActive", "scanline")
    rows = [measured(workload, MultisetFamily(), name) | query_times(workload, queries, name) for name in names]
    yield from compared(rows)
    if len(workload.texts[0]) <= LONGEST_FOR_THEIRS:
        yield from compared([row | {"query ms": ""} for row in their_rows(workload, program, THEIRS)])


def query_times(workload: Workload, queries: list[Ids], name: str) -> Row:
    """Milliseconds of a query in a text: the scan over the windows that collide (Algorithm 3 of the OPH paper)."""
    if len(workload.texts[0]) > LONGEST_FOR_THEIRS:
        return {"query ms": ""}
    return {"query ms": f"{time_queries(workload, MultisetFamily(), queries, name, THETA, (scan,))[0]:.3f}"}


def measure_queries(workload: Workload, queries: list[Ids]) -> Iterator[Row]:
    """A row for each algorithm whose windows are scanned and swept, of texts that are short enough."""
    if len(workload.texts[0]) > LONGEST_FOR_THEIRS:
        return
    for name in ("AllAlign", "MonoActive", "scanline"):
        scanned, swept = time_queries(workload, MultisetFamily(), queries, name, THETA, (scan, sweep))
        yield workload.columns | {"algorithm": name, "scan ms": f"{scanned:.3f}", "sweep ms": f"{swept:.3f}"}


def main() -> None:
    report = FigureReport(__doc__)
    report.parser.add_argument("--their-program", type=Path, metavar="BUILD", help="the released program 'build'")
    report.parser.add_argument("--tokens", choices=["words", "gpt2"], default="words", help="what a token is (words)")
    report.parser.add_argument("--million", type=int, metavar="K", help="only a text of a million tokens, K functions")
    report.parser.add_argument("--queries", action="store_true", help="only queries, scanned and swept")
    options = report.options()
    texts = token_texts(options.quick, options.tokens)
    if options.million:
        million = Workload("n", [np.concatenate(texts)[:MILLION]], options.million)
        report.finish(list(measure(million, [], None)))
        return
    queries = [text[:QUERY_LENGTH] for text in texts[-(2 if options.quick else QUERIES) :]]
    if options.queries:
        asked = workloads(options.quick, 64, tokens=options.tokens, longest=LONGEST_FOR_THEIRS)
        report.finish([row for workload in asked for row in measure_queries(workload, queries)])
        return
    longest = LONGEST_FOR_THEIRS if options.tokens == "gpt2" else LONGEST
    rows = [
        row
        for workload in workloads(
            options.quick,
            64,
            tokens=options.tokens,
            longest=longest,
        )
        for row in measure(workload, queries, options.their_program)
    ]
    report.finish_with(rows, panels(rows))


def panels(rows: Sequence[Row]) -> list[Panel]:
    return [
        Panel(f"{y} by {by}", by, y, "algorithm", lambda row, by=by: row["by"] == by, by == "n")
        for by in ("n", "f")
        for y in ("windows", "seconds", "query ms")
        if y in rows[0]
    ]


if __name__ == "__main__":
    main()
