"""How much of an annotated passage does a search with its plagiarised copy find, and how much else?

    python benchmarks/papers/accuracy.py [--quick] [--every N] [--tokenizer T] [--csv FILE]

Table 4 of the weighted paper's published version (Table 5 of its technical report) and Exp-8 of the paper on one
permutation hashing, on PAN 2013 (the folder that IBIDEM_DATA names): the query is the annotated suspicious passage, the
text its source document, for all cases but summaries. Every weighting of the paper (four tf by three idf, the idf over
all documents) at every threshold.

Methods: *search* gives all passages that reach the threshold, verified (what a search of an index does after its
sketches); *brute force* looks at every passage; *seed extension* clusters shared tokens, on sets. Of what a search
finds it reports *all* passages; or the *best* that share no token with a better one, as ibidem does unless told
otherwise; or the one that is most similar in the *document*, as with ``--report document``.

Precision and recall count the characters of the union of what is reported against the annotated source passage, of all
cases together; *macro F1* is that of the mean precision of queries with an answer and of the mean recall of all. Rows
whose threshold is *chosen* are cross-validated: the suspicious documents are divided in five, and the threshold for
each fifth (and the weighting, where that is "chosen" too) is the one with the best F1 on the other four. Passages are
those found, each start and end counted by itself; ms is the median time of a query on one core.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from annotated import Task, pan_search
from figure import FigureReport, Panel, Row

from baselines.seed_extension import seed_extension
from ibidem.evaluation import Scores
from ibidem.evaluation.coverage import count_covered
from ibidem.evaluation.positions import ratio
from ibidem.kernels import kernel
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.plan import plan_search
from ibidem.passages.query.query import Query
from ibidem.passages.search.non_overlapping import select_non_overlapping
from ibidem.passages.search.verification import CandidateRanges, verify_candidates
from ibidem.rounding import EQUAL
from ibidem.text.token_stream import number_tokens
from ibidem.weights import DocumentFrequencies, Weighting

THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6)
FOLDS = 5

HALF_OPEN = np.array([0, 1])

Ints = npt.NDArray[np.int64]
Passages = npt.NDArray[np.int64]
"""The first token of each passage, and the one after its last: int64 [passages, 2]."""
Counts = npt.NDArray[np.int64]
"""Of each query the characters that are right, that were reported, and that are true: int64 [queries, 3]."""


class Answer(NamedTuple):
    """What a method reports for a query, by the way of reporting; and how many passages it found."""

    reports: dict[str, Passages]
    passages: int


Method = Callable[[Task, float], Answer]


class Key(NamedTuple):
    method: str
    weighting: str
    report: str


class Results(NamedTuple):
    """The counts of one way to search and report, by threshold, with passages and the median seconds of a query."""

    counts: dict[float, Counts]
    passages: dict[float, int]
    seconds: dict[float, float]


def by_search(weighting: Weighting) -> Method:
    """Every passage that reaches the threshold, by the kernel that verifies what an index finds."""

    def answer(task: Task, threshold: float) -> Answer:
        n, query = len(task.text), Query.of(task.query, weighting)

        plan = plan_search(query, weighting, SearchOptions(threshold=threshold), (1, n))
        ranges = CandidateRanges(starts=np.array([[0, n]]), ends=np.array([n]), documents=np.array([0]))
        areas = verify_candidates(task.text, ranges, plan)
        longest = np.stack((areas.starts[:, 0], areas.ends[:, 1] + 1), axis=1)
        best, _ = select_non_overlapping(task.text, areas, plan, n, np.zeros(1, np.uint8))
        first = areas.best[np.lexsort((areas.best[:, 0], -areas.scores))[:1]]
        passages = int((areas.ends[:, 1] - areas.ends[:, 0] + 1).sum())
        return Answer({"all": longest, "best": best + HALF_OPEN, "document": first + HALF_OPEN}, passages)

    return answer


def by_brute_force(weighting: Weighting) -> Method:
    """Every passage that reaches the threshold, by looking at each."""

    def answer(task: Task, threshold: float) -> Answer:
        ids, vocabulary = number_tokens(np.concatenate((task.query, task.text)))
        table = weighting.tf_table(len(ids))
        idf = weighting.idf_of(vocabulary)
        wanted = table[np.bincount(ids[: len(task.query)], minlength=len(vocabulary))] * idf
        count, stops = _similar(ids[len(task.query) :], wanted, idf, table, threshold)
        starts = np.flatnonzero(stops)
        return Answer({"all": np.stack((starts, stops[starts]), axis=1)}, int(count))

    return answer


@kernel
def _similar(ids: Any, wanted: Any, idf: Any, table: Any, threshold: Any) -> Any:
    """How many passages reach the threshold, and where the longest from each start stops, int64 [n]; 0 if none does."""
    n, count, mass = ids.shape[0], 0, wanted.sum()
    stops, counts = np.zeros(n, np.int64), np.zeros(wanted.shape[0], np.int64)
    for start in range(n):
        weight, overlap = 0.0, 0.0
        for j in range(start, n):
            token = ids[j]
            before, after = table[counts[token]] * idf[token], table[counts[token] + 1] * idf[token]
            counts[token] += 1
            weight += after - before
            overlap += min(after, wanted[token]) - min(before, wanted[token])
            if overlap >= threshold * (mass + weight - overlap) * (1.0 - EQUAL) and overlap > 0.0:
                count += 1
                stops[start] = j + 1
        counts[:] = 0
    return count, stops


def by_seed_extension(task: Task, threshold: float) -> Answer:
    found = sorted(seed_extension(task.text, task.query, threshold), key=lambda passage: -passage.similarity)
    places = np.array([passage[:2] for passage in found], np.int64).reshape(-1, 2)
    return Answer({"best": places, "document": places[:1]}, len(places))


def weightings(frequencies: DocumentFrequencies, quick: bool) -> dict[str, Weighting]:
    """The tf and idf functions of the paper's table."""
    idfs = ("unary", "standard", "smooth")
    every = {
        f"{tf} {idf}": Weighting(tf, idf, frequencies)
        for tf in ("binary", "raw", "logarithmic", "squared")
        for idf in idfs
    }
    return {name: every[name] for name in ("binary unary", "raw standard")} if quick else every


