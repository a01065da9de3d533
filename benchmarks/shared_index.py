"""The rate at which one PassageIndex answers when threads share it, with commits going on and without.

    python benchmarks/shared_index.py [--quick] [--threads N] [--csv FILE]

Queries are passages of 100 words of the novels, or of generated texts with --quick, at thresholds of 0.8, where a
query is mostly Python, and 0.5, where it is mostly kernels. Every answer must name the document that its query was
taken from. A thread that searches alone uses all cores for long kernels. Commits are additions of one document to the
same object, one after another with a pause of a tenth of a second, and merges as they come. Rates are those of several
turns, taken in rotation, so that other work on the machine weighs on all alike; the ratio is to one thread without
commits. On a busy machine sixteen threads get more of the processors than one, so processor time is given too, that of
commits with it, and how often the threads began to wait.
"""

import random
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple

from collections_of_text import documents
from report import Report

from ibidem import PassageIndex

WORDS = 100
THRESHOLDS = (0.8, 0.5)
PAUSE = 0.1


@contextmanager
def commit_meanwhile(index: PassageIndex, text: str) -> Iterator[list[int]]:
    """Add documents to the index, one a commit, while the block runs; gives how many were added."""
    over, done = threading.Event(), [0]

    def add() -> None:
        while not over.wait(PAUSE):
            done[0] += 1
            index.add([(f"added {time.monotonic_ns()}", text)], threads=1)

    writer = threading.Thread(target=add)
    writer.start()
    try:
        yield done
    finally:
        over.set()
        writer.join()


class Rate(NamedTuple):
    """Queries that were answered, seconds of the clock and of processors, waits of threads, and commits meanwhile."""

    queries: int = 0
    seconds: float = 0.0
    processor: float = 0.0
    waits: int = 0
    commits: int = 0

    def plus(self, other: "Rate") -> "Rate":
        return Rate(*(a + b for a, b in zip(self, other, strict=True)))

    def describe(self, threshold: float, threads: int, alone: "Rate") -> dict[str, object]:
        rate = self.queries / self.seconds
        return {
            "threshold": threshold,
            "threads": threads,
            "commits": self.commits,
            "queries": self.queries,
            "queries a second": f"{rate:.1f}",
            "ratio": f"{rate * alone.seconds / alone.queries:.2f}",
            "CPU ms a query": f"{1000 * self.processor / self.queries:.2f}",
            "waits a query": f"{self.waits / self.queries:.1f}",
        }


def answer(index: PassageIndex, queries: list[tuple[str, str]], threshold: float, threads: int, seconds: float) -> Rate:
    """Answer queries for some seconds."""
    end = time.perf_counter() + seconds

    def work(number: int) -> int:
        source, count = random.Random(number), 0
        while time.perf_counter() < end:
            name, query = source.choice(queries)
            if name not in {match.document for match in index.search(query, threshold=threshold)}:
                sys.exit(f"a passage of {name} is not found")
            count += 1
        return count

    start, used, waited = time.perf_counter(), time.process_time(), count_waits()
    with ThreadPoolExecutor(threads) as pool:
        answered = sum(pool.map(work, range(threads)))
    return Rate(answered, time.perf_counter() - start, time.process_time() - used, count_waits() - waited)


def count_waits() -> int:
    """How often threads of this process have left a processor to wait for something."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw


def draw_queries(texts: list[tuple[str, str]], count: int) -> list[tuple[str, str]]:
    source, queries = random.Random(1), []
    for _ in range(count):
        name, text = source.choice(texts)
        words = text.split()
        first = source.randrange(len(words) - WORDS)
        queries.append((name, " ".join(words[first : first + WORDS])))
    return queries


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--threads", type=int, default=16)
    options = report.options()
    texts = documents(quick=options.quick)
    addition = " ".join(texts[0][1].split()[:2000])
    queries = draw_queries(texts, 50)
    turns, seconds = (1, 0.1) if options.quick else (3, 2.0)
    with tempfile.TemporaryDirectory() as place:
        index = PassageIndex.build(Path(place) / "index", texts)
        for threshold in THRESHOLDS:
            for _, query in queries[:3]:
                index.search(query, threshold=threshold)
        rates: dict[tuple[float, int, bool], Rate] = {}
        for _ in range(turns):
            for threshold in THRESHOLDS:
                for commit in (False, True):
                    for threads in (1, options.threads):
                        with commit_meanwhile(index, addition) if commit else nullcontext([0]) as added:
                            rate = answer(index, queries, threshold, threads, seconds)
                        known = rates.get((threshold, threads, commit), Rate())
                        rates[threshold, threads, commit] = known.plus(rate._replace(commits=added[0]))
        index.close()
    report.finish(
        [
            rate.describe(threshold, threads, rates[threshold, 1, False])
            for (threshold, threads, _), rate in rates.items()
        ]
    )


if __name__ == "__main__":
    main()
