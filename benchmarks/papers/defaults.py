"""How much of an annotated passage does a search of an index find with its defaults, and of sets?

    python benchmarks/papers/defaults.py [--quick] [--every N] [--csv FILE]

An index of the source documents, made with its defaults (exact, multisets, passages of 32 to 1024 words), is searched
for every ``every``-th annotated suspicious passage of PAN 2013 but summaries, and for all of the Indonesian collection
of simulated plagiarism. *best* and *document* are what ``report`` says. As in accuracy.py, the characters of what is
reported in the source document are scored, and the rows whose threshold is *chosen* are cross-validated.
"""

import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from accuracy import FOLDS, Key, Results, counted, cross_validated, row
from annotated import COLLECTIONS, IndexedTexts, pan_search
from figure import FigureReport, Panel, Row

from ibidem import PassageIndex

THRESHOLDS = {"multiset": (0.3, 0.35, 0.4, 0.45, 0.5, 0.6), "set": (0.4, 0.5)}
"""By family. Of sets, long passages are similar to a query at low thresholds, and searches take long."""


def measured(
    texts: IndexedTexts, index: PassageIndex, family: str, thresholds: tuple[float, ...]
) -> dict[str, Results]:
    """Results by report; that of the document is the first of those that share no token."""
    results = {report: Results({}, {}, {}) for report in ("best", "document")}
    for threshold in thresholds:
        found, seconds = [], []
        for number in range(len(texts.tasks)):
            start = time.perf_counter()
            found.append(texts.found(number, index, threshold=threshold, family=family))
            seconds.append(time.perf_counter() - start)
        for report, most in (("best", None), ("document", 1)):
            pairs = zip(texts.tasks, found, strict=True)
            counts = np.array([counted(task, passages[:most]) for task, passages in pairs], np.int64)
            results[report].counts[threshold] = counts
            results[report].passages[threshold] = sum(len(passages[:most]) for passages in found)
            results[report].seconds[threshold] = float(np.median(seconds))
    return results


def rows(collection: str, texts: IndexedTexts, index: PassageIndex, quick: bool) -> Iterator[Row]:
    folds = np.array([task.group for task in texts.tasks]) % FOLDS
    for family, thresholds in THRESHOLDS.items():
        for report, results in measured(texts, index, family, thresholds[-1:] if quick else thresholds).items():
            key = Key(collection, family, report)
            for threshold, counts in results.counts.items():
                yield row(key, threshold, counts, results.passages[threshold], results.seconds[threshold])
            yield row(key, "chosen", cross_validated([results.counts], folds), "", None)


def main() -> None:
    report = FigureReport(__doc__)
    report.parser.add_argument("--every", type=int, default=6, metavar="N", help="take every N-th case of PAN (6)")
    options = report.options()
    warnings.filterwarnings("ignore", "passages similar to this query")
    table: list[Row] = []
    for collection in ("generated",) if options.quick else COLLECTIONS:
        every = options.every if collection == "pan13-train" else 1
        texts = IndexedTexts.of(pan_search(options.quick, every, collection=collection).tasks)
        with (
            tempfile.TemporaryDirectory() as folder,
            PassageIndex.build(Path(folder) / "index", texts.documents.items()) as index,
        ):
            table += rows(collection, texts, index, options.quick)
    report.finish_with(table, panels(table))


def _best_of(collection: str) -> Callable[[Row], bool]:
    return lambda row: row["method"] == collection and row["report"] == "best" and row["threshold"] != "chosen"


def panels(rows: Sequence[Row]) -> list[Panel]:
    return [
        Panel(f"{name}, best", "threshold", "F1", "weighting", _best_of(name), logarithmic=False)
        for name in dict.fromkeys(str(row["method"]) for row in rows)
    ]


if __name__ == "__main__":
    main()
