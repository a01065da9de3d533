"""How fast are two texts aligned, by one core, and how much of known plagiarism is found?

    python benchmarks/align_pairs.py [--quick] [--every N] [--threshold T] [--min-length N] [--csv FILE]

Every tenth pair of the training half of PAN 2013 text alignment is read from the folder that IBIDEM_DATA names. Recall
and precision count characters of all pairs of a category together: a character of either text is right if it lies in a
case and in a reported passage. A case is found if a reported pair overlaps it in both texts; parts are such pairs for
each case that is found.
Times include everything from two strings to the list of alignments.
"""

import gzip
import json
import os
import random
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from report import Report

from ibidem import Alignment, align

FIELDS = ["category", "pairs", "pairs/s", "median ms", "p99 ms", "recall", "precision", "cases", "found", "parts"]

Range = tuple[int, int]
Case = tuple[Range, Range]
"""A passage of the one text and one of the other, half open, in code points."""


class Task(NamedTuple):
    category: str
    a: str
    b: str
    cases: list[Case]


class Result(NamedTuple):
    task: Task
    found: list[Case]
    seconds: float


def generated(count: int) -> Iterator[Task]:
    """Pairs that share nothing, a copied passage, or one of which every fourth word was changed."""
    source = random.Random(1)

    def words(size: int) -> list[str]:
        return [f"w{int(5000 ** source.random())}x" for _ in range(size)]

    for number in range(count):
        category = ("unrelated", "copied", "changed")[number % 3]
        passage, before, after = words(200), words(300), words(400)
        a, b = before + passage + after, words(800)
        if category == "unrelated":
            yield Task(category, " ".join(a), " ".join(b), [])
            continue
        planted = [f"new{i}" if category == "changed" and i % 4 == 0 else word for i, word in enumerate(passage)]
        starts = len(" ".join(before)) + 1, len(" ".join(b[:500])) + 1
        lengths = len(" ".join(passage)), len(" ".join(planted))
        in_a, in_b = ((start, start + length) for start, length in zip(starts, lengths, strict=True))
        yield Task(category, " ".join(a), " ".join(b[:500] + planted + b[500:]), [(in_a, in_b)])


def records(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(Path(os.environ["IBIDEM_DATA"]) / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def pan(every: int) -> Iterator[Task]:
    texts = {record["id"]: record["text"] for record in records("pan13-train-documents")}
    cases: dict[tuple[str, str], list[Case]] = defaultdict(list)
    for case in records("pan13-train-cases"):
        in_a = case["this_offset"], case["this_offset"] + case["this_length"]
        in_b = case["source_offset"], case["source_offset"] + case["source_length"]
        cases[case["suspicious"], case["source"]].append((in_a, in_b))
    for pair in list(records("pan13-train-pairs"))[::every]:
        names = pair["suspicious"], pair["source"]
        yield Task(pair["category"], *(texts[name] for name in names), cases[names])


def run(task: Task, **options: Any) -> Result:
    start = time.perf_counter()
    pairs: list[Alignment] = align(task.a, task.b, **options)
    seconds = time.perf_counter() - start
    return Result(task, [((x.a_start, x.a_end), (x.b_start, x.b_end)) for x in pairs], seconds)


def marked(length: int, ranges: list[Range]) -> np.ndarray:
    """Which of ``length`` characters lie in one of ``ranges``: bool [length]."""
    marks = np.zeros(length, np.bool_)
    for start, end in ranges:
        marks[start:end] = True
    return marks


def characters(results: list[Result]) -> np.ndarray:
    """Characters that are right, that lie in a case, and that were reported: int64 [3]."""
    total = np.zeros(3, np.int64)
    for task, found, _ in results:
        for side, text in enumerate((task.a, task.b)):
            true = marked(len(text), [case[side] for case in task.cases])
            reported = marked(len(text), [pair[side] for pair in found])
            total += [(true & reported).sum(), true.sum(), reported.sum()]
    return total


def parts(results: list[Result]) -> np.ndarray:
    """How many reported pairs overlap each case in both texts: int64 [cases]."""

    def overlap(x: Case, y: Case) -> bool:
        return all(one[0] < other[1] and other[0] < one[1] for one, other in zip(x, y, strict=True))

    return np.array([sum(overlap(case, pair) for pair in found) for task, found, _ in results for case in task.cases])


def share(part: float, whole: float) -> str:
    return f"{part / whole:.3f}" if whole else "-"


def row(category: str, results: list[Result]) -> dict[str, object]:
    seconds = np.array([result.seconds for result in results])
    right, true, reported = characters(results)
    hits = parts(results)
    found = int((hits > 0).sum())
    times = f"{1 / seconds.mean():.0f}", f"{1e3 * np.median(seconds):.2f}", f"{1e3 * np.percentile(seconds, 99):.2f}"
    quality = share(right, true), share(right, reported), len(hits), found, share(hits.sum(), found)
    return dict(zip(FIELDS, [category, len(results), *times, *quality], strict=True))


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--every", type=int, default=10, metavar="N", help="take every N-th pair of PAN (10)")
    report.parser.add_argument("--threshold", type=float, default=0.5)
    report.parser.add_argument("--min-length", type=int, default=16)
    options = report.options()
    if not options.quick and not os.environ.get("IBIDEM_DATA"):
        print("skipped: IBIDEM_DATA names no folder; --quick runs on generated pairs")
        return
    settings = {"threshold": options.threshold, "min_length": options.min_length}
    for task in generated(3):  # compiles
        run(task, **settings)
    results: dict[str, list[Result]] = defaultdict(list)
    for task in generated(12) if options.quick else pan(options.every):
        results[task.category].append(run(task, **settings))
    rows = [row(category, results[category]) for category in sorted(results)]
    rows.append(row("all", [result for some in results.values() for result in some]))
    report.finish(rows)


if __name__ == "__main__":
    main()
