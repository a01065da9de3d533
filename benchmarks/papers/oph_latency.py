"""What do indexes and queries cost as the paper on one permutation hashing sets them up?

    python benchmarks/papers/oph_latency.py [--quick] [--texts N] [--vanilla] [--novels]
        [--csv FILE]

Experiments 6, 7 and 9: sets of GPT-2's tokens, passages of any length (t = 1). The texts are source documents of PAN
2013, the queries annotated suspicious passages (pairs.py), each asked of all texts, one at a time, against a warm
index. A search gives the longest passages whose estimate reaches the threshold: the paper's OPH-seg, and for k-mins the
same search, which has the same segment tree (the paper's KMS has none).

With --vanilla, no index is made: the windows of each text that collide with a query are scanned as the paper's KMS
does, in arbitrary order of duplicates and without a tree (*scan*), and swept with the tree (*tree*), 64 values. A
query's time is that of all texts, without that of reading windows.

With --novels, the texts are all novels, tokens are words, k is 4 and 64, and a query is 128 words of a novel, every
fifth of which is replaced.

*index*: both schemes by k. *query*: by k at a threshold of 0.4, and by threshold for 64 values. *texts*: one
permutation of 64 values at 0.4 by the number of texts. Bytes are those of the postings; ms are medians and means.
"""

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from annotated import IndexedTexts, Task, words
from figure import FigureReport, Panel, Row
from figure6 import text_of
from pairs import SCHEMES, Pair, collided, least_score, pan_pairs
from partitions import token_texts

from baselines.interval_scan import jitted_scan
from ibidem import SketchIndex
from ibidem.sketches.index.sweep import sweep_maximal_passages

NAMES = {"minhash": "k-mins", "oph": "one permutation"}
SIZES = (4, 8, 16, 32, 64)
THRESHOLDS = (0.2, 0.3, 0.4, 0.5)
MIDDLE, THETA = 64, 0.4
QUERIES, SCANNED, QUERY_LENGTH = 20, 5, 128
LONGEST = 1024
"""Tokens of the longest passage of the index; no query is longer."""


def task_of(pair: Pair) -> Task:
    nowhere = np.zeros(0, np.uint32)
    return Task(pair.query, pair.text, nowhere, nowhere, (0, 0), "", 0)


def ask(index: SketchIndex, queries: list[str], threshold: float) -> Row:
    """The times of the second of two runs."""
    for _ in ("cold", "warm"):
        seconds, found = [], 0
        for query in queries:
            start = time.perf_counter()
            matches = index.search(query, threshold=threshold)
            seconds.append(time.perf_counter() - start)
            found += len(matches)
    return {
        "threshold": threshold,
        "queries": len(queries),
        "median ms": f"{1e3 * float(np.median(seconds)):.2f}",
        "mean ms": f"{1e3 * float(np.mean(seconds)):.2f}",
        "matches": found,
    }


def measure(
    by: str, scheme: str, k: int, texts: dict[str, str], queries: list[str], thresholds: Sequence[float], folder: Path
) -> Iterator[Row]:
    """The rows of one index."""
    start, cpu = time.perf_counter(), time.process_time()
    choices = {"family": "set", "sketch": scheme, "num_hashes": k, "min_length": 1, "max_length": LONGEST}
    with SketchIndex.build(folder / f"{by}-{scheme}-{k}-{len(texts)}", texts.items(), **choices) as index:
        taken, cpu = time.perf_counter() - start, time.process_time() - cpu
        info = index.info()
        about: Row = {
            "by": by,
            "scheme": NAMES[scheme],
            "k": k,
            "texts": len(texts),
            "tokens": info["tokens"],
            "build s": f"{taken:.2f}",
            "build CPU s": f"{cpu:.2f}",
            "postings a token": f"{info['postings'] / info['tokens']:.2f}",
            "MB": f"{info['bytes']['postings'] / 1e6:.1f}",
            "bytes a token": f"{info['bytes']['postings'] / info['tokens']:.1f}",
        }
        for threshold in thresholds:
            yield about | ask(index, queries, threshold)


