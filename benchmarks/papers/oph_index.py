"""What does an index by one permutation hashing cost, and how fast and how well does it find?

    python benchmarks/papers/oph_index.py [--quick] [--csv FILE]

As in Experiments 6, 7 and 9 of the paper on one permutation hashing, but with ibidem's lengths and thresholds
(``oph_latency.py`` has the paper's): time and size of an index by the number k of bins, the time of a query by k and
threshold, and both by the size of the collection; k-mins stands beside it. Collections are
novels, passages of 32 to 1024 tokens; queries are 100 words from a random place with a quarter of them replaced, asked
one at a time against a warm index.

*found* is the share of the queries whose place reaches the threshold in which a reported passage overlaps it; *precise*
the share of reported passages that reach the threshold exactly."""

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from figure import FigureReport, Panel, Row, documents
from search_index import Query, Source, is_found

from ibidem import SketchIndex, SketchMatch, jaccard
from ibidem.sketches.index.schemes import SCHEMES
from ibidem.text import Texts, make_tokenizer


class Trial(NamedTuple):
    """A collection, and how it is sketched."""

    family: str
    k: int
    documents: list[tuple[str, str]]


def words(text: str) -> list[int]:
    tokens: list[int] = make_tokenizer("words").encode(Texts.from_strings([text])).ids.tolist()
    return tokens


def precise(query: Query, matches: Sequence[SketchMatch], family: str, threshold: float) -> int:
    """How many matches reach the threshold."""
    asked = words(query.text)
    return sum(jaccard(asked, words(match.text), family) >= threshold for match in matches)


def asked(index: SketchIndex, trial: Trial, queries: list[Query], threshold: float) -> Row:
    seconds, found, reaching, right, reported = [], 0, 0, 0, 0
    for warm in (False, True):
        for query in queries:
            start = time.perf_counter()
            matches = index.search(query.text, threshold=threshold)
            if not warm:
                continue
            seconds.append(time.perf_counter() - start)
            if query.similarity >= threshold:
                reaching += 1
                found += is_found(query, matches)
            reported += len(matches)
            right += precise(query, matches, trial.family, threshold)
    return {
        "threshold": threshold,
        "median ms": f"{1e3 * float(np.median(seconds)):.2f}",
        "p90 ms": f"{1e3 * float(np.quantile(seconds, 0.9)):.2f}",
        "found": f"{found}/{reaching}",
        "precise": f"{right}/{reported}",
    }


def measure(trial: Trial, thresholds: tuple[float, ...], queries: list[Query], folder: Path) -> Iterator[Row]:
    for name in SCHEMES:
        place = folder / f"{name}-{trial.family}-{trial.k}-{len(trial.documents)}"
        start, cpu = time.perf_counter(), time.process_time()
        with SketchIndex.build(place, trial.documents, family=trial.family, sketch=name, num_hashes=trial.k) as index:
            taken, cpu = time.perf_counter() - start, time.process_time() - cpu
            info = index.info()
            about: Row = {
                "family": trial.family,
                "scheme": name,
                "k": trial.k,
                "documents": len(trial.documents),
                "tokens": info["tokens"],
                "build s": f"{taken:.2f}",
                "build CPU s": f"{cpu:.2f}",
                "postings a token": f"{info['postings'] / info['tokens']:.2f}",
                "postings B a token": f"{info['bytes']['postings'] / info['tokens']:.1f}",
            }
            for threshold in thresholds:
                yield about | asked(index, trial, queries, threshold)


def main() -> None:
    report = FigureReport(__doc__)
    options = report.options()
    novels = documents(options.quick)
    count, ks, sizes, thresholds = (20, (16, 64, 256), (10, 40), (0.5, 0.7, 0.9))
    if options.quick:
        count, ks, sizes, thresholds = (2, (8,), (3,), (0.5,))  # type: ignore[assignment]
    small = novels[: sizes[0]]
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        SketchIndex.build(Path(folder) / "warm", small[:1], sketch="oph").close()
        SketchIndex.build(Path(folder) / "warm too", small[:1], family="set").close()
        trials = [Trial(family, k, small) for family in ("set", "multiset") for k in ks]
        trials += [Trial("multiset", 64, novels[:size]) for size in sizes[1:]]
        for trial in trials:
            source = Source(trial.documents, seed=5)
            rows += measure(trial, thresholds, [source.query() for _ in range(count)], Path(folder))
    report.finish_with(rows, panels(rows))


def _of(size: int) -> Callable[[Row], bool]:
    """Rows of multisets at the lowest threshold."""
    return lambda row: row["family"] == "multiset" and row["documents"] == size and row["threshold"] == 0.5


def panels(rows: Sequence[Row]) -> list[Panel]:
    least = min(int(str(row["documents"])) for row in rows)
    return [
        *(Panel(f"multisets, {y}", "k", y, "scheme", _of(least)) for y in ("build CPU s", "postings B a token")),
        Panel("searches", "k", "median ms", "scheme", _of(least)),
    ]


if __name__ == "__main__":
    main()