def counted(task: Task, passages: Passages) -> tuple[int, int, int]:
    """Characters of the union of the passages: right, reported and true."""
    groups = np.zeros(len(passages), np.int64)
    starts = task.starts[passages[:, 0]].astype(np.int64)
    ends = task.ends[passages[:, 1] - 1].astype(np.int64)
    right = count_covered(groups, np.maximum(starts, task.truth[0]), np.minimum(ends, task.truth[1]), 1)
    return int(right[0]), int(count_covered(groups, starts, ends, 1)[0]), task.truth[1] - task.truth[0]


def run(
    name: str, weighting: str, method: Method, tasks: list[Task], thresholds: tuple[float, ...]
) -> dict[Key, Results]:
    """The counts of every query at every threshold, for each way that the method reports."""
    results: dict[Key, Results] = {}
    for threshold in thresholds:
        counts: dict[str, list[tuple[int, int, int]]] = {}
        passages, seconds = 0, []
        for task in tasks:
            start = time.thread_time()
            answer = method(task, threshold)
            seconds.append(time.thread_time() - start)
            passages += answer.passages
            for report, found in answer.reports.items():
                counts.setdefault(report, []).append(counted(task, found))
        for report, rows in counts.items():
            result = results.setdefault(Key(name, weighting, report), Results({}, {}, {}))
            result.counts[threshold] = np.array(rows, np.int64)
            result.passages[threshold] = passages
            result.seconds[threshold] = float(np.median(seconds))
    return results


def scores(counts: Counts) -> tuple[Scores, Scores]:
    """Micro and macro scores of queries."""
    right, reported, true = counts.sum(axis=0).tolist()
    answered = counts[counts[:, 1] > 0]
    precision = float((answered[:, 0] / answered[:, 1]).mean()) if len(answered) else 0.0
    macro = Scores(precision, float((counts[:, 0] / counts[:, 2]).mean()))
    return Scores(ratio(right, reported, true), ratio(right, true, reported)), macro


def row(key: Key, threshold: object, counts: Counts, passages: object, seconds: float | None) -> Row:
    micro, macro = scores(counts)
    return {
        **key._asdict(),
        "threshold": threshold,
        "queries": len(counts),
        "precision": f"{micro.precision:.4f}",
        "recall": f"{micro.recall:.4f}",
        "F1": f"{micro.f1:.4f}",
        "macro F1": f"{macro.f1:.4f}",
        "passages": passages,
        "ms": "" if seconds is None else f"{1e3 * seconds:.2f}",
    }


def cross_validated(options: list[dict[float, Counts]], folds: npt.NDArray[np.int64]) -> Counts:
    """The counts of each query, under the option and threshold that are the best on the other folds."""
    candidates = [counts for option in options for counts in option.values()]
    chosen = np.zeros_like(candidates[0])
    for fold in range(FOLDS):
        held = folds == fold
        best = max(candidates, key=lambda counts: scores(counts[~held])[0].f1)
        chosen[held] = best[held]
    return chosen


def table(results: dict[Key, Results], tasks: list[Task]) -> Iterator[Row]:
    folds = np.array([task.group for task in tasks]) % FOLDS
    for key, result in results.items():
        for threshold, counts in result.counts.items():
            yield row(key, threshold, counts, result.passages[threshold], result.seconds[threshold])
        yield row(key, "chosen", cross_validated([result.counts], folds), "", None)
    for report in ("all", "best", "document"):
        options = [result.counts for key, result in results.items() if key.method == "search" and key.report == report]
        yield row(Key("search", "chosen", report), "chosen", cross_validated(options, folds), "", None)


def main() -> None:
    report = FigureReport(__doc__)
    report.parser.add_argument("--every", type=int, default=10, metavar="N", help="take every N-th case of PAN (10)")
    report.parser.add_argument("--tokenizer", default="words", help="anything that ibidem.make_tokenizer takes (words)")
    options = report.options()
    tasks, frequencies = pan_search(options.quick, options.every, options.tokenizer)
    thresholds = (0.3, 0.6) if options.quick else THRESHOLDS
    results: dict[Key, Results] = {}
    for name, weighting in weightings(frequencies, options.quick).items():
        results |= run("search", name, by_search(weighting), tasks, thresholds)
    for name, weighting in weightings(frequencies, quick=True).items():
        results |= run("brute force", name, by_brute_force(weighting), tasks, thresholds)
    results |= run("seed extension", "binary unary", by_seed_extension, tasks, thresholds)
    rows = list(table(results, tasks))
    report.finish_with(rows, panels(rows))


def _of(report: str) -> Callable[[Row], bool]:
    return lambda row: row["method"] == "search" and row["report"] == report and row["threshold"] != "chosen"


def panels(rows: Sequence[Row]) -> list[Panel]:
    return [
        Panel(f"{name}, of the search", "threshold", "F1", "weighting", _of(name), logarithmic=False)
        for name in ("all", "best", "document")
    ]


if __name__ == "__main__":
    main()
