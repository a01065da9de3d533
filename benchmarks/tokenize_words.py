"""How fast are texts turned into tokens, by one core?

    python benchmarks/tokenize_words.py [--quick] [--csv FILE]

Real English novels and Chinese classics are read from the folder that IBIDEM_DATA names; generated text is measured
always. Rivals on the same texts: Python's re, with an expression that differs from the rule of words only at marks and
ideographs, and str.split. Neither hashes its tokens or gives offsets, and their texts are Python strings already.
"""

import gzip
import json
import os
import random
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from report import Report

from ibidem.text import Texts, make_tokenizer

WORD = re.compile(r"[^\W_]+")
FIELDS = ["texts", "tokenizer", "offsets", "megabytes", "tokens", "seconds", "MB/s", "of words"]


class Workload(NamedTuple):
    name: str
    texts: Texts


def generated(size: int) -> Workload:
    """About ``size`` bytes of words of a Zipf-like vocabulary, in texts of 100,000 words."""
    source = random.Random(1)
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    vocabulary = ["".join(source.choices(letters, k=source.randint(1, 9))) for _ in range(20_000)]
    weights = [1 / rank for rank in range(1, len(vocabulary) + 1)]
    strings, length = [], 0
    while length < size:
        strings.append(" ".join(source.choices(vocabulary, weights, k=100_000)) + ".")
        length += len(strings[-1])
    return Workload("generated", Texts.from_strings(strings))


def real(name: str, size: int) -> Workload:
    """The first texts of a file of the data folder, ``size`` bytes or a little more."""
    strings, length = [], 0
    with gzip.open(Path(os.environ["IBIDEM_DATA"]) / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            strings.append(json.loads(line)["text"])
            length += len(strings[-1].encode())
            if length >= size:
                break
    return Workload(name, Texts.from_strings(strings))


def workloads(size: int) -> Iterator[Workload]:
    yield generated(min(size, 20_000_000))
    if os.environ.get("IBIDEM_DATA"):
        yield real("novels-en", size)
        yield real("classics-zh", size)
    else:
        print("IBIDEM_DATA names no folder: generated text only")


def best(run: Callable[[], int], repeats: int) -> tuple[float, int]:
    """The shortest time of ``repeats``, in seconds, and how many tokens were found."""
    times, count = [], 0
    for _ in range(repeats):
        start = time.perf_counter()
        count = run()
        times.append(time.perf_counter() - start)
    return min(times), count


def contestants(texts: Texts) -> Iterator[tuple[str, str, Callable[[], int]]]:
    """Name, whether offsets are made, and what to run."""
    for spec in ("words", "words:5", "characters", "characters:5"):
        made = make_tokenizer(spec)
        for offsets in (False, True):
            made.encode(Texts.from_strings(["compile"]), offsets=offsets)
            yield spec, "yes" if offsets else "no", lambda made=made, o=offsets: len(made.encode(texts, offsets=o).ids)
    strings = list(texts)
    yield "Python's re, folded", "no", lambda: sum(len(WORD.findall(text.casefold())) for text in strings)
    yield "str.split, folded", "no", lambda: sum(len(text.casefold().split()) for text in strings)


def measure(workload: Workload, repeats: int) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    megabytes = workload.texts.nbytes / 1e6
    reference = 0.0
    for name, offsets, run in contestants(workload.texts):
        seconds, count = best(run, repeats)
        reference = reference or seconds
        figures = [
            f"{megabytes:.1f}",
            count,
            f"{seconds:.4f}",
            f"{megabytes / seconds:.0f}",
            f"{reference / seconds:.2f}",
        ]
        rows.append(dict(zip(FIELDS, [workload.name, name, offsets, *figures], strict=True)))
    return rows


def main() -> None:
    report = Report(__doc__)
    size, repeats = (1_000_000, 1) if report.options().quick else (10**9, 5)
    report.finish([row for workload in workloads(size) for row in measure(workload, repeats)])


if __name__ == "__main__":
    main()
