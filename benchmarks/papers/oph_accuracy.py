"""How much of the right passage does each method find, by threshold and by the size of the sketches?

    python benchmarks/papers/oph_accuracy.py [--quick] [--every N] [--csv FILE]

Experiment 8 of the paper on one permutation hashing, for sets as there: the query is an annotated suspicious passage,
the text its source document.

Methods that report every passage they hold for similar: *brute force* looks at each, *Faerie* at those that its filter
leaves, *k-mins* and *one permutation* estimate by sketches of k values (``verify=False``). *SeedExtension* reports
clusters of shared tokens. *ibidem* is a verified search of an exact index that reports what it does unless told
otherwise, of sets as all others and of multisets, its default. Faerie, in plain Python, is run from a threshold of 0.5.

Precision, recall and F1 count the characters of the union of what is reported against the annotated source passage, of
all queries together. The columns *of brute force* count tokens against what brute force reports: the share of it that
is found, and the share of what is found that is in it. ms is the median time of a query, on one core or, for searches
of an index of all source documents, as a user waits for it.
"""

import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
from accuracy import Passages, by_brute_force, by_seed_extension, counted, scores
from annotated import IndexedTexts, pan_search
from figure import FigureReport, Panel, Row

from ibidem import PassageIndex
from ibidem.baselines.faerie import faerie
from ibidem.weights import Weighting

FAERIE_FROM = 0.5
MIDDLE = 64
"""Sketches where the threshold varies; where their size varies, the threshold is 0.5."""

Finder = Callable[[int, float], Passages]
"""What a method reports for the task of a number, under a threshold."""


def by_index(texts: IndexedTexts, index: PassageIndex, report: str, verify: bool = True) -> Finder:
    return lambda number, threshold: texts.found(number, index, threshold=threshold, select=report, verify=verify)


def by_definition(texts: IndexedTexts) -> Finder:
    method = by_brute_force(Weighting.of("set"))
    return lambda number, threshold: method(texts.tasks[number], threshold).reports["all"]


def by_clusters(texts: IndexedTexts) -> Finder:
    return lambda number, threshold: by_seed_extension(texts.tasks[number], threshold).reports["best"]


def by_faerie(texts: IndexedTexts) -> Finder:
    def find(number: int, threshold: float) -> Passages:
        task = texts.tasks[number]
        found = faerie(task.text.tolist(), task.query.tolist(), threshold, "set")
        return np.array([passage[:2] for passage in found], np.int64).reshape(-1, 2)

    return find


def held(passages: Passages, size: int) -> npt.NDArray[np.bool_]:
    """Which of ``size`` tokens lie in a passage."""
    changes = np.zeros(size + 1, np.int64)
    np.add.at(changes, passages[:, 0], 1)
    np.add.at(changes, passages[:, 1], -1)
    return np.cumsum(changes[:-1]) > 0


def measured(name: str, k: object, threshold: float, texts: IndexedTexts, find: Finder) -> Row:
    exact = by_definition(texts)
    find(0, threshold)  # compiles
    counts, common, true, reported, seconds = [], 0, 0, 0, []
    for number, task in enumerate(texts.tasks):
        start = time.perf_counter()
        passages = find(number, threshold)
        seconds.append(time.perf_counter() - start)
        counts.append(counted(task, passages))
        right, found = held(exact(number, threshold), len(task.text)), held(passages, len(task.text))
        common, true, reported = common + (right & found).sum(), true + right.sum(), reported + found.sum()
    micro, _ = scores(np.array(counts, np.int64))
    return {
        "method": name,
        "k": k,
        "threshold": threshold,
        "queries": len(counts),
        "precision": f"{micro.precision:.4f}",
        "recall": f"{micro.recall:.4f}",
        "F1": f"{micro.f1:.4f}",
        "recall of brute force": f"{common / max(true, 1):.4f}",
        "precision of brute force": f"{common / max(reported, 1):.4f}",
        "ms": f"{1e3 * float(np.median(seconds)):.2f}",
    }


def sketched_rows(
    texts: IndexedTexts, ks: tuple[int, ...], thresholds: tuple[float, ...], folder: Path
) -> Iterator[Row]:
    for scheme in ("minhash", "oph"):
        for k in ks:
            place = folder / f"{scheme}-{k}"
            asked = thresholds if k == MIDDLE or len(ks) == 1 else (0.5,)
            with PassageIndex.build(
                place,
                texts.documents.items(),
                family="set",
                scheme=scheme,
                num_hashes=k,
                min_length=1,
                max_length=texts.longest,
            ) as index:
                for threshold in asked:
                    yield measured(scheme, k, threshold, texts, by_index(texts, index, "longest", verify=False))


def exact_rows(texts: IndexedTexts, thresholds: tuple[float, ...], folder: Path) -> Iterator[Row]:
    for family in ("set", "multiset"):
        with PassageIndex.build(folder / family, texts.documents.items(), family=family) as index:
            for threshold in thresholds:
                yield measured(f"ibidem, {family}", "", threshold, texts, by_index(texts, index, "best"))


def main() -> None:
    report = FigureReport(__doc__)
    report.parser.add_argument("--every", type=int, default=200, metavar="N", help="take every N-th case (200)")
    options = report.options()
    warnings.filterwarnings("ignore", "passages similar to this query")
    texts = IndexedTexts.of(pan_search(options.quick, options.every).tasks)
    thresholds, ks = ((0.5,), (16,)) if options.quick else ((0.3, 0.4, 0.5, 0.6, 0.7, 0.8), (16, 32, MIDDLE, 128, 256))
    rows: list[Row] = []
    for threshold in thresholds:
        rows.append(measured("brute force", "", threshold, texts, by_definition(texts)))
        rows.append(measured("SeedExtension", "", threshold, texts, by_clusters(texts)))
        if threshold >= FAERIE_FROM:
            rows.append(measured("Faerie", "", threshold, texts, by_faerie(texts)))
    with tempfile.TemporaryDirectory() as folder:
        rows += sketched_rows(texts, ks, thresholds, Path(folder))
        rows += exact_rows(texts, thresholds, Path(folder))
    by_threshold: Callable[[Row], bool] = lambda row: row["k"] in ("", MIDDLE)  # noqa: E731
    panels = [
        Panel(y, "threshold", y, "method", by_threshold, logarithmic=False) for y in ("precision", "recall", "F1")
    ]
    by_k: Callable[[Row], bool] = lambda row: row["k"] != "" and row["threshold"] == 0.5  # noqa: E731
    panels.append(Panel("by k", "k", "precision of brute force", "method", by_k, logarithmic=False))
    report.finish_with(rows, panels)


if __name__ == "__main__":
    main()
