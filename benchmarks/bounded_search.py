"""No search takes more than 10 s or 1 GB that did not ask for it: queries that are similar to very much, one by one.

    python benchmarks/bounded_search.py [--scheme NAME] [--corpus NAME] [--length N] [--threshold T] [--csv FILE]

The collections are a hundred novels, and documents that are made to cost: one word again and again, and two words in
turn, a million of each. Queries of 100 to 100,000 words of them are asked at thresholds of 0.1 to 0.9, verified and, of
sketches, estimated. Seconds are processor time of all threads; memory is what a search adds to the anonymous memory of
the process. The row of a search says at which threshold it was done in the end, and whether it was done in a part of
the collection alone. Those with the most seconds come first. Rows are told as they are measured, too.
"""

import random
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from collections_of_text import documents, generated
from memory import read_memory
from report import Report

from ibidem import PassageIndex

SCHEMES: dict[str, dict[str, Any]] = {
    "exact": {},
    "minhash": {"num_hashes": 16},
    "oph": {"num_hashes": 16, "scheme": "oph"},
}
THRESHOLDS = (0.1, 0.3, 0.5, 0.7, 0.9)
LENGTHS = (100, 1000, 10_000, 100_000)


def make_poison(words: int) -> list[tuple[str, str]]:
    filler = " ".join(f"w{number % 5000}" for number in range(words // 50))
    return [("one word", "again " * words), ("two words", "to and " * (words // 2)), ("filler", filler)]


@contextmanager
def watch_memory() -> Iterator[Callable[[], int]]:
    """What the block adds to the anonymous memory of this process at most."""
    before, peak, over = read_memory("self")["RssAnon"], 0, threading.Event()

    def watch() -> None:
        nonlocal peak
        while not over.wait(0.005):
            peak = max(peak, read_memory("self")["RssAnon"])

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield lambda: max(0, peak - before)
    finally:
        over.set()
        watcher.join()


def queries(texts: Sequence[tuple[str, str]], lengths: Sequence[int]) -> Iterator[tuple[str, int, str]]:
    source = random.Random(4)
    for name, text in texts:
        words = text.split()
        for length in lengths:
            first = source.randrange(max(1, len(words) - length))
            yield name, length, " ".join(words[first : first + length])


def search(index: PassageIndex, query: str, threshold: float, *, verify: bool) -> dict[str, object]:
    with warnings.catch_warnings(), watch_memory() as added:
        warnings.simplefilter("ignore")
        start, wall = time.process_time(), time.perf_counter()
        found, statistics = index.explain(query, threshold=threshold, verify=verify)
        seconds, waited = time.process_time() - start, time.perf_counter() - wall
    return {
        "threshold": threshold,
        "searched at": statistics.threshold,
        "pieces left": statistics.pieces_left,
        "in part": "yes" if statistics.cut else "no",
        "CPU s": f"{seconds:.2f}",
        "wall s": f"{waited:.2f}",
        "MB": f"{added() / 1e6:.0f}",
        "matches": len(found),
    }


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--scheme", choices=SCHEMES, action="append")
    report.parser.add_argument("--corpus", choices=("novels", "poison"), action="append")
    report.parser.add_argument("--length", type=int, action="append", help="words of a query")
    report.parser.add_argument("--threshold", type=float, action="append")
    report.parser.add_argument("--keep", type=Path, help="keep the indexes in this folder, or take them from there")
    options = report.options()
    lengths = options.length or (LENGTHS[:2] if options.quick else LENGTHS)
    words = 5_000 if options.quick else 1_000_000
    texts = {"novels": generated(3, 3000) if options.quick else None, "poison": make_poison(words)}
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as place:
        for corpus in options.corpus or texts:
            collection = texts[corpus] or documents(quick=False)
            for scheme in options.scheme or SCHEMES:
                folder, thresholds = options.keep or Path(place), options.threshold or THRESHOLDS
                for row in measure(folder, corpus, collection, scheme, lengths, thresholds):
                    print(*row.values(), sep=", ", file=sys.stderr, flush=True)
                    rows.append(row)
    report.finish(sorted(rows, key=lambda row: -float(str(row["CPU s"]))))


def measure(
    folder: Path,
    corpus: str,
    collection: list[tuple[str, str]],
    scheme: str,
    lengths: Sequence[int],
    thresholds: Sequence[float],
) -> Iterator[dict[str, object]]:
    path = folder / f"{corpus}-{scheme}"
    if not path.exists():
        PassageIndex.build(path, collection, **SCHEMES[scheme]).close()
    asked = collection[:1] if corpus == "novels" else collection[:2]
    with PassageIndex.open(path) as index:
        for verify in (True,) if scheme == "exact" else (True, False):
            index.explain(collection[-1][1][:400], verify=verify)  # kernels, pages
        for name, length, query in queries(asked, lengths):
            for verify in (True,) if scheme == "exact" else (True, False):
                for threshold in thresholds:
                    told: dict[str, object] = {"index": f"{scheme}, {corpus}", "query": f"{length} of {name[:9]}"}
                    told["verified"] = "yes" if verify else "no"
                    yield told | search(index, query, threshold, verify=verify)


if __name__ == "__main__":
    main()
