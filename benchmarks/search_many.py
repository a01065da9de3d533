"""How long do many short queries take, and what do threads give?

    python benchmarks/search_many.py [--quick] [--csv FILE] [--queries N]

The verses of one English Bible (King James) are searched in an exact index of another (World English Bible), at the
default threshold, from the folder that IBIDEM_DATA names. ``search`` one by one is compared with ``search_many`` in one
thread and in more, and with ``search_many`` where each thread takes one query at a time. Rounds of all of them take
turns, and kernels are warm.

Columns, for a query: *wall ms* of the fastest round, *cpu ms* of all threads in the round that took the least, and *of
one by one*, a quotient of wall times. Wall times say little where other work shares the machine; the processor's do.
"""

import os
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from collections_of_text import generated, rows_of
from report import Report, Row

from ibidem import PassageIndex
from ibidem.passages.search import searcher

BIBLES = "bibles-en"


class Round(NamedTuple):
    """Seconds of the clock and of the processor, and how many matches were found."""

    wall: float
    cpu: float
    matches: int


def verses(quick: bool) -> tuple[list[str], list[str]]:
    """The texts of an index, and the queries."""
    if quick:
        texts = [text for _, text in generated(200, 20)]
        return texts, [text.replace("a", "e") for text in texts]
    rows = list(rows_of(BIBLES))
    searched, asked = ([row["text"] for row in rows if row["version"] == version] for version in ("web", "kjv"))
    return searched, asked


def contestants(index: PassageIndex, queries: list[str]) -> Iterator[tuple[str, Callable[[], int]]]:
    """Name, and what to run; it gives the number of matches."""
    yield "one by one", lambda: sum(len(index.search(query)) for query in queries)
    threads = 1
    while threads <= (os.cpu_count() or 1):
        yield f"search_many, threads={threads}", lambda threads=threads: count(index, queries, threads)
        threads *= 2
    yield f"search_many, threads={threads // 2}, one at a time", lambda: one_at_a_time(index, queries, threads // 2)


def count(index: PassageIndex, queries: list[str], threads: int) -> int:
    return sum(map(len, index.search_many(queries, threads=threads)))


def one_at_a_time(index: PassageIndex, queries: list[str], threads: int) -> int:
    together = searcher._TOGETHER
    searcher._TOGETHER = 1
    try:
        return count(index, queries, threads)
    finally:
        searcher._TOGETHER = together


def measure(run: Callable[[], int]) -> Round:
    wall, cpu = time.perf_counter(), time.process_time()
    matches = run()
    return Round(time.perf_counter() - wall, time.process_time() - cpu, matches)


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--queries", type=int, default=12_000, metavar="N", help="how many queries (12,000)")
    options = report.options()
    texts, asked = verses(options.quick)
    queries = asked[:: max(1, len(asked) // options.queries)]
    warnings.simplefilter("ignore")
    with TemporaryDirectory() as folder, PassageIndex.build(Path(folder) / "index", texts) as index:
        runs = dict(contestants(index, queries))
        count(index, queries[:50], 1)
        rounds = [{name: measure(run) for name, run in runs.items()} for _ in range(1 if options.quick else 3)]
    rows: list[Row] = []
    alone = min(each["one by one"].wall for each in rounds)
    for name in runs:
        wall, cpu = min(each[name].wall for each in rounds), min(each[name].cpu for each in rounds)
        rows.append(
            {
                "how": name,
                "queries": len(queries),
                "matches": rounds[0][name].matches,
                "wall ms": f"{1e3 * wall / len(queries):.3f}",
                "cpu ms": f"{1e3 * cpu / len(queries):.3f}",
                "of one by one": f"{wall / alone:.2f}",
            }
        )
    report.finish(rows)


if __name__ == "__main__":
    main()
