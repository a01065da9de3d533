"""How fast are two texts aligned, by one core, and how much of known plagiarism is found?

    python benchmarks/align_pairs.py [--quick] [--every N] [--threshold T] [--min-length N] [--folds K] [--csv FILE]

Every tenth pair of the training half of PAN 2013 text alignment is read from the folder that IBIDEM_DATA names.
Precision, recall, granularity and plagdet are PAN's (Potthast et al., COLING 2010): means over reported pairs and over
cases, of the characters of both texts, where a pair that does not overlap a case in both texts counts for nothing. A
case is found if a reported pair overlaps it in both. Times are those of the processor, from two strings to the result.

With --folds K, threshold and least length are chosen, of a few, by the plagdet of all but one K-th of the suspicious
documents, and scored on this K-th; the table has the choice and the score of each fold, and their mean.
"""

import gzip
import json
import math
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

FIELDS = ["category", "pairs", "pairs/s", "median ms", "p99 ms"]
QUALITY = ["plagdet", "precision", "recall", "granularity", "cases", "found", "reported"]

THRESHOLDS, LENGTHS = (0.25, 0.3, 0.35), (30, 40, 50)
"""What --folds chooses from."""

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
    start = time.thread_time()
    pairs: list[Alignment] = align(task.a, task.b, **options)
    seconds = time.thread_time() - start
    return Result(task, [((x.a_start, x.a_end), (x.b_start, x.b_end)) for x in pairs], seconds)


class Sums(NamedTuple):
    """What the measures are means of, over any number of pairs of texts."""

    covered: float = 0.0
    cases: int = 0
    right: float = 0.0
    reported: int = 0
    found: int = 0
    parts: int = 0


def shared(x: Case, others: list[Case]) -> tuple[float, int]:
    """The share of ``x`` that is in one of ``others`` which overlaps it in both texts, and the number of these."""
    meeting = [y for y in others if all(a[0] < b[1] and b[0] < a[1] for a, b in zip(x, y, strict=True))]
    length = 0
    for side, (start, end) in enumerate(x):
        marks = np.zeros(end - start, np.bool_)
        for y in meeting:
            marks[max(0, y[side][0] - start) : max(0, y[side][1] - start)] = True
        length += int(marks.sum())
    return length / sum(end - start for start, end in x), len(meeting)


def sums_of(result: Result) -> Sums:
    cases = [shared(case, result.found) for case in result.task.cases]
    reported = [shared(pair, result.task.cases)[0] for pair in result.found]
    parts = [number for _, number in cases]
    found = sum(number > 0 for number in parts)
    return Sums(sum(part for part, _ in cases), len(cases), sum(reported), len(reported), found, sum(parts))


def total(sums: list[Sums]) -> Sums:
    return Sums(*(sum(column) for column in zip(*sums, strict=True))) if sums else Sums()


def quality(sums: Sums) -> dict[str, float]:
    precision, recall = sums.right / max(sums.reported, 1), sums.covered / max(sums.cases, 1)
    granularity = sums.parts / sums.found if sums.found else 1.0
    f1 = 2 * precision * recall / (precision + recall) if sums.found else 0.0
    plagdet = f1 / math.log2(1 + granularity)
    values = plagdet, precision, recall, granularity, sums.cases, sums.found, sums.reported
    return dict(zip(QUALITY, values, strict=True))


def row(category: str, results: list[Result]) -> dict[str, object]:
    seconds = np.array([result.seconds for result in results])
    times = f"{1 / seconds.mean():.0f}", f"{1e3 * np.median(seconds):.2f}", f"{1e3 * np.percentile(seconds, 99):.2f}"
    scores = quality(total([sums_of(result) for result in results]))
    shown = {name: f"{value:.3f}" if isinstance(value, float) else value for name, value in scores.items()}
    return dict(zip(FIELDS, [category, len(results), *times], strict=True)) | shown


def cross_validated(tasks: list[Task], folds: int) -> list[dict[str, object]]:
    """For each fold of the suspicious texts, the settings that are best on the others, and how good they are on it."""
    texts = {text: number for number, text in enumerate(dict.fromkeys(task.a for task in tasks))}
    fold_of = [texts[task.a] % folds for task in tasks]
    settings = [(threshold, length) for threshold in THRESHOLDS for length in LENGTHS]
    sums = [[sums_of(run(task, threshold=t, min_length=n)) for task in tasks] for t, n in settings]
    rows: list[dict[str, object]] = []
    for fold in range(folds):
        chosen = max(
            range(len(settings)),
            key=lambda x: quality(total([s for s, at in zip(sums[x], fold_of, strict=True) if at != fold]))["plagdet"],
        )
        held_out = [s for s, at in zip(sums[chosen], fold_of, strict=True) if at == fold]
        names = {"fold": fold, "pairs": len(held_out), "threshold": settings[chosen][0], "length": settings[chosen][1]}
        rows.append(names | {name: round(value, 3) for name, value in quality(total(held_out)).items()})
    mean = {name: round(float(np.mean([float(str(each[name])) for each in rows])), 3) for name in QUALITY[:4]}
    counts = {name: sum(int(str(each[name])) for each in rows) for name in QUALITY[4:]}
    return [*rows, {"fold": "mean", "pairs": len(tasks), "threshold": "", "length": ""} | mean | counts]


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--every", type=int, default=10, metavar="N", help="take every N-th pair of PAN (10)")
    report.parser.add_argument("--threshold", type=float, help="that of align, if not given")
    report.parser.add_argument("--min-length", type=int, metavar="N", help="that of align, if not given")
    report.parser.add_argument("--folds", type=int, metavar="K", help="choose both by cross-validation")
    options = report.options()
    if not options.quick and not os.environ.get("IBIDEM_DATA"):
        print("skipped: IBIDEM_DATA names no folder; --quick runs on generated pairs")
        return
    given = {"threshold": options.threshold, "min_length": options.min_length}
    settings = {name: value for name, value in given.items() if value is not None}
    for task in generated(3):  # compiles
        run(task, **settings)
    tasks = list(generated(12) if options.quick else pan(options.every))
    if options.folds:
        report.finish(cross_validated(tasks, options.folds))
        return
    results: dict[str, list[Result]] = defaultdict(list)
    for task in tasks:
        results[task.category].append(run(task, **settings))
    rows = [row(category, results[category]) for category in sorted(results)]
    rows.append(row("all", [result for some in results.values() for result in some]))
    report.finish(rows)


if __name__ == "__main__":
    main()
