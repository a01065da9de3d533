"""What searchers on Ray cost and save beside one process: the same queries over an index of 22 segments.

    python benchmarks/searchers.py [--quick] [--tokens N] [--ray ADDRESS] [--csv FILE]

Each row is a way to answer 20 queries of 60 words, quotations with changes, at one threshold. ``first s`` is the time
until the first answer, with what has to be started and compiled. ``ms`` is that of a query afterwards, the median of
three rounds. Then the times of its steps, the mean over the queries; of searchers, those of the slowest. ``same`` says
whether all matches are those of one process.
"""

import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any
from unittest import mock

from collections_of_text import documents
from report import Report, Row

from ibidem import PassageIndex

SEGMENTS = 22

WORDS = 60

THRESHOLDS = (0.9, 0.7, 0.5)


def pages(tokens: int, quick: bool) -> list[tuple[str, str]]:
    """Pages of real texts; when these have all been used, their words are shuffled."""
    source, made, written, turn = random.Random(3), [], 0, 0
    texts = [text.split() for _, text in documents(quick)]
    while written < tokens:
        for words in texts:
            for first in range(0, len(words), 2000):
                page = words[first : first + 2000]
                if turn:
                    source.shuffle(page)
                made.append((str(len(made)), " ".join(page)))
                written += len(page)
        turn += 1
    return made


def build(folder: str, pages: list[tuple[str, str]]) -> None:
    """An index of 22 segments: each addition is one, and segments that differ in size are not merged."""
    from ibidem import index_building

    each = sum(text.count(" ") + 1 for _, text in pages) // SEGMENTS + 3000
    with mock.patch.object(index_building, "segment_tokens", return_value=each):
        PassageIndex.build(folder, pages).close()


def make_queries(pages: list[tuple[str, str]]) -> list[str]:
    source, queries = random.Random(4), []
    for _ in range(20):
        words = source.choice(pages)[1].split()
        first = source.randrange(max(1, len(words) - WORDS))
        quoted = words[first : first + WORDS]
        for place in source.sample(range(len(quoted)), len(quoted) // 10):
            quoted[place] = "changed"
        queries.append(" ".join(quoted))
    return queries


def measure(how: str, path: str, queries: list[str], expected: dict[float, Any], **choices: Any) -> list[Row]:
    rows: list[Row] = []
    started = time.perf_counter()
    with PassageIndex.open(path, **choices) as index:
        index.search(queries[0], threshold=0.9)
        first = time.perf_counter() - started
        for threshold in THRESHOLDS:
            rounds, answers = [], []
            for _ in range(3):
                started = time.perf_counter()
                answers = [index.explain(query, threshold=threshold) for query in queries]
                rounds.append(time.perf_counter() - started)
            found = [list(matches) for matches, _ in answers]
            steps = {step for _, done in answers for step in done.seconds}
            means = {
                step: statistics.mean(done.seconds.get(step, 0.0) for _, done in answers) for step in sorted(steps)
            }
            rows.append(
                {
                    "how": how,
                    "segments": len(index.segments),
                    "threshold": threshold,
                    "first s": f"{first:.2f}",
                    "ms": f"{1000 * statistics.median(rounds) / len(queries):.1f}",
                    "steps, ms": ", ".join(f"{step} {1000 * mean:.1f}" for step, mean in means.items()),
                    "matches": sum(map(len, found)),
                    "same": found == expected.setdefault(threshold, found),
                }
            )
    return rows


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--tokens", type=int, default=10_000_000, help="of the collection, about")
    report.parser.add_argument("--ray", metavar="ADDRESS", help="of a cluster; 'local' starts one")
    options = report.options()
    made = pages(100_000 if options.quick else options.tokens, options.quick)
    expected: dict[float, Any] = {}
    with tempfile.TemporaryDirectory(prefix="ibidem-") as folder:
        path = str(Path(folder) / "index")
        build(path, made)
        queries = make_queries(made)
        rows = measure("one process", path, queries, expected)
        if options.ray:
            for searchers in (1, 2):
                rows += measure(f"{searchers} on Ray", path, queries, expected, ray=options.ray, searchers=searchers)
        report.finish(rows)


if __name__ == "__main__":
    main()
