"""Has a change made something slower? Runs a fixed set of work on generated text and compares it with earlier runs.

    python benchmarks/history.py [--quick] [--csv FILE]     measure, and compare with the last runs of this machine
    python benchmarks/history.py --machine NAME --append    the same, and add the rows to benchmarks/history.csv
    python benchmarks/history.py --draw docs/history.svg    draw the file (needs the extra viz)

The figure of a job is its processor time in units of the time that the same process takes for tokenizing the same
collection in one thread: what another program does at the same time, and most of what sets machines apart, is in both.
The least of some repeats counts. A job that takes a tenth more than the best of the last five runs of this machine is
named, and the exit status is 1.
"""

import csv
import datetime
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from report import Report, Row, timed

import ibidem
from ibidem.text import Texts, make_tokenizer

FILE = Path(__file__).with_name("history.csv")
LOSS = 1.10
"""A job has lost if it takes more than so many times the best of the last runs."""

RUNS = 5
"""The last runs of a machine that a run is compared with."""


def make_collection(documents: int, words: int) -> list[tuple[str, str]]:
    """Documents of words of a Zipf-like vocabulary; every fifth holds a passage of an earlier one, words replaced."""
    drawn = random.Random(7)
    vocabulary = [f"w{number:x}" for number in range(30_000)]
    weights = [1 / rank for rank in range(1, len(vocabulary) + 1)]
    texts: list[list[str]] = []
    for number in range(documents):
        text = drawn.choices(vocabulary, weights, k=words)
        if number % 5 == 4:
            source, start = texts[drawn.randrange(number)], drawn.randrange(max(1, words - 100))
            passage = [
                word if drawn.random() < 0.9 else drawn.choice(vocabulary) for word in source[start : start + 100]
            ]
            place = drawn.randrange(words)
            text[place:place] = passage
        texts.append(text)
    return [(f"d{number:06}", " ".join(text)) for number, text in enumerate(texts)]


def jobs_on(collection: Sequence[tuple[str, str]], folder: Path) -> dict[str, Callable[[], object]]:
    """What is measured, by its name. The first is the unit."""
    texts = Texts.from_strings([text for _, text in collection])
    tokenizer = make_tokenizer("words")
    path = folder / "index"
    ibidem.PassageIndex.build(path, collection, min_length=32, threads=1).close()
    index = ibidem.PassageIndex.open(path)
    queries = [" ".join(text.split()[:100]) for _, text in collection[:50]]
    pairs = [(a, b) for (_, a), (_, b) in zip(collection[:50], collection[50:100], strict=False)]
    made = iter(range(1_000_000))
    return {
        "tokenize": lambda: tokenizer.encode(texts),
        "index": lambda: ibidem.PassageIndex.build(
            folder / f"i{next(made)}", collection, min_length=32, threads=1
        ).close(),
        "search 0.6": lambda: [index.search(query, threshold=0.6) for query in queries],
        "search 0.9": lambda: [index.search(query, threshold=0.9) for query in queries],
        "align": lambda: [ibidem.align(a, b) for a, b in pairs],
        "align --index": lambda: [index.align(text) for _, text in collection[:20]],
        "deduplicate": lambda: ibidem.deduplicate(collection, threads=1),
        "reuse": lambda: ibidem.find_reuse(collection, threads=1),
    }


def measure(quick: bool) -> list[Row]:
    """A row for each job."""
    collection = make_collection(*((120, 200) if quick else (4000, 500)))
    with tempfile.TemporaryDirectory(prefix="ibidem-history-") as place:
        jobs = jobs_on(collection, Path(place))
        rows: list[Row] = []
        for name, job in jobs.items():
            job()  # compiled, and in the page cache
            best = timed(job, 1 if quick else 5, time.process_time).best
            unit = float(str(rows[0]["CPU s"])) if rows else best
            rows.append({"job": name, "CPU s": f"{best:.4f}", "of tokenizing": f"{best / max(unit, 1e-4):.3f}"})
    return rows


def read_history(path: Path = FILE) -> list[dict[str, str]]:
    """The rows of the file, oldest first."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def compare(rows: Sequence[Row], history: Sequence[dict[str, str]], machine: str) -> list[str]:
    """The jobs that have lost a tenth against the last runs of this machine."""
    earlier: dict[str, list[float]] = defaultdict(list)
    for row in history:
        if row["machine"] == machine:
            earlier[row["job"]].append(float(row["of tokenizing"]))
    lost = []
    for row in rows:
        best = min(earlier[str(row["job"])][-RUNS:], default=None)
        row["best of the last runs"] = "" if best is None else f"{best:.3f}"
        if best is not None and float(str(row["of tokenizing"])) > LOSS * best:
            lost.append(f"{row['job']}: {row['of tokenizing']} times tokenizing, {best:.3f} before")
    return lost


def append(rows: Sequence[Row], machine: str, path: Path = FILE) -> None:
    """Add a run to the file."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False).stdout
    run = {
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "version": ibidem.__version__,
        "commit": commit.strip(),
        "machine": machine,
        "python": platform.python_version(),
    }
    is_new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*run, "job", "CPU s", "of tokenizing"], lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerows({**run, **{name: row[name] for name in ("job", "CPU s", "of tokenizing")}} for row in rows)


def draw(target: Path, history: Sequence[dict[str, str]]) -> None:
    """Draw the figures: a colour for each job, a mark for each machine."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "ibidem"
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 4.5))
    lines: dict[tuple[str, str], list[tuple[str, float]]] = defaultdict(list)
    for row in history:
        if row["job"] != "tokenize":
            lines[row["job"], row["machine"]].append((row["commit"], float(row["of tokenizing"])))
    jobs, machines = (list(dict.fromkeys(names)) for names in zip(*lines, strict=True))
    for (job, machine), points in lines.items():
        look = f"C{jobs.index(job)}{'os^vD'[machines.index(machine) % 5]}-"
        axes.plot([commit for commit, _ in points], [value for _, value in points], look, label=f"{job} ({machine})")
    axes.set_yscale("log")
    axes.set_ylabel("processor time, tokenizing = 1")
    axes.set_xlabel("commit")
    axes.legend(fontsize="small", frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(target, bbox_inches="tight", metadata={"Date": None})


def main() -> int:
    report = Report(__doc__)
    report.parser.add_argument("--machine", default="unnamed", help="the name under which this machine is compared")
    report.parser.add_argument("--append", action="store_true", help="add the run to the history")
    report.parser.add_argument("--draw", type=Path, metavar="FILE", help="draw the history, and measure nothing")
    options = report.options()
    if options.draw:
        draw(options.draw, read_history())
        return 0
    rows = measure(options.quick)
    lost = compare(rows, [] if options.quick else read_history(), options.machine)
    report.finish(rows)
    if options.append:
        append(rows, options.machine)
    for line in lost:
        print(f"slower: {line}", file=sys.stderr)
    return bool(lost)


if __name__ == "__main__":
    sys.exit(main())
