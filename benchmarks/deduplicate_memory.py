"""How much memory and time does deduplication take?

    python benchmarks/deduplicate_memory.py [--quick] [--csv FILE]

The command runs as a process of its own on generated files of JSON lines: a million documents of 100 words, one in ten
of them another with two words replaced; a million identical documents; a million that differ in one word each, so
that all of them fall into the same buckets; and one document of 100 MB beside its copy with a word put in front. The
peak is that of the process's resident memory, and includes pages of files that it has mapped, which the system takes
back when it needs them.
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Any

import numpy as np
from collections_of_text import generated
from report import Report

WORDS = 100


def vocabulary() -> np.ndarray[Any, Any]:
    return np.array(sorted(set(generated(1, 200_000)[0][1].split())))


def varied(count: int) -> Iterator[str]:
    """One in ten is the document before it with two words replaced."""
    words, source = vocabulary(), np.random.default_rng(3)
    for first in range(0, count, 1000):
        drawn = source.integers(0, len(words), (min(1000, count - first), WORDS))
        drawn[9::10] = drawn[8::10][: len(drawn[9::10])]
        drawn[9::10, [20, 60]] = source.integers(0, len(words), (len(drawn[9::10]), 2))
        yield from (" ".join(row) for row in words[drawn])


def identical(count: int) -> Iterator[str]:
    text = " ".join(vocabulary()[:WORDS])
    return (text for _ in range(count))


def alike(count: int) -> Iterator[str]:
    text = " ".join(vocabulary()[: WORDS - 1])
    return (f"{text} w{number}" for number in range(count))


def long(size: int) -> Iterator[str]:
    """One document of ``size`` bytes, and its copy."""
    words = vocabulary()
    drawn = words[np.random.default_rng(4).integers(0, len(words), size // 6)]
    text = " ".join(drawn)[:size]
    yield text
    yield f"moreover {text}"


def measured(name: str, texts: Iterator[str], memory: str) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as place:
        source, count = Path(place) / "input.jsonl", 0
        with source.open("w", encoding="utf-8") as file:
            for text in texts:
                file.write(json.dumps({"id": count, "text": text}) + "\n")
                count += 1
        output = Path(place) / "out"
        command = [sys.executable, "-m", "ibidem.cli", "dedup", str(source), "-o", str(output), "--memory", memory]
        start = time.perf_counter()
        process = Popen(command, stderr=DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - start
        if process.returncode:
            sys.exit(f"{name}: the command failed")
        summary = json.loads((output / "summary.json").read_bytes())
        size = source.stat().st_size / 1e6
    row: dict[str, object] = {
        "input": name,
        "documents": summary["documents"],
        "MB": f"{size:.0f}",
        "--memory": memory,
        "seconds": f"{seconds:.1f}",
        "CPU seconds": f"{usage.ru_utime + usage.ru_stime:.1f}",
        "peak GB": f"{usage.ru_maxrss / 1e6:.2f}",
        "kept": summary["kept"],
        "exact": summary["exact_duplicates"],
        "pairs compared": summary["pairs_compared"],
    }
    print(row, flush=True)  # the whole takes long
    return row


def main() -> None:
    report = Report(__doc__)
    scale = 1000 if report.options().quick else 1
    million = 1_000_000 // scale
    report.finish(
        [
            measured("varied", varied(million), "1G"),
            measured("identical", identical(million), "1G"),
            measured("one word apart", alike(million), "1G"),
            measured("two of 100 MB", long(100_000_000 // scale), "1G"),
        ]
    )


if __name__ == "__main__":
    main()