def scan_all(texts: list[npt.NDArray[np.uint32]], queries: list[npt.NDArray[np.uint32]]) -> Iterator[Row]:
    """Processor milliseconds of a query in all texts by the scan and by the tree, for each scheme and threshold."""
    for scheme in SCHEMES:
        for threshold in THRESHOLDS:
            least, seconds = least_score(MIDDLE, threshold), {"scan": 0.0, "tree": 0.0}
            for query in queries:
                for text in texts:
                    windows, _ = collided(Pair(query, text), scheme, MIDDLE, threshold, np.random.default_rng(1))
                    if windows.counts.sum() < least:
                        continue  # the paper's sanitizer
                    start = time.thread_time()
                    jitted_scan(windows, least, longest=False, ordered=False)
                    middle = time.thread_time()
                    sweep_maximal_passages(windows, least, (1, 2**30))
                    seconds["scan"] += middle - start
                    seconds["tree"] += time.thread_time() - middle
            about: Row = {"scheme": scheme, "k": MIDDLE, "texts": len(texts), "queries": len(queries)}
            ways = {f"{way} ms": f"{1e3 * each / len(queries):.2f}" for way, each in seconds.items()}
            yield about | {"threshold": threshold} | ways


def measure_novels(quick: bool) -> Iterator[Row]:
    """The rows of the smallest and the largest index of each scheme."""
    tokens = token_texts(quick, "words")
    texts = {str(number): text_of(each) for number, each in enumerate(tokens)}
    queries = []
    for each in tokens[:: max(1, len(tokens) // QUERIES)][:QUERIES]:
        query = each[len(each) // 2 :][:QUERY_LENGTH].copy()
        query[::5] = np.uint32(2**32 - 1)
        queries.append(text_of(query))
    with tempfile.TemporaryDirectory() as folder:
        for scheme in NAMES:
            list(measure("warm", scheme, 4, dict([next(iter(texts.items()))]), queries[:1], (THETA,), Path(folder)))
        for k in (4,) if quick else (MIDDLE, 4):
            for scheme in NAMES:
                yield from measure("k", scheme, k, texts, queries, (THETA,), Path(folder))


def main() -> None:
    report = FigureReport(__doc__)
    report.parser.add_argument("--texts", type=int, default=400, metavar="N", help="texts (400)")
    report.parser.add_argument("--vanilla", action="store_true", help="the plain scan beside the tree, no index")
    report.parser.add_argument("--novels", action="store_true", help="all novels in place of PAN's documents")
    options = report.options()
    if options.novels:
        rows: list[Row] = []
        for row in measure_novels(options.quick):  # the table is written after each, since the last takes longest
            report.finish(rows := [*rows, row])
        return
    pairs = pan_pairs(options.quick, 2 if options.quick else 2 * options.texts)
    if options.vanilla:
        queries = [pair.query[:LONGEST] for pair in pairs[: 2 if options.quick else SCANNED]]
        list(scan_all([pairs[0].text], queries[:1]))  # compiles
        report.finish(list(scan_all([pair.text for pair in pairs[: options.texts]], queries)))
        return
    indexed = IndexedTexts.of([task_of(pair) for pair in pairs])
    texts = dict(list(indexed.documents.items())[: options.texts])
    ks, count = (SIZES, QUERIES)
    if options.quick:
        ks, count = (4, MIDDLE), 2  # type: ignore[assignment]
    queries = [" ".join(words(pair.query[:LONGEST])) for pair in pairs[:count]]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for scheme in NAMES:  # compiles
            list(measure("warm", scheme, 4, dict([next(iter(texts.items()))]), queries[:1], (THETA,), Path(folder)))
        for scheme in NAMES:
            for k in ks:
                thresholds = THRESHOLDS if k == MIDDLE else (THETA,)
                rows += measure("k", scheme, k, texts, queries, thresholds, Path(folder))
        for share in (4, 2):
            part = dict(list(texts.items())[: len(texts) // share])
            if part:
                rows += measure("texts", "oph", MIDDLE, part, queries, (THETA,), Path(folder))
        rows += [row | {"by": "texts"} for row in rows if is_whole(row)]
    report.finish_with(rows, panels(rows))


def is_whole(row: Row) -> bool:
    """Whether the row is of all texts, and belongs to those by the number of texts, too."""
    return row["by"] == "k" and row["k"] == MIDDLE and row["threshold"] == THETA and row["scheme"] == NAMES["oph"]


def panels(rows: Sequence[Row]) -> list[Panel]:
    return [
        *(
            Panel(y, "k", y, "scheme", lambda row: row["by"] == "k" and row["threshold"] == THETA)
            for y in ("build CPU s", "MB")
        ),
        Panel(
            f"query, θ = {THETA}", "k", "mean ms", "scheme", lambda row: row["by"] == "k" and row["threshold"] == THETA
        ),
        Panel(
            f"query, k = {MIDDLE}",
            "threshold",
            "mean ms",
            "scheme",
            lambda row: row["by"] == "k" and row["k"] == MIDDLE,
        ),
        *(Panel(f"by texts: {y}", "texts", y, "scheme", lambda row: row["by"] == "texts") for y in ("MB", "mean ms")),
    ]


if __name__ == "__main__":
    main()
