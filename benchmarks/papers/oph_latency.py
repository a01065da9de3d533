"""What do indexes and queries cost as the paper on one permutation hashing sets them up?

    python benchmarks/papers/oph_latency.py [--quick] [--texts N] [--csv FILE]

Experiments 6, 7 and 9: sets of GPT-2's tokens, passages of any length (t = 1). The texts are source documents of PAN
2013, the queries annotated suspicious passages (pairs.py), each asked of all texts, one at a time, against a warm
index. A search gives the longest passages whose estimate reaches the threshold: the paper's OPH-seg, and for k-mins the
same search, which has the same segment tree (the paper's KMS has none).

*index*: both schemes by k. *query*: by k at a threshold of 0.4, and by threshold for 64 values. *texts*: one
permutation of 64 values at 0.4 by the number of texts. Bytes are those of the postings; ms are medians and means.
"""

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from annotated import IndexedTexts, Task, words
from figure import FigureReport, Panel, Row
from pairs import Pair, pan_pairs

from ibidem import PassageIndex

NAMES = {"minhash": "k-mins", "oph": "one permutation"}
SIZES = (4, 8, 16, 32, 64)
THRESHOLDS = (0.2, 0.3, 0.4, 0.5)
MIDDLE, THETA = 64, 0.4
QUERIES = 20
LONGEST = 1024
"""Tokens of the longest passage of the index; no query is longer."""


def task_of(pair: Pair) -> Task:
    nowhere = np.zeros(0, np.uint32)
    return Task(pair.query, pair.text, nowhere, nowhere, (0, 0), "", 0)


def ask(index: PassageIndex, queries: list[str], threshold: float) -> Row:
    """The times of the second of two runs."""
    for _ in ("cold", "warm"):
        seconds, found = [], 0
        for query in queries:
            start = time.perf_counter()
            matches = index.search(
                query, threshold=threshold, verify=False, select="longest", limit=None, bounded=False
            )
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
    choices = {"family": "set", "scheme": scheme, "num_hashes": k, "min_length": 1, "max_length": LONGEST}
    with PassageIndex.build(folder / f"{by}-{scheme}-{k}-{len(texts)}", texts.items(), **choices) as index:
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


def main() -> None:
    report = FigureReport(__doc__)
    report.parser.add_argument("--texts", type=int, default=400, metavar="N", help="texts (400)")
    options = report.options()
    pairs = pan_pairs(options.quick, 2 if options.quick else 2 * options.texts)
    indexed = IndexedTexts.of([task_of(pair) for pair in pairs])
    texts = dict(list(indexed.documents.items())[: options.texts])
    ks, count = (SIZES, QUERIES)
    if options.quick:
        ks, count = (4, MIDDLE), 2  # type: ignore[assignment]
    queries = [" ".join(words(pair.query[:LONGEST])) for pair in pairs[:count]]
    rows: list[Row] = []
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
