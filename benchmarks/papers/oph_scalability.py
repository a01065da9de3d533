"""How do time, bytes and latency grow with the collection?

    python benchmarks/papers/oph_scalability.py [--quick] [--largest N] [--csv FILE]

As in Experiment 9 of the paper on one permutation hashing (``oph_latency.py`` has its parameters): building an index,
its size and the time of a query, by the number of documents. Beside k-mins and one permutation, with 64 values each,
stands ibidem's own index of passages, *exact*. Collections are the first novels, multisets, passages of 32 to 1024
words. Queries are those of search_index.py, 100 words from a random place of the first five novels with a quarter
replaced; the first 20 of them whose place reaches the thresholds, the same for all collections. They are asked one at a
time against a warm index.

Of sketches, a search gives the longest passages whose estimate reaches the threshold; of passages, the best of those
that do exactly. *found* counts the queries whose place is overlapped by a reported passage. Bytes are those of the
postings and their directory.
"""

import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from figure import FigureReport, Panel, Row, documents
from search_index import Query, Source, is_found

from ibidem import PassageIndex, SketchIndex

SCHEMES = ("exact", "minhash", "oph")
VALUES = 64
SIZES = (5, 10, 20, 40)
THRESHOLDS = (0.5, 0.6)
QUERIES = 20
Documents = list[tuple[str, str]]


def queries_of(texts: Documents, count: int, reaching: float) -> list[Query]:
    """Queries that are similar enough to the places that they come from."""
    source, queries = Source(texts, seed=9), []
    while len(queries) < count:
        query = source.query()
        if query.similarity >= reaching:
            queries.append(query)
    return queries


def searcher(index: PassageIndex | SketchIndex) -> Callable[[str, float], object]:
    """A search of an index at a threshold."""
    if isinstance(index, SketchIndex):
        return lambda text, threshold: index.search(text, threshold=threshold)
    return lambda text, threshold: index.search(text, threshold=threshold, limit=None, bounded=False)


def asked(index: PassageIndex | SketchIndex, queries: list[Query], threshold: float) -> Row:
    search: Any = searcher(index)
    for _ in ("cold", "warm"):
        seconds, found = [], 0
        for query in queries:
            start = time.perf_counter()
            matches = search(query.text, threshold)
            seconds.append(time.perf_counter() - start)
            found += is_found(query, matches)
    return {
        "threshold": threshold,
        "median ms": f"{1e3 * float(np.median(seconds)):.2f}",
        "p90 ms": f"{1e3 * float(np.quantile(seconds, 0.9)):.2f}",
        "found": f"{found}/{len(queries)}",
    }


def build(path: Path, texts: Documents, scheme: str) -> PassageIndex | SketchIndex:
    if scheme == "exact":
        return PassageIndex.build(path, texts, min_length=32)
    return SketchIndex.build(path, texts, sketch=scheme, num_hashes=VALUES)


def measured(
    scheme: str, texts: Documents, queries: list[Query], thresholds: tuple[float, ...], folder: Path
) -> Iterator[Row]:
    start, cpu = time.perf_counter(), time.process_time()
    with build(folder / f"{scheme}-{len(texts)}", texts, scheme) as index:
        taken, cpu = time.perf_counter() - start, time.process_time() - cpu
        info = index.info()
        about: Row = {
            "scheme": scheme,
            "documents": len(texts),
            "tokens": info["tokens"],
            "build s": f"{taken:.2f}",
            "build CPU s": f"{cpu:.2f}",
            "index MB": f"{info['bytes']['postings'] / 1e6:.1f}",
            "bytes a token": f"{info['bytes']['postings'] / info['tokens']:.2f}",
        }
        for threshold in thresholds:
            yield about | asked(index, queries, threshold)


def main() -> None:
    report = FigureReport(__doc__)
    report.parser.add_argument("--largest", type=int, default=SIZES[-1], metavar="N", help="novels at most (40)")
    options = report.options()
    warnings.filterwarnings("ignore", "passages similar to this query")  # a hundred words are enough at these lengths
    novels = documents(options.quick)
    sizes, thresholds, count = (SIZES, THRESHOLDS, QUERIES)
    if options.quick:
        sizes, thresholds, count = (2, 3), THRESHOLDS[:1], 2
    sizes = [size for size in sizes if size <= options.largest]
    queries = queries_of(novels[: sizes[0]], count, max(thresholds))
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for scheme in SCHEMES:  # compiles
            list(measured(scheme, [("warm", novels[0][1][:20_000])], queries[:1], thresholds[:1], Path(folder)))
        for size in sizes:
            for scheme in SCHEMES:
                rows += measured(scheme, novels[:size], queries, thresholds, Path(folder))
    report.finish_with(rows, panels(rows))


def panels(rows: Sequence[Row]) -> list[Panel]:
    return [
        Panel("building", "tokens", "build CPU s", "scheme", lambda row: True),
        Panel("size", "tokens", "index MB", "scheme", lambda row: True),
        Panel(
            "searches, threshold 0.5", "tokens", "median ms", "scheme", lambda row: row["threshold"] == THRESHOLDS[0]
        ),
    ]


if __name__ == "__main__":
    main()
